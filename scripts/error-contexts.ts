import ts from 'typescript';

/** What a service's error may have in its context: by code and name the type, as TypeScript writes it, and `object` for all that holds more. */
export function createErrorContexts(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, '.');
  const program = ts.createProgram(['src/base/errors.ts'], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile('src/base/errors.ts') as ts.SourceFile;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol);
  const contexts = exported.find(({ name }) => name === 'HeavenErrorContexts') as ts.Symbol;

  const typeOf = (type: ts.Type): string => {
    if (type.isUnion())
      return type.types
        .map(typeOf)
        .filter((member) => member !== 'undefined')
        .join(' | ');
    if (type.isStringLiteral()) return `'${type.value}'`;
    return type.flags & ts.TypeFlags.Object ? 'object' : checker.typeToString(type);
  };
  const propertiesOf = <TValue>(type: ts.Type, read: (type: ts.Type) => TValue) =>
    Object.fromEntries(
      checker.getPropertiesOfType(type).map((each) => [each.name, read(checker.getTypeOfSymbol(each))]),
    );
  return propertiesOf(checker.getDeclaredTypeOfSymbol(contexts), (context) => propertiesOf(context, typeOf));
}

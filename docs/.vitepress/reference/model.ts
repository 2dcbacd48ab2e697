import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ENTRIES } from '../../../scripts/entry-points.js';

// The public names as TypeScript knows them. Docstrings are read here and nowhere else.

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The entry points, the main one first. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = Object.fromEntries(
  ENTRIES.filter(({ isTyped }) => isTyped).map(({ name, source }) => [name, source]),
);

/** A property of an object, or a parameter. */
export interface Field {
  readonly name: string;
  /** As the declaration has it, without `null` and `undefined`. */
  readonly type: string;
  /** `either`: there in some alternatives of the type, absent in the others. */
  readonly need: 'required' | 'optional' | 'either';
  readonly text: string;
  /** The interface that declares a property. */
  readonly from?: string | undefined;
}

export interface Parameter extends Field {
  /** Of an object that is described with the function. */
  readonly fields: readonly Field[];
}

export interface Entry {
  readonly name: string;
  readonly kind: 'function' | 'class' | 'constant' | 'type';
  /** Where it can be imported from. */
  readonly imports: readonly string[];
  /** In `src`, without `.ts`. */
  readonly file: string;
  readonly text: string;
  readonly throws: string;
  readonly returnsText: string;
  readonly example: string;
  /** The declaration in one line, or more for a type that has no fields of its own. */
  readonly signature: string;
  readonly parameters: readonly Parameter[];
  readonly returns: string;
  /** The fields of a type, or of a function's result. */
  readonly fields: readonly Field[];
}

const oneLine = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/\breadonly (?!\w+\[\]|\()/g, '')
    .replace(/^\| /, '')
    .replace(/([[(<]) | (?=[\])>])|,(?= [\])])/g, '$1')
    .trim();

const withoutNothing = (type: string) => type.replace(/( \| (null|undefined))+$/, '');

/** Reads all public names. */
export function readModel(): readonly Entry[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const entries = Object.entries(ENTRY_POINTS);
  const program = ts.createProgram(
    entries.map(([, path]) => `${root}${path}`),
    options,
  );
  const checker = program.getTypeChecker();
  const found = new Map<ts.Symbol, { name: string; imports: string[] }>();
  for (const [entry, path] of entries) {
    const source = program.getSourceFile(`${root}${path}`);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${path} exports nothing.`);
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const { imports } = found.get(symbol) ?? { imports: [] };
      found.set(symbol, { name: exported.name, imports: [...imports, entry] });
    }
  }
  return [...found].map(([symbol, { name, imports }]) => readEntry(checker, symbol, name, imports));
}

function readEntry(
  checker: ts.TypeChecker,
  symbol: ts.Symbol,
  name: string,
  imports: readonly string[],
): Entry {
  const declaration = symbol.declarations?.[0];
  if (declaration === undefined) throw new Error(`${name} is not declared.`);
  const tags = symbol
    .getJsDocTags(checker)
    .map((tag) => ({ name: tag.name, text: ts.displayPartsToString(tag.text) }));
  const tagOf = (wanted: string) => tags.find((tag) => tag.name === wanted)?.text.trim() ?? '';
  const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
  const [call] = isValue ? checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
  const common = {
    name,
    imports,
    file: declaration.getSourceFile().fileName.slice(`${root}src/`.length).replace(/\.ts$/, ''),
    text: textOf(symbol, checker),
    throws: tagOf('throws').replace(/^\{HeavenError\}\s*/, ''),
    returnsText: tagOf('returns'),
    example: /```ts\n([\s\S]*?)\n```/.exec(tagOf('example'))?.[1] ?? '',
  };
  if (call !== undefined) {
    const result = call.getReturnType();
    const awaited = checker.getAwaitedType(result) ?? result;
    return {
      ...common,
      kind: 'function',
      parameters: call.parameters.map((one) => readParameter(checker, one)),
      returns: returnText(checker, call),
      signature: '',
      fields: isOurs(awaited) ? fieldsOf(checker, awaited) : [],
    };
  }
  const isClass = (symbol.flags & ts.SymbolFlags.Class) !== 0;
  const type =
    isValue && !isClass ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol);
  return {
    ...common,
    kind: isClass ? 'class' : isValue ? 'constant' : 'type',
    parameters: [],
    returns: '',
    signature: isClass ? '' : declarationText(checker, declaration, type),
    fields: isOurs(type) && !isLiteralUnion(type) ? fieldsOf(checker, type) : [],
  };
}

const textOf = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();

const typeNodeOf = (declaration: ts.Declaration | undefined) =>
  declaration !== undefined && 'type' in declaration
    ? (declaration.type as ts.TypeNode | undefined)
    : undefined;

const typeText = (checker: ts.TypeChecker, type: ts.Type) =>
  checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);

function returnText(checker: ts.TypeChecker, call: ts.Signature): string {
  const node = call.getDeclaration()?.type;
  return oneLine(node?.getText() ?? typeText(checker, call.getReturnType()));
}

/** What to call a parameter that is taken apart: `config`, if it is a `FailoverConfig`. */
const nameOfType = (type: string) => /[A-Z][a-z]+$/.exec(type)?.[0].toLowerCase() ?? 'options';

function readParameter(checker: ts.TypeChecker, symbol: ts.Symbol): Parameter {
  const declaration = symbol.valueDeclaration as ts.ParameterDeclaration | undefined;
  const type = checker.getTypeOfSymbol(symbol);
  const written = typeNodeOf(declaration)?.getText() ?? typeText(checker, type);
  const isOptional = declaration?.questionToken !== undefined || declaration?.initializer !== undefined;
  const fallback = declaration?.initializer?.getText();
  const text = textOf(symbol, checker);
  const isInlined = /(Input|Options|Config|Intent|Terms|Request)\b/.test(written) && isOurs(type);
  return {
    name: symbol.name.startsWith('__') ? nameOfType(written) : symbol.name,
    type: withoutNothing(oneLine(written)),
    need: isOptional ? 'optional' : 'required',
    text: fallback === undefined || fallback === '{}' ? text : `${text} Default \`${fallback}\`.`.trim(),
    fields: isInlined && !written.endsWith('[]') ? fieldsOf(checker, checker.getNonNullableType(type)) : [],
  };
}

/** The text of a type without fields of its own: a union, a function, a constant. */
function declarationText(checker: ts.TypeChecker, declaration: ts.Declaration, type: ts.Type): string {
  if (ts.isInterfaceDeclaration(declaration)) return '';
  if (ts.isTypeAliasDeclaration(declaration)) return oneLine(declaration.type.getText());
  return typeText(checker, type);
}

/** Whether an object type is declared in this project. */
function isOurs(type: ts.Type): boolean {
  const types = type.isUnionOrIntersection() ? type.types : [type];
  return types.some((one) => {
    if (one.isUnionOrIntersection()) return isOurs(one);
    if (!(one.flags & ts.TypeFlags.Object) || one.getCallSignatures().length > 0) return false;
    return one.symbol?.declarations?.some(isInProject) ?? false;
  });
}

const isInProject = (declaration: ts.Declaration) =>
  declaration.getSourceFile().fileName.startsWith(`${root}src/`);

const isLiteralUnion = (type: ts.Type): boolean =>
  type.isUnion() && type.types.every((one) => !(one.flags & ts.TypeFlags.Object) && !one.isIntersection());

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Never;

const isNothing = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.every(isNothing) : (type.flags & NOTHING) !== 0;

/** The fields of an object type; of a union, those of all its alternatives. */
function fieldsOf(checker: ts.TypeChecker, type: ts.Type): readonly Field[] {
  const alternatives = (type.isUnion() ? type.types : [type]).filter(
    (one) => (one.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0,
  );
  const names = new Map<string, ts.Symbol[]>();
  for (const one of alternatives) {
    for (const property of checker.getPropertiesOfType(one)) {
      if (!(property.declarations ?? []).some(isInProject)) continue;
      names.set(property.name, [...(names.get(property.name) ?? []), property]);
    }
  }
  return [...names].map(([name, properties]) => {
    const some = properties.filter((property) => !isNothing(checker.getTypeOfSymbol(property)));
    const shown = some.length === 0 ? properties : some;
    const texts = shown.map((property) => textOf(property, checker));
    const isOptional = shown.every(
      (property) =>
        (property.flags & ts.SymbolFlags.Optional) !== 0 ||
        (property.declarations ?? []).some(
          (one) => 'questionToken' in one && one.questionToken !== undefined,
        ),
    );
    return {
      name,
      type: [...new Set(shown.map((property) => fieldType(checker, property)))].join(' | '),
      need: isOptional ? 'optional' : some.length < alternatives.length ? 'either' : 'required',
      text: texts.find((text) => text !== '') ?? '',
      from: interfaceOf(shown),
    };
  });
}

/** The interface that all of some properties are declared in. */
function interfaceOf(properties: readonly ts.Symbol[]): string | undefined {
  const names = properties.map(({ declarations: [first] = [] }) =>
    first !== undefined && ts.isInterfaceDeclaration(first.parent) ? first.parent.name.text : undefined,
  );
  return new Set(names).size === 1 ? names[0] : undefined;
}

function fieldType(checker: ts.TypeChecker, property: ts.Symbol): string {
  const declaration = property.valueDeclaration ?? property.declarations?.[0];
  if (declaration !== undefined && ts.isMethodSignature(declaration)) {
    return oneLine(declaration.getText().slice(declaration.name.getText().length)).replace(/;$/, '');
  }
  const node = typeNodeOf(declaration);
  const text = node?.getText() ?? typeText(checker, checker.getTypeOfSymbol(property));
  return withoutNothing(oneLine(text));
}

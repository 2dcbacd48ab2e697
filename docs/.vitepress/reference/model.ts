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
  /** The alternatives that have it, by the field that tells them apart. */
  readonly when?: { readonly name: string; readonly values: readonly string[] } | undefined;
  /** Others exclude it: it is one of several fields to choose from. */
  readonly isChoice?: boolean;
  /** Its type then starts with its parameters. */
  readonly isMethod?: boolean;
  readonly text: string;
  /** The interface that declares a property. */
  readonly from?: string | undefined;
}

export interface Parameter extends Field {
  /** Of an object that is described with the function. */
  readonly fields: readonly Field[];
}

/** Another way to call a function, as far as it differs. */
export interface Overload {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly returns: string;
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
  readonly overloads: readonly Overload[];
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
  const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
  const calls = isValue ? checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
  // The overload with the example is the one that the others are variants of.
  const call = calls.find((one) => one.getJsDocTags().some((tag) => tag.name === 'example')) ?? calls[0];
  const documented = calls.length > 1 ? call : undefined;
  const tags = documented?.getJsDocTags() ?? symbol.getJsDocTags(checker);
  const tagOf = (wanted: string) =>
    ts.displayPartsToString(tags.find((tag) => tag.name === wanted)?.text).trim();
  const common = {
    name,
    imports,
    file: declaration.getSourceFile().fileName.slice(`${root}src/`.length).replace(/\.ts$/, ''),
    text: textOf(documented ?? symbol, checker),
    throws: tagOf('throws').replace(/^\{HeavenError\}\s*/, ''),
    returnsText: tagOf('returns'),
    example: exampleIn(tags),
  };
  if (call !== undefined) {
    const result = call.getReturnType();
    const awaited = resolved(checker, checker.getAwaitedType(result) ?? result);
    const parameters = call.parameters.map((one) => readParameter(checker, one));
    return {
      ...common,
      kind: 'function',
      parameters,
      returns: returnText(checker, call),
      overloads: calls
        .filter((one) => one !== call)
        .map((one) => ({
          text: textOf(one, checker),
          parameters: differing(
            one.parameters.map((parameter) => readParameter(checker, parameter)),
            parameters,
          ),
          returns: returnText(checker, one),
        })),
      signature: '',
      fields: isOurs(awaited) ? fieldsOf(checker, awaited) : [],
    };
  }
  const isClass = (symbol.flags & ts.SymbolFlags.Class) !== 0;
  const type = resolved(
    checker,
    isValue && !isClass ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol),
  );
  return {
    ...common,
    kind: isClass ? 'class' : isValue ? 'constant' : 'type',
    parameters: [],
    returns: '',
    overloads: [],
    signature: isClass ? '' : declarationText(checker, declaration, type),
    fields: isOurs(type) && !isLiteralUnion(type) ? fieldsOf(checker, type) : [],
  };
}

/** The name of what a function returns or resolves to: `TransactionReview` of `Promise<TransactionReview<TBuilt>>`. */
export function nameOfResult(type: string): string {
  const result = withoutNothing(/^Promise<(.*)>$/.exec(type)?.[1] ?? type);
  return /^(\w+)<[^|]*>$/.exec(result)?.[1] ?? result;
}

const textOf = (documented: ts.Symbol | ts.Signature, checker: ts.TypeChecker) =>
  ts.displayPartsToString(documented.getDocumentationComment(checker)).trim();

/** The docstring of a field, with the only line of its example. */
function textWithExample(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const example = exampleIn(symbol.getJsDocTags(checker));
  return `${textOf(symbol, checker)}${example === '' ? '' : ` For example, \`${example}\``}`;
}

function exampleIn(tags: readonly ts.JSDocTagInfo[]): string {
  const text = ts.displayPartsToString(tags.find(({ name }) => name === 'example')?.text);
  return /```ts\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '';
}

/** A type with the constraints of its parameters in their place: what depends on `TSide` has the fields of both sides. */
const resolved = (checker: ts.TypeChecker, type: ts.Type): ts.Type =>
  (type.isIntersection() ? type.types : [type]).some(({ flags }) => flags & ts.TypeFlags.Instantiable)
    ? (checker.getBaseConstraintOfType(type) ?? type)
    : type;

/** The parameters of an overload that the main one has not, or of another type, with the fields that only they have. */
const differing = (some: readonly Parameter[], main: readonly Parameter[]): readonly Parameter[] =>
  some.flatMap((one) => {
    const same = main.find(({ name }) => name === one.name);
    if (same?.type === one.type) return [];
    const known = new Set(same?.fields.map(({ name }) => name));
    return [{ ...one, fields: one.fields.filter(({ name }) => !known.has(name)) }];
  });

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
  const type = resolved(checker, checker.getTypeOfSymbol(symbol));
  const written = typeNodeOf(declaration)?.getText() ?? typeText(checker, type);
  const isOptional = declaration?.questionToken !== undefined || declaration?.initializer !== undefined;
  const fallback = declaration?.initializer?.getText();
  const text = textOf(symbol, checker);
  const isInlined = /(Input|Options|Config|Intent|Terms|Request)\b/.test(written) && isOurs(type);
  return {
    name: symbol.name.startsWith('__') ? nameOfType(written) : symbol.name,
    type: withoutNothing(oneLine(written)) + boundOf(checker, typeNodeOf(declaration)),
    need: isOptional ? 'optional' : 'required',
    text: fallback === undefined || fallback === '{}' ? text : `${text} Default \`${fallback}\`.`.trim(),
    fields: isInlined && !written.endsWith('[]') ? fieldsOf(checker, checker.getNonNullableType(type)) : [],
  };
}

/** What a type parameter that stands for a whole type is limited to: ` extends BuiltTransaction`. */
function boundOf(checker: ts.TypeChecker, node: ts.TypeNode | undefined): string {
  if (node === undefined || !ts.isTypeReferenceNode(node)) return '';
  const [declaration] = checker.getTypeFromTypeNode(node).symbol?.declarations ?? [];
  const isParameter = declaration !== undefined && ts.isTypeParameterDeclaration(declaration);
  return isParameter && declaration.constraint ? ` extends ${oneLine(declaration.constraint.getText())}` : '';
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

/** Whether a reader can use a property: it is declared here, and is neither private nor a symbol's. */
const isShown = ({ name, declarations = [] }: ts.Symbol): boolean =>
  !/^(#|__@)/.test(name) &&
  declarations.some(isInProject) &&
  !declarations.some(
    (one) => ts.getCombinedModifierFlags(one) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected),
  );

/** The fields of an object type; of a union, those of all its alternatives. */
function fieldsOf(checker: ts.TypeChecker, type: ts.Type): readonly Field[] {
  const alternatives = (type.isUnion() ? type.types : [type]).filter(
    (one) => (one.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0,
  );
  const names = new Map<string, Map<ts.Type, ts.Symbol>>();
  for (const one of alternatives) {
    for (const property of checker.getPropertiesOfType(one).filter(isShown)) {
      names.set(property.name, (names.get(property.name) ?? new Map()).set(one, property));
    }
  }
  const discriminant = discriminantOf(checker, alternatives);
  return [...names].map(([name, properties]) => {
    const some = [...properties].filter(([, one]) => !isNothing(checker.getTypeOfSymbol(one)));
    const all = some.length === 0 ? [...properties] : some;
    const shown = all.map(([, property]) => property);
    const texts = shown.map((property) => textWithExample(property, checker));
    const isOptional = shown.every(
      (property) =>
        (property.flags & ts.SymbolFlags.Optional) !== 0 ||
        (property.declarations ?? []).some(
          (one) => 'questionToken' in one && one.questionToken !== undefined,
        ),
    );
    const having = new Set(all.map(([one]) => one));
    const isEverywhere = having.size === alternatives.length;
    const when = isEverywhere ? undefined : discriminant && whenOf(discriminant, having);
    const excluding = [...properties.keys()].filter((one) => !having.has(one));
    return {
      name,
      type: joined([...new Set(shown.map((property) => fieldType(checker, property)))]),
      need: isOptional ? 'optional' : isEverywhere ? 'required' : 'either',
      when,
      isChoice: !isOptional && excluding.some((one) => isFor(discriminant, one, when)),
      isMethod: shown.every(({ declarations: [first] = [] }) => first !== undefined && isMethod(first)),
      text: texts.find((text) => text !== '') ?? '',
      from: interfaceOf(shown),
    };
  });
}

interface Discriminant {
  readonly name: string;
  readonly values: ReadonlyMap<ts.Type, readonly string[]>;
}

/** The field that tells the alternatives of a type apart: `status`, with its values in each. */
function discriminantOf(checker: ts.TypeChecker, alternatives: readonly ts.Type[]): Discriminant | undefined {
  const candidates = (alternatives[0]?.getProperties() ?? []).flatMap(({ name }) => {
    const values = new Map<ts.Type, readonly string[]>();
    for (const one of alternatives) {
      const property = one.getProperty(name);
      const type = property && resolved(checker, checker.getTypeOfSymbol(property));
      const units = type === undefined ? [] : type.isUnion() ? type.types : [type];
      if (units.length === 0 || !units.every(({ flags }) => flags & UNIT)) return [];
      values.set(
        one,
        units.map((unit) => (unit.isStringLiteral() ? unit.value : checker.typeToString(unit))),
      );
    }
    return new Set([...values.values()].map(String)).size > 1 ? [{ name, values }] : [];
  });
  const countOf = ({ values }: Discriminant) => new Set([...values.values()].map(String)).size;
  return candidates.sort((a, b) => countOf(b) - countOf(a))[0];
}

const UNIT = ts.TypeFlags.StringLiteral | ts.TypeFlags.BooleanLiteral | ts.TypeFlags.Undefined;

/** For which values of the discriminant a field is there, if not for all. */
function whenOf({ name, values }: Discriminant, having: ReadonlySet<ts.Type>): Field['when'] {
  const found = new Set([...having].flatMap((one) => values.get(one) ?? []));
  return found.size === new Set([...values.values()].flat()).size ? undefined : { name, values: [...found] };
}

/** Whether an alternative is one of those for which a field is there. */
const isFor = (discriminant: Discriminant | undefined, one: ts.Type, when: Field['when']): boolean =>
  when === undefined ||
  (discriminant?.values.get(one)?.some((value) => when.values.includes(value)) ?? false);

/** A union of types, of which more than one may be a function. */
const joined = (types: readonly string[]) =>
  (types.length > 1 ? types.map((type) => (type.includes('=>') ? `(${type})` : type)) : types).join(' | ');

/** The interface that all of some properties are declared in. */
function interfaceOf(properties: readonly ts.Symbol[]): string | undefined {
  const names = properties.map(({ declarations: [first] = [] }) =>
    first !== undefined && ts.isInterfaceDeclaration(first.parent) ? first.parent.name.text : undefined,
  );
  return new Set(names).size === 1 ? names[0] : undefined;
}

const isMethod = (declaration: ts.Declaration): declaration is ts.MethodSignature | ts.MethodDeclaration =>
  ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration);

function fieldType(checker: ts.TypeChecker, property: ts.Symbol): string {
  const declaration = property.valueDeclaration ?? property.declarations?.[0];
  const node = typeNodeOf(declaration);
  const text = node?.getText() ?? typeText(checker, checker.getTypeOfSymbol(property));
  if (declaration !== undefined && isMethod(declaration)) {
    const own = declaration.typeParameters?.map((one) => one.getText()).join(', ');
    const parameters = declaration.parameters.map((one) => {
      const isOptional = one.questionToken !== undefined || one.initializer !== undefined;
      const type = one.type?.getText() ?? typeText(checker, checker.getTypeAtLocation(one));
      return `${one.dotDotDotToken ? '...' : ''}${one.name.getText()}${isOptional ? '?' : ''}: ${type}`;
    });
    return oneLine(`${own === undefined ? '' : `<${own}>`}(${parameters.join(', ')}): ${text}`);
  }
  return withoutNothing(oneLine(text)) + boundOf(checker, node);
}

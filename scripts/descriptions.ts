import ts from 'typescript';
import { answerShape } from '../src/http/schemas/index.js';
import { requestShape } from '../src/http/schemas/requests.js';
import type { Field } from '../src/input/field.js';
import { object } from '../src/input/fields.js';
import type { OperationName } from '../src/operations/index.js';
import { detailsOf, unreadBy } from './answer-details.js';

/** The descriptions of one operation's fields by their paths, such as `input.quoteResponse.mint`. */
export type Texts = Readonly<Record<string, string>>;

/**
 * The descriptions of every field of the HTTP interface, from the docstrings of the functions' inputs and results: those that all
 * operations share, and those of single ones.
 */
export function createDescriptions(): Readonly<Record<string, Texts>> {
  const operations = Object.entries(textsByOperation());
  const shared: Record<string, string> = {};
  const differing = new Set<string>();
  for (const [, texts] of operations) {
    for (const [path, text] of Object.entries(texts)) {
      shared[path] ??= text;
      if (shared[path] !== text) differing.add(path);
    }
  }
  for (const [path, text] of Object.entries(shared))
    if (differing.has(path) || text === '') delete shared[path];
  const own = operations.flatMap(([name, texts]) => {
    const rest = Object.entries(texts).filter(([path, text]) => differing.has(path) && text !== '');
    return rest.length === 0 ? [] : [[name, Object.fromEntries(rest)] as const];
  });
  return { shared, ...Object.fromEntries(own) };
}

function textsByOperation(): Readonly<Record<string, Texts>> {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
    ts.sys,
    '.',
  );
  const program = ts.createProgram(['src/operations/index.ts'], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile('src/operations/index.ts') as ts.SourceFile;

  const textOf = (symbol: ts.Symbol): string =>
    symbol
      .getDocumentationComment(checker)
      .map(({ text }) => text)
      .join('')
      .replace(/\{@link (\w+) ?\}/g, '$1')
      .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
      .replace(/`/g, '')
      .replace(/\s+/g, ' ')
      .trim();

  /** The object types in a type: the members of a union, the items of a list. */
  const membersOf = (type: ts.Type): readonly ts.Type[] => {
    if (type.isUnion()) return type.types.flatMap(membersOf);
    const [item] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
    return item === undefined ? [type] : membersOf(item);
  };

  /** Collects the docstrings of the fields in a field. */
  const collect = (type: ts.Type, field: Field, path: string, texts: Record<string, string>): void => {
    if ('present' in field) collect(type, field.present, path, texts);
    if ('item' in field) collect(type, field.item, path, texts);
    if (!('shape' in field)) return;
    for (const [name, inner] of Object.entries(field.shape)) {
      for (const member of membersOf(type)) {
        const property = checker.getPropertyOfType(member, name);
        if (property === undefined) continue;
        texts[`${path}.${name}`] ||= textOf(property);
        collect(checker.getTypeOfSymbol(property), inner, `${path}.${name}`, texts);
      }
    }
  };

  const operations: Record<string, Texts> = {};
  for (const table of checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol)) {
    if (table.name !== 'readers' && table.name !== 'builders') continue;
    for (const operation of checker.getPropertiesOfType(checker.getTypeOfSymbol(table))) {
      const name = operation.name as OperationName;
      const [signature] = checker.getTypeOfSymbol(operation).getCallSignatures();
      const input = checker.getTypeOfSymbol(signature?.getParameters()[1] as ts.Symbol);
      const result = checker.getAwaitedType(signature?.getReturnType() as ts.Type) as ts.Type;
      const texts: Record<string, string> = { '': textOf(operation).replace(/ See \w+\.$/, '') };
      collect(input, object(requestShape(name)), 'input', texts);
      // The interface wraps a pool's record, and has other details.
      const { data, details: _, ...documented } = answerShape(name);
      if (data === undefined) collect(result, object({ ...documented, ...unreadBy(name) }), 'result', texts);
      else collect(result, data, 'result.data', texts);
      // It is not the `data` of a pool's account.
      if (data !== undefined) texts['result.data'] = '';
      const details = checker.getPropertyOfType(result, 'details');
      const from = details === undefined ? result : checker.getTypeOfSymbol(details);
      collect(from, detailsOf(name), 'result.details', texts);
      operations[name] = texts;
    }
  }
  return operations;
}

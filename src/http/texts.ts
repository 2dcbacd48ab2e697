import type * as z from 'zod/mini';
import { toSnakeCase } from '../case.js';
import type { Shape } from '../door/door.js';
import { formOf } from '../door/forms.js';
import type { OperationName } from '../operations.js';
import { contract } from './schemas/index.js';
import { requestShape } from './schemas/requests.js';

// The functions' texts name fields as the SDK does. Over HTTP they have the interface's names, and the remote client gives the
// SDK's back.

type Names = ReadonlyMap<string, string>;
let known: { readonly json: Names; readonly sdk: Names } | undefined;

/** The fields' names in JSON by those in the SDK, and the reverse. */
function fieldNames() {
  if (known === undefined) {
    const names = Object.keys(contract) as readonly OperationName[];
    const fields = names.flatMap((name) => [
      ...fieldsOf(requestShape(name)),
      ...fieldsIn(contract[name].answer()),
    ]);
    const pairs = fields.map((field) => [field, toSnakeCase(field)] as const);
    known = { json: new Map(pairs), sdk: new Map(pairs.map(([sdk, json]) => [json, sdk])) };
  }
  return known;
}

const fieldsOf = (shape: Shape): readonly string[] =>
  Object.entries(shape).flatMap(([field, schema]) => [field, ...fieldsIn(schema)]);

function fieldsIn(schema: z.ZodMiniType): readonly string[] {
  const form = formOf(schema);
  switch (form.kind) {
    case 'object':
      return fieldsOf(form.shape);
    case 'list':
      return fieldsIn(form.item);
    case 'optional':
      return fieldsIn(form.present);
    default:
      return [];
  }
}

/** A quoted value, which stays as it is; or a word, with its indexes. */
const SDK_WORD = /"(?:[^"\\]|\\.)*"|\b([A-Za-z]\w*)((?:\[\d+\])*)/g;
const INTERFACE_WORD = /"(?:[^"\\]|\\.)*"|\b([A-Za-z]\w*)((?:\.\d+)*)/g;

/**
 * A text of the SDK with the interface's names: `quote_response.max_sol_spend` for `quoteResponse.maxSolSpend`, `brackets.0` for
 * `brackets[0]`. Changes only names of the contract, and of the field that the text is about.
 */
export function inInterfaceNames(text: string, field = ''): string {
  const own = field.split(/\W+/);
  return text.replace(SDK_WORD, (found: string, word?: string, indexes = '') => {
    if (word === undefined) return found;
    const name = fieldNames().json.get(word) ?? (own.includes(word) ? toSnakeCase(word) : undefined);
    return name === undefined ? found : name + indexes.replace(/\[(\d+)\]/g, '.$1');
  });
}

/** The reverse of {@link inInterfaceNames}, with the field as the SDK names it. */
export function inSdkNames(text: string, field = ''): string {
  const own = field.split(/\W+/);
  return text.replace(INTERFACE_WORD, (found: string, word?: string, indexes = '') => {
    if (word === undefined) return found;
    const name = fieldNames().sdk.get(word) ?? own.find((each) => toSnakeCase(each) === word);
    return name === undefined ? found : name + indexes.replace(/\.(\d+)/g, '[$1]');
  });
}

/** A value with the interface's names in all of its texts. */
export function textsInInterfaceNames(value: unknown): unknown {
  if (typeof value === 'string') return inInterfaceNames(value);
  if (Array.isArray(value)) return value.map(textsInInterfaceNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, textsInInterfaceNames(item)]));
}

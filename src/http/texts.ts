import type { Field } from '../input/field.js';
import { object } from '../input/fields.js';
import { type OperationName, paths } from '../operations/index.js';
import { fieldPath } from './names.js';
import { answerShape } from './schemas/index.js';
import { requestShape } from './schemas/requests.js';

// The functions' texts name fields as the SDK does. Over HTTP they have the interface's names.

let known: ReadonlySet<string> | undefined;

/** The fields' names in the SDK. */
function fieldNames(): ReadonlySet<string> {
  known ??= new Set(
    (Object.keys(paths) as readonly OperationName[])
      .flatMap((name) => [requestShape(name), answerShape(name)])
      .flatMap((shape) => fieldsIn(object(shape))),
  );
  return known;
}

function fieldsIn(field: Field): readonly string[] {
  if ('present' in field) return fieldsIn(field.present);
  if ('item' in field) return fieldsIn(field.item);
  if (!('shape' in field)) return [];
  return Object.entries(field.shape).flatMap(([name, inner]) => [name, ...fieldsIn(inner)]);
}

/** A quoted value, which stays as it is; a bigint, which JSON has without its `n`; or a word, with its indexes. */
const SDK_WORD = /"(?:[^"\\]|\\.)*"|\b(\d+)n\b|\b([A-Za-z]\w*)((?:\[\d+\])*)/g;

/**
 * A text of the SDK with the interface's names: `quote_response.max_sol_spend` for `quoteResponse.maxSolSpend`, `brackets.0` for
 * `brackets[0]`. Changes only names of the contract, and of the field that the text is about.
 */
export function inInterfaceNames(text: string, field = ''): string {
  const own = field.split(/\W+/);
  return text.replace(SDK_WORD, (found: string, digits?: string, word?: string) => {
    if (word === undefined) return digits ?? found;
    return fieldNames().has(word) || own.includes(word) ? fieldPath(found) : found;
  });
}

/** A value with the interface's names in all of its texts. */
export function textsInInterfaceNames(value: unknown): unknown {
  if (typeof value === 'string') return inInterfaceNames(value);
  if (Array.isArray(value)) return value.map(textsInInterfaceNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, textsInInterfaceNames(item)]));
}

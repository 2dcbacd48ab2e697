import * as z from 'zod/mini';
import { toCamelCase } from '../src/base/case.js';
import { decoderOf } from '../src/http/schemas/json.js';
import { type Field, inJson, type Keywords, type Kind } from '../src/input/field.js';
import { DECIMAL } from '../src/math/units.js';
import { MAX_LOADED_ACCOUNTS_BYTES } from '../src/solana/limits.js';
import { nameOfObject } from './type-names.js';

const DIGITS: Keywords = { type: ['integer', 'string'], pattern: '^[0-9]+$', minimum: 0 };
const UINT64: Keywords = { ...DIGITS, format: 'uint64' };
const AMOUNT: Keywords = { type: ['number', 'string'], pattern: String(DECIMAL).slice(1, -1), minimum: 0 };
const MAX_U64 = String(2n ** 64n - 1n);

/** What JSON Schema says of each kind of value. It documents the range, which the field's check enforces. */
export const KEYWORDS: Readonly<Record<Kind, Keywords>> = {
  pubkey: { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' },
  bool: { type: 'boolean' },
  u8: { ...DIGITS, maximum: 255 },
  u16: { ...DIGITS, maximum: 65_535 },
  u32: { ...DIGITS, maximum: 4_294_967_295 },
  u64: { ...UINT64, maximum: MAX_U64 },
  f64: { type: 'number', minimum: 0 },
  int64: { ...DIGITS, format: 'int64', maximum: String(2n ** 63n - 1n) },
  positive: { ...UINT64, minimum: 1, maximum: MAX_U64 },
  integer: DIGITS,
  small: DIGITS,
  bps: { ...DIGITS, maximum: 10_000 },
  loadedBytes: { ...DIGITS, maximum: MAX_LOADED_ACCOUNTS_BYTES },
  transactionVersion: { ...DIGITS, maximum: 1 },
  amount: AMOUNT,
  positiveAmount: { ...AMOUNT, exclusiveMinimum: 0 },
  text: { type: 'string' },
  base64: { type: 'string', contentEncoding: 'base64' },
};

/** What JSON Schema says of a field besides the form that its decoder has, and the name of an object. */
type About = Keywords & { readonly name?: string | undefined; readonly maxItems?: number | undefined };

function aboutField(field: Field, isAnswer: boolean): About {
  if ('kind' in field) {
    const { pattern, ...keywords } = { ...KEYWORDS[field.kind], ...field.keywords };
    // Of an answer's integers, only those that may be over 2^53 are strings, with `?integers=string`.
    const isNumber = isAnswer && inJson(field).base === 'small';
    return isNumber ? { ...keywords, type: 'integer' } : { ...keywords, ...given({ pattern }) };
  }
  if ('item' in field) return field.assertCount === undefined ? {} : { maxItems: field.maxItems };
  return 'shape' in field ? { name: nameOfObject(field) } : {};
}

export type JsonSchema = { readonly [keyword: string]: unknown };

/** What a document says of a request or an answer besides its form. */
export interface Remarks {
  /** The description of the field at a path such as `input.quoteResponse.mint`, or of an object with a name. */
  readonly describe: (path: string) => string | undefined;
  /** Whether the documented interface lacks the field at a path. */
  readonly isAddition?: (path: string) => boolean;
  /** The value of the field at a path if a request leaves it out. */
  readonly defaultOf?: (path: string) => unknown;
  /** Whether no object has other fields. */
  readonly isClosed?: boolean;
}

/** The JSON Schema of a field's JSON, with remarks. The objects in it that have a name go to the components. */
export function jsonSchemaOf(
  field: Field,
  root: string,
  { describe, defaultOf, isAddition, isClosed = false }: Remarks,
  components: Record<string, unknown>,
): JsonSchema {
  const about = z.registry<About>();
  const decoder = decoderOf(field, (part, of) => about.add(part, aboutField(of, isClosed)));
  const { $schema, ...schema } = z.toJSONSchema(decoder, {
    io: 'input',
    metadata: about,
    override: ({ zodSchema, jsonSchema, path }) => {
      const at = [root, ...path.filter((part) => part !== 'properties' && part !== 'items')].join('.');
      for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
        const inner = toCamelCase(`${at}.${name}`);
        const fallback = jsonSchema.required?.includes(name) ? undefined : defaultOf?.(inner);
        const mark = isAddition?.(inner) ? true : undefined;
        const description = describe(inner)?.replace('the documented one', String(fallback));
        // Generators such as openapi-typescript take a field with a `default` for one that is always there.
        Object.assign(property, given({ 'x-default': fallback, description, 'x-addition': mark }));
      }
      if (isClosed && jsonSchema.type === 'object') jsonSchema.additionalProperties = false;
      const { name } = about.get(zodSchema) ?? {};
      if (name === undefined) return;
      const { name: _, ...named } = jsonSchema;
      components[name] ??= { ...named, ...given({ description: describe(name) }) };
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      jsonSchema.$ref = `#/components/schemas/${name}`;
    },
  });
  return schema;
}

/** The members that have a value. */
const given = (members: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

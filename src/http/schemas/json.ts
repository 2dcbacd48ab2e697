import * as z from 'zod/mini';
import { toSnakeCase } from '../../base/case.js';
import { describe, hasNoField, inputError, unknownNames } from '../../base/input.js';
import { JsonDecimal } from '../../base/json.js';
import {
  type Field,
  inJson,
  type ListField,
  type ObjectField,
  type Refuse,
  type ValueField,
} from '../../input/field.js';
import { sdkPath } from '../names.js';

// The interface's JSON, made from the operations' fields: the service decodes requests, and the remote client encodes them and decodes
// answers. A decoder reads what JSON says; the fields check the values.

/** Decodes JSON, as `parseJson` reads it. */
export type Decoder<TValue> = z.ZodMiniType<TValue, unknown>;

/** Told of each decoder which field it decodes, for JSON Schema. */
export type Note = (decoder: z.ZodMiniType, field: Field) => void;

/** What is wrong with a JSON value, and where: `quote_response.mint`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export type Decoded<TValue> = { readonly value: TValue } | { readonly problems: readonly Problem[] };

/** The part of an issue that throws the field's own error, once the whole path is known. */
interface TooLong {
  readonly reject: (field: string) => void;
}

const MISSING = 'is missing';
const NOT_OBJECT = 'must be an object';

/** A hostile list has thousands of problems. */
const MAX_PROBLEMS = 20;

/**
 * Decodes a JSON value, or reports what is wrong with it.
 *
 * @throws {HeavenError} the field's own error for a list that is too long, of which no item is decoded
 */
export function decode<TValue>(decoder: Decoder<TValue>, json: unknown): Decoded<TValue> {
  const decoded = z.safeParse(decoder, json);
  if (decoded.success) return { value: decoded.data };
  const { issues } = decoded.error;
  for (const issue of issues)
    if (issue.code === 'custom') (issue.params as TooLong | undefined)?.reject(sdkPath(issue.path.join('.')));
  // The unknown names of the first object stand for those of all.
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys');
  const problems = issues
    .filter((issue) => issue === unknown || issue.code !== 'unrecognized_keys')
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => ({
      path: path.join('.'),
      message: path.length === 0 && message === MISSING ? NOT_OBJECT : message,
    }));
  return { problems };
}

/**
 * Encodes a value that its field has checked.
 *
 * @throws {HeavenError} `invalid-input` for a number that JSON can't carry
 */
export function encode(field: Field, value: unknown, path: readonly string[] = []): unknown {
  if (value === undefined || value === null) return value;
  if ('present' in field) return encode(field.present, value, path);
  if ('item' in field)
    return (value as readonly unknown[]).map((item, index) =>
      encode(field.item, item, [...path, `${index}`]),
    );
  if ('shape' in field)
    return Object.fromEntries(
      Object.entries(field.shape).map(([name, inner]) => [
        toSnakeCase(name),
        encode(inner, (value as Fields)[name], [...path, name]),
      ]),
    );
  const refuse: Refuse = (message) => {
    const name = path.join('.');
    throw inputError(name, `${name} ${message}; got ${describe(value)}.`, value);
  };
  const { write } = inJson(field);
  return write === undefined ? value : write(value, refuse, field.keywords ?? {});
}

/** The decoder of a field. Fields have the names of the interface. */
export function decoderOf<TValue>(field: Field<TValue>, note?: Note): Decoder<TValue>;
export function decoderOf(field: Field, note: Note = () => {}): Decoder<unknown> {
  if ('present' in field) return z.nullish(decoderOf(field.present, note));
  const decoder =
    'item' in field
      ? listDecoder(field, note)
      : 'shape' in field
        ? objectDecoder(field, note)
        : valueDecoder(field);
  note(decoder, field);
  return decoder;
}

/** A decoder that first looks at the JSON. */
const after = <TValue>(look: (payload: z.core.ParsePayload) => unknown, decoder: Decoder<TValue>) =>
  z.pipe(
    z.transform((json: unknown, payload) => {
      look(payload);
      return json;
    }),
    decoder,
  );

function valueDecoder(field: ValueField) {
  const { read } = inJson(field);
  const value = z.transform((json: unknown, { issues }) => {
    const refuse: Refuse = (message) => {
      issues.push({ code: 'custom', message, input: json });
      return z.NEVER;
    };
    return json === undefined || json === null ? refuse(MISSING) : read(json, refuse, field.keywords ?? {});
  });
  return z.pipe(value, z.unknown());
}

const missingOr = (message: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    (input ?? undefined) === undefined ? MISSING : message,
});

function listDecoder({ item, length, maxItems, of, assertCount }: ListField, note: Note) {
  const list = z.array(
    decoderOf(item, note),
    missingOr(`must be a list${of === undefined ? '' : ` of ${of}`}`),
  );
  if (length !== undefined) return list.check(z.length(length, `must have ${length} items`));
  if (maxItems === undefined) return list;
  const message = `must have at most ${maxItems} items`;
  return after(({ value: input, issues }) => {
    if (!Array.isArray(input) || input.length <= maxItems) return;
    const params = assertCount && ({ reject: (field) => assertCount(input, field) } satisfies TooLong);
    issues.push({ code: 'custom', message, input, params });
  }, list);
}

const isObject = (json: unknown) =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof JsonDecimal);

type Fields = Readonly<Record<string, unknown>>;

function objectDecoder({ shape, isStrict }: ObjectField, note: Note) {
  const names = Object.keys(shape).map((field) => [field, toSnakeCase(field)] as const);
  const decoders = Object.fromEntries(
    names.map(([field, name]) => [name, decoderOf(shape[field] as Field, note)]),
  );
  const hasUnknown = ({ input }: { readonly input?: unknown }) =>
    unknownNames(input as object, decoders)
      .names.map((name) => hasNoField(name, decoders))
      .join(', ');
  const json = isStrict ? z.strictObject(decoders, { error: hasUnknown }) : z.object(decoders);
  const renamed = z.pipe(
    json,
    z.transform((value: Fields) => {
      const fields = names.map(([field, name]) => [field, value[name]] as const);
      return Object.fromEntries(fields.filter(([, item]) => item !== undefined && item !== null));
    }),
  );
  const assertObject = ({ value: input, issues }: z.core.ParsePayload) => {
    const isMissing = input === undefined || input === null;
    if (!isObject(input)) issues.push({ code: 'custom', message: isMissing ? MISSING : NOT_OBJECT, input });
  };
  return after(assertObject, renamed);
}

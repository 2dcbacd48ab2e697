import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';

import { KEYWORDS } from '../../scripts/json-schema.js';
import { toCamelCase, toSnakeCase } from '../../src/base/case.js';
import { createRemoteClient } from '../../src/http/index.js';
import { requestShape } from '../../src/http/schemas/requests.js';
import { createLocalClient } from '../../src/index.js';
import {
  type Field as DeclaredField,
  inJson,
  type Keywords,
  type ListField,
  type ObjectField,
  type Shape,
} from '../../src/input/field.js';
import { type OperationName, paths } from '../../src/operations/index.js';
import { createService, jsonText, objectText, readJson } from './support.js';
import { asInput, type Fields, PAYER, type WorkingRequest, workingRequests } from './working-requests.js';

// Every operation, to be called in three ways: as a function, over HTTP, and by the remote client. What an operation takes is read
// from its declaration, so a new field is tried as soon as a request in `golden/sample.json` has it.

export const OPERATIONS = Object.entries(paths) as readonly [OperationName, string][];

type Call = (name: OperationName, input: unknown) => Promise<object>;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A service over an embedded ledger, its local and its remote client, and a working request of each path. */
export async function createEngines() {
  // That of the golden answers.
  const mintSigner = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(5));
  const service = await createService({ mintSigner: async () => mintSigner });
  const { handler, client, ledger } = service;
  const localClient = createLocalClient(client);
  /** The statuses that the remote client was answered with. */
  const statuses: number[] = [];
  const remoteClient = createRemoteClient({
    baseUrl: 'http://service',
    retries: 0,
    fetch: async (url, init) => {
      const response = await handler(new Request(url, init));
      statuses.push(response.status);
      return response;
    },
  });
  // A launch here has the mint that the service gives its own.
  const local: Call = (name, input) => {
    const isLaunch = name === 'buildCreateStandardLiquidityPool' && isObject(input);
    return (localClient[name] as (input: unknown) => Promise<object>)(
      isLaunch ? { ...input, mintSigner } : input,
    );
  };
  const remote: Call = (name, input) => (remoteClient[name] as (input: unknown) => Promise<object>)(input);
  const working = await workingRequests(ledger);
  return { ...service, mintSigner, local, localClient, remote, remoteClient, statuses, working };
}

/** The SDK's input for the fields of a request. The SDK has one name for the version of a config. */
export function inputOf(name: OperationName, fields: Fields): Readonly<Record<string, unknown>> {
  const { configVersion, maxLamportSpend: lamports, ...others } = asInput(objectText(fields));
  const input = lamports === undefined ? others : { ...others, lamports };
  if (configVersion === undefined || name === 'getProtocolConfigState') return input;
  return { configVersion, ...input };
}

// ---------------------------------------------------------------- fields

/** How JSON holds a value, and its limits. */
export type ValueForm = Keywords & { readonly kind: ReturnType<typeof inJson>['base'] };

/** A field of a request, or of an object or a list in it. */
export interface Field {
  /** As JSON has it: `brackets`, `0`, `buy_fee_bps`. */
  readonly path: readonly string[];
  readonly form:
    | ValueForm
    | (ListField & { readonly kind: 'list' })
    | (ObjectField & { readonly kind: 'object' });
  readonly isRequired: boolean;
}

/** The form of a field, whether it may be left out or not. */
export function formOf(field: DeclaredField): Field['form'] {
  if ('present' in field) return formOf(field.present);
  if ('item' in field) return { ...field, kind: 'list' };
  if ('shape' in field) return { ...field, kind: 'object' };
  return { ...KEYWORDS[field.kind], ...field.keywords, kind: inJson(field).base };
}

/** Every field that an operation's request can have, however deep. A list counts with its first item. */
export const fieldsOf = (name: OperationName): readonly Field[] => fieldsIn(requestShape(name));

const fieldsIn = (shape: Shape, prefix: readonly string[] = []): readonly Field[] =>
  Object.entries(shape).flatMap(([name, field]) =>
    withInner({
      path: [...prefix, toSnakeCase(name)],
      form: formOf(field),
      isRequired: !('present' in field),
    }),
  );

function withInner(field: Field): readonly Field[] {
  const { path, form } = field;
  if (form.kind === 'object') return [field, ...fieldsIn(form.shape, path)];
  if (form.kind !== 'list') return [field];
  return [field, ...withInner({ path: [...path, '0'], form: formOf(form.item), isRequired: true })];
}

/** A value with another one somewhere in it; `undefined` leaves that out. */
export function setIn(value: unknown, [name, ...rest]: readonly string[], inner: unknown): unknown {
  if (name === undefined) return inner;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? setIn(item, rest, inner) : item));
  const object = (value ?? {}) as Readonly<Record<string, unknown>>;
  return { ...object, [name]: setIn(object[name], rest, inner) };
}

/** A path in the SDK's names. */
export const inSdk = (path: readonly string[]): readonly string[] =>
  String(path) === 'max_lamport_spend' ? ['lamports'] : path.map(toCamelCase);

/** `brackets[0].buyFeeBps`, as the SDK's errors name a field. */
export const sdkName = (path: readonly string[]): string =>
  inSdk(path)
    .join('.')
    .replace(/\.(\d+)/g, '[$1]');

/** A request's fields with every field that can stand beside one. */
function fieldsBeside({ required, optional, alternative }: WorkingRequest, { path: [name = ''] }: Field) {
  if (name !== 'config_version' || name in required)
    return { ...required, ...(name in alternative ? alternative : optional) };
  // The other name of a config's version.
  const { version: _, ...others } = required;
  return { ...others, ...optional, ...alternative };
}

/** A request's JSON text with another value of a field. */
export const bodyWith = (request: WorkingRequest, field: Field, value: unknown): string =>
  jsonText(setIn(readJson(objectText(fieldsBeside(request, field))), field.path, value));

/** The SDK's input with another value of a field. */
export const inputWith = (name: OperationName, request: WorkingRequest, field: Field, value: unknown) =>
  setIn(inputOf(name, fieldsBeside(request, field)), inSdk(field.path), value) as object;

/** Whether the SDK has the field, too. The client has the program, and a config has one name of its version. */
export const isInSdk = (name: OperationName, { path: [field] }: Pick<Field, 'path'>): boolean =>
  field !== 'program_id' && !(name === 'getProtocolConfigState' && field === 'config_version');

/** JSON text of values that a form can't have; `golden/refusals.json` has the first ones. */
export const WRONG: Readonly<Record<Field['form']['kind'], readonly string[]>> = {
  address: ['5', '"x"', '{}', '""', `" ${PAYER}"`, `"${'z'.repeat(44)}"`, `["${PAYER}"]`, 'true'],
  integer: ['1.5', '-1', '"1.5"', '"-5"', '"5 "', '""', '[1]', '{}', 'true', '1e400'],
  small: ['1.5', '-1', '"0x5"', '"-5"', '""', '[1]', '{}', 'true', '9007199254740993'],
  amount: ['"1,5"', '{}', '[1.5]', '"1.5 "', '""', 'false'],
  number: ['"1,5"', '{}', '[1.5]', '""', 'false'],
  flag: ['1', '"true"', '{}'],
  text: ['5', '{}', '["x"]', 'true'],
  list: ['5', '{}', '"x"'],
  object: ['5', '"x"', '[]', 'true'],
};

import { toSnakeCase } from '../../base/case.js';
import type { Shape } from '../../input/field.js';
import { address, object, optional, version } from '../../input/fields.js';
import type { OperationName } from '../../operations/index.js';
import { perOperation } from './index.js';
import { type FunctionInput, inputFields } from './inputs.js';
import { type Decoded, decode, decoderOf, encode, type Problem } from './json.js';

// The requests: the documented fields of the operations, the program, and what is asked only over HTTP.

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an operation's request. A quote already names its program, so the request needn't. */
export function requestShape(name: OperationName): Shape {
  const { documented } = inputFields[name]();
  if ('lamports' in documented) {
    const { lamports: maxLamportSpend, ...others } = documented;
    return { programId: address(), ...others, maxLamportSpend };
  }
  if ('quoteResponse' in documented) return { programId: optional(address()), ...documented };
  if (name !== 'getProtocolConfigState') return { programId: address(), ...documented };
  // Its own field name, and the one that the rest of the interface uses.
  return { programId: address(), version: optional(version()), configVersion: optional(version()) };
}

const request = /* @__PURE__ */ perOperation((name) => object(requestShape(name)));

const decoderFor = /* @__PURE__ */ perOperation((name) => decoderOf<Fields>(request(name)));

const namesIn = (shape: Shape): Fields =>
  Object.fromEntries(Object.keys(shape).map((field) => [toSnakeCase(field), field]));

/** The names of a request's fields in JSON. */
export const requestNames = /* @__PURE__ */ perOperation((name) => namesIn(requestShape(name)));

/** Those of the quote in a request, if it has one. */
export const quoteNames = /* @__PURE__ */ perOperation((name) => {
  const { quoteResponse } = requestShape(name);
  return quoteResponse && 'shape' in quoteResponse ? namesIn(quoteResponse.shape) : undefined;
});

/** A function's input as JSON, with the program unless a quote names it. */
export function encodeRequest(name: OperationName, input: Fields, programId: string): unknown {
  const { encodedUserDefinedEventData = '' } = input;
  const program = 'quoteResponse' in input ? {} : { programId };
  const { lamports: maxLamportSpend } = input;
  return encode(request(name), { ...input, encodedUserDefinedEventData, ...program, maxLamportSpend });
}

/** Decodes a request to the function's input, or reports everything that is wrong with it. */
export function decodeRequest<TName extends OperationName>(
  name: TName,
  json: unknown,
): Decoded<FunctionInput<TName>> {
  const decoded = decode(decoderFor(name), json);
  const problems = 'problems' in decoded ? decoded.problems : [];
  const missing =
    typeof json === 'object' && json !== null ? missingOf(name, json as Fields, problems.length === 0) : [];
  if (missing.length > 0 || !('value' in decoded)) return { problems: [...problems, ...missing] };
  const { maxLamportSpend: lamports, ...value } = decoded.value;
  if (lamports !== undefined) return { value: { ...value, lamports } as unknown as FunctionInput<TName> };
  if (name !== 'getProtocolConfigState') return { value: value as unknown as FunctionInput<TName> };
  const { configVersion, version = configVersion, ...others } = value;
  if (configVersion !== undefined && configVersion !== version)
    return { problems: [{ path: 'config_version', message: 'must be the same as version' }] };
  return { value: { ...others, version } as unknown as FunctionInput<TName> };
}

/** What a request lacks, or has twice, of fields that depend on each other. */
function missingOf(name: OperationName, json: Fields, isReadable: boolean): readonly Problem[] {
  const isThere = (field: string) => (json[field] ?? undefined) !== undefined;
  const unless = (isRight: boolean, path: string, message: string) => (isRight ? [] : [{ path, message }]);
  const oneOf = (path: string, other: string) => {
    if (Array.isArray(json)) return [];
    const isTwice = isReadable && isThere(path) && isThere(other);
    return [
      ...unless(isThere(path) || isThere(other), path, `or ${other} must be given`),
      ...unless(!isTwice, other, `is given beside ${path}: give one of them`),
    ];
  };
  switch (name) {
    case 'quoteBuy':
    case 'quoteProBuy':
      return oneOf('max_sol_spend', 'max_lamport_spend');
    case 'quoteSell':
    case 'quoteProSell':
      return oneOf('amount_in_ui', 'amount_in');
    case 'getPoolState':
      return unless(isThere('mint') || isThere('pool'), 'mint', 'or a pool must be given');
    case 'getProtocolConfigState':
      return unless(isThere('version') || isThere('config_version'), 'version', 'must be given');
    case 'buildCreateStandardLiquidityPool':
    case 'buildProCreate':
      return unless(
        // Only version 1 has no lookup tables.
        isThere('lut_address') || Number(String(json.transaction_version)) === 1,
        'lut_address',
        'is missing: version 0 needs one, transaction_version 1 does not',
      );
    default:
      return [];
  }
}

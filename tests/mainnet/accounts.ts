import type { Address } from '@solana/kit';

import { camel } from '../program/committed-idl.js';
import json from './accounts.json' with { type: 'json' };
import { encode, type Fields } from './encode.js';

export const { vectors: CAPTURED } = json;
export type CapturedName = keyof typeof CAPTURED;
export const CAPTURED_NAMES = Object.keys(CAPTURED) as CapturedName[];

/** An account as it stood on mainnet. */
export function capturedAccount(name: CapturedName) {
  const { input, expected } = CAPTURED[name];
  return {
    address: expected.address as Address,
    owner: input.owner as Address,
    lamports: BigInt(input.lamports),
    data: encode(input.account, input.fields),
  };
}

export const capturedData = (name: CapturedName) => capturedAccount(name).data;

/** The accounts of LIGHT's pool behind a snapshot, but for the clock. */
export const lightAccounts = () => ({
  pool: capturedData('light_sol_pool'),
  protocolConfig: capturedData('protocol_config_v2'),
  mint: capturedData('light_mint'),
  priceFeed: capturedData('chainlink_sol_usd'),
});

/** What the accounts decode to: of a decoded one the fields that are stated, as they are stated. */
export function statedOf(decoded: object, stated: Fields): Fields {
  const own = decoded as Readonly<Record<string, unknown>>;
  const shown = (value: unknown, as: unknown): Fields[string] => {
    if (Array.isArray(as)) return as.map((item, index) => shown((value as unknown[])[index], item)!);
    if (typeof as === 'object') return statedOf(value as object, as as Fields);
    return typeof as === 'number' ? (value as number) : String(value);
  };
  return Object.fromEntries(Object.entries(stated).map(([name, as]) => [name, shown(own[camel(name)], as)]));
}

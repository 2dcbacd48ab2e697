import type { HeavenWarning } from '../base/warnings.js';
import type { PoolSnapshot } from './decode.js';

type Token = PoolSnapshot['token'];

/** What rare warnings are about, by their code. */
interface Values {
  'sandwich-window': [];
  'same-slot-trading': [];
  'price-impact': [bps: number];
  'stale-price': [age: bigint];
  'minimum-not-reached': [slot: bigint, amountOut: bigint, minimumOut: bigint];
  'minimum-too-low': [minimumOut: bigint, amountOut: bigint];
  'insufficient-balance': [account: string, balance: string, amountIn: bigint];
  'off-curve-signer': [signer: string];
  'transfer-hook': [];
  'frozen-accounts': [];
  /** The fee in force, or the next. */
  'transfer-fee': [
    basisPoints: bigint,
    next?: { readonly maximum: bigint; readonly epoch: bigint },
    seconds?: number,
  ];
  'mint-rights': [rights: Token['rights']];
  'unverified-assumption': [taxation: string];
  'wallet-limit': [amount: bigint, most: bigint];
  'low-liquid-sol': [amount: bigint, most: bigint];
}

/** A rare warning that isn't in words yet. */
export type Doubt = {
  [TCode in keyof Values]: readonly [code: TCode, ...values: Values[TCode]];
}[keyof Values];

/** How each is said. */
export type Words = { readonly [TCode in keyof Values]: (...values: Values[TCode]) => string };

/** Rare warnings in words, which are loaded for them. Where they can't be loaded, a code and its values must do. */
export async function inWords(
  doubts: readonly (Doubt | false | undefined)[],
): Promise<readonly HeavenWarning[]> {
  const found = doubts.filter(Boolean) as readonly Doubt[];
  if (found.length === 0) return [];
  const { WORDS } = await import('./doubt-words.js').catch(() => ({ WORDS: undefined }));
  return found.map(([code, ...values]) => ({
    code,
    message: WORDS
      ? (WORDS[code] as (...values: readonly unknown[]) => string)(...values)
      : `${code} ${values}`,
  }));
}

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
  /** With the slippage that allows it, if that was asked for. */
  'minimum-too-low': [least: unknown, now: unknown, slippageBps?: number];
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

/** A rare warning as its code and values. Its words are loaded when it applies. */
export type Doubt = {
  [TCode in keyof Values]: readonly [code: TCode, ...values: Values[TCode]];
}[keyof Values];

/** How each is said. */
export type Words = { readonly [TCode in keyof Values]: (...values: Values[TCode]) => string };

/** From here on slippage is worth a warning: 10 %. */
export const HIGH_SLIPPAGE_BPS = 1_000;

/** A slippage that protects little: what it allows instead of what the present price gives. */
export const highSlippage = (slippageBps: number, least: unknown, now: unknown): Doubt | false =>
  slippageBps >= HIGH_SLIPPAGE_BPS && ['minimum-too-low', least, now, slippageBps];

/** Rare warnings in words, which are loaded for them. Where they can't be loaded, a code and its values must do. */
export async function inWords(
  doubts: readonly (Doubt | false | undefined)[],
): Promise<readonly HeavenWarning[]> {
  const found = doubts.filter(Boolean) as readonly Doubt[];
  if (found.length === 0) return [];
  const words = await import('./doubt-words.js').catch(() => undefined);
  return found.map(([code, ...values]) => {
    const sentence = words?.WORDS[code] as ((...values: readonly unknown[]) => string) | undefined;
    return { code, message: sentence?.(...values) ?? `${code} ${values}` };
  });
}

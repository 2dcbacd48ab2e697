import type { Signature } from '@solana/kit';

import type { Trade } from '../../src/index.js';
import { addressNamed } from './addresses.js';

/** A trade with every amount set. Default: 1000 token units for 100 lamports, 1 of them a fee. */
export function tradeWith(fields: Partial<Trade> & { readonly id: number }): Trade {
  const { id, ...rest } = fields;
  const side = rest.side ?? 'buy';
  const [amountIn, amountOut] = side === 'buy' ? [100n, 1_000n] : [1_000n, 100n];
  const trade = {
    signature: `signature ${id}` as Signature,
    slot: BigInt(id),
    blockTime: BigInt(id),
    place: '',
    instructionIndex: 0,
    side,
    kind: 'standard' as const,
    pool: addressNamed('pool'),
    mint: addressNamed('mint'),
    decimals: 9,
    user: addressNamed('wallet'),
    amountIn,
    amountOut,
    totalFee: 1n,
    transferFee: 0n,
    networkFee: 5_000n,
    event: undefined,
    unproven: [],
    ...rest,
  };
  const [lamports, tokenUnits] =
    side === 'buy' ? [trade.amountIn, trade.amountOut] : [trade.amountOut, trade.amountIn];
  const price =
    lamports === undefined || tokenUnits === undefined
      ? undefined
      : { lamports, tokenUnits, solPerToken: Number(lamports) / Number(tokenUnits) };
  return { ...trade, price };
}

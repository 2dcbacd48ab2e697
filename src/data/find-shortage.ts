import { invalidInput } from '../input.js';
import type { WalletSpend } from './maximum-spend.js';

/**
 * What a wallet lacks for a trade: too little of the token, or too little SOL for the amount, fees and rent. A buy may use what
 * `keepLamports` would keep, at the cost of a later sell.
 *
 * @param spend The data of {@link createSpendStore}.
 * @param amountIn Lamports of a buy, native token units of a sell.
 * @returns `undefined` if the wallet can pay.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const spend = createSpendStore(client, { wallet: user, mint });
 * spend.subscribe(({ data }) => {
 *   if (data && findShortage(data, 'buy', 1_500_000_000n) === 'SOL') console.log('At most', data.buy.uiAmount, 'SOL.');
 * });
 * ```
 */
export function findShortage(
  spend: WalletSpend,
  side: 'buy' | 'sell',
  amountIn: bigint,
): 'SOL' | 'token' | undefined {
  if (side !== 'buy' && side !== 'sell') throw invalidInput('side', side, "'buy' or 'sell'");
  const { amount, missingLamports, breakdown } = spend[side];
  if (side === 'sell' && amountIn > spend.tokenUnits) return 'token';
  const canPay =
    side === 'sell' ? missingLamports === 0n : amount > 0n && amountIn <= amount + breakdown.kept;
  return canPay ? undefined : 'SOL';
}

import type { Address } from '@solana/kit';

import { creatorFeeObstacle } from '../../../pool/creator-fees.js';
import type { LiquidityPoolState } from '../../../program/accounts.js';
import type { ScenarioInput } from '../scenario.js';
import type { Ran } from '../stage.js';
import { foundIn, hasMoved, NOTHING_MOVED, observe, paidInto } from './scene.js';

/** A claim of creator fees. */
interface Claim {
  readonly what: string;
  /** In lamports, as in the instruction: 0 claims everything. */
  readonly amount: bigint;
  /** Whether the pool's fee receiver signs it. */
  readonly isReceiver: boolean;
  /** The wrapped SOL account that receives the fees. */
  readonly account: Address;
  readonly state: () => LiquidityPoolState;
  readonly run: () => Promise<Ran>;
}

const REFUSED = 'it is refused';

/** Claims creator fees, and compares that with the library's prediction. */
export async function observeClaim({ journal }: ScenarioInput, claim: Claim): Promise<Ran> {
  const { amount, account, isReceiver } = claim;
  const before = claim.state();
  const ran = await claim.run();
  const after = claim.state();
  const what = ran.ok ? claim.what : `${claim.what} (${ran.reason})`;
  const code = refusalOf(before, amount, isReceiver);
  const paid = paidInto(account, ran);
  // A transaction of the builder unwraps SOL even if the claim does nothing.
  const isIdle = paid === 0n && !hasMoved(ran, [...ran.addresses.slice(0, 1), account]);
  if (ran.ok && isIdle) {
    journal.skip(['creator-claim'], NOTHING_MOVED);
    return ran;
  }
  if (code !== undefined) journal.fail({ what: claim.what, expected: code, found: foundIn(ran) });
  const words = (paid: bigint, left: bigint) => `it pays ${paid} lamports and leaves ${left}`;
  const all = before.creatorTradingFees;
  const expected = amount === 0n ? all : amount;
  observe(
    journal,
    { kind: 'claim of creator fees', what, size: amount, ids: ['creator-claim'] },
    ran.ok ? words(paid, after.creatorTradingFees) : REFUSED,
    () => (code === undefined ? words(expected, all - expected) : REFUSED),
  );
  return ran;
}

/** The presumed error code of a claim that must not be paid. */
function refusalOf(pool: LiquidityPoolState, amount: bigint, isReceiver: boolean): number | undefined {
  if (!isReceiver) return 6004;
  if (creatorFeeObstacle(pool) !== undefined) return 6040;
  if (pool.creatorTradingFees === 0n) return 6032;
  return amount > pool.creatorTradingFees ? 6012 : undefined;
}

import type { Address } from '@solana/kit';
import { encodeLookupTable } from '../../src/testing/encode.js';

import type { EmbeddedLedger } from '../../src/testing/index.js';
import { LARGE, ODD } from './amounts.js';

/** A lookup table without any address of use, so that transactions name all their accounts themselves. */
export const EMPTY_TABLE = '3DENDMbqpVuarsEvk3MYJMpcZqsrQanK8Z8cVeDf53oS' as Address;

/** Gives the pro pool and its creator's position amounts that no JavaScript number holds, and makes {@link EMPTY_TABLE}. */
export async function enlargeProPool(ledger: EmbeddedLedger): Promise<void> {
  const { pro } = ledger.pools;
  const { owner } = ledger.getAccount(ledger.lookupTables.community)!;
  ledger.setAccount(EMPTY_TABLE, { owner, data: encodeLookupTable({ addresses: [] }) });
  ledger.updatePool(pro.pool, ({ lpToken }) => ({
    creatorTradingFees: 2n * LARGE,
    lpToken: { ...lpToken, supply: { ...lpToken.supply, total: 4n * LARGE } },
  }));
  const position = { lpTokenBalance: 2n * LARGE, rewardDebt: 3n, pendingFees: ODD };
  await ledger.setLpPosition({ pool: pro.pool, user: pro.creator, ...position });
}

import type { Address } from '@solana/kit';

import { findAssociatedTokenAddress, TOKEN_2022_PROGRAM_ADDRESS } from '../../src/program/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';

/** Whose balances to compare, of a Token-2022 mint. */
interface Holder {
  readonly owner: Address;
  readonly mint: Address;
}

/** How a step changes what a wallet holds: units of the token, and lamports with those in its token account. */
export async function balanceChange(ledger: EmbeddedLedger, holder: Holder, step: () => Promise<unknown>) {
  const before = await balances(ledger, holder);
  await step();
  const { units, lamports } = await balances(ledger, holder);
  return { units: units - before.units, lamports: lamports - before.lamports };
}

/** What a wallet holds. */
export async function balances(ledger: EmbeddedLedger, { owner, mint }: Holder) {
  const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;
  const account = ledger.getAccount(await findAssociatedTokenAddress({ owner, mint, tokenProgram }));
  const { buffer, byteOffset } = account?.data ?? new Uint8Array(72);
  const units = new DataView(buffer, byteOffset).getBigUint64(64, true);
  return { units, lamports: (ledger.getAccount(owner)?.lamports ?? 0n) + (account?.lamports ?? 0n) };
}

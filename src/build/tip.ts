import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';

import { assertHas, assertPositiveU64, invalidInput } from '../input.js';
import { assertAddress } from '../solana/addresses.js';
import { signerOf, withoutStandIns } from '../solana/wallet.js';

/** What a landing service is paid. */
export interface TransactionTip {
  /** An account of the service's, from its own list. */
  readonly to: Address;
  /** At least the service's minimum. */
  readonly lamports: bigint;
}

/** How a transaction is sent through a landing service. */
export interface LandingOptions {
  /**
   * A transfer of SOL from the payer, as the last instruction. Landing services want it in the transaction itself, so that it is paid
   * only if the trade succeeds.
   */
  readonly tip?: TransactionTip | null | undefined;
  /**
   * Adds the read-only account {@link https://docs.jito.wtf | Jito's} block engine looks for: it then accepts this transaction in
   * a bundle only as the first, so nobody's bundle puts a trade before it. Other ways into a block ignore it. The account rides
   * on the tip, or without one on a transfer of 0 lamports from the payer to itself. Default false.
   */
  readonly dontFront?: boolean | null | undefined;
}

/** Any address that starts so will do, and need not exist. Level I: quoted from Jito's documentation. */
export const DONT_FRONT_ADDRESS = 'jitodontfront111111111111111111111111111111' as Address;

/** Checks {@link LandingOptions}. */
export function assertLanding({ tip, dontFront }: LandingOptions): void {
  if (typeof (dontFront ?? false) !== 'boolean') throw invalidInput('dontFront', dontFront, 'true or false');
  if (tip === undefined || tip === null) return;
  assertHas(tip, 'to', 'tip', 'an object with to and lamports');
  assertAddress(tip.to, 'tip.to');
  assertPositiveU64(tip.lamports, 'tip.lamports');
}

/** The instruction behind all others that {@link LandingOptions} ask for, if any. */
export function landingInstructions(
  payer: Address,
  { tip, dontFront }: LandingOptions,
): readonly Instruction[] {
  if (!tip && !dontFront) return [];
  const { to, lamports } = tip ?? { to: payer, lamports: 0n };
  const transfer = withoutStandIns(
    getTransferSolInstruction({ source: signerOf(payer), destination: to, amount: lamports }),
  );
  if (!dontFront) return [transfer];
  const mark = { address: DONT_FRONT_ADDRESS, role: AccountRole.READONLY };
  return [{ ...transfer, accounts: [...(transfer.accounts ?? []), mark] }];
}

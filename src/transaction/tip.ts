import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { assertHas, assertPositiveU64 } from '../base/input.js';
import { type AddressInput, addressIn, plainAddress } from '../solana/addresses.js';
import { walletAt, withoutStandIns } from '../solana/wallet.js';

/** A payment to a landing service. */
export interface TransactionTip {
  /** One of the service's accounts, from its own list. */
  readonly to: AddressInput;
  /** At least the service's minimum. */
  readonly lamports: bigint;
}

/** How a transaction is sent through a landing service. */
export interface LandingOptions {
  /**
   * A transfer of SOL from the payer, as the last instruction: it is paid only if the trade succeeds.
   */
  readonly tip?: TransactionTip | null | undefined;
  /**
   * Adds a read-only account that Jito's block engine looks for. It then takes this transaction only as the first of a
   * bundle, so no bundle can put a trade before it. Every other way into a block ignores the account. It is part of the
   * tip's transfer or, without a tip, of a transfer of 0 lamports from the payer to itself. Default false.
   */
  readonly dontFront?: boolean | null | undefined;
}

/** Any address with this prefix works. It need not exist. [Level I](/protocol): quoted from Jito's documentation. */
export const DONT_FRONT_ADDRESS = 'jitodontfront111111111111111111111111111111' as Address;

/** Rejects what is not a {@link TransactionTip}. */
export function assertTip(tip: TransactionTip): void {
  assertHas(tip, 'to', 'tip', 'an object with to and lamports');
  addressIn(tip.to, 'tip.to');
  assertPositiveU64(tip.lamports, 'tip.lamports');
}

/** The last instruction, if {@link LandingOptions} ask for one. */
export function landingInstructions(
  payer: Address,
  { tip, dontFront }: LandingOptions,
): readonly Instruction[] {
  if (!tip && !dontFront) return [];
  const { to, lamports } = tip ?? { to: payer, lamports: 0n };
  const transfer = withoutStandIns(
    getTransferSolInstruction({ source: walletAt(payer), destination: plainAddress(to), amount: lamports }),
  );
  if (!dontFront) return [transfer];
  const mark = { address: DONT_FRONT_ADDRESS, role: AccountRole.READONLY };
  return [{ ...transfer, accounts: [...(transfer.accounts ?? []), mark] }];
}

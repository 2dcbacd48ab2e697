import type { AccountMeta, Address, Instruction } from '@solana/kit';

import { view } from '../solana/account-data.js';
import { isTokenProgram, TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';

/** What instructions do to the balance of one token account. */
export interface Movements {
  /** Native units that are sent to the account, less those that leave it. */
  readonly net: bigint;
  /** What Token-2022 withholds from that, as far as the instructions say. */
  readonly withheld: bigint;
  /** The transfers to the account that may have a fee and don't name it: what they send, and how many they are. */
  readonly unstated: { readonly units: bigint; readonly count: number };
}

const TRANSFER = 3;
const MINT_TO = 7;
const CLOSE = 9;
const TRANSFER_CHECKED = 12;
const MINT_TO_CHECKED = 14;
const INITIALIZE_IMMUTABLE_OWNER = 22;
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;
/** Instructions that create and close accounts. They change no balance, as an account that is closed is empty. */
const INITIALIZE_OR_CLOSE: readonly (number | undefined)[] = [1, 16, 18, INITIALIZE_IMMUTABLE_OWNER, CLOSE];

/** Returns what instructions do to a token account's balance, or `undefined` if one of them uses it in a way that can't be determined. */
export function movementsOf(
  instructions: readonly Instruction[],
  account: Address,
  mint: Address,
): Movements | undefined {
  let net = 0n;
  let withheld = 0n;
  const unstated = { units: 0n, count: 0 };
  for (const instruction of instructions) {
    const { programAddress, accounts = [], data } = instruction;
    const addresses = (accounts as readonly AccountMeta[]).map(({ address }) => address);
    // Only the token programs change balances.
    if (!isTokenProgram(programAddress) || !addresses.includes(account)) continue;
    const transfer = transferOf(instruction);
    if (transfer === undefined) {
      // Wrapped SOL moves in and out with the lamports of its account.
      const isStill = INITIALIZE_OR_CLOSE.includes(data?.[0]) && mint !== WRAPPED_SOL_MINT_ADDRESS;
      if (isStill) continue;
      return undefined;
    }
    const { amount, to, fee } = transfer;
    if (addresses[0] === account) net -= amount;
    if (addresses[to] !== account) continue;
    net += amount;
    withheld += fee ?? 0n;
    if (fee !== undefined) continue;
    unstated.units += amount;
    unstated.count++;
  }
  return { net, withheld, unstated };
}

/** A transfer from its first account. */
interface Transfer {
  readonly amount: bigint;
  /** The index of the account that it is sent to. */
  readonly to: number;
  /** What Token-2022 withholds; `undefined` if the instruction doesn't say. */
  readonly fee: bigint | undefined;
}

function transferOf({ programAddress, data = new Uint8Array() }: Instruction): Transfer | undefined {
  const bytes = Uint8Array.from(data);
  const amountAt = (offset: number) => view(bytes).getBigUint64(offset, true);
  const [kind, extension] = bytes;
  // Minting has no fee, and Token-2022 rejects this transfer of a token that has one.
  const isWithoutFee = kind === TRANSFER || kind === MINT_TO || kind === MINT_TO_CHECKED;
  if (isWithoutFee && bytes.length >= 9) return { amount: amountAt(1), to: 1, fee: 0n };
  if (kind === TRANSFER_CHECKED && bytes.length >= 9)
    return { amount: amountAt(1), to: 2, fee: programAddress === TOKEN_PROGRAM_ADDRESS ? 0n : undefined };
  const isWithFee = kind === TRANSFER_FEE_EXTENSION && extension === TRANSFER_CHECKED_WITH_FEE;
  if (isWithFee && bytes.length >= 19) return { amount: amountAt(2), to: 2, fee: amountAt(11) };
  return undefined;
}

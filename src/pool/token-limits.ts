// What a token's mint says about its transfers, now and soon. Without kit, as the quotes in `heaven-pools/core` are.

import { HeavenError } from '../base/errors.js';
import type { TransferFee } from '../math/types.js';
import { BLOCKHASH_LIFETIME_BLOCKS, SLOT_MS } from '../solana/timing.js';
import type { PoolSnapshot } from './decode.js';
import type { Doubt } from './doubts.js';

type Token = PoolSnapshot['token'];
type Limits = Pick<Token, 'transferLimits'>;
type Now = Pick<PoolSnapshot, 'slot' | 'epoch'>;

/** Throws if no transfer of a token succeeds now. */
export function assertTransferable(token: Limits | undefined, mint?: string): void {
  for (const reason of token?.transferLimits ?? [])
    if (reason === 'paused' || reason === 'non-transferable')
      throw new HeavenError(
        'token-not-transferable',
        `The token is ${reason}: its transfers fail. Use another token.`,
        { reason, ...(mint === undefined ? {} : { mint }) },
      );
}

/** A16: the exchange's instructions have no place for the accounts that a mint's transfer hook needs. */
export const hasUnpassedHook = ({ transferLimits }: Limits): boolean => transferLimits.includes('hook');

/** Whether an account that is opened for the token can't be used at first. */
export const opensFrozen = ({ transferLimits }: Limits): boolean => transferLimits.includes('frozen');

/** What may make a transfer fail. @param receives Whether a wallet may need a new account for the token. */
export const limitDoubts = (token: Limits, receives: boolean): readonly (Doubt | false)[] => [
  hasUnpassedHook(token) && ['transfer-hook'],
  receives && opensFrozen(token) && ['frozen-accounts'],
];

/** What a mint does, and what those who control it can do. */
export const mintDoubts = (
  { token, ...now }: Now & Pick<PoolSnapshot, 'token'>,
  receives: boolean,
): readonly (Doubt | false | undefined)[] => {
  const { rights, nextTransferFee: next } = token;
  return [
    ...limitDoubts(token, receives),
    next && ['transfer-fee', next.basisPoints, next, (Number(slotsUntil(next.epoch, now)) * SLOT_MS) / 1000],
    rights.length > 0 && ['mint-rights', rights],
  ];
};

/**
 * The transfer fee to count with: the one in force or, if a transaction built now may land in the epoch of the next, what is at least
 * as high as either. A transaction can land in a later slot than its block hash lasts blocks, as slots without a block don't count: up to
 * twice as late here.
 */
export function transferFeeUntilLanded({
  token,
  ...now
}: Now & Pick<PoolSnapshot, 'token'>): TransferFee | undefined {
  const { transferFee, nextTransferFee: next } = token;
  if (!next || slotsUntil(next.epoch, now) > 2n * BLOCKHASH_LIFETIME_BLOCKS) return transferFee;
  if (!transferFee) return next;
  const higher = (name: keyof TransferFee) => (next[name] > transferFee[name] ? next : transferFee)[name];
  return { basisPoints: higher('basisPoints'), maximum: higher('maximum') };
}

/** Solana's epochs (level D). */
const SLOTS_PER_EPOCH = 432_000n;
/** How many slots earlier the epochs of devnet and testnet begin, whose first 14 were shorter: 14 * 432000 - (2^19 - 32). */
const EARLIER = 5_523_744n;

/** Slots until an epoch begins; 0 if it has, though the clock doesn't know it. Mainnet's epochs never were shorter. */
function slotsUntil(epoch: bigint, { slot, epoch: present }: Now): bigint {
  const slots = epoch * SLOTS_PER_EPOCH - (present > slot / SLOTS_PER_EPOCH ? EARLIER : 0n) - slot;
  return slots > 0n ? slots : 0n;
}

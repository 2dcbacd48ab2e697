import { type Address, isSignerRole } from '@solana/kit';

import { findLpPositionAddress } from '../program/addresses.js';
import type { InstructionConfig } from '../program/deployment.js';
import { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import type { LoadedTransaction } from '../solana/message.js';
import { isTokenProgram, TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../solana/programs.js';
import { type Credit, creditOf, type InstructionEffect } from './effects.js';
import type { Step } from './step.js';

/**
 * Whose account it is, as far as the transaction alone proves it:
 *
 * - `wallet`: the owner's wallet itself.
 * - `associated-token-account`: derived from the owner's address.
 * - `lp-position`: derived from the owner's address and the pool's.
 * - `temporary-token-account`: this transaction makes it for the owner, and closes it to the owner.
 * - `unknown`: none of these. Treat it as a stranger's.
 */
export type AccountOwnership =
  | {
      readonly kind: 'wallet' | 'associated-token-account' | 'temporary-token-account' | 'lp-position';
      readonly owner: Address;
    }
  | { readonly kind: 'unknown' };

const UNKNOWN: AccountOwnership = { kind: 'unknown' };

/** Whose side an inspection takes. */
export interface Sides {
  /** The wallet whose interest counts. Without one, it is each signer's. */
  readonly owner: Address | undefined;
  /** Others who are meant to be paid. */
  readonly recipients: readonly Address[];
}

interface Found extends Sides {
  readonly transaction: LoadedTransaction;
  readonly signers: readonly Address[];
  /** Wallets, and accounts that are derived from a wallet's address. */
  readonly lasting: ReadonlyMap<Address, AccountOwnership>;
  readonly temporary: ReadonlyMap<Address, TemporaryAccount>;
  /** Accounts that the transaction closes or gives to somebody. */
  readonly givenUp: readonly Address[];
}

/** Finds out whose accounts a transaction uses, by what it says and by deriving addresses. */
export async function findOwnership(
  transaction: LoadedTransaction,
  steps: readonly (Step | undefined)[],
  sides: Sides,
  config: InstructionConfig,
): Promise<Ownership> {
  const signers = transaction.wire.signatures.map(({ address }) => address);
  const { owner, recipients } = sides;
  const people = new Set([...signers, ...recipients, ...(owner === undefined ? [] : [owner])]);
  const givenUp = effectsIn(steps).flatMap((effect) =>
    effect.kind === 'close' || (effect.kind === 'authority' && effect.newAuthority !== null)
      ? [effect.account]
      : [],
  );
  const lasting = await lastingAccounts(steps, people, config);
  return new Ownership({
    ...sides,
    transaction,
    signers,
    lasting,
    temporary: temporaryAccounts(steps),
    givenUp,
  });
}

/** Whose accounts a transaction uses. Instructions are counted from 0. */
export class Ownership {
  readonly #found: Found;

  constructor(found: Found) {
    this.#found = found;
  }

  /** Whose account it is when an instruction pays it. */
  ownerOf(account: Address, instruction: number): AccountOwnership {
    const temporary = this.#found.temporary.get(account);
    if (temporary === undefined) return this.#found.lasting.get(account) ?? UNKNOWN;
    const { owner, from, until } = temporary;
    const isMade = instruction >= from && instruction < until;
    return isMade && this.#found.lasting.get(owner)?.kind === 'wallet'
      ? { kind: 'temporary-token-account', owner }
      : UNKNOWN;
  }

  /** Whether an account is the owner's, or a signer's if there is no owner. */
  isOwn(account: Address, instruction: number): boolean {
    const ownership = this.ownerOf(account, instruction);
    if (ownership.kind === 'unknown') return false;
    const { owner, signers } = this.#found;
    return owner === undefined ? signers.includes(ownership.owner) : ownership.owner === owner;
  }

  /** Whether the owner's signature allows what an instruction does. Without an owner, every instruction counts. */
  isAllowedByOwner(instruction: number): boolean {
    const { owner, transaction } = this.#found;
    const accounts = transaction.instructions[instruction]?.accounts ?? [];
    return (
      owner === undefined || accounts.some(({ address, role }) => address === owner && isSignerRole(role))
    );
  }

  /** Whether a payment stays with whoever allows it, or reaches somebody whom the caller means to pay. */
  isExpected(credit: Credit, instruction: number, isRent: boolean): boolean {
    const ownership = this.ownerOf(credit.account, instruction);
    if (ownership.kind === 'unknown') return false;
    const { owner, recipients, signers, givenUp } = this.#found;
    const holder = ownership.owner;
    if (recipients.includes(holder)) return true;
    // Rent that comes out again in the same transaction is a payment.
    if (isRent && signers.includes(holder) && !givenUp.includes(credit.account)) return true;
    if (owner !== undefined) return holder === owner;
    // Among signers there may be a stranger, who has yet to sign. A multisig's transfer is allowed by each of its own who sign.
    const accounts = this.#found.transaction.instructions[instruction]?.accounts ?? [];
    return signers.includes(credit.authority)
      ? holder === credit.authority
      : accounts.every(({ address, role }) => !isSignerRole(role) || address === holder);
  }
}

const effectsIn = (steps: readonly (Step | undefined)[]): readonly InstructionEffect[] =>
  steps.flatMap((step) => step?.effects ?? []);

interface TemporaryAccount {
  readonly owner: Address;
  /** The instruction that creates it, and pays it. */
  readonly from: number;
  /** The instruction that closes it. */
  readonly until: number;
}

/** What happens to an account, and in which instruction. */
interface LifeEvent {
  readonly effect: InstructionEffect;
  readonly index: number;
}

function temporaryAccounts(steps: readonly (Step | undefined)[]): ReadonlyMap<Address, TemporaryAccount> {
  const lives = new Map<Address, readonly LifeEvent[]>();
  for (const [index, step] of steps.entries()) {
    for (const effect of step?.effects ?? []) {
      if (!['create', 'close', 'authority', 'delegate'].includes(effect.kind) || !('account' in effect))
        continue;
      lives.set(effect.account, [...(lives.get(effect.account) ?? []), { effect, index }]);
    }
  }
  const temporary = new Map<Address, TemporaryAccount>();
  for (const [account, life] of lives) {
    const found = asTemporary(life);
    if (found !== undefined) temporary.set(account, found);
  }
  return temporary;
}

/**
 * A token account that a transaction makes for somebody and closes to the same: exactly that, in this order. Whoever has
 * the key of another kind of account, or gets a right over it, could take what is paid into it.
 */
function asTemporary(life: readonly LifeEvent[]): TemporaryAccount | undefined {
  if (life.length !== 3) return undefined;
  const [made, initialized, closed] = life as readonly [LifeEvent, LifeEvent, LifeEvent];
  const isNew =
    made.effect.kind === 'create' &&
    made.effect.what === 'account' &&
    !made.effect.isIdempotent &&
    isTokenProgram(made.effect.owner);
  if (!isNew || initialized.effect.kind !== 'create' || initialized.effect.what !== 'token-account')
    return undefined;
  const { owner } = initialized.effect;
  if (owner === undefined || closed.effect.kind !== 'close' || closed.effect.destination !== owner)
    return undefined;
  return { owner, from: made.index, until: closed.index };
}

/** Wallets, their associated accounts of the tokens that the transaction names, and their positions in its pools. */
async function lastingAccounts(
  steps: readonly (Step | undefined)[],
  people: ReadonlySet<Address>,
  config: InstructionConfig,
): Promise<ReadonlyMap<Address, AccountOwnership>> {
  const mints = new Set(steps.flatMap(mintsIn));
  const pools = new Set(steps.flatMap((step) => step?.accounts.liquidityPoolState ?? []));
  const owned = new Map<Address, AccountOwnership>();
  for (const owner of people) {
    for (const mint of mints) {
      for (const tokenProgram of [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS]) {
        const account = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
        owned.set(account, { kind: 'associated-token-account', owner });
      }
    }
    for (const pool of pools)
      owned.set(await findLpPositionAddress({ pool, user: owner }, config), { kind: 'lp-position', owner });
  }
  for (const owner of people) owned.set(owner, { kind: 'wallet', owner });
  return owned;
}

function mintsIn(step: Step | undefined): readonly Address[] {
  if (step === undefined) return [];
  const { mint, tokenAMint, tokenBMint } = step.accounts;
  const moved = step.effects.map((effect) =>
    effect.kind === 'debit' ? effect.mint : creditOf(effect)?.mint,
  );
  return [mint, tokenAMint, tokenBMint, ...moved].filter((address) => address !== undefined);
}

import { type Address, isSignerRole, isWritableRole } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { findLpPositionAddress } from '../program/addresses.js';
import type { InstructionConfig } from '../program/deployment.js';
import { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { MAX_ACCOUNTS_PER_CALL } from '../solana/limits.js';
import type { LoadedTransaction } from '../solana/message.js';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../solana/programs.js';
import { lamportsPerByteIn, locateRent } from '../solana/rent.js';
import { accountAt, fetchAccounts } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { readTokenAccount, type TokenAccount } from '../solana/token-account.js';
import { type Credit, creditOf, type InstructionEffect } from './effects.js';
import type { Step } from './programs/step.js';

/**
 * Who owns an account, as far as it can be proven:
 *
 * - `wallet`: the owner's wallet itself.
 * - `associated-token-account`: derived from the owner's address.
 * - `temporary-token-account`: this transaction creates it for the owner.
 * - `token-account`: the cluster says that the owner owns it.
 * - `lp-position`: derived from the owner's address and the pool's.
 * - `unknown`: none of these. Treat it as a stranger's.
 */
export type AccountOwnership =
  | {
      readonly kind:
        | 'wallet'
        | 'associated-token-account'
        | 'temporary-token-account'
        | 'token-account'
        | 'lp-position';
      readonly owner: Address;
    }
  | { readonly kind: 'unknown' };

/** Whose accounts a transaction uses. Instructions are counted from 0: an account may be another's before or after one. */
export interface Ownership {
  /** Whether what an authority allows in an instruction is the owner's business: everybody's, without an owner. */
  readonly isOwnBusiness: (authority: Address, instruction: number) => boolean;
  /** Whether an account may be the owner's, or a signer's: what is at risk. */
  readonly mayBeOwned: (account: Address) => boolean;
  /** Whose an account certainly is when an instruction pays it: a signer's, the owner's or a recipient's. */
  readonly provenOwnerOf: (account: Address, instruction: number) => AccountOwnership;
  /** Whether a payment stays with whoever allows it, or reaches somebody whom the caller means to pay. */
  readonly isExpected: (payment: Payment, instruction: number) => boolean;
  readonly tokenAccounts: TokenAccounts;
  readonly missing: ReadonlySet<Address>;
  /** What the cluster charges in rent, if that is known. */
  readonly lamportsPerByte: bigint | undefined;
  /** The lamports in accounts that are closed, of those that were read. */
  readonly balances: ReadonlyMap<Address, bigint>;
}

/** A payment, and whether it is the rent of a token account that is created. */
export type Payment = Pick<Credit, 'account' | 'authority'> & { readonly isRent: boolean };

export interface OwnershipRequest extends RequestOptions {
  readonly owner: Address | undefined;
  readonly recipients: readonly Address[];
  readonly client: HeavenClient | undefined;
  readonly config: InstructionConfig;
  /** What the caller says that the cluster charges. */
  readonly lamportsPerByte: bigint | undefined;
}

type TokenAccounts = ReadonlyMap<Address, TokenAccount>;

/** Whether somebody other than the owner may close it, and so take the SOL in it. */
const isClosedByAnother = ({ owner, closeAuthority }: TokenAccount) =>
  closeAuthority !== undefined && closeAuthority !== owner;

const effectsIn = (steps: readonly (Step | undefined)[]): readonly InstructionEffect[] =>
  steps.flatMap((step) => step?.effects ?? []);

/** Whether someone other than the owner allows it by signing, as a delegate does: whose account it is, the cluster knows. */
const isAllowedByAnother = (effect: InstructionEffect, owner: Address | undefined): boolean =>
  owner !== undefined &&
  effect.kind === 'debit' &&
  effect.authority !== owner &&
  effect.authority !== effect.account;

/** Whether it gives up a right over an account, which matters only if the account was there before. */
const givesUpRight = (effect: InstructionEffect): boolean =>
  effect.kind === 'authority' && effect.newAuthority === null;

/** Finds out whose accounts a transaction uses: by what it says, by deriving addresses, and from the cluster. */
export async function findOwnership(
  loaded: LoadedTransaction,
  steps: readonly (Step | undefined)[],
  request: OwnershipRequest,
): Promise<Ownership> {
  const { owner } = request;
  const recipients = new Set(request.recipients);
  const signers = new Set(loaded.wire.signatures.map(({ address }) => address));
  const people = new Set([...signers, ...(owner === undefined ? [] : [owner]), ...recipients]);
  const credits = effectsIn(steps).flatMap((effect) => creditOf(effect) ?? []);
  const lives = livesOf(steps);
  const lasting = await lastingOwners({ credits, steps, lives }, people, request);
  const { tokenAccounts, ...read } = await readAccounts(
    loaded,
    steps,
    credits.flatMap(({ account }) => (lasting.has(account) || lives.has(account) ? [] : [account])),
    request,
  );
  const provenOwnerOf = (account: Address, instruction: number): AccountOwnership => {
    const life = lives.get(account);
    const known = lasting.get(account);
    if (known !== undefined) return known;
    if (life !== undefined) return ownerAt(life, instruction, people);
    const held = tokenAccounts.get(account);
    return held !== undefined && !isClosedByAnother(held) && people.has(held.owner)
      ? { kind: 'token-account', owner: held.owner }
      : { kind: 'unknown' };
  };
  const signsIn = (instruction: number) =>
    loaded.instructions[instruction]?.accounts.some(
      ({ address, role }) => address === owner && isSignerRole(role),
    );
  return {
    // A multisig need not sign itself: its members do, behind the accounts that have names.
    isOwnBusiness: (authority, instruction) =>
      owner === undefined || authority === owner || !signers.has(authority) || signsIn(instruction) === true,
    mayBeOwned: await possiblyOwned(
      owner === undefined ? signers : new Set([owner]),
      owner,
      steps,
      tokenAccounts,
    ),
    provenOwnerOf,
    isExpected: ({ account, authority, isRent }, instruction) => {
      const ownership = provenOwnerOf(account, instruction);
      if (ownership.kind === 'unknown') return false;
      const { owner: holder } = ownership;
      // Rent that comes out again in the same transaction is a payment.
      const staysRent = isRent && !lives.get(account)?.some(({ kind }) => kind === 'lost');
      if (recipients.has(holder) || (staysRent && signers.has(holder))) return true;
      // Among signers there may be a stranger, who has yet to sign.
      return holder === (owner ?? (signers.has(authority) ? authority : holder));
    },
    tokenAccounts,
    ...read,
  };
}

/**
 * What decides whose an account is. `reserved`: it is created for a token program, and nobody can take from it until it is
 * initialized. `initialized`: it becomes a token account of the owner. `lost`: it is closed, or whoever has its key rules it.
 */
interface LifeEvent {
  readonly instruction: number;
  readonly kind: 'reserved' | 'initialized' | 'lost';
  readonly owner?: Address | undefined;
}

/** What happens to the token accounts that a transaction creates, closes or gives away, in order. */
function livesOf(steps: readonly (Step | undefined)[]): ReadonlyMap<Address, readonly LifeEvent[]> {
  const lives = new Map<Address, LifeEvent[]>();
  for (const [instruction, step] of steps.entries()) {
    for (const effect of step?.effects ?? []) {
      const event = lifeEventOf(effect, instruction);
      if (event !== undefined && 'account' in effect)
        lives.set(effect.account, [...(lives.get(effect.account) ?? []), event]);
    }
  }
  return lives;
}

function lifeEventOf(effect: InstructionEffect, instruction: number): LifeEvent | undefined {
  switch (effect.kind) {
    case 'create':
      if (effect.what === 'token-account') return { instruction, kind: 'initialized', owner: effect.owner };
      if (effect.what !== 'account') return undefined;
      return { instruction, kind: TOKEN_PROGRAMS.includes(effect.owner) ? 'reserved' : 'lost' };
    case 'close':
      return { instruction, kind: 'lost' };
    case 'authority':
      return effect.newAuthority === null ? undefined : { instruction, kind: 'lost' };
  }
  return undefined;
}

const TOKEN_PROGRAMS: readonly (Address | undefined)[] = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];

function ownerAt(
  life: readonly LifeEvent[],
  instruction: number,
  people: ReadonlySet<Address>,
): AccountOwnership {
  const past = life.filter((event) => event.instruction <= instruction);
  const [last, next] = [past.at(-1), life[past.length]];
  // Its creation pays it too, before it is initialized.
  const isCreation = last?.kind === 'reserved' && last.instruction === instruction;
  const decisive = isCreation ? next : last;
  if (decisive?.kind !== 'initialized') return { kind: 'unknown' };
  const { owner } = decisive;
  return owner !== undefined && people.has(owner)
    ? { kind: 'temporary-token-account', owner }
    : { kind: 'unknown' };
}

/** Whose the paid accounts are whatever the transaction does: wallets, and addresses that are derived from a wallet's. */
async function lastingOwners(
  transaction: {
    readonly credits: readonly Credit[];
    readonly steps: readonly (Step | undefined)[];
    readonly lives: ReadonlyMap<Address, readonly LifeEvent[]>;
  },
  people: ReadonlySet<Address>,
  { config }: OwnershipRequest,
): Promise<Map<Address, AccountOwnership>> {
  const { credits, steps, lives } = transaction;
  const owners = new Map<Address, AccountOwnership>();
  // The program makes no other account than the one that is derived from the owner's address.
  for (const effect of effectsIn(steps.filter((step) => step?.program === 'associated-token'))) {
    if (effect.kind === 'create' && effect.owner !== undefined && people.has(effect.owner))
      owners.set(effect.account, { kind: 'associated-token-account', owner: effect.owner });
  }
  for (const person of people) owners.set(person, { kind: 'wallet', owner: person });

  const unclear = credits.filter(({ account }) => !owners.has(account) && !lives.has(account));
  if (unclear.length === 0) return owners;
  const pools = new Set(steps.flatMap((step) => step?.accounts.liquidityPoolState ?? []));
  const mints = new Set([...unclear.flatMap(({ mint }) => mint ?? []), ...steps.flatMap(mintsIn)]);
  await Promise.all(
    [...people].flatMap((owner) => [
      ...[...pools].map(async (pool) => {
        owners.set(await findLpPositionAddress({ pool, user: owner }, config), {
          kind: 'lp-position',
          owner,
        });
      }),
      ...associatedAccounts(owner, mints).map(async (account) => {
        owners.set(await account, { kind: 'associated-token-account', owner });
      }),
    ]),
  );
  return owners;
}

const mintsIn = (step: Step | undefined): readonly Address[] => {
  const { mint, tokenAMint, tokenBMint } = step?.accounts ?? {};
  return [mint, tokenAMint, tokenBMint].filter((address) => address !== undefined);
};

const associatedAccounts = (owner: Address, mints: Iterable<Address>): readonly Promise<Address>[] =>
  [...mints].flatMap((mint) =>
    [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS].map((tokenProgram) =>
      findAssociatedTokenAddress({ owner, mint, tokenProgram }),
    ),
  );

/** What the transaction itself says too little of, if there is a client: token accounts, and what is not there yet. */
async function readAccounts(
  { instructions }: LoadedTransaction,
  steps: readonly (Step | undefined)[],
  paid: readonly Address[],
  { owner, client, lamportsPerByte, abortSignal }: OwnershipRequest,
): Promise<Pick<Ownership, 'tokenAccounts' | 'missing' | 'lamportsPerByte' | 'balances'>> {
  const tokenAccounts = new Map<Address, TokenAccount>();
  const missing = new Set<Address>();
  const balances = new Map<Address, bigint>();
  if (client === undefined) return { tokenAccounts, missing, lamportsPerByte, balances };
  const unclear = new Set(paid);
  for (const [index, { accounts }] of instructions.entries()) {
    if (steps[index] !== undefined) continue;
    for (const account of accounts)
      if (account.address !== undefined && isWritableRole(account.role)) unclear.add(account.address);
  }
  for (const effect of effectsIn(steps)) {
    const hasNoMint = effect.kind === 'debit' && effect.asset === 'token' && effect.mint === undefined;
    if ((hasNoMint || isAllowedByAnother(effect, owner) || givesUpRight(effect)) && 'account' in effect)
      unclear.add(effect.account);
  }
  const readsRent =
    lamportsPerByte === undefined &&
    effectsIn(steps).some((effect) => effect.kind === 'debit' && effect.accountSizes !== undefined);
  // What closed accounts hold is not a reason to ask, and asked along.
  const closed = effectsIn(steps).flatMap((effect) => (effect.kind === 'close' ? [effect.account] : []));
  const isAsked = unclear.size > 0 || readsRent;
  const addresses = isAsked
    ? [...new Set([...unclear, ...(readsRent ? [locateRent()] : []), ...closed])]
    : [];
  const calls = Array.from({ length: Math.ceil(addresses.length / MAX_ACCOUNTS_PER_CALL) }, (_, call) =>
    addresses.slice(call * MAX_ACCOUNTS_PER_CALL, (call + 1) * MAX_ACCOUNTS_PER_CALL),
  );
  const accounts = await Promise.all(calls.map((call) => fetchAccounts(client, call, { abortSignal })));
  const read = accounts.flat();
  for (const address of unclear) {
    const account = accountAt(read, address);
    const tokenAccount = account && readTokenAccount(account);
    if (account === undefined) missing.add(address);
    else if (tokenAccount !== undefined) tokenAccounts.set(address, tokenAccount);
  }
  for (const address of closed) {
    const lamports = accountAt(read, address)?.lamports;
    if (lamports !== undefined) balances.set(address, lamports);
  }
  return {
    tokenAccounts,
    missing,
    lamportsPerByte: readsRent ? lamportsPerByteIn(read) : lamportsPerByte,
    balances,
  };
}

/** Tells whether an account may belong to the owner, or to anybody who signs. */
async function possiblyOwned(
  owners: ReadonlySet<Address>,
  owner: Address | undefined,
  steps: readonly (Step | undefined)[],
  tokenAccounts: TokenAccounts,
): Promise<(account: Address) => boolean> {
  const owned = new Set(owners);
  const mints = new Set(steps.flatMap(mintsIn));
  for (const effect of effectsIn(steps)) {
    if (effect.kind === 'debit' && effect.mint !== undefined) mints.add(effect.mint);
    if (effect.kind === 'debit' && owners.has(effect.authority)) owned.add(effect.account);
    if (effect.kind === 'create' && effect.owner !== undefined && owners.has(effect.owner))
      owned.add(effect.account);
  }
  for (const [account, tokenAccount] of tokenAccounts) {
    mints.add(tokenAccount.mint);
    if (owners.has(tokenAccount.owner)) owned.add(account);
  }
  // Derivations cost time, and matter only for what is not understood or somebody else allows.
  const areNeeded =
    steps.includes(undefined) || effectsIn(steps).some((effect) => isAllowedByAnother(effect, owner));
  const derived = areNeeded ? [...owners].flatMap((wallet) => associatedAccounts(wallet, mints)) : [];
  for (const account of await Promise.all(derived)) owned.add(account);
  return (account) => owned.has(account);
}

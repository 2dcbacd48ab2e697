import { type Address, bytesEqual, type Instruction, type KeyPairSigner } from '@solana/kit';
import { getSetComputeUnitLimitInstruction } from '@solana-program/compute-budget';

import { decodeProtocolConfig, type ProtocolConfig } from '../../../program/accounts.js';
import { findProtocolConfigAddress } from '../../../program/addresses.js';
import type { ProtocolRules } from '../../../program/rules.js';
import { MAX_COMPUTE_UNITS } from '../../../solana/limits.js';
import { TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../../../solana/programs.js';
import { tokenAccountOf } from '../../../solana/token-account.js';
import { CannotObserve, type Journal } from '../journal.js';
import { choicesOf, type ProofChoice, type ProofQuestionId, rulesOf } from '../questions.js';
import type { ScenarioInput } from '../scenario.js';
import { lamportsGained, type Ran, type Stage, type State, tokensGained } from '../stage.js';

export const SOL = 1_000_000_000n;

export const NOTHING_MOVED = 'the transaction succeeded and moved nothing';

/** A protocol config that accepts new pools. */
export interface OpenConfig {
  readonly address: Address;
  readonly fields: ProtocolConfig;
  /** What was edited so that it does, as the end of a description. Empty if nothing was. */
  readonly edited: string;
}

/**
 * Reads a config, enables the creation of pools, and opens its wrapped SOL vault if there is none.
 * @throws {CannotObserve} if there is no such config
 */
export async function openConfig(stage: Stage, version: 1 | 2 | 3): Promise<OpenConfig> {
  const { ledger, client } = stage;
  const { programAddress } = client.deployment;
  const address = await findProtocolConfigAddress({ version }, { programAddress });
  const read = () => {
    const account = ledger.getAccount(address);
    if (account === undefined)
      throw new CannotObserve(`the protocol config of version ${version} is missing`);
    return decodeProtocolConfig(account.data, address);
  };
  const isClosed = read().allowCreatePool === 0;
  if (isClosed) ledger.updateConfig(address, () => ({ allowCreatePool: 1 }));
  const payer = await stage.createWallet();
  const token = { mint: WRAPPED_SOL_MINT_ADDRESS, tokenProgram: TOKEN_PROGRAM_ADDRESS };
  const vault = await tokenAccountOf({ payer, owner: address, ...token });
  const isVaultMissing = ledger.getAccount(vault.address) === undefined;
  if (isVaultMissing) await stage.prepare([vault.create], payer);
  const edits = [
    ...(isClosed ? ['allow_create_pool switched on'] : []),
    ...(isVaultMissing ? ['its vault of wrapped SOL opened'] : []),
  ];
  return {
    address,
    fields: read(),
    edited: edits.length === 0 ? '' : ` (with ${edits.join(' and ')} for it)`,
  };
}

/** What an observation is about. */
export interface Subject {
  /** {@link ProofObservation.kind} */
  readonly kind: string;
  readonly what: string;
  readonly size: bigint;
  /** The questions that it depends on. */
  readonly ids: readonly ProofQuestionId[];
}

/** Records what was found, and what each combination of answers expects. */
export function observe(
  journal: Journal,
  { kind, what, size, ids }: Subject,
  found: string,
  expected: (rules: ProtocolRules, choice: ProofChoice) => string,
): void {
  const predictions = choicesOf(ids).map((choice) => ({
    choice,
    expected: expected(rulesOf(choice), choice),
  }));
  journal.observe({ kind, what, size, found, predictions });
}

const isAssumption = (id: ProofQuestionId) => /^A\d/.test(id);

/**
 * Whether the result of a transaction can be compared. A failure that should be a success contradicts the facts, and says
 * nothing about the assumptions. A transaction that moves nothing or creates value says nothing at all.
 */
export function isComparable(
  { journal }: ScenarioInput,
  ran: Ran,
  { kind, what, size, ids }: Subject,
  mint?: Address,
): boolean {
  if (!ran.ok) {
    const assumptions = ids.filter(isAssumption);
    if (assumptions.length > 0) journal.skip(assumptions, `${what} fails with ${ran.reason}`);
    const facts = ids.filter((id) => !isAssumption(id));
    if (facts.length > 0)
      observe(
        journal,
        { kind: `${kind}, whether it runs`, what, size, ids: facts },
        `fails with ${ran.reason}`,
        () => 'succeeds',
      );
    return false;
  }
  const fault = hasMoved(ran) ? lossOf(ran, mint) : NOTHING_MOVED;
  if (fault === undefined) return true;
  const choices = choicesOf(ids.filter((id) => !isAssumption(id)));
  const predictions = choices.map((choice) => ({ choice, expected: 'it does what it says' }));
  journal.skip(ids, fault, {
    kind: `${kind}, whether it does anything`,
    what,
    size,
    found: fault,
    predictions,
  });
  return false;
}

/** Whether a transaction changed anything except its fee payer's balance by the fee, and these accounts. */
export function hasMoved({ addresses, before, after, fee }: Ran, except: readonly Address[] = []): boolean {
  return addresses.some(
    (address, index) =>
      !except.includes(address) && isChanged(before(address), after(address), index === 0 ? fee : 0n),
  );
}

/** Whether an account differs in more than what it paid. */
const isChanged = (was: State, is: State, paid = 0n): boolean =>
  was === undefined || is === undefined
    ? was !== is
    : was.lamports - paid !== is.lamports || was.owner !== is.owner || !bytesEqual(was.data, is.data);

/**
 * Requires a transaction that other observations depend on.
 * @throws {CannotObserve} if it fails or does nothing
 */
export function assertMoved(ran: Ran, what: string): void {
  if (!ran.ok) throw new CannotObserve(`${what} fails with ${ran.reason}`);
  if (!hasMoved(ran)) throw new CannotObserve(NOTHING_MOVED);
}

/** The result of something that should fail: a custom error code, or words. */
export function foundIn(ran: Ran): number | string {
  if (!ran.ok) return ran.code ?? ran.reason ?? 'it fails';
  return hasMoved(ran) ? 'it succeeds' : NOTHING_MOVED;
}

/** The reason why value is not conserved, or `undefined` if it is. */
function lossOf(ran: Ran, mint: Address | undefined): string | undefined {
  const sum = (gainOf: (ran: Ran, address: Address) => bigint) =>
    ran.addresses.reduce((total, address) => total + gainOf(ran, address), 0n);
  const lamports = sum(lamportsGained) + ran.fee;
  if (lamports !== 0n) return `a transaction makes ${lamports} lamports out of nothing`;
  if (mint === undefined) return undefined;
  const tokens = sum((_, address) => tokensGained(ran, address, mint));
  return tokens === 0n ? undefined : `a transaction makes ${tokens} token units out of nothing`;
}

/** What the fee payer paid on top of the fee and the lamports of the accounts that were opened. */
export function lamportsLost(ran: Ran): bigint {
  const [payer] = ran.addresses as readonly [Address];
  const opened = ran.addresses
    .filter((address) => ran.before(address) === undefined)
    .reduce((total, address) => total + lamportsGained(ran, address), 0n);
  return -lamportsGained(ran, payer) - ran.fee - opened;
}

/** The lamports that the fee payer receives, in a wrapped SOL account or, if the transaction closes that, in the wallet. */
export function paidInto(account: Address, ran: Ran): bigint {
  const [payer] = ran.addresses as readonly [Address];
  if ((ran.after(account)?.lamports ?? 0n) > 0n) return tokensGained(ran, account);
  return lamportsGained(ran, payer) + lamportsGained(ran, account) + ran.fee;
}

/** Undoes everything that a transaction changed, except the fee that it cost. */
export function undo({ ledger }: Stage, { addresses, before, after }: Ran): void {
  for (const address of addresses) {
    const was = before(address);
    if (isChanged(was, after(address))) ledger.setAccount(address, was);
  }
}

/** Runs an instruction of the exchange. Never produces the same transaction twice. */
export type Sender = (instruction: Instruction, ...wallets: readonly KeyPairSigner[]) => Promise<Ran>;

export function senderOn(stage: Stage, { progress }: ScenarioInput): Sender {
  let sent = 0;
  return async (instruction, ...wallets) => {
    const units = MAX_COMPUTE_UNITS - sent++;
    const ran = await stage.run([getSetComputeUnitLimitInstruction({ units }), instruction], ...wallets);
    progress();
    return ran;
  };
}

/** The differences between two values, field by field: `reserve.tokenA: 1 -> 2`. */
export function changesOf(before: unknown, after: unknown, path = ''): readonly string[] {
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null;
  if (isObject(before) && isObject(after))
    return Object.keys({ ...before, ...after }).flatMap((key) =>
      changesOf(before[key], after[key], path === '' ? key : `${path}.${key}`),
    );
  return before === after ? [] : [`${path}: ${before} -> ${after}`];
}

/** Values with their names, in one line. */
export const listed = (parts: Readonly<Record<string, unknown>>): string =>
  Object.entries(parts)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** A whole number in a range, both ends included. */
export function randomIn(random: () => number, least: bigint, most: bigint): bigint {
  const scale = 1n << 52n;
  return least + ((most - least + 1n) * BigInt(Math.floor(random() * 2 ** 52))) / scale;
}

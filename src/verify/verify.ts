import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import { isHeavenError } from '../base/errors.js';
import { poolKindOf } from '../pool/decode.js';
import { decodeLiquidityPoolState } from '../program/accounts.js';
import { ASSUMPTIONS, type Assumption } from '../program/assumptions.js';
import type { Verification } from '../program/client.js';
import { FIRST_CODE } from '../program/error-codes.js';
import { type Alternative, differences, type Figures, type Plan, type Said } from './plan.js';
import { ALTERNATIVES } from './rows/alternatives.js';
import { CREATION } from './rows/creation.js';
import { CREATOR, LIQUIDITY } from './rows/pro.js';
import type { Case, Operation, Pool } from './rows/row.js';
import { TRADES } from './rows/trades.js';
import type { VerifySource } from './source.js';
import { CannotRun, createStage, type OpenLedger, type Ran, type Stage } from './stage.js';

export const OPERATIONS: readonly Operation[] = [
  ...TRADES,
  ...LIQUIDITY,
  ...CREATOR,
  ...CREATION,
  ...ALTERNATIVES,
];

interface About {
  readonly operation: Operation['name'];
  /** The pool or config. */
  readonly on: string;
  readonly input: string;
}

/** A transaction that ran, and how it compares. */
export interface VerifyRow extends About, Ran {
  readonly said: Said;
  readonly isEqual: boolean;
  /** What it would do by other readings of the assumption, and whether the program did that. */
  readonly alternatives: readonly (Alternative & { readonly isEqual: boolean })[];
  readonly assumptions: readonly Assumption[];
}

/** What these accounts don't allow. It says nothing about the program. */
export interface NotRun extends About {
  readonly reason: string;
}

export interface VerifyReport {
  readonly program: Address;
  /** Of the program's ELF file, in hex. `undefined` if only the model ran. */
  readonly sha256: string | undefined;
  /** The slot in which the program was deployed. */
  readonly deployedSlot: bigint | undefined;
  /** What the rows say about each assumption. Without a program, nothing. */
  readonly assumptions: Verification['assumptions'];
  readonly rows: readonly VerifyRow[];
  readonly notRun: readonly NotRun[];
  /** Whether at least one row ran, and every one that ran is equal. */
  readonly isEqual: boolean;
}

/**
 * Runs every operation that the source's accounts allow, each row on a fresh ledger, and compares what the library says with
 * what happens.
 *
 * @param observe Called before each row with the operation's name.
 * @param operations Default: all.
 */
export async function verifyOperations(
  source: VerifySource,
  openLedger: OpenLedger,
  observe?: (operation: string) => void,
  operations = OPERATIONS,
): Promise<VerifyReport> {
  const scene = { ...source, known: source.pools.flatMap((address) => poolAt(source, address)) };
  const rows: VerifyRow[] = [];
  const notRun: NotRun[] = [];
  const told = new Set<Assumption | undefined>();
  const open = new Set<Assumption | undefined>();
  for (const operation of operations) {
    const cases = operation.cases(scene);
    const nothing = { operation: operation.name, on: 'no pool', input: '', reason: 'no pool allows it' };
    if (cases.length === 0) notRun.push(nothing);
    const unanswered = new Set(cases.length === 0 ? [''] : cases.map(({ input }) => input));
    for (const one of cases) {
      observe?.(operation.name);
      const row = await runCase(operation, one, await createStage(openLedger, source));
      if ('reason' in row) notRun.push(row);
      else rows.push(row);
      if ('alternatives' in row && tellsApart(row)) unanswered.delete(row.input);
    }
    (unanswered.size === 0 ? told : open).add(operation.tells);
  }
  const { programAddress: program } = source.deployment;
  const elf = source.programs[program];
  const verdictOf = (assumption: Assumption) => {
    if (elf === undefined) return 'untested';
    const isWrong = rows.some((row) => !row.isEqual && row.assumptions.includes(assumption));
    if (isWrong) return 'contradicted';
    return told.has(assumption) && !open.has(assumption) ? 'confirmed' : 'untested';
  };
  return {
    program,
    sha256: elf && createHash('sha256').update(elf).digest('hex'),
    deployedSlot: source.deployedSlot,
    assumptions: Object.fromEntries(
      Object.keys(ASSUMPTIONS).map((number) => [number, verdictOf(number as Assumption)]),
    ),
    rows,
    notRun,
    isEqual: rows.length > 0 && rows.every(({ isEqual }) => isEqual),
  };
}

/** A row that would also be equal by another reading tells nothing. */
const tellsApart = ({ isEqual, alternatives }: VerifyRow): boolean =>
  isEqual && alternatives.length > 0 && alternatives.every((alternative) => !alternative.isEqual);

function poolAt({ accounts }: VerifySource, address: Address): Pool[] {
  const data = accounts.find((account) => account.address === address)?.data;
  if (data === undefined) return [];
  const { info, tokenA } = decodeLiquidityPoolState(data, address);
  const token = { mint: tokenA.mint, tokenProgram: tokenA.owner };
  return [{ address, kind: poolKindOf(data, address), configVersion: info.protocolConfigVersion, ...token }];
}

const isExpected = (error: unknown): error is Error => error instanceof CannotRun || isHeavenError(error);

async function runCase({ name, assumes }: Operation, one: Case, stage: Stage): Promise<VerifyRow | NotRun> {
  const { plan: make, ...inputs } = one;
  const about = { operation: name, ...inputs };
  let plan: Plan;
  try {
    plan = await make(stage);
  } catch (error) {
    if (isExpected(error)) return { ...about, reason: error.message };
    throw error;
  }
  // A program that does nothing would be equal.
  if (Object.values(plan.said).every((figure) => figure === 0n))
    return { ...about, reason: 'it would change nothing' };
  const { said, did, failed } = await runPlan(stage, plan);
  const alternatives = (plan.alternatives ?? []).map((alternative) => ({
    ...alternative,
    isEqual: isAs(alternative.said, { did, failed }),
  }));
  const assumptions = [...new Set([...assumes, ...(plan.assumes ?? [])])];
  const isEqual = isAs(said, { did, failed });
  return {
    ...about,
    said,
    did,
    isEqual,
    alternatives,
    ...(failed && { failed }),
    assumptions,
  };
}

function isAs(
  said: Said,
  { did, failed }: Pick<VerifyRow, 'did'> & { readonly failed: VerifyRow['failed'] },
): boolean {
  if (said === 'failed') return failed !== undefined;
  if (said === 'rejected') return (failed?.code ?? 0) >= FIRST_CODE;
  return failed === undefined && differences(said, did).length === 0;
}

/** Once a transaction has run, whatever can't be read or built any more is the program's doing. */
async function runPlan(stage: Stage, plan: Plan): Promise<Pick<VerifyRow, 'said' | 'did' | 'failed'>> {
  const { said, next } = plan;
  try {
    const ran = await stage.run(plan);
    if (next === undefined || ran.failed !== undefined) return { said, ...ran };
    const then = await runPlan(stage, await next());
    return {
      said: { ...(said as Figures), ...after(then.said as Figures) },
      did: { ...ran.did, ...after(then.did) },
      ...(then.failed && { failed: then.failed }),
    };
  } catch (error) {
    if (!isExpected(error)) throw error;
    return { said, did: {}, failed: { reason: error.message } };
  }
}

const after = (figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`then ${name}`, value]));

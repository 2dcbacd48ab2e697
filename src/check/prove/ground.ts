import { HeavenError } from '../../errors.js';
import { deploymentOf } from '../../program/deployment.js';
import type { TransactionEngine } from '../../testing/engine.js';
import { createEmbeddedLedger, createEmptyLedger, type Ledger } from '../../testing/ledger.js';
import type { ExchangeBehavior } from '../../testing/programs/exchange/behavior.js';
import { createSvmEngine } from '../../testing/svm-engine.js';
import { checkSource, type ProofSource } from './source.js';
import { PROGRAM_NAMES } from './source-programs.js';

/** What the scenarios of a proof run on: the programs themselves, or a model of them. */
export interface Ground {
  readonly runs: 'program' | 'model';
  readonly source: ProofSource;
  /** Creates a new ledger with the source's accounts, clock and rent. */
  open(): Promise<Ledger>;
}

/** Runs scenarios on the embedded ledger's model, with the assumed behavior unless told otherwise. */
export const createModelGround = (source: ProofSource, behavior: ExchangeBehavior = {}): Ground => ({
  runs: 'model',
  source,
  open: async () => {
    const ledger = ledgerOf(source);
    ledger.setBehavior(behavior);
    return ledger;
  },
});

/**
 * Runs scenarios on the programs of the source, in LiteSVM.
 *
 * @throws {HeavenError} `missing-package`, `invalid-program`
 */
export async function createProgramGround(source: ProofSource): Promise<Ground> {
  const { programAddress } = source.deployment;
  if (source.programs.exchange === undefined) {
    const reason = 'the source holds no program';
    throw new HeavenError(
      'invalid-program',
      `The program ${programAddress} can't be run: ${reason}. Download it, or name its file.`,
      { program: programAddress, reason },
    );
  }
  const programs = PROGRAM_NAMES.flatMap((name) => {
    const program = source.programs[name];
    return program === undefined ? [] : [[program.address, program.elf] as const];
  });
  const engine = await createSvmEngine({ programs: Object.fromEntries(programs) });
  return { runs: 'program', source, open: async () => ledgerOf(source, engine) };
}

function ledgerOf(source: ProofSource, engine?: TransactionEngine): Ledger {
  const { deployment, slot, unixTimestamp, epoch, lamportsPerByte, accounts } = source;
  const { programAddress } = deployment;
  const clock = { slot, unixTimestamp, epoch };
  const ledger = createEmptyLedger({ programAddress, lamportsPerByte, clock, ...(engine && { engine }) });
  // Ledgers must not share bytes.
  for (const { address, owner, data, lamports } of accounts)
    ledger.setAccount(address, { owner, data: data.slice(), lamports });
  return ledger;
}

/**
 * The embedded ledger's sample accounts as a source without programs, for rehearsals on the model.
 * @example
 * ```ts
 * const source = await createSampleProofSource();
 * console.log(source.pools.length); // 4
 * ```
 */
export async function createSampleProofSource(): Promise<ProofSource> {
  const { listAccounts, pools } = await createEmbeddedLedger();
  const accounts = [...listAccounts()].map(([address, account]) => ({ address, ...account }));
  return checkSource({
    deployment: deploymentOf(),
    programs: {},
    accounts,
    pools: Object.values(pools).map(({ pool }) => pool),
  });
}

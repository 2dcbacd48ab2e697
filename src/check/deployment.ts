import type { Address } from '@solana/kit';

import type { Deployment } from '../client.js';

/** The assumptions of the register in docs/protocol.md. */
export type Assumption = 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'A7' | 'A8' | 'A9' | 'A10' | 'A11';

/** `unknown`: it could not be told, and the detail says why. */
export type Verdict = 'confirmed' | 'refuted' | 'unknown';

/** What was found out about one thing. */
export interface Settled {
  readonly verdict: Verdict;
  /** Why. */
  readonly detail: string;
  /** What it is instead, where that is certain. */
  readonly shouldBe?: string;
  /** What it rests on: addresses, amounts, lines of logs. */
  readonly evidence: readonly string[];
}

/** What was found out about an assumption. */
export interface Finding extends Settled {
  readonly assumption: Assumption;
  /** The assumption in a few words. */
  readonly assumes: string;
}

/** Whether a config's fees are those that are published. Quotes read the config itself and don't depend on it. */
export interface PublishedFees extends Settled {
  readonly configVersion: 1 | 2 | 3;
}

/** What {@link checkDeployment} found. */
export interface DeploymentCheck {
  /** One for each assumption, in their order. */
  readonly findings: readonly Finding[];
  readonly publishedFees: readonly PublishedFees[];
  /** For {@link createClient}: where the exchange is, with what was found to be elsewhere than the client assumed. */
  readonly deployment: Deployment;
  /** The slot of the first read. */
  readonly slot: bigint;
}

export const ASSUMES: Readonly<Record<Assumption, string>> = {
  A1: 'the seeds of a pro pool',
  A2: 'the seeds of an LP position',
  A3: 'pro swaps, claims and creation read the price feed like buy and sell',
  A4: 'the fees of a buy are taken from the SOL side',
  A5: 'market cap bounds of pro pools are millionths of a dollar',
  A6: 'a pool with its own fees takes the protocol fee from its config',
  A7: 'within a window a sandwich-resistant pool gives no better price than at its beginning',
  A8: 'LP tokens are a share of both reserves, their fees count in units of 1e-9',
  A9: 'the composition of a launch',
  A10: 'the known lookup table serves config 1',
  A11: "a pro pool's receiver update takes the accounts of the standard one",
};

export const confirmed = (detail: string, evidence: readonly string[] = []): Settled => ({
  verdict: 'confirmed',
  detail,
  evidence,
});
export const unknown = (detail: string, evidence: readonly string[] = []): Settled => ({
  verdict: 'unknown',
  detail,
  evidence,
});
export const refuted = (detail: string, shouldBe?: string, evidence: readonly string[] = []): Settled => ({
  verdict: 'refuted',
  detail,
  ...(shouldBe === undefined ? {} : { shouldBe }),
  evidence,
});

/** A failed constraint on a derived address, as Anchor logs it. */
export interface SeedsMismatch {
  /** The program's own name of the account. */
  readonly account: string;
  readonly given: Address;
  readonly expected: Address;
}

const SEEDS_FAILED = /AnchorError caused by account: (\w+)\. Error Code: ConstraintSeeds\./;
const ADDRESS = /\b([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** Reads which address the program expected, from the logs of a failed simulation. */
export function readSeedsMismatch(logs: readonly string[]): SeedsMismatch | undefined {
  const failed = logs.findIndex((line) => SEEDS_FAILED.test(line));
  if (failed < 0) return undefined;
  // The address stands behind the word, or on the next line.
  const addressAfter = (word: string) => {
    const at = logs.findIndex((line, index) => index > failed && line.startsWith(`Program log: ${word}:`));
    if (at < 0) return undefined;
    return (ADDRESS.exec(logs[at] ?? '') ?? ADDRESS.exec(logs[at + 1] ?? ''))?.[1] as Address | undefined;
  };
  const account = SEEDS_FAILED.exec(logs[failed] ?? '')?.[1];
  const [given, expected] = [addressAfter('Left'), addressAfter('Right')];
  return account === undefined || given === undefined || expected === undefined
    ? undefined
    : { account, given, expected };
}

import type { Address } from '@solana/kit';

import type { Deployment } from '../client.js';
import type { RulesPatch } from '../program/rules.js';

/** The assumptions of the register in docs/protocol.md. */
export const ASSUMES = {
  A1: 'the seeds of a pro pool',
  A2: 'the seeds of an LP position',
  A3: 'pro swaps, liquidity, claims and creation read the price feed like buy and sell',
  A4: 'the fees of a buy are taken from the SOL side',
  A5: 'market cap bounds of pro pools are millionths of a dollar',
  A6: 'a pool with its own fees takes the protocol fee from its config',
  A7: 'within a window a sandwich-resistant pool gives no better price than at its beginning',
  A8: 'LP tokens are a share of both reserves, their fees count in units of 1e-9',
  A9: 'the composition of a launch',
  A10: 'the known lookup table serves config 1',
  A11: "a pro pool's receiver update takes the 14 accounts of a swap and the new receiver",
  A12: 'what an omitted list of reflection or LP fees means',
} as const;

/** The assumptions of the register in docs/protocol.md. */
export type Assumption = keyof typeof ASSUMES;

/** `unknown`: the check could not tell, and the detail says why. */
export type AssumptionVerdict = 'confirmed' | 'refuted' | 'unknown';

/** A verdict with its reason and evidence. */
export interface SettledAssumption {
  readonly verdict: AssumptionVerdict;
  /** The reason for the verdict. */
  readonly detail: string;
  /** The actual value, if that is certain. */
  readonly shouldBe?: string;
  /** The deployment setting for it, if there is one. */
  readonly rules?: RulesPatch;
  /** The evidence: addresses, amounts, log lines. */
  readonly evidence: readonly string[];
}

/** The finding about an assumption. */
export interface DeploymentFinding extends SettledAssumption {
  readonly assumption: Assumption;
  /** The assumption in a few words. */
  readonly assumes: string;
}

/** Whether a config has the published fees. Quotes don't depend on it: they read the config itself. */
export interface PublishedFees extends SettledAssumption {
  readonly configVersion: 1 | 2 | 3;
}

/** What {@link checkDeployment} found. */
export interface DeploymentCheck {
  /** One for each assumption, in their order. */
  readonly findings: readonly DeploymentFinding[];
  readonly publishedFees: readonly PublishedFees[];
  /** For {@link createClient}: the client's own deployment, with the addresses and rules that the check found to differ. */
  readonly deployment: Deployment;
  /** The slot of the first read. */
  readonly slot: bigint;
}

const settled =
  (verdict: AssumptionVerdict) =>
  (detail: string, evidence: readonly string[] = []): SettledAssumption => ({ verdict, detail, evidence });

export const confirmed = /* @__PURE__ */ settled('confirmed');
export const unknown = /* @__PURE__ */ settled('unknown');
export const refuted = (
  detail: string,
  shouldBe?: string,
  evidence: readonly string[] = [],
  rules?: RulesPatch,
): SettledAssumption => ({
  verdict: 'refuted',
  detail,
  ...(shouldBe === undefined ? {} : { shouldBe }),
  ...(rules === undefined ? {} : { rules }),
  evidence,
});

/** The common verdict of several parts: refuted if one is, confirmed if all are. */
export function together(parts: readonly SettledAssumption[]): SettledAssumption {
  const detail = parts.map((part) => part.detail).join('; ');
  const evidence = parts.flatMap((part) => part.evidence);
  const wrong = parts.filter(({ verdict }) => verdict === 'refuted');
  if (wrong.length > 0)
    return refuted(
      detail,
      wrong.flatMap(({ shouldBe }) => shouldBe ?? []).join('; '),
      evidence,
      joinRules(wrong.flatMap(({ rules }) => rules ?? [])),
    );
  const isConfirmed = parts.every(({ verdict }) => verdict === 'confirmed');
  return (isConfirmed ? confirmed : unknown)(detail, evidence);
}

/** Merges patches into one. `undefined` if there are none. */
export function joinRules(patches: readonly RulesPatch[]): RulesPatch | undefined {
  if (patches.length === 0) return undefined;
  const priceAccounts = Object.assign({}, ...patches.map((patch) => patch.priceAccounts));
  const joined: RulesPatch = Object.assign({}, ...patches);
  return Object.keys(priceAccounts).length === 0 ? joined : { ...joined, priceAccounts };
}

/** A failed constraint on a derived address, as Anchor logs it. */
interface SeedsMismatch {
  /** The program's own name of the account. */
  readonly account: string;
  readonly given: Address;
  readonly expected: Address;
}

const SEEDS_FAILED = /AnchorError caused by account: (\w+)\. Error Code: ConstraintSeeds\./;
const ADDRESS = /\b([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** Reads the address that the program expected from the logs of a failed simulation. */
export function readSeedsMismatch(logs: readonly string[]): SeedsMismatch | undefined {
  const failed = logs.findIndex((line) => SEEDS_FAILED.test(line));
  const account = SEEDS_FAILED.exec(logs[failed] ?? '')?.[1];
  // The address is after the word, or on the next line.
  const addressAfter = (word: string) => {
    const at = logs.findIndex((line, index) => index > failed && line.startsWith(`Program log: ${word}:`));
    if (at < 0) return undefined;
    return (ADDRESS.exec(logs[at] ?? '') ?? ADDRESS.exec(logs[at + 1] ?? ''))?.[1] as Address | undefined;
  };
  const [given, expected] = [addressAfter('Left'), addressAfter('Right')];
  if (account === undefined || given === undefined || expected === undefined) return undefined;
  return { account, given, expected };
}

import type { Address } from '@solana/kit';

import type { FoundPool } from '../data/find-pools.js';
import { computeBuy } from '../math/swap.js';
import { fetchPoolSnapshot } from '../pool/fetch.js';
import { CONFIG, FEE_BRACKETS, POOL, SLOT_BRACKETS } from '../pool/layout.js';
import { buyQuoteFrom } from '../pool/quote.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { toSwapState } from '../pool/swap-state.js';
import { buildProBuy } from '../pro/buy.js';
import { simulate } from '../review/simulate.js';
import { buildBuy } from '../standard/buy.js';
import { confirmed, refuted, type SettledAssumption, unknown } from './deployment.js';
import { buyWithTokenFees } from './prove/predict.js';
import { attempt, MOST_ATTEMPTS, MOST_POOLS, NO_WALLET, type Scene, valid } from './scene.js';

/** The rules that a simulated buy can tell apart: the assumed one, the other, and when none shows it. */
const RULES = {
  A4: [
    'taken from the SOL side',
    'taken from the token side, behind the curve',
    'no buy could be simulated in which it shows',
  ],
  A5: [
    'millionths of a dollar',
    'whole dollars',
    'there is no pro pool whose fee would be another if its bounds were whole dollars',
  ],
  A6: [
    "the config's",
    "the pool's own",
    'there is no pro pool with fees of its own whose protocol fee is not that of its config',
  ],
  A7: [
    'the worse of both prices',
    'the price of the reserves, window or not',
    'no sandwich-resistant pool was traded in the very window of the simulation',
  ],
} as const;
type Rule = keyof typeof RULES;

/** Which of the two each rule is. */
type Choice = Readonly<Record<Rule, 0 | 1>>;

/** A buy that was simulated, and what each combination of rules would give. */
interface Observation {
  readonly pool: Address;
  readonly simulated: bigint;
  readonly outcomes: readonly { readonly choice: Choice; readonly amountOut: bigint }[];
}

interface Observations {
  readonly observed: readonly Observation[];
  /** Why there are no more. */
  readonly reasons: readonly string[];
}

/** The simulated buys by kind of pool. */
export interface ObservedTrades {
  readonly standard: Observations;
  readonly pro: Observations;
}

/** Enough that a basis point shows. */
const AMOUNT_IN = 50_000_000n;
const ACCEPT_ANYTHING = 10_000;

/** Simulates buys in the pools that tell most. */
export async function observeTrades(scene: Scene): Promise<ObservedTrades> {
  const tradable = scene.proPools.filter(({ state }) => state.allowlist.swap !== 0);
  const pro = await observe(scene, tradable, scene.proReason ?? 'there is no pro pool that can be traded in');
  const standard = await observe(scene, scene.standardPools, 'none of the tokens has a standard pool');
  return { standard, pro };
}

async function observe(scene: Scene, pools: readonly FoundPool[], none: string): Promise<Observations> {
  const [wallet] = scene.wallets;
  if (pools.length === 0) return { observed: [], reasons: [none] };
  if (wallet === undefined) return { observed: [], reasons: [NO_WALLET] };
  const observed: Observation[] = [];
  const reasons: string[] = [];
  for (const pool of await mostTelling(scene, pools)) {
    const { value, reason = '' } = await attempt(() => observeBuy(scene, pool, wallet));
    if (typeof value === 'object') observed.push(value);
    else reasons.push(value ?? reason);
  }
  return { observed, reasons };
}

const snapshotOf = ({ client, options }: Scene, { configVersion, mint, kind, address }: FoundPool) =>
  fetchPoolSnapshot(client, {
    configVersion,
    mint,
    ...(kind === 'pro' ? { pool: address } : {}),
    ...options,
  });

/** A few pools, those first in which most can be told: traded in this very window, with most kinds of fee. */
async function mostTelling(scene: Scene, pools: readonly FoundPool[]): Promise<readonly FoundPool[]> {
  const scored = await Promise.all(
    pools.slice(0, MOST_POOLS * 4).map(async (pool) => {
      const { value: snapshot } = await attempt(() => snapshotOf(scene, pool));
      const state = snapshot && valid(() => toSwapState(snapshot));
      const isWindowed = state?.windowReserves !== undefined;
      const isLocal = snapshot?.feeSource === 'local';
      return { pool, score: (isWindowed ? 2 : 0) + (isLocal ? 1 : 0) };
    }),
  );
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_POOLS)
    .map(({ pool }) => pool);
}

/**
 * Simulates a buy and works out what each combination of rules would give in that very slot. The pool is read before and
 * after: if somebody traded in between, it is done again.
 *
 * @returns The observation, or why there is none.
 */
async function observeBuy(scene: Scene, found: FoundPool, payer: Address): Promise<Observation | string> {
  const { client, options } = scene;
  let before = await snapshotOf(scene, found);
  const { pool } = before.addresses;
  for (let tries = 0; tries < MOST_ATTEMPTS; tries++) {
    const quote = buyQuoteFrom(before, AMOUNT_IN, { slippageBps: ACCEPT_ANYTHING });
    const input = {
      payer,
      quoteResponse: quote,
      encodedUserDefinedEventData: '',
      snapshot: before,
      ...options,
    };
    const built = await (before.kind === 'pro'
      ? buildProBuy(client, { ...input, pool })
      : buildBuy(client, input));
    const simulation = await simulate(client, built, { quote, ...options });
    if (!simulation.ok) return `a simulated buy in the pool ${pool} failed. ${simulation.error.message}`;
    const after = await snapshotOf(scene, found);
    const simulated = simulation.comparison?.simulated;
    if (isSame(before, after) && simulated !== undefined) {
      const outcomes = choicesFor(before, simulation.slot).map((choice) => ({
        choice,
        amountOut: outcomeOf(before, simulation.slot, choice),
      }));
      return { pool, simulated, outcomes };
    }
    before = after;
  }
  return `the pool ${pool} was traded in all the while`;
}

const isSame = (a: FetchedPoolSnapshot, b: FetchedPoolSnapshot) =>
  a.reserveA === b.reserveA &&
  a.reserveB === b.reserveB &&
  a.window.slot === b.window.slot &&
  a.solPrice.answer === b.solPrice.answer &&
  a.token.supply === b.token.supply;

function choicesFor(snapshot: FetchedPoolSnapshot, slot: bigint): readonly Choice[] {
  const isPro = snapshot.kind === 'pro';
  const both = (matters: boolean): readonly (0 | 1)[] => (matters ? [0, 1] : [0]);
  const isWindowed = toSwapState(snapshot, { slot }).windowReserves !== undefined;
  return both(true).flatMap((A4) =>
    both(isPro).flatMap((A5) =>
      both(isPro && snapshot.feeSource === 'local').flatMap((A6) =>
        both(isWindowed).map((A7) => ({ A4, A5, A6, A7 })),
      ),
    ),
  );
}

function outcomeOf(snapshot: FetchedPoolSnapshot, slot: bigint, choice: Choice): bigint {
  const ruled = {
    ...snapshot,
    // The kind decides the unit of the bounds, and nothing else here.
    kind: choice.A5 === 0 ? snapshot.kind : 'standard',
    data: choice.A6 === 0 ? snapshot.data : withOwnProtocolFee(snapshot.data),
  } as const;
  const state = toSwapState(ruled, { slot });
  const windowed = choice.A7 === 0 ? state : { ...state, windowReserves: undefined };
  return choice.A4 === 0
    ? computeBuy(windowed, AMOUNT_IN).amountOut
    : buyWithTokenFees(windowed, AMOUNT_IN)[0].amountOut;
}

/** The accounts with the pool's protocol fee in the place of the config's. */
function withOwnProtocolFee({ pool, protocolConfig }: FetchedPoolSnapshot['data']) {
  const config = Uint8Array.from(protocolConfig);
  const copy = (from: number, to: number, size: number) => config.set(pool.subarray(from, from + size), to);
  copy(POOL.marketCapBasedFees, CONFIG.marketCapBasedFees, FEE_BRACKETS.size);
  copy(POOL.slotOffsetBasedFees, CONFIG.slotOffsetBasedFees, SLOT_BRACKETS.size);
  return { pool, protocolConfig: config };
}

/** What the observations say of a rule. Nothing is taken from one that fits none, or in which it makes no difference. */
export function settleRule(rule: Rule, { standard, pro }: ObservedTrades): SettledAssumption {
  // What is asked of pro pools shows in no other.
  const sources = rule === 'A5' || rule === 'A6' ? [pro] : [standard, pro];
  const reasons = sources.flatMap((source) => source.reasons);
  const votes: { readonly choice: 0 | 1; readonly line: string }[] = [];
  const misfits: string[] = [];
  for (const { pool, simulated, outcomes } of sources.flatMap(({ observed }) => observed)) {
    if (!makesDifference(rule, outcomes)) continue;
    const line = `pool ${pool}: ${AMOUNT_IN} lamports buy ${simulated} units`;
    const fitting = outcomes.filter(({ amountOut }) => amountOut === simulated);
    const [choice, ...others] = new Set(fitting.map((outcome) => outcome.choice[rule]));
    if (choice === undefined) {
      const amounts = new Set(outcomes.map(({ amountOut }) => amountOut));
      misfits.push(`${line}, and the rules give ${[...amounts].join(' or ')}`);
    } else if (others.length === 0) votes.push({ choice, line });
  }
  const lines = [...votes.map(({ line }) => line), ...misfits];
  const [assumed, other, nothing] = RULES[rule];
  if (votes.length === 0) {
    const why = misfits.length > 0 ? 'the simulated buys fit none of the rules that are known' : nothing;
    return unknown([why, ...reasons].join('; '), lines);
  }
  if (new Set(votes.map(({ choice }) => choice)).size > 1)
    return unknown('the pools contradict each other', lines);
  if (misfits.length > 0) return unknown('some simulated buys fit none of the rules that are known', lines);
  const count = `${votes.length} simulated ${votes.length === 1 ? 'buy fits' : 'buys fit'} to the unit`;
  return votes[0]?.choice === 0
    ? confirmed(`${count}: ${assumed}`, lines)
    : refuted(`${count}, but not what is assumed (${assumed})`, other, lines);
}

/** Whether two outcomes that differ in this rule alone differ. */
const makesDifference = (rule: Rule, outcomes: Observation['outcomes']) =>
  outcomes.some(({ choice, amountOut }) =>
    outcomes.some(
      (other) =>
        other.amountOut !== amountOut &&
        (Object.keys(RULES) as Rule[]).every((key) => (key === rule) !== (other.choice[key] === choice[key])),
    ),
  );

import type { Address } from '@solana/kit';

import type { FoundPool } from '../data/find-pools.js';
import { computeBuy } from '../math/swap.js';
import { fetchPoolSnapshot } from '../pool/fetch.js';
import { buyQuoteFrom } from '../pool/quote.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { toSwapState } from '../pool/swap-state.js';
import { buildProBuy } from '../pro/buy.js';
import { simulate } from '../review/simulate.js';
import { buildBuy } from '../standard/buy.js';

import { confirmed, refuted, type SettledAssumption, together, unknown } from './deployment.js';
import { asks, infer, isMisfit, type ProofObservation, reasonsFor, type Skipped } from './prove/infer.js';
import { buyWithTokenFees, questionsOfTrade, withoutIrrelevant } from './prove/predict.js';
import { choicesOf, type ProofChoice, rulesOf } from './prove/questions.js';

import { attempt, MOST_ATTEMPTS, MOST_POOLS, NO_WALLET, type Scene, valid } from './scene.js';

/** The questions that simulated buys can answer, and what is missing if none does. */
const NOTHING_TELLS = {
  A4: 'no buy could be simulated in which it shows',
  A5: 'there is no pro pool whose fee would be another if its bounds were whole dollars',
  A6: 'there is no pro pool with fees of its own whose protocol fee is not that of its config',
  'A7.length':
    'no sandwich-resistant pool was traded in the four slots of the simulation without being traded in the same slot',
  'A7.fill': 'no sandwich-resistant pool was traded in the window of the simulation',
} as const;
type Asked = keyof typeof NOTHING_TELLS;

/** The simulated buys, and why others are missing. */
interface ObservedTrades {
  readonly observed: readonly ProofObservation[];
  readonly skipped: readonly Skipped[];
}

/** Large enough for a basis point to make a difference. */
const SMALL_BUY = 50_000_000n;
/** Large enough that taking fees from the tokens gives visibly less than taking them from the SOL, beyond any rounding. */
const LARGE_BUY = 5_000_000_000n;
const NO_LARGE_WALLET = 'no wallet with 5.2 SOL was found for a buy that is large enough to tell: name one';
const ACCEPT_ANYTHING = 10_000;

/** The questions that trades in any pool answer, and those that only trades in pro pools answer. */
const OF_ALL = ['A4', 'A7.length', 'A7.fill'] as const;
const OF_PRO = ['A4', 'A5', 'A6', 'A7.length', 'A7.fill'] as const;

/** Simulates buys in the most informative pools. */
export async function observeTrades(scene: Scene): Promise<ObservedTrades> {
  const tradable = scene.proPools.filter(({ state }) => state.allowlist.swap !== 0);
  const pro = await observe(scene, tradable, scene.proReason ?? 'there is no pro pool that can be traded in');
  const standard = await observe(scene, scene.standardPools, 'none of the tokens has a standard pool');
  const isSmall = scene.wallets.length > 0 && scene.largeWallets.length === 0;
  return {
    observed: [...standard.observed, ...pro.observed],
    skipped: [
      ...standard.reasons.map((reason): Skipped => ({ questions: OF_ALL, reason })),
      ...pro.reasons.map((reason): Skipped => ({ questions: OF_PRO, reason })),
      ...(isSmall ? [{ questions: ['A4'], reason: NO_LARGE_WALLET } satisfies Skipped] : []),
    ],
  };
}

interface Observations {
  readonly observed: readonly ProofObservation[];
  readonly reasons: readonly string[];
}

async function observe(scene: Scene, pools: readonly FoundPool[], none: string): Promise<Observations> {
  const [wallet] = [...scene.largeWallets, ...scene.wallets];
  if (pools.length === 0) return { observed: [], reasons: [none] };
  if (wallet === undefined) return { observed: [], reasons: [NO_WALLET] };
  const observed: ProofObservation[] = [];
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

/** A few pools, most informative first: traded in the current window, with the most kinds of fee. */
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
 * Simulates a buy and computes what each combination of rules would give in the same slot. It reads the pool before and after,
 * and retries if somebody traded in between.
 *
 * @returns The observation, or why there is none.
 */
async function observeBuy(
  scene: Scene,
  found: FoundPool,
  payer: Address,
): Promise<ProofObservation | string> {
  const { client, options } = scene;
  const amountIn = scene.largeWallets.includes(payer) ? LARGE_BUY : SMALL_BUY;
  let before = await snapshotOf(scene, found);
  const { pool } = before.addresses;
  for (let tries = 0; tries < MOST_ATTEMPTS; tries++) {
    const quote = buyQuoteFrom(before, amountIn, { slippageBps: ACCEPT_ANYTHING });
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
    if (isSame(before, after) && simulated !== undefined)
      return observationOf({ ...before, slot: simulation.slot }, amountIn, simulated);
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

/** Compares a simulated buy's amount with the prediction of each combination of answers. */
function observationOf(snapshot: FetchedPoolSnapshot, amountIn: bigint, simulated: bigint): ProofObservation {
  const questions = questionsOfTrade('buy', snapshot);
  const all = choicesOf(questions).map((choice) => ({
    choice,
    value: amountOut(snapshot, amountIn, choice),
  }));
  // A small buy can't decide where its fees come from, so it accepts both.
  const predicted = withoutIrrelevant(all, questions, String).map(({ choice: { A4, ...others }, value }) => ({
    choice: amountIn < LARGE_BUY || A4 === undefined ? others : { A4, ...others },
    expected: String(value),
  }));
  return {
    kind: 'buy',
    what: `pool ${snapshot.addresses.pool}: ${amountIn} lamports buy`,
    size: amountIn,
    found: String(simulated),
    predictions: predicted,
  };
}

function amountOut(snapshot: FetchedPoolSnapshot, amountIn: bigint, choice: ProofChoice): bigint {
  const state = toSwapState({ ...snapshot, rules: rulesOf(choice) });
  if (choice.A4 === 'tokens') return buyWithTokenFees(state, amountIn)[0].amountOut;
  return computeBuy(state, amountIn).amountOut;
}

/** The verdicts that the buys give. If one fits no combination of answers, none of them is used. */
export function settleTrading(
  trades: ObservedTrades,
): Readonly<Record<'A4' | 'A5' | 'A6' | 'A7', SettledAssumption>> {
  const settled = (id: Asked) => settleRule(id, trades);
  return {
    A4: settled('A4'),
    A5: settled('A5'),
    A6: settled('A6'),
    A7: together([settled('A7.length'), settled('A7.fill')]),
  };
}

function settleRule(id: Asked, { observed, skipped }: ObservedTrades): SettledAssumption {
  const answer = infer(observed).find(({ question }) => question.id === id);
  if (answer === undefined) throw new TypeError(`There is no answer to ${id}`);
  const { verdict, candidate, question, observations } = answer;
  const reasons = reasonsFor(id, skipped);
  const asked = observed.filter((one) => asks(one, id));
  const misfits = asked.filter(isMisfit);
  const lines = asked.map(lineOf);
  if (misfits.length > 0) {
    const which = misfits.length === asked.length ? 'the' : 'some';
    return unknown(
      [`${which} simulated buys fit none of the rules that are known`, ...reasons].join('; '),
      lines,
    );
  }
  if (verdict === 'none-fits') return unknown('the pools contradict each other', lines);
  if (candidate === undefined) {
    const others = observed.some(isMisfit)
      ? ['other simulated buys fit none of the rules that are known']
      : [];
    return unknown([NOTHING_TELLS[id], ...others, ...reasons].join('; '), lines);
  }
  const count = `${observations} simulated ${observations === 1 ? 'buy fits' : 'buys fit'} to the unit`;
  const [assumed] = question.candidates;
  return verdict === 'confirmed'
    ? confirmed(`${count}: ${candidate.words}`, lines)
    : refuted(
        `${count}, but not what is assumed (${assumed.words})`,
        candidate.words,
        lines,
        candidate.rules,
      );
}

function lineOf(observation: ProofObservation): string {
  const { what, found, predictions } = observation;
  const amounts = [...new Set(predictions.map(({ expected }) => expected))];
  return `${what} ${found} units${isMisfit(observation) ? `, and the rules give ${amounts.join(' or ')}` : ''}`;
}

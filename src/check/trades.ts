import type { Address } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import { BPS } from '../math/integers.js';
import { computeBuy } from '../math/swap.js';
import { transferFeeOf } from '../math/transfer-fee.js';
import type { SwapState } from '../math/types.js';
import { type FetchedPoolSnapshot, fetchPoolSnapshot, type PoolLocator } from '../pool/fetch.js';
import { CONFIG, FEE_BRACKETS, POOL, SLOT_BRACKETS } from '../pool/layout.js';
import { buyQuoteFrom } from '../pool/quote.js';
import { swapStateOf } from '../pool/swap-state.js';
import { buildProBuy } from '../pro/buy.js';
import { simulate } from '../review/simulate.js';
import { buildBuy } from '../standard/buy.js';
import { confirmed, refuted, type Settled, unknown } from './deployment.js';

/** The rules that a simulated buy can tell apart, the assumed one first. */
const RULES = {
  A4: ['taken from the SOL side', 'taken from the token side, behind the curve'],
  A5: ['millionths of a dollar', 'whole dollars'],
  A6: ["the config's", "the pool's own"],
  A7: ['the worse of both prices', 'the price of the reserves, window or not'],
} as const;
export type Rule = keyof typeof RULES;

/** Which of the two each rule is. */
type Choice = Readonly<Record<Rule, 0 | 1>>;

/** A buy that was simulated, and what each combination of rules would give. */
export interface Observation {
  readonly pool: Address;
  readonly amountIn: bigint;
  readonly simulated: bigint;
  readonly outcomes: readonly { readonly choice: Choice; readonly amountOut: bigint }[];
}

/** Enough that a basis point shows. */
const AMOUNT_IN = 50_000_000n;
const MOST_ATTEMPTS = 3;
const ACCEPT_ANYTHING = 10_000;

/**
 * Simulates a buy and works out what each combination of rules would give in that very slot. The pool is read before and
 * behind: if somebody traded in between, it is done again.
 *
 * @returns The observation, or why there is none.
 */
export async function observeBuy(
  client: HeavenClient,
  locator: PoolLocator,
  wallet: Address,
  options: RequestOptions,
): Promise<Observation | string> {
  let before = await fetchPoolSnapshot(client, { ...locator, ...options });
  const { pool } = before.addresses;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const quote = buyQuoteFrom(before, AMOUNT_IN, { slippageBps: ACCEPT_ANYTHING });
    const input = { payer: wallet, quoteResponse: quote, encodedUserDefinedEventData: '', ...options };
    const built = await (before.kind === 'pro'
      ? buildProBuy(client, { ...input, pool, snapshot: before })
      : buildBuy(client, { ...input, snapshot: before }));
    const simulation = await simulate(client, built, { quote, ...options });
    if (!simulation.ok) return `a simulated buy in the pool ${pool} failed. ${simulation.error.message}`;
    const after = await fetchPoolSnapshot(client, { ...locator, ...options });
    const simulated = simulation.comparison?.simulated;
    if (isSame(before, after) && simulated !== undefined) {
      const outcomes = choicesFor(before, simulation.slot).map((choice) => ({
        choice,
        amountOut: outcomeOf(before, simulation.slot, choice),
      }));
      return { pool, amountIn: AMOUNT_IN, simulated, outcomes };
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
  const isWindowed = swapStateOf(snapshot, { slot }).windowReserves !== undefined;
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
  const state = swapStateOf(ruled, { slot });
  const windowed = choice.A7 === 0 ? state : { ...state, windowReserves: undefined };
  return choice.A4 === 0 ? computeBuy(windowed, AMOUNT_IN).amountOut : buyWithTokenFees(windowed, AMOUNT_IN);
}

/** The accounts with the pool's protocol fee in the place of the config's. */
function withOwnProtocolFee({ pool, protocolConfig }: FetchedPoolSnapshot['data']) {
  const config = Uint8Array.from(protocolConfig);
  const copy = (from: number, to: number, size: number) => config.set(pool.subarray(from, from + size), to);
  copy(POOL.marketCapBasedFees, CONFIG.marketCapBasedFees, FEE_BRACKETS.size);
  copy(POOL.slotOffsetBasedFees, CONFIG.slotOffsetBasedFees, SLOT_BRACKETS.size);
  return { pool, protocolConfig: config };
}

function buyWithTokenFees(state: SwapState, amountIn: bigint): bigint {
  const out = ({ reserveA, reserveB }: { readonly reserveA: bigint; readonly reserveB: bigint }) =>
    (reserveA * amountIn) / (reserveB + amountIn);
  const [now, then] = [out(state), out(state.windowReserves ?? state)];
  const gross = then < now ? then : now;
  const net = Object.values(state.buyFees).reduce((left, bps) => left - (gross * bps) / BPS, gross);
  return net - transferFeeOf(net, state.transferFee);
}

/** What the observations say of a rule. Nothing is taken from one that fits none, or in which it makes no difference. */
export function settleRule(
  rule: Rule,
  observations: readonly Observation[],
  reasons: readonly string[],
  nothing: string,
): Settled {
  const votes: { readonly choice: 0 | 1; readonly line: string }[] = [];
  const misfits: string[] = [];
  for (const { pool, amountIn, simulated, outcomes } of observations) {
    const line = `pool ${pool}: ${amountIn} lamports buy ${simulated} units`;
    if (!makesDifference(rule, outcomes)) continue;
    const choices = new Set(
      outcomes.filter(({ amountOut }) => amountOut === simulated).map(({ choice }) => choice[rule]),
    );
    if (choices.size === 0)
      misfits.push(
        `${line}, and the rules give ${[...new Set(outcomes.map(({ amountOut }) => amountOut))].join(' or ')}`,
      );
    const [choice] = choices;
    if (choices.size === 1 && choice !== undefined) votes.push({ choice, line });
  }
  const lines = [...votes.map(({ line }) => line), ...misfits];
  const [assumed, other] = RULES[rule];
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

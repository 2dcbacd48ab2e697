import type { Address, Signature } from '@solana/kit';

import { isHeavenError } from '../base/errors.js';
import { BPS, ceilDiv } from '../base/integers.js';
import type { ParsedTransaction, TransactionInstruction } from '../history/parse-transaction.js';
import {
  type HistoryClient,
  type ListedTransaction,
  listSignatures,
  patiently,
  readReported,
} from '../history/signatures.js';
import type { ParsedTrade } from '../history/trades.js';
import { computeBuy, computeSell, NO_FEES, sumFees } from '../math/swap.js';
import type { PoolReserves, SwapState } from '../math/types.js';
import { readers } from '../operations.js';
import type { PoolSnapshot } from '../pool/decode.js';
import { fetchPoolSnapshot } from '../pool/read.js';
import { toSwapState, windowSlots } from '../pool/swap-state.js';
import type { TradeEvent } from '../program/events.js';
import { differences, type Figures } from './plan.js';

/** Whole basis points, both ends included. */
export type RateRange = readonly [least: bigint, most: bigint];

type Judgement =
  | { readonly verdict: 'not judged'; readonly reason: string }
  | {
      readonly verdict: 'equal' | 'different';
      readonly said: Figures;
      readonly did: Figures;
      /** The sum of the rates: today's, and what explains the fee that was paid. The smaller the trade, the wider. */
      readonly rate: { readonly now: bigint; readonly paid: RateRange };
      /** Of a buy with a fee: whether the event's `quoteIn` includes it. */
      readonly quoteIn?: 'gross' | 'net' | 'neither';
    };

/** A trade that happened, and what the library computes from the reserves that the one before left. */
export type ReplayRow = Judgement & {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly side: ParsedTrade['side'];
};

type JudgedRow = Extract<ReplayRow, { readonly verdict: 'equal' | 'different' }>;

export interface ReplayReport {
  readonly pool: Address;
  /** When today's settings were read. */
  readonly slot: bigint;
  /** Oldest first. */
  readonly rows: readonly ReplayRow[];
  /** If all trades up to a slot share rates that are not today's. */
  readonly settingsBefore?: { readonly slot: bigint; readonly buy?: RateRange; readonly sell?: RateRange };
  /** Whether at least one trade was judged, and every one that was is equal. */
  readonly isEqual: boolean;
}

/** How many transactions to read at a time. */
const CONCURRENCY = 4;

/**
 * Reads a pool's last transactions, and replays its trades by the library's arithmetic and today's settings.
 *
 * @param last How many transactions, at most 1000.
 * @throws {HeavenError} `account-not-found`, `invalid-account-data`, `history-incomplete`, and the `rpc-…` codes
 */
export async function replayPool(client: HistoryClient, pool: Address, last: number): Promise<ReplayReport> {
  const { info, tokenA } = await readers.getPoolState(client, { pool });
  const locator = { pool, mint: tokenA.mint, configVersion: info.protocolConfigVersion };
  const snapshot = await fetchPoolSnapshot(client, locator);
  const listed = await listSignatures(client, { address: pool, limit: last }, {});
  const landed = listed.filter(({ hasFailed }) => !hasFailed).reverse();
  const read = ({ signature }: ListedTransaction) => patiently(() => readReported(client, signature, {}), {});
  const transactions: ParsedTransaction[] = [];
  for (let index = 0; index < landed.length; index += CONCURRENCY)
    transactions.push(...(await Promise.all(landed.slice(index, index + CONCURRENCY).map(read))));
  return replayTransactions(snapshot, pool, transactions);
}

/** Replays a pool's trades in transactions that were read before, oldest first. */
export function replayTransactions(
  snapshot: PoolSnapshot,
  pool: Address,
  transactions: readonly ParsedTransaction[],
): ReplayReport {
  const chain = new Chain(snapshot);
  const rows = transactions.flatMap(({ signature, slot, instructions, trades }) =>
    instructions.flatMap((instruction): ReplayRow[] => {
      if (!instruction.raw.accounts?.some(({ address }) => address === pool)) return [];
      const trade = trades.find(
        ({ instructionIndex, innerIndex }) =>
          instructionIndex === instruction.instructionIndex && innerIndex === instruction.innerIndex,
      );
      if (trade !== undefined) return [{ signature, slot, side: trade.side, ...chain.judge(trade, slot) }];
      chain.pass(instruction);
      return [];
    }),
  );
  const judged = rows.filter((row): row is JudgedRow => row.verdict !== 'not judged');
  return {
    pool,
    slot: snapshot.slot,
    rows,
    ...settingsBefore(judged),
    isEqual: judged.length > 0 && judged.every(({ verdict }) => verdict === 'equal'),
  };
}

/** Carries the reserves from event to event. */
class Chain {
  readonly #snapshot: PoolSnapshot;
  /** What the last event left, or why that is unknown. */
  #before: PoolReserves | string = 'the first trade of the list';
  /** The reserves at the start of the last trade's window: `undefined` if that was not seen. */
  #window: { readonly index: bigint; readonly reserves: PoolReserves | undefined } | undefined;

  constructor(snapshot: PoolSnapshot) {
    this.#snapshot = snapshot;
  }

  /** Notes an instruction that is not a trade. */
  pass({ parsed }: TransactionInstruction): void {
    if (parsed === undefined) this.#before = 'an unknown instruction in between';
    else if (/^(add|remove|create)_/.test(parsed.name)) this.#before = `${parsed.name} in between`;
  }

  judge(trade: ParsedTrade, slot: bigint): Judgement {
    const { event, unproven, amountIn } = trade;
    const before = this.#before;
    const window = this.#windowAt(slot, before);
    if (event === undefined) {
      this.#before = 'the event before is missing';
      return notJudged(unproven.join(' '));
    }
    this.#before = { reserveA: event.baseReserve, reserveB: event.quoteReserve };
    if (typeof before === 'string') return notJudged(before);
    if (event.priceSolUsd === undefined) return notJudged('an event of 32 bytes');
    if (amountIn === undefined) return notJudged(unproven.join(' '));
    if (window === undefined) return notJudged('the rest of its window is missing');
    const state = this.#stateAt(slot, event.priceSolUsd, before);
    return compare({ ...state, windowReserves: window.reserves }, { ...trade, amountIn, event });
  }

  /** The reserves that cap a trade's price, if any. `undefined` if its window began before the list did. */
  #windowAt(slot: bigint, before: PoolReserves | string) {
    const { isSandwichResistant, window } = this.#snapshot;
    if (!isSandwichResistant) return { reserves: undefined };
    const index = slot / windowSlots(window.slots);
    const isFirst = this.#window !== undefined && this.#window.index < index;
    if (this.#window?.index === index)
      return this.#window.reserves === undefined ? undefined : { reserves: this.#window.reserves };
    this.#window = { index, reserves: isFirst && typeof before !== 'string' ? before : undefined };
    return { reserves: undefined };
  }

  #stateAt(slot: bigint, usd: number, before: PoolReserves): SwapState {
    const { solPrice } = this.#snapshot;
    const answer = BigInt(Math.round(usd * 10 ** solPrice.decimals));
    return toSwapState({ ...this.#snapshot, ...before, solPrice: { ...solPrice, answer } }, { slot });
  }
}

const notJudged = (reason: string): Judgement => ({ verdict: 'not judged', reason });

type Happened = ParsedTrade & { readonly amountIn: bigint; readonly event: TradeEvent };

/** The curve is given the fee that was paid, so that a fee of other settings changes one figure alone. */
function compare(state: SwapState, { side, amountIn, amountOut, event }: Happened): Judgement {
  const isBuy = side === 'buy';
  const fee = event.totalFeePaid;
  const net = amountIn - fee;
  const gross = isBuy ? amountIn : state.reserveB - event.quoteReserve;
  const rate = { now: sumFees(isBuy ? state.buyFees : state.sellFees), paid: ratesFor(fee, gross) };
  try {
    const now = (isBuy ? computeBuy : computeSell)(state, amountIn);
    const curve = isBuy
      ? computeBuy({ ...state, buyFees: NO_FEES }, net)
      : computeSell({ ...state, sellFees: NO_FEES }, amountIn);
    const { reserveAAfter: baseReserve, reserveBAfter: quoteReserve } = curve;
    const quoteIn = event.quoteIn === amountIn ? 'gross' : event.quoteIn === net ? 'net' : 'neither';
    const sides = isBuy
      ? { baseOut: state.reserveA - baseReserve, quoteIn: quoteIn === 'net' ? net : amountIn }
      : { baseIn: amountIn, quoteOut: state.reserveB - quoteReserve };
    const received = isBuy ? curve.amountOut : curve.amountOut - fee;
    const said: Figures = {
      baseReserve,
      quoteReserve,
      ...sides,
      amountOut: received,
      totalFeePaid: now.totalFee,
    };
    const did: Figures = {
      ...Object.fromEntries(Object.keys(said).map((name) => [name, event[name as keyof TradeEvent] ?? 0n])),
      // If the transfers don't prove what arrived, the event is all there is.
      amountOut: amountOut ?? received,
    };
    return {
      verdict: differences(said, did).length === 0 ? 'equal' : 'different',
      said,
      did,
      rate,
      ...(isBuy && fee > 0n ? { quoteIn } : {}),
    };
  } catch (error) {
    if (!isHeavenError(error)) throw error;
    return { verdict: 'different', said: { rejected: error.message }, did: {}, rate };
  }
}

/** The rates whose fee this can be: up to five fees, each rounded down by itself. */
const ratesFor = (fee: bigint, gross: bigint): RateRange =>
  gross > 0n ? [ceilDiv(fee * BPS, gross), ceilDiv((fee + 5n) * BPS, gross) - 1n] : [0n, BPS];

/** What all trades up to the last with another fee than today's have in common. */
function settingsBefore(rows: readonly JudgedRow[]): Pick<ReplayReport, 'settingsBefore'> {
  const changed = rows.filter(({ said, did }) => said.totalFeePaid !== did.totalFeePaid).at(-1);
  if (changed === undefined) return {};
  const shared: { -readonly [side in ParsedTrade['side']]?: RateRange } = {};
  for (const { side, rate } of rows.slice(0, rows.indexOf(changed) + 1)) {
    const [least, most] = shared[side] ?? rate.paid;
    const [low, high] = rate.paid;
    shared[side] = [low > least ? low : least, high < most ? high : most];
  }
  if (Object.values(shared).some(([least, most]) => least > most)) return {};
  return { settingsBefore: { slot: changed.slot, ...shared } };
}

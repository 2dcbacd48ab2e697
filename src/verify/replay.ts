import type { Address, Signature } from '@solana/kit';

import type { ParsedTransaction, TransactionInstruction } from '../history/parse-transaction.js';
import {
  type HistoryClient,
  type ListedTransaction,
  listSignatures,
  patiently,
  readReported,
} from '../history/signatures.js';
import { isTrade, type ParsedTrade } from '../history/trades.js';
import type { PoolReserves, SwapState } from '../math/types.js';
import { readers } from '../operations/index.js';
import type { PoolSnapshot } from '../pool/decode.js';
import { fetchPoolSnapshot } from '../pool/read.js';
import { toSwapState, windowSlots } from '../pool/swap-state.js';
import {
  compare,
  type Judgement,
  type Left,
  type Limits,
  limitsOf,
  notJudged,
  type RateRange,
} from './replay-trade.js';

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
  const read = async ({ signature, slot: listedSlot }: ListedTransaction) => {
    const transaction = await patiently(() => readReported(client, signature, {}), {});
    return { ...transaction, listedSlot };
  };
  const transactions: Recorded[] = [];
  for (let index = 0; index < landed.length; index += CONCURRENCY)
    transactions.push(...(await Promise.all(landed.slice(index, index + CONCURRENCY).map(read))));
  return replayTransactions(snapshot, pool, transactions);
}

/** A transaction, and the slot in which a node lists it. */
type Recorded = ParsedTransaction & { readonly listedSlot?: bigint };

/** Replays a pool's trades in transactions that were read before, oldest first. */
export function replayTransactions(
  snapshot: PoolSnapshot,
  pool: Address,
  transactions: readonly Recorded[],
): ReplayReport {
  const chain = new Chain(snapshot);
  const rows = transactions.flatMap(({ signature, slot, listedSlot, instructions, trades }) =>
    instructions.flatMap((instruction): ReplayRow[] => {
      if (!instruction.raw.accounts?.some(({ address }) => address === pool)) return [];
      const trade = trades.find(
        ({ instructionIndex, innerIndex }) =>
          instructionIndex === instruction.instructionIndex && innerIndex === instruction.innerIndex,
      );
      const { parsed } = instruction;
      if (trade === undefined || !isTrade(parsed)) {
        chain.pass(instruction);
        return [];
      }
      const judgement = chain.judge({ ...trade, ...limitsOf(parsed) }, slot, listedSlot);
      return [{ signature, slot, side: trade.side, ...judgement }];
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
  #before: Left | string = 'the first trade of the list';
  #slot = 0n;
  /** The reserves at the start of the last trade's window: `undefined` if that was not seen. */
  #window: { readonly index: bigint; readonly reserves: PoolReserves | undefined } | undefined;

  constructor(snapshot: PoolSnapshot) {
    this.#snapshot = snapshot;
  }

  /** Notes an instruction that is not a trade. */
  pass({ parsed }: TransactionInstruction): void {
    if (parsed === undefined) this.#before = 'an unknown instruction in between';
    else if (/^(add|remove|create)_|^claim_.*creator/.test(parsed.name))
      this.#before = `${parsed.name} in between`;
  }

  judge(trade: ParsedTrade & Limits, slot: bigint, listedSlot = slot): Judgement {
    const { event, unproven, amountIn } = trade;
    const before = this.#before;
    const window = this.#windowAt(slot, before);
    const fault = this.#slotFault(slot, listedSlot);
    if (event === undefined) {
      this.#before = 'the event before is missing';
      return notJudged(unproven.join(' '));
    }
    const { baseReserve: reserveA, quoteReserve: reserveB, totalCreatorTradingFees, priceSolUsd } = event;
    this.#before =
      reserveA > 0n && reserveB > 0n
        ? { reserveA, reserveB, creatorFees: totalCreatorTradingFees }
        : 'the event before leaves an empty pool';
    if (fault !== undefined) return notJudged(fault);
    if (typeof before === 'string') return notJudged(before);
    if (priceSolUsd === undefined) return notJudged('an event of 32 bytes');
    const answer = Math.round(priceSolUsd * 10 ** this.#snapshot.solPrice.decimals);
    if (!(answer > 0 && Number.isFinite(answer)))
      return notJudged(`an event with a SOL price of ${priceSolUsd}`);
    if (amountIn === undefined) return notJudged(unproven.join(' '));
    if (window === undefined) return notJudged('the rest of its window is missing');
    const state = this.#stateAt(slot, BigInt(answer), before);
    return compare({ ...state, windowReserves: window.reserves }, { ...trade, amountIn, event }, before);
  }

  /** What is wrong with a trade's slot. Then nobody knows who shares its window. */
  #slotFault(slot: bigint, listedSlot: bigint): string | undefined {
    const isInOrder = listedSlot >= this.#slot;
    this.#slot = listedSlot;
    if (isInOrder && listedSlot === slot) return undefined;
    this.#window = { index: this.#windowOf(slot > listedSlot ? slot : listedSlot), reserves: undefined };
    return isInOrder ? `the list has slot ${listedSlot}` : 'its slot is before the last one';
  }

  #windowOf(slot: bigint): bigint {
    return slot / windowSlots(this.#snapshot.window.slots);
  }

  /** The reserves that cap a trade's price, if any. `undefined` if nobody knows when its window began. */
  #windowAt(slot: bigint, before: PoolReserves | string) {
    if (!this.#snapshot.isSandwichResistant) return { reserves: undefined };
    const index = this.#windowOf(slot);
    const last = this.#window;
    if (last?.index === index) return last.reserves && { reserves: last.reserves };
    const isFirst = last !== undefined && last.index < index;
    this.#window = { index, reserves: isFirst && typeof before !== 'string' ? before : undefined };
    return isFirst ? { reserves: undefined } : undefined;
  }

  #stateAt(slot: bigint, answer: bigint, before: PoolReserves): SwapState {
    const solPrice = { ...this.#snapshot.solPrice, answer };
    return toSwapState({ ...this.#snapshot, ...before, solPrice }, { slot });
  }
}

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

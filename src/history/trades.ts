import type { Address, Instruction, Signature } from '@solana/kit';

import type { TradeEvent } from '../program/events.js';
import type { HeavenInstruction } from '../program/instructions.js';
import { type Movement, movementOf } from './token-movements.js';
import { tradePriceOf } from './trade-price.js';

/** What was paid for a token, all fees of the exchange included. */
export interface ParsedTradePrice {
  /** The exact ratio: so many lamports for so many native token units. */
  readonly lamports: bigint;
  readonly tokenUnits: bigint;
  /** SOL per whole token, rounded to a float. `undefined` if the transaction does not tell the token's decimals. */
  readonly solPerToken: number | undefined;
}

/**
 * A trade in its user's terms. An amount that the transaction does not prove is `undefined`, and `untold` says why.
 * Native units: lamports, and units of the token.
 */
export interface ParsedTrade {
  /** The top-level instruction, from 0. */
  readonly instructionIndex: number;
  /** Its place among the instructions that the top-level one called, if another program traded. */
  readonly innerIndex?: number;
  readonly side: 'buy' | 'sell';
  readonly kind: 'standard' | 'pro';
  readonly pool: Address;
  /** The token. */
  readonly mint: Address;
  /** The token's. `undefined` if the transaction does not tell. */
  readonly decimals: number | undefined;
  /** Who traded: the instruction's user, who signs it. */
  readonly user: Address;
  /** Left the user's token account: lamports of a buy, token units of a sell. */
  readonly amountIn: bigint | undefined;
  /** Arrived in the user's token account: token units of a buy, lamports of a sell. */
  readonly amountOut: bigint | undefined;
  /** The exchange's fees together, in lamports. They are within `amountIn` of a buy, and already off `amountOut` of a sell. */
  readonly totalFee: bigint | undefined;
  /** Token units that Token-2022 withheld of what was bought. 0 for a sell, where it takes from what reaches the pool. */
  readonly transferFee: bigint | undefined;
  readonly price: ParsedTradePrice | undefined;
  /** The event of the trade as it was logged, if it was. */
  readonly event: TradeEvent | undefined;
  /** What the transaction does not tell, or contradicts itself, and why. Empty for a trade whose figures are all known. */
  readonly untold: readonly string[];
}

/** A trade of a list: a {@link ParsedTrade}, and which transaction it is from. */
export interface Trade extends ParsedTrade {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds. `undefined` if the node does not say. */
  readonly blockTime: bigint | undefined;
}

type TradeInstruction = Extract<HeavenInstruction, { name: 'buy' | 'sell' | 'pro_buy' | 'pro_sell' }>;

export const isTrade = (instruction: HeavenInstruction | undefined): instruction is TradeInstruction =>
  instruction !== undefined && ['buy', 'sell', 'pro_buy', 'pro_sell'].includes(instruction.name);

/** What a trade is read from. */
export interface TradeSources {
  readonly position: { readonly instructionIndex: number; readonly innerIndex?: number };
  readonly instruction: TradeInstruction;
  readonly events: readonly TradeEvent[];
  /** What became of the logs. */
  readonly logs: 'complete' | 'truncated' | 'missing';
  /** All that the trade's instruction called, or why it is not known. */
  readonly calls: readonly Instruction[] | string;
  /** All instructions of the transaction. */
  readonly all: readonly Instruction[];
  /** By how much the whole transaction changed a token account, if the node says so. */
  change(account: Address, mint: Address): bigint | undefined;
  decimals(mint: Address): number | undefined;
}

/** Reads a trade out of the transfers that it made, and holds its event and the token balances against them. */
export function readTrade(sources: TradeSources): ParsedTrade {
  const { position, instruction, events, logs, calls } = sources;
  const { accounts, name } = instruction;
  const isBuy = name === 'buy' || name === 'pro_buy';
  const mint = accounts.tokenAMint.address;
  const solMint = accounts.tokenBMint.address;
  const untold: string[] = [];
  const event = eventOf(events, logs, untold);

  let tokens: Moved | undefined;
  let sol: Moved | undefined;
  if (typeof calls === 'string') untold.push(`The amounts: ${calls}.`);
  else {
    tokens = movedIn(sources, calls, accounts.userTokenAVault.address, mint, isBuy ? 'in' : 'out', untold);
    sol = movedIn(sources, calls, accounts.userTokenBVault.address, solMint, isBuy ? 'out' : 'in', untold);
  }
  const totalFee = feeOf(event, tokens, sol, isBuy, untold);
  const lamports = isBuy ? sol?.sent : sol?.arrived;
  const tokenUnits = isBuy ? tokens?.arrived : tokens?.sent;
  const decimals = sources.decimals(mint);
  return {
    ...position,
    side: isBuy ? 'buy' : 'sell',
    kind: name === 'buy' || name === 'sell' ? 'standard' : 'pro',
    pool: accounts.liquidityPoolState.address,
    mint,
    decimals,
    user: accounts.user.address,
    amountIn: isBuy ? lamports : tokenUnits,
    amountOut: isBuy ? tokenUnits : lamports,
    totalFee,
    transferFee: tokens?.arrived === undefined ? undefined : isBuy ? tokens.sent - tokens.arrived : 0n,
    price: tradePriceOf(lamports, tokenUnits, decimals),
    event,
    untold,
  };
}

/** The fees of a trade, and the words for what contradicts its event. */
function feeOf(
  event: TradeEvent | undefined,
  tokens: Moved | undefined,
  sol: Moved | undefined,
  isBuy: boolean,
  untold: string[],
): bigint | undefined {
  const said = isBuy ? event?.baseOut : event?.baseIn;
  if (said !== undefined && tokens !== undefined && said !== tokens.sent && said !== tokens.arrived)
    untold.push(`The event says that ${said} token units moved, and the transfers are ${tokens.sent}.`);
  let reason = 'no reading of the event agrees with what moved';
  if (event === undefined) reason = 'the event of the trade is not known';
  else if (sol === undefined || tokens === undefined) reason = 'what moved is not known';
  else {
    const fee = (isBuy ? buyFee : sellFee)(event, { lamports: sol.sent, tokens: tokens.sent });
    if (fee !== undefined) return fee;
  }
  untold.push(`The fees: ${reason}.`);
  return undefined;
}

const NO_EVENT = {
  complete: 'the instruction logged none that this library can read',
  truncated: 'the node cut the logs',
  missing: 'the node kept no logs',
};

function eventOf(events: readonly TradeEvent[], logs: TradeSources['logs'], untold: string[]) {
  const [event, ...others] = events;
  if (others.length > 0) untold.push(`The event: the instruction logged ${events.length} of them.`);
  else if (event === undefined) untold.push(`The event: ${NO_EVENT[logs]}.`);
  return others.length > 0 ? undefined : event;
}

interface Moved {
  /** What the transfers say. */
  readonly sent: bigint;
  /** What came of it, if that is known. */
  readonly arrived: bigint | undefined;
}

/** What a trade moved into the user's account, or out of it. */
function movedIn(
  { all, change }: TradeSources,
  calls: readonly Instruction[],
  account: Address,
  mint: Address,
  direction: 'in' | 'out',
  untold: string[],
): Moved | undefined {
  const what = `What ${direction === 'in' ? 'arrived in' : 'left'} ${account}`;
  const made = calls.map((call) => movementOf(call, account, mint));
  if (!made.every((movement) => movement !== undefined)) {
    untold.push(`${what}: the exchange called the token program in a way that this library does not know.`);
    return undefined;
  }
  const sum = (movements: readonly Movement[]) =>
    movements.reduce((total, movement) => total + movement.in - movement.out, 0n);
  const net = sum(made);
  const sent = direction === 'in' ? net : -net;
  if (sent <= 0n) {
    untold.push(`${what}: the trade made no transfer ${direction === 'in' ? 'into' : 'out of'} it.`);
    return undefined;
  }
  const balance = change(account, mint);
  const others = all.filter((call) => !calls.includes(call)).map((call) => movementOf(call, account, mint));
  const known = others.every((movement) => movement !== undefined) ? [...made, ...others] : undefined;
  // What Token-2022 withheld from all that was sent to the account, where the balances tell.
  const unsaid =
    known === undefined || balance === undefined ? undefined : sum(known) - balance - saidFees(known);
  const isSilent = ({ withheld, in: received }: Movement) => withheld === undefined && received > 0n;
  const silent = known?.filter(isSilent) ?? [];
  const isImpossible =
    unsaid !== undefined && (unsaid < 0n || (silent.length === 0 ? unsaid !== 0n : unsaid > sum(silent)));
  if (isImpossible) {
    untold.push(`${what}: the balances changed by ${balance}, which the transfers don't explain.`);
    return undefined;
  }
  const arrived = sent - saidFees(made);
  if (direction === 'out' || !made.some(isSilent) || unsaid === 0n) return { sent, arrived };
  if (unsaid !== undefined && silent.length === 1) return { sent, arrived: arrived - unsaid };
  untold.push(
    `${what}: ${sent} units were sent, and the transaction does not tell what Token-2022 withheld of this transfer.`,
  );
  return { sent, arrived: undefined };
}

const saidFees = (movements: readonly Movement[]) =>
  movements.reduce((total, { withheld = 0n }) => total + withheld, 0n);

/** What moved, before what Token-2022 withholds. */
interface Sent {
  readonly lamports: bigint;
  readonly tokens: bigint;
}

/**
 * The fees of a buy. The event's fields don't say of themselves whether they are of this trade, and with or without fees.
 * So a figure only counts if two of them agree on it, or if it alone makes the curve ([assumption A4](/protocol#assumptions)) give the very tokens
 * that were bought.
 */
function buyFee(
  { baseReserve, quoteReserve, totalFeePaid, quoteIn }: TradeEvent,
  { lamports, tokens }: Sent,
): bigint | undefined {
  const difference = quoteIn === undefined ? undefined : lamports - quoteIn;
  if (difference === totalFeePaid) return totalFeePaid;
  return onlyOne([totalFeePaid, difference], (fee) => {
    const net = lamports - fee;
    return net > 0n && net <= quoteReserve && ((baseReserve + tokens) * net) / quoteReserve === tokens;
  });
}

/** The fees of a sell: `quoteOut` is what the curve paid, before them ([level M](/protocol)). An older event has to fit the curve. */
function sellFee(
  { baseReserve, quoteReserve, totalFeePaid, quoteOut }: TradeEvent,
  { lamports, tokens }: Sent,
): bigint | undefined {
  if (quoteOut !== undefined) return quoteOut >= lamports ? quoteOut - lamports : undefined;
  return onlyOne([totalFeePaid], (fee) => {
    const gross = lamports + fee;
    return baseReserve > 0n && ((quoteReserve + gross) * tokens) / baseReserve === gross;
  });
}

function onlyOne(
  candidates: readonly (bigint | undefined)[],
  fits: (fee: bigint) => boolean,
): bigint | undefined {
  const fitting = [...new Set(candidates)].filter((fee) => fee !== undefined && fee >= 0n && fits(fee));
  return fitting.length === 1 ? fitting[0] : undefined;
}

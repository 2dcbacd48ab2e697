import type { Address, Instruction, Signature } from '@solana/kit';

import type { HeavenEvent, TradeEvent } from '../program/events.js';
import type { HeavenInstruction } from '../program/instructions/index.js';
import { view } from '../solana/account-data.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import type { TokenBalances } from './token-balances.js';
import { movementsOf } from './token-movements.js';

/** What a token costs: of a trade, including all fees of the exchange; of a candle, before them. */
export interface ParsedTradePrice {
  /** The exact ratio: `lamports` for `tokenUnits`, both in native units. */
  readonly lamports: bigint;
  readonly tokenUnits: bigint;
  /** SOL per whole token, rounded to a float. `undefined` if the transaction does not show the token's decimals. */
  readonly solPerToken: number | undefined;
}

/**
 * A trade in its user's terms: a buy, a sell, or the purchase in a launch. If the transaction does not prove an amount, it is `undefined`,
 * and `unproven` says why. Native units: lamports, and units of the token.
 */
export interface ParsedTrade {
  /** The index of the top-level instruction, from 0. */
  readonly instructionIndex: number;
  /** Its index among the instructions that the top-level one called, if another program traded. */
  readonly innerIndex?: number;
  readonly side: 'buy' | 'sell';
  readonly kind: 'standard' | 'pro';
  readonly pool: Address;
  /** The token. */
  readonly mint: Address;
  /** The token's decimals. `undefined` if the transaction does not show them. */
  readonly decimals: number | undefined;
  /** Who traded: the instruction's user, who signs it. */
  readonly user: Address;
  /** What left the user's token account: lamports of a buy (of a launch, the payer's), token units of a sell. */
  readonly amountIn: bigint | undefined;
  /** What arrived in the user's token account: token units of a buy, lamports of a sell. */
  readonly amountOut: bigint | undefined;
  /** The exchange's total fee in lamports. `amountIn` of a buy includes it; `amountOut` of a sell is after it. */
  readonly totalFee: bigint | undefined;
  /** Token units that Token-2022 withheld from what a buy received. 0 for a sell, where the fee comes out of what reaches the pool. */
  readonly transferFee: bigint | undefined;
  /**
   * What the user paid the network for the whole transaction, in lamports: 0 if another wallet paid. `undefined` if the node does not say.
   * All trades of a transaction have the same one: count it once.
   */
  readonly networkFee: bigint | undefined;
  readonly price: ParsedTradePrice | undefined;
  /** The trade's event, if it was logged. */
  readonly event: TradeEvent | undefined;
  /** What the transaction does not show or contradicts, and why. Empty if all figures are known. */
  readonly unproven: readonly string[];
}

/** A {@link ParsedTrade} in a list, with the transaction that it comes from. */
export interface Trade extends ParsedTrade {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds. `undefined` if the node does not say. */
  readonly blockTime: bigint | undefined;
  /**
   * Text that sorts trades as they happened: slot, transaction, instruction. Nodes older than Agave 4.0 don't say the transaction's index in
   * its block: it is then counted among those of the listed address, in the order in which the node lists or reports them.
   */
  readonly place: string;
}

export type TradeInstruction = Extract<HeavenInstruction, { name: 'buy' | 'sell' | 'pro_buy' | 'pro_sell' }>;
type LaunchInstruction = Extract<HeavenInstruction, { name: 'create_standard_liquidity_pool' }>;

export const isTrade = (instruction: HeavenInstruction | undefined): instruction is TradeInstruction =>
  instruction !== undefined && ['buy', 'sell', 'pro_buy', 'pro_sell'].includes(instruction.name);

/** Whether an instruction launches a token and makes its first purchase. */
export const isPurchase = (instruction: HeavenInstruction | undefined): instruction is LaunchInstruction =>
  instruction?.name === 'create_standard_liquidity_pool' &&
  instruction.data.params.initialPurchaseAmount > 0n;

/** What a trade is read from. */
export interface SwapContext {
  readonly instruction: TradeInstruction | LaunchInstruction;
  /** What the instruction logged. */
  readonly events: readonly HeavenEvent[];
  /** Everything that the instruction called, if the node says so. */
  readonly calls: readonly Instruction[] | undefined;
  /** All instructions of the transaction. */
  readonly all: readonly Instruction[];
  readonly balances: TokenBalances;
  /** The transaction's fee in lamports, and who paid it. */
  readonly network: { readonly fee: bigint | undefined; readonly payer: Address | undefined };
}

/** Reads a trade from the transfers that it made, and compares its event and the token balances with them. */
export function readTrade(context: SwapContext): Omit<ParsedTrade, 'instructionIndex' | 'innerIndex'> {
  const { instruction, calls, network } = context;
  const { accounts, name } = instruction;
  const isLaunch = 'payer' in accounts;
  const isBuy = isLaunch || name === 'buy' || name === 'pro_buy';
  const mint = accounts.tokenAMint.address;
  const solMint = accounts.tokenBMint.address;
  const unproven: string[] = [];
  const event = eventOf(context.events, isLaunch, unproven);

  let tokens: Moved | undefined;
  let sol: Moved | undefined;
  if (calls === undefined)
    unproven.push('The amounts: the node does not say which inner instructions belong to the trade.');
  else {
    // A launch first takes the whole supply from the account that it delivers to.
    const own = isLaunch ? calls.filter((call) => isFrom(call, accounts.tokenAVault)) : calls;
    tokens = movedIn(context, own, accounts.userTokenAVault.address, mint, isBuy ? 'in' : 'out', unproven);
    sol = isLaunch
      ? paidIn(calls, accounts, unproven)
      : movedIn(context, calls, accounts.userTokenBVault.address, solMint, isBuy ? 'out' : 'in', unproven);
    checkVault(context, accounts.tokenAVault.address, mint, unproven);
    checkVault(context, accounts.tokenBVault.address, solMint, unproven);
  }
  // A launch's purchase has no fee ([level M](/protocol)).
  const totalFee = isLaunch && !event?.totalFeePaid ? 0n : feeOf(event, tokens, sol, isBuy, unproven);
  const lamports = isBuy ? sol?.sent : sol?.arrived;
  const tokenUnits = isBuy ? tokens?.arrived : tokens?.sent;
  const decimals = context.balances.decimals(mint);
  return {
    side: isBuy ? 'buy' : 'sell',
    kind: name.startsWith('pro') ? 'pro' : 'standard',
    pool: accounts.liquidityPoolState.address,
    mint,
    decimals,
    user: accounts.user.address,
    amountIn: isBuy ? lamports : tokenUnits,
    amountOut: isBuy ? tokenUnits : lamports,
    totalFee,
    transferFee: tokens?.arrived === undefined ? undefined : isBuy ? tokens.sent - tokens.arrived : 0n,
    networkFee: network.payer === accounts.user.address ? network.fee : 0n,
    price: tradePriceOf(lamports, tokenUnits, decimals),
    event,
    unproven,
  };
}

/** The event's fee can't be read from the event and the transfers alone. */
export const UNREAD_FEE = 'The fees: no reading of the event agrees with what moved.';

/** Returns a trade's fees, and describes what contradicts its event. What is missing is in `unproven` already. */
function feeOf(
  event: TradeEvent | undefined,
  tokens: Moved | undefined,
  sol: Moved | undefined,
  isBuy: boolean,
  unproven: string[],
): bigint | undefined {
  if (event === undefined || tokens === undefined || sol === undefined) return undefined;
  const said = isBuy ? event.baseOut : event.baseIn;
  if (said !== undefined && said !== tokens.sent && said !== tokens.arrived)
    unproven.push(`The event says that ${said} token units moved, and the transfers are ${tokens.sent}.`);
  const fee = (isBuy ? buyFee : sellFee)(event, { lamports: sol.sent, tokens: tokens.sent });
  if (fee === undefined) unproven.push(UNREAD_FEE);
  return fee;
}

function eventOf(
  events: readonly HeavenEvent[],
  isLaunch: boolean,
  unproven: string[],
): TradeEvent | undefined {
  const found = events.flatMap(({ name, data }) => (name === 'TradeEvent' ? [data] : []));
  if (found.length === 1 || (isLaunch && found.length === 0)) return found[0];
  unproven.push(
    `The event, and so the fees: the logs show ${found.length} events of this trade instead of one.`,
  );
  return undefined;
}

/** The System program's instruction that moves lamports. */
const SYSTEM_TRANSFER = 2;

interface Moved {
  /** The amount according to the transfers. */
  readonly sent: bigint;
  /** What arrived, if that is known. */
  readonly arrived: bigint | undefined;
}

/** Returns what a trade moved into or out of the user's account. */
function movedIn(
  { all, balances }: SwapContext,
  calls: readonly Instruction[],
  account: Address,
  mint: Address,
  direction: 'in' | 'out',
  unproven: string[],
): Moved | undefined {
  const cannotSay = (why: string) => {
    unproven.push(`What ${direction === 'in' ? 'arrived in' : 'left'} ${account}: ${why}`);
    return undefined;
  };
  const own = movementsOf(calls, account, mint);
  if (own === undefined)
    return cannotSay('the exchange called the token program in a way that this library does not know.');
  const sent = direction === 'in' ? own.net : -own.net;
  if (sent <= 0n)
    return cannotSay(`the trade made no transfer ${direction === 'in' ? 'into' : 'out of'} it.`);

  const { whole, unsaid, contradiction } = balancedIn({ all, balances }, account, mint);
  if (contradiction !== undefined) return cannotSay(contradiction);
  const arrived = sent - own.withheld;
  if (direction === 'out' || own.unstated.count === 0 || unsaid === 0n) return { sent, arrived };
  if (unsaid !== undefined && whole?.unstated.count === 1) return { sent, arrived: arrived - unsaid };
  cannotSay(
    `${sent} units were sent, and the transaction does not tell what Token-2022 withheld of this transfer.`,
  );
  return { sent, arrived: undefined };
}

const isFrom = ({ accounts = [] }: Instruction, { address }: { readonly address: Address }) =>
  accounts[0]?.address === address;

/** Returns the lamports that a launch paid into the pool: one transfer of the System program, from the payer to the vault. */
function paidIn(
  calls: readonly Instruction[],
  { payer, tokenBVault }: LaunchInstruction['accounts'],
  unproven: string[],
): Moved | undefined {
  const payments = calls.flatMap((call) => {
    const bytes = view(Uint8Array.from(call.data ?? []));
    const isPayment =
      call.programAddress === SYSTEM_PROGRAM_ADDRESS &&
      isFrom(call, payer) &&
      call.accounts?.[1]?.address === tokenBVault.address;
    return isPayment && bytes.byteLength === 12 && bytes.getUint32(0, true) === SYSTEM_TRANSFER
      ? [bytes.getBigUint64(4, true)]
      : [];
  });
  const [sent] = payments;
  if (sent !== undefined && payments.length === 1) return { sent, arrived: sent };
  unproven.push(
    `What was paid into ${tokenBVault.address}: the launch made ${payments.length} payments instead of one.`,
  );
  return undefined;
}

/** Compares an account's balances with all transfers of the transaction. */
function balancedIn(
  { all, balances }: Pick<SwapContext, 'all' | 'balances'>,
  account: Address,
  mint: Address,
) {
  const whole = movementsOf(all, account, mint);
  const change = balances.change(account, mint);
  // What Token-2022 withheld without a word: what the balances lack.
  const unsaid = whole && change !== undefined ? whole.net - whole.withheld - change : undefined;
  const isExplained = unsaid === undefined || (unsaid >= 0n && unsaid <= (whole?.unstated.units ?? 0n));
  const contradiction = `the balances changed by ${change}, which the transfers don't explain.`;
  return { whole, unsaid, contradiction: isExplained ? undefined : contradiction };
}

/** Describes what contradicts a vault's transfers. The purchase in a launch pays the vault without one. */
function checkVault(context: SwapContext, vault: Address, mint: Address, unproven: string[]): void {
  const isPaidIn = context.all.some(
    ({ programAddress, accounts = [] }) =>
      programAddress === SYSTEM_PROGRAM_ADDRESS && accounts.some(({ address }) => address === vault),
  );
  const { contradiction } = balancedIn(context, vault, mint);
  if (!isPaidIn && contradiction !== undefined)
    unproven.push(`What moved in the vault ${vault}: ${contradiction}`);
}

/** The amounts before Token-2022 withholds anything. */
interface Sent {
  readonly lamports: bigint;
  readonly tokens: bigint;
}

/**
 * Returns the fees of a buy. The event's fields don't say whether they belong to this trade, or whether they include fees.
 * A figure only counts if two fields agree on it, or if with it alone the curve ([level T](/protocol)) yields exactly the tokens that
 * were bought.
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

/** Returns the fees of a sell: `quoteOut` is what the curve paid before fees ([level M](/protocol)). An older event must fit the curve. */
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

/** Returns a price, unless an amount is missing or the divisor is 0. */
export function tradePriceOf(
  lamports: bigint | undefined,
  tokenUnits: bigint | undefined,
  decimals: number | undefined,
): ParsedTradePrice | undefined {
  if (lamports === undefined || tokenUnits === undefined || tokenUnits <= 0n) return undefined;
  const ratio = Number(lamports) / Number(tokenUnits);
  const solPerToken = decimals === undefined ? undefined : ratio * 10 ** (decimals - 9);
  return { lamports, tokenUnits, solPerToken };
}

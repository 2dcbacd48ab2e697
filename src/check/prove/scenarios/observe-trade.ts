import type { Address } from '@solana/kit';

import { transferFeeOf } from '../../../math/transfer-fee.js';
import { decodePoolSnapshot, type PoolAccounts, type PoolSnapshot } from '../../../pool/decode.js';
import type { PoolAddresses } from '../../../pool/locate.js';
import { windowSlots } from '../../../pool/swap-state.js';
import { decodeLiquidityPoolState, type LiquidityPoolState } from '../../../program/accounts.js';
import { isFrameworkCode } from '../../scene.js';
import type { ProofObservation } from '../infer.js';
import type { Journal } from '../journal.js';
import { outcomesOf, questionsOfTrade, type Side, type TradeOutcome, withoutIrrelevant } from '../predict.js';
import { type ProofQuestionId, rulesOf } from '../questions.js';
import { lamportsGained, type Ran, tokensGained } from '../stage.js';
import { NOTHING_MOVED } from './scene.js';
import { type Counted, type Fact, factsOf, type SeenTrade } from './trade-facts.js';

export const CHANGED_MEANWHILE = 'the config, the token, the price or the slot changed meanwhile';
export const TRADED_MEANWHILE = 'the pool was traded in meanwhile';

/** The exchange's error codes about amounts: these contradict a quote. */
const AMOUNT_CODES: readonly number[] = [6007, 6012, 6013, 6020, 6022, 6023, 6032];

/** What makes a trade special. */
export interface Aspect {
  readonly words: string;
  /** A surprise in such a trade says nothing about other trades, so it is judged separately. */
  readonly isApart?: boolean;
}

/** An executed trade. */
interface MadeTrade {
  readonly side: Side;
  readonly amountIn: bigint;
  readonly aspect?: Aspect | undefined;
  /** The accounts before the trade. */
  readonly accounts: PoolAccounts;
  readonly addresses: PoolAddresses;
  readonly wallet: Address;
  readonly tokenAccount: Address;
  readonly ran: Ran;
}

/** Records what a trade shows, or why it shows nothing. */
export function observeTrade(journal: Journal, trade: MadeTrade): void {
  const { side, amountIn: size, ran, addresses, accounts } = trade;
  const snapshot = decodePoolSnapshot(accounts);
  const questions = questionsOfTrade(side, snapshot);
  const kind = kindOf(trade, snapshot);
  const what = wordsOf(trade, snapshot);
  const outcomes = outcomesOf(questions, { snapshot, side, amountIn: size });
  /** A quoted trade that failed. Under other answers it may give nothing and rightly fail. */
  const contrary = (found: string): ProofObservation => ({
    kind: `${kind} that does not come about`,
    what,
    size,
    found,
    predictions: withoutIrrelevant(
      outcomes.map(({ choice, value }) => ({
        choice,
        value: value.some(({ amountOut }) => amountOut > 0n) ? 'a trade' : found,
      })),
      questions,
      (expected) => expected,
    ).map(({ choice, value }) => ({ choice: { ...choice, [side]: 'as-computed' }, expected: value })),
  });
  const skip = (reason: string, doubt?: ProofObservation) =>
    journal.skip([...questions, side, 'event', 'counters'], reason, doubt);
  if (!ran.ok) {
    const failure = contrary(`it fails with ${ran.code ?? ran.reason}`);
    const isAboutAmounts = ran.code !== undefined && AMOUNT_CODES.includes(ran.code);
    if (isAboutAmounts) journal.observe(failure);
    const reason = `a ${side} in a ${snapshot.kind} pool fails with ${ran.code ?? ran.reason}`;
    // A framework error code is about the accounts, not about the trade.
    const isExcused = isAboutAmounts || (ran.code !== undefined && isFrameworkCode(ran.code));
    skip(reason, isExcused ? undefined : failure);
    return;
  }
  const before = decodeLiquidityPoolState(accounts.pool);
  const after = decodeLiquidityPoolState(ran.after(addresses.pool)?.data ?? accounts.pool);
  const moves = movesOf(trade, after);
  const strange = strangeness(moves, snapshot);
  if (strange !== undefined) {
    skip(strange, contrary(`${textOf(moves)}: ${strange}`));
    return;
  }

  const observe = (fact: ProofQuestionId, { kind: of, decides, found, predicted }: Omit<Fact, 'fact'>) => {
    const asked = Object.keys(predicted[0]?.choice ?? {}) as ProofQuestionId[];
    const left = withoutIrrelevant(predicted, asked, (texts) => texts.join());
    const predictions = left.flatMap(({ choice, value }) =>
      value.map((expected) => ({ choice: { ...choice, [fact]: 'as-computed' }, expected })),
    );
    journal.observe({ kind: of, what, ...(decides && { decides }), size, found, predictions });
  };
  const found = textOf(moves);
  const expected = (outcome: TradeOutcome) => textOf(expectedMoves(side, outcome));
  const predicted = outcomes.map(({ choice, value }) => ({
    choice,
    value: value.length === 0 ? ['it fails'] : value.map(expected),
  }));
  observe(side, { kind, found, predicted });

  // The other facts follow from the fees of the outcomes that fit.
  const fitting = outcomes.flatMap(({ value }) => value).filter((outcome) => expected(outcome) === found);
  const counted = fitting.filter((outcome): outcome is Counted => outcome.fees !== undefined);
  if (counted.length === 0 || counted.length < fitting.length) {
    const reason =
      fitting.length === 0
        ? `a ${side} gives other amounts than computed`
        : 'it is not known how fees taken from the tokens are counted';
    journal.skip(['event', 'counters'], reason);
    return;
  }
  const seen: SeenTrade = { side, snapshot, before, after, ran, addresses };
  for (const { fact, ...noted } of factsOf(seen, counted)) observe(fact, noted);
}

/**
 * Trades that depend on more than the curve and the fees are a separate kind. All trades in a window are one kind, whatever
 * else is special about them: a few small ones could fit a wrong rule by chance.
 */
export function kindOf(
  { side, aspect }: Pick<MadeTrade, 'side' | 'aspect'>,
  { kind, token, window, slot, isSandwichResistant }: PoolSnapshot,
) {
  const longest = windowSlots(window.slots, rulesOf({ 'A7.length': 'four' }));
  const isWindowed = isSandwichResistant && slot < window.slot + longest;
  const which = isWindowed
    ? ', in a window'
    : aspect?.isApart === true
      ? `, ${aspect.words}`
      : token.transferFee === undefined
        ? ''
        : ', with a transfer fee';
  return `${kind === 'pro' ? 'pro ' : ''}${side}${which}`;
}

function wordsOf({ side, amountIn, addresses, aspect }: MadeTrade, { kind, slot }: PoolSnapshot) {
  const unit = side === 'buy' ? 'lamports' : 'units';
  const more = aspect === undefined ? '' : `, ${aspect.words}`;
  return `a ${side} of ${amountIn} ${unit} in the ${kind} pool ${addresses.pool} at slot ${slot}${more}`;
}

/** What a trade changes in accounts, and the pool's reserves after it. */
interface Moves {
  readonly tokens: bigint;
  readonly lamports: bigint;
  readonly vaultA: bigint;
  readonly vaultB: bigint;
  readonly reserveA: bigint;
  readonly reserveB: bigint;
}

const signed = (amount: bigint) => (amount > 0n ? `+${amount}` : `${amount}`);

const textOf = ({ tokens, lamports, vaultA, vaultB, reserveA, reserveB }: Moves) =>
  [
    `wallet ${signed(tokens)} units, ${signed(lamports)} lamports`,
    `vaults ${signed(vaultA)} units, ${signed(vaultB)} lamports`,
    `reserves ${reserveA} units, ${reserveB} lamports`,
  ].join('; ');

function movesOf(
  { ran, addresses, wallet, tokenAccount }: MadeTrade,
  { reserve }: LiquidityPoolState,
): Moves {
  return {
    tokens: tokensGained(ran, tokenAccount),
    lamports: lamportsGained(ran, wallet) + ran.fee,
    vaultA: tokensGained(ran, addresses.tokenAVault),
    vaultB: tokensGained(ran, addresses.tokenBVault),
    reserveA: reserve.tokenA,
    reserveB: reserve.tokenB,
  };
}

function expectedMoves(side: Side, outcome: TradeOutcome): Moves {
  const { amountIn, amountOut, transferFee, reserveAAfter: reserveA, reserveBAfter: reserveB } = outcome;
  const [tokens, lamports] = side === 'buy' ? [amountOut, -amountIn] : [-amountIn, amountOut];
  // The token withholds the transfer fee: the vault sends more than arrives, or receives less than was sent.
  return { tokens, lamports, vaultA: -tokens - transferFee, vaultB: -lamports, reserveA, reserveB };
}

/** Why these changes can't come from a single trade, or `undefined` if they can. */
function strangeness(
  { tokens, lamports, vaultA, vaultB }: Moves,
  { token }: PoolSnapshot,
): string | undefined {
  if ([tokens, lamports, vaultA, vaultB].every((change) => change === 0n)) return NOTHING_MOVED;
  const [sent, arrived] = tokens > 0n ? [-vaultA, tokens] : [-tokens, vaultA];
  const isConserved = lamports === -vaultB && arrived === sent - transferFeeOf(sent, token.transferFee);
  return isConserved ? undefined : 'what leaves the wallet and the vaults is not what arrives in them';
}

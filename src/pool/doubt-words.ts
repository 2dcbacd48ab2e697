import type { MintRight } from '../solana/token-extensions.js';
import type { Words } from './doubts.js';

// Loaded for the few trades that `doubts.ts` warns of. It imports nothing: a bundler puts what two chunks share into the one that a page
// loads first.

const RIGHTS: { readonly [TRight in MintRight]: string } = {
  issue: 'issue more of it',
  freeze: 'freeze your account',
  seize: 'take or burn what you hold',
  pause: 'pause all transfers',
};
const U64_MAX = 2n ** 64n - 1n;

export const WORDS: Words = {
  'minimum-not-reached': (slot, amountOut, minimumOut) =>
    `At slot ${slot} the trade gives ${amountOut}, under its minimum of ${minimumOut}: it would fail.`,
  'minimum-too-low': (least, now, slippageBps) =>
    slippageBps === undefined
      ? `The minimum is ${least}, and the trade gives ${now} now. Take a fresh quote with less slippage, from a source you trust.`
      : `A slippage of ${slippageBps / 100} % allows ${least} instead of ${now}. Choose less.`,
  'insufficient-balance': (account, balance, amountIn) =>
    `The token account ${account} holds ${balance}, but the trade takes ${amountIn}.`,
  'off-curve-signer': (signer) =>
    `${signer} lies off the curve, like a multisig's vault or a smart wallet: only its program can sign for it. Pass instructions to that program, in a transaction that a wallet pays for. Nobody has confirmed that the exchange accepts this (A14 in the docs' protocol page): simulate it.`,
  'transfer-hook': () =>
    "Each transfer of the token calls a program, and the exchange's instructions have no place for its accounts: this will fail. Use another token.",
  'frozen-accounts': () =>
    "New accounts for the token are frozen: this fails until the token's issuer thaws yours. Ask for that first.",
  'transfer-fee': (basisPoints, next, seconds = 0) =>
    next
      ? `The token's transfer fee will be ${Number(basisPoints) / 100} %${next.maximum === U64_MAX ? '' : `, at most ${next.maximum} units,`} from epoch ${next.epoch}, in about ${Math.floor(seconds)} s.`
      : `The token withholds ${basisPoints} basis points of every transfer; the amounts account for it.`,
  'sandwich-window': () =>
    'The pool is sandwich-resistant and was traded in this very window: the worse of its two prices is quoted.',
  'same-slot-trading': () => 'In this pool a wallet cannot buy and sell in the same slot.',
  'price-impact': (bps) =>
    `The average price of the trade is ${Number((bps / 100).toFixed(4))} % worse than the current price, before fees. Check the amount, or trade less at once.`,
  'stale-price': (age) =>
    `The SOL/USD price is ${age} seconds old: fees that depend on the market cap may be those of another bracket.`,
  'mint-rights': (rights) =>
    `Those who control the token's mint can ${rights.map((right) => RIGHTS[right]).join(', ')}. Trade it only if you trust them.`,
  'unverified-assumption': (taxation) =>
    `The pool's ${taxation}: nobody has confirmed that the amounts are right then. Simulate the trade before you sign it.`,
  'wallet-limit': (amount, most) =>
    `The config allows ${most} token units per wallet, and this buys ${amount}: it may fail. Buy less.`,
  'low-liquid-sol': (gross, unstaked) =>
    `The sale takes ${gross} lamports from the pool, and the pools of its config have ${unstaked} that are not staked: it may fail. Sell less, or wait.`,
};

// A pro pool to create: what is typed, what it comes to, and the transaction.
import type { Address } from '@solana/kit';
import { skipToken, useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';

import { navigate } from '../address';
import { formatPrice, formatUnits, isolate, readAmount, SOL, shortenAddress, type Unit } from '../format';
import { type Network, useNetwork } from '../network/network';
import { FEE_NAMES, FEES, type FeeName, type FeeSteps, formatStep, toBrackets, toSlots } from '../pools/fees';
import type { BuildOptions } from '../pools/plan';
import type { Operation } from '../review/review';
import { type Fact, paidFact } from '../ui';
import { useWallet } from '../wallet/wallet';

const CONFIG_VERSION = 3;

export const FEATURES = {
  enableSwap: { name: 'Trading', hint: 'Anybody can buy and sell.' },
  enableDepositLiquidity: { name: 'Deposits', hint: 'Anybody can add liquidity.' },
  enableWithdrawLiquidity: { name: 'Withdrawals', hint: 'Without them, your own liquidity is locked, too.' },
  enableUpdateCreatorTradingFee: { name: 'Creator fee can change', hint: 'Otherwise it is final.' },
  enableSameSlotTrading: { name: 'Buy and sell in one slot', hint: 'Helps bots more than people.' },
  enableSandwichResistantMode: {
    name: 'Sandwich protection',
    hint: 'Trades of a few slots get the worse price.',
  },
} as const;
type Feature = keyof typeof FEATURES;
export const FEATURE_NAMES = Object.keys(FEATURES) as Feature[];

export const emptyForm = {
  mint: '',
  tokens: '',
  second: '',
  /** What is typed beside the tokens: the SOL, or the price that the SOL follows from. */
  by: 'SOL' as 'SOL' | 'price',
  fees: {
    creatorTradingFee: [{ upTo: '', buy: '1', sell: '1' }],
    creatorSlotTradingFee: [],
    liquidityProviderTradingFee: [],
    reflectionTradingFee: [],
  } as FeeSteps,
  features: {
    enableSwap: true,
    enableDepositLiquidity: true,
    enableWithdrawLiquidity: true,
    enableUpdateCreatorTradingFee: true,
    enableSameSlotTrading: false,
    enableSandwichResistantMode: false,
  },
};
export type ProForm = typeof emptyForm;

/** Names of more tokens take more calls. */
export const MOST_NAMES = 50;

/** The tokens that the wallet holds, with their names, and its SOL. */
export function useHoldings() {
  const { client, rpcUrl, practice } = useNetwork();
  const wallet = useWallet()?.address;
  return useQuery({
    queryKey: [rpcUrl, 'holdings', wallet],
    queryFn: wallet
      ? async ({ signal: abortSignal }) => {
          practice?.welcome(wallet);
          const { sol, tokens } = await heaven.getWalletBalances(client, { wallet, abortSignal });
          // Without decimals, it is an NFT.
          const held = tokens.filter(({ amount, decimals }) => amount > 0n && decimals > 0);
          const mints = held.slice(0, MOST_NAMES).map(({ mint }) => mint);
          const names = mints.length > 0 ? await heaven.getTokenMetadata(client, { mints, abortSignal }) : [];
          const symbols = new Map(names.map(({ mint, symbol }) => [mint, symbol]));
          const symbolOf = (mint: Address) => isolate(symbols.get(mint) || shortenAddress(mint));
          return {
            lamports: sol.spendable,
            tokens: held.map((token) => ({ ...token, symbol: symbolOf(token.mint) })),
          };
        }
      : skipToken,
    refetchInterval: 15_000,
    retry: false,
  });
}
export type Holding = NonNullable<ReturnType<typeof useHoldings>['data']>['tokens'][number];

/** Decimals of a typed price: more than any that is meant. */
const PRICE_DECIMALS = 24;

/** What was typed in native units, and what is wrong with it: nothing while it is empty. */
export function readAmounts({ tokens, second, by }: ProForm, token: Holding, lamports: bigint) {
  const { amount: tokenUnits, problem } = readAmount(tokens, token.decimals);
  const typed = readAmount(second, by === 'SOL' ? SOL.decimals : PRICE_DECIMALS);
  const scale = 10n ** BigInt(token.decimals + PRICE_DECIMALS - SOL.decimals);
  const sol = by === 'SOL' ? typed.amount : (tokenUnits * typed.amount) / scale;
  const price = (Number(sol) / Number(tokenUnits)) * 10 ** (token.decimals - SOL.decimals);
  const only = (most: bigint, unit: Unit) => `You have only ${formatUnits(most, unit)}.`;
  return {
    ...{ tokenUnits, sol, price: sol > 0n && tokenUnits > 0n ? price : undefined },
    tokensProblem: tokenUnits > token.amount ? only(token.amount, token) : problem,
    secondProblem: sol > lamports ? only(lamports, SOL) : typed.problem,
  };
}
export type Amounts = ReturnType<typeof readAmounts>;

export function proPoolOperation(
  { client, practice }: Network,
  options: BuildOptions,
  { fees, features }: ProForm,
  token: Holding,
  { tokenUnits, sol, price = 0 }: Amounts,
  onLanded: () => void,
): Operation {
  const brackets = (fee: FeeName) => toBrackets(fee, fees[fee]);
  const slots = toSlots(fees.creatorSlotTradingFee);
  const feeFact = (fee: FeeName): Fact => {
    const steps = fee === 'creatorSlotTradingFee' ? slots.brackets : brackets(fee);
    return { term: FEES[fee].label, value: steps.map(formatStep).join('; then ') || 'None' };
  };
  const title = `${token.symbol} / SOL`;
  const paid = (verb: string) => [
    paidFact(verb, tokenUnits, token),
    paidFact('and', sol, SOL),
    { term: 'Price at the start', value: `${formatPrice(price)} SOL` },
  ];
  let pool: Address | undefined;
  return {
    noun: 'new pool',
    done: 'created',
    token: { mint: token.mint, decimals: token.decimals, symbol: token.symbol },
    facts: [
      { term: 'Pool', value: title, isStrong: true },
      ...paid('You put in'),
      ...FEE_NAMES.map(feeFact),
      ...FEATURE_NAMES.map((one) => ({ term: FEATURES[one].name, value: features[one] ? 'On' : 'Off' })),
    ],
    build: async (abortSignal) => {
      const built = await heaven.buildProCreate(client, {
        ...{ ...options, creator: options.payer, configVersion: CONFIG_VERSION, mint: token.mint },
        ...{ initialTokenAAmount: tokenUnits, initialTokenBAmount: sol, features, abortSignal },
        creatorTradingFee: brackets('creatorTradingFee'),
        liquidityProviderTradingFee: brackets('liquidityProviderTradingFee'),
        reflectionTradingFee: brackets('reflectionTradingFee'),
        creatorSlotTradingFee: slots.enabled ? slots : undefined,
        // Version 0 has no room for all addresses.
        lutAddress: practice?.ledger.lookupTables.pro ?? COMMUNITY_LOOKUP_TABLE_ADDRESS,
      });
      pool = built.pool;
      return built;
    },
    receipt: () => {
      onLanded();
      return {
        title: 'Created',
        headline: `${title} can be traded now.`,
        facts: [...paid('You put in'), pool && { term: 'Pool', value: pool }],
        next: { label: 'See the pool', act: () => navigate({ view: 'pools', pool: pool ?? '' }) },
      };
    },
  };
}

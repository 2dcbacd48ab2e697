// A token to launch: what is typed, what it costs, and the transaction.
import { generateKeyPairSigner, type TransactionPartialSigner } from '@solana/kit';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';

import { navigate } from '../address';
import { toFileUrl } from '../files';
import { isolate, readAmount, SOL, sanitizeText, shortenAddress, toField } from '../format';
import { type Network, useNetwork } from '../network/network';
import type { BuildOptions } from '../pools/plan';
import type { Operation } from '../review/review';
import { amountFact, costFact, type Fact, type Listed, paidFact } from '../ui';

export const SLIPPAGE_BPS = 100;
/** What the first purchase is typed in. SOL is what it costs at most. */
export const PURCHASE_UNITS = { percent: '% of supply', tokens: 'Tokens', SOL: 'SOL' } as const;
type PurchaseUnit = keyof typeof PURCHASE_UNITS;
const DECIMALS: Record<PurchaseUnit, number> = { percent: 4, tokens: 9, SOL: SOL.decimals };
const WHOLE_SUPPLY = 1_000_000n;

export const emptyForm = {
  name: '',
  symbol: '',
  description: '',
  image: '',
  uri: '',
  purchase: '',
  unit: 'percent' as PurchaseUnit,
  /** A picture from this device, for the preview. */
  picture: undefined as string | undefined,
  /** How many launches this form has made. */
  launched: 0,
};
export type LaunchForm = typeof emptyForm;
export type TextField = Exclude<keyof LaunchForm, 'unit' | 'picture' | 'launched'>;

/** What a launch can't do without, of a usual length. */
const EXAMPLE = { name: 'A token', symbol: 'TOKEN', uri: 'https://example.com/token.json' };
export const NEEDED = Object.keys(EXAMPLE) as (keyof typeof EXAMPLE)[];
const LIMITS: Partial<Record<string, number>> = heaven.METADATA_LIMITS;

/** What is wrong with a field that is not empty. */
export function problemOf(field: TextField, form: LaunchForm) {
  const text = form[field].trim();
  const size = new TextEncoder().encode(text).length;
  const most = LIMITS[field] ?? size;
  if (size > most) return `Too long by ${size - most}. Accents and emoji count more than once.`;
  const isAddress = field === 'uri' || field === 'image';
  return isAddress && text !== '' && toFileUrl(text) === undefined
    ? 'Type a whole address that begins with https://, ipfs:// or ar://.'
    : undefined;
}

/** The curve of a launch: x tokens cost x * lamports / (supply - x), before the slippage. */
const curveOf = ({ initialTokenAAmount, initialTokenBAmount }: heaven.ProtocolConfig) => ({
  supply: initialTokenAAmount,
  lamports: heaven.toNativeAmount(initialTokenBAmount, SOL.decimals),
});

/** The first purchase in native tokens. */
export function readPurchase(text: string, unit: PurchaseUnit, terms: heaven.ProtocolConfig) {
  const { supply, lamports } = curveOf(terms);
  const { amount: typed, problem } = readAmount(text, DECIMALS[unit]);
  const spent = (typed * 10_000n) / BigInt(10_000 + SLIPPAGE_BPS);
  const amount = {
    percent: (supply * typed) / WHOLE_SUPPLY,
    tokens: typed,
    SOL: (supply * spent) / (lamports + spent),
  }[unit];
  return amount < supply
    ? { amount, problem }
    : { amount: 0n, problem: 'The pool keeps some tokens, so 100% can’t be bought. Type less.' };
}

/** A purchase as it is typed in a unit: nothing if there is none. */
export function typedAs(unit: PurchaseUnit, amount: bigint, terms: heaven.ProtocolConfig): string {
  const { supply, lamports } = curveOf(terms);
  if (amount === 0n) return '';
  const typed = {
    percent: (amount * WHOLE_SUPPLY) / supply,
    tokens: amount,
    SOL: heaven.maximumAfterSlippage((amount * lamports) / (supply - amount), SLIPPAGE_BPS),
  }[unit];
  return toField(typed, DECIMALS[unit]);
}

/** What a first purchase costs in the launch: that of one token if there is none, which also tells the market cap. */
export function useLaunchCost({ version, tokenADecimals }: heaven.ProtocolConfig, purchase: bigint) {
  const { client, rpcUrl } = useNetwork();
  const tokenAmount = purchase || 10n ** BigInt(tokenADecimals);
  return useQuery({
    queryKey: [rpcUrl, 'launch cost', version, String(tokenAmount)],
    // The slippage is that of the builder.
    queryFn: () =>
      heaven.quoteInitialBuy(client, { configVersion: version, tokenAmount, slippageBps: SLIPPAGE_BPS }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The signer of the new mint. Its address is searched for once the form is complete; a shorter one in practice mode is quick. */
export function useMint(launched: number, isWanted: boolean) {
  const { practice, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, 'mint', launched],
    queryFn: ({ signal }) => heaven.grindMintAddress({ suffix: practice ? '7' : '777', abortSignal: signal }),
    enabled: isWanted,
    staleTime: 'static',
    structuralSharing: false,
  });
}

interface Launch {
  network: Network;
  options: BuildOptions;
  form: LaunchForm;
  terms: heaven.ProtocolConfig;
  purchase: bigint;
  mintSigner: TransactionPartialSigner;
}

function build({ network, options, form, terms, purchase, mintSigner }: Launch, abortSignal: AbortSignal) {
  const table = network.practice?.ledger.lookupTables.community ?? COMMUNITY_LOOKUP_TABLE_ADDRESS;
  return heaven.buildCreateStandardLiquidityPool(network.client, {
    ...options,
    creator: options.payer,
    name: form.name.trim(),
    symbol: form.symbol.trim(),
    uri: form.uri.trim(),
    configVersion: terms.version,
    initialPurchaseAmount: purchase,
    // Version 0 has no room for all addresses of a launch. Only this kind's table is known.
    lutAddress: terms.version === 1 ? table : undefined,
    mintSigner,
    // Wallets want to be the first. The mint's key signs last, and only what the wallet was given.
    signingOrder: 'wallet-first',
    abortSignal,
  });
}

/** What the whole launch would take from the wallet, from a simulation with a mint that is thrown away. */
export function useWholeCost(
  input: Omit<Launch, 'options' | 'mintSigner'> & { options: BuildOptions | undefined },
) {
  const { network, options, purchase, terms } = input;
  // What is not typed yet takes rent, too.
  const form = { ...input.form };
  for (const name of NEEDED) if (!form[name].trim() || problemOf(name, form)) form[name] = EXAMPLE[name];
  const lengths = NEEDED.map((name) => form[name].trim().length);
  return useQuery({
    queryKey: [network.rpcUrl, 'whole cost', options?.payer, terms.version, String(purchase), ...lengths],
    queryFn: options
      ? async ({ signal: abortSignal }) => {
          const { payer: wallet } = options;
          network.practice?.welcome(wallet);
          const launch = { ...input, options, form, mintSigner: await generateKeyPairSigner() };
          const [built, { sol }] = await Promise.all([
            build(launch, abortSignal),
            heaven.getWalletBalances(network.client, { wallet, mints: [], abortSignal }),
          ]);
          const review = await heaven.reviewTransaction(network.client, built, { abortSignal });
          return { ...review, spendable: sol.spendable };
        }
      : skipToken,
    placeholderData: keepPreviousData,
    retry: false,
    structuralSharing: false,
  });
}

/** All that the launch costs, and its parts. Without a simulation only the purchase is known. */
export function costFacts(
  cost: heaven.InitialBuyQuote | undefined,
  whole?: heaven.TransactionReview,
): Listed<Fact> {
  const purchase = cost?.details.leastLamports ?? 0n;
  const part = { isPart: true };
  const parts = ({ simulation, inspection, costs }: heaven.TransactionReview): Listed<Fact> => {
    if (!simulation.ok) return [];
    const total = -simulation.sol.change;
    const fees = inspection.fees.total;
    return [
      costFact('Total cost, about', total, { isStrong: true }),
      cost && costFact('of which first purchase', purchase, part),
      costFact('of which rent', costs.rent ?? total - purchase - fees, part),
      costFact('of which network fees', fees, part),
    ];
  };
  return [
    ...(whole ? parts(whole) : []),
    cost && costFact('First purchase, at most', cost.costLamports),
    cost && { term: 'Exchange fee of the purchase', value: 'None' },
  ];
}

export function launchOperation(
  launch: Launch & { kind: string },
  cost: heaven.InitialBuyQuote | undefined,
  whole: heaven.TransactionReview | undefined,
  onLanded: () => void,
): Operation {
  const { form, purchase, terms, mintSigner, kind } = launch;
  const { address: mint } = mintSigner;
  const name = isolate(sanitizeText(form.name.trim()));
  const unit = { decimals: terms.tokenADecimals, symbol: isolate(sanitizeText(form.symbol.trim())) };
  const token: Fact = { term: 'Token', value: `${name} (${unit.symbol})`, isStrong: true };
  return {
    noun: 'launch',
    done: 'launched',
    token: { mint, ...unit },
    facts: [
      token,
      { term: 'Kind', value: kind },
      { term: 'Mint', value: shortenAddress(mint), exact: mint },
      { term: 'Metadata, final', value: form.uri.trim() },
      amountFact('Supply, all of it in the pool', terms.initialTokenAAmount, unit),
      cost && amountFact('You buy', purchase, unit, true),
      ...costFacts(cost, whole),
    ],
    build: (signal) => build(launch, signal),
    lastSigner: mintSigner,
    receipt: ({ trades }) => {
      onLanded();
      const [{ amountIn: paid } = {}] = trades ?? [];
      return {
        title: 'Launched',
        headline: `${name} can be traded now.`,
        facts: [
          token,
          { term: 'Mint', value: mint },
          cost && amountFact('You bought', purchase, unit, true),
          paid !== undefined && paidFact('for', paid, SOL),
        ],
        next: { label: 'Trade it', act: () => navigate({ view: 'trade', pool: mint }) },
      };
    },
  };
}

import { generateKeyPairSigner, type TransactionPartialSigner } from '@solana/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';

import { navigate } from '../address';
import { toFileUrl } from '../files';
import { isolate, SOL, sanitizeText, shortenAddress } from '../format';
import { type Network, useNetwork } from '../network/network';
import type { Operation } from '../review/review';
import { amountFact, costFact, type Fact, type Listed, paidFact } from '../ui';
import type { Wallet } from '../wallet/wallet';
import { SLIPPAGE_BPS } from './purchase';

/** The kinds of pool that a launch can make, by the version of their config. */
export const KINDS = {
  1: {
    name: 'Community pool',
    about: 'A community pool, which the exchange accepts now: low fees, and a small share of them for you.',
  },
  2: {
    name: 'Creator pool',
    about: 'A creator pool, which the exchange accepts now: higher fees, and a larger share of them for you.',
  },
} as const;
export type Kind = keyof typeof KINDS;

const EMPTY = { name: '', symbol: '', description: '', image: '', uri: '', purchase: '' };
export type LaunchForm = Readonly<typeof EMPTY>;
export const emptyForm: LaunchForm = EMPTY;
/** The terms of each kind, and whether the chain accepts launches of it now. */
export function useLaunchTerms() {
  const { client, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, 'launch terms'],
    queryFn: async ({ signal }) => {
      const read = (version: number) =>
        heaven.getProtocolConfigState(client, { version, abortSignal: signal }).catch((error) => {
          // A cluster may lack one of them.
          if (heaven.isHeavenError(error, 'account-not-found')) return undefined;
          throw error;
        });
      return { 1: await read(1), 2: await read(2) };
    },
  });
}

/** What tokens cost in the launch. The slippage is that of the builder. */
export function useLaunchCost(configVersion: Kind, tokenAmount: bigint) {
  const { client, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, 'launch cost', configVersion, String(tokenAmount)],
    queryFn: () => heaven.quoteInitialBuy(client, { configVersion, tokenAmount, slippageBps: SLIPPAGE_BPS }),
    enabled: tokenAmount > 0n,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Of a usual length. */
const EXAMPLE = { name: 'A token', symbol: 'TOKEN', uri: 'https://example.com/token.json' };
const LIMITS: Partial<Record<string, number>> = heaven.METADATA_LIMITS;

/** What is wrong with a field that is not empty. */
export function problemOf(field: keyof LaunchForm, form: LaunchForm) {
  const text = form[field].trim();
  const size = new TextEncoder().encode(text).length;
  const most = LIMITS[field] ?? size;
  if (size > most) return `Too long by ${size - most}. Accents and emoji count more than once.`;
  const isAddress = field === 'uri' || field === 'image';
  return isAddress && text !== '' && toFileUrl(text) === undefined
    ? 'Type a whole address that begins with https://, ipfs:// or ar://.'
    : undefined;
}

interface LaunchInput {
  network: Network;
  wallet: Wallet;
  form: LaunchForm;
  kind: Kind;
  terms: heaven.ProtocolConfig;
  purchase: bigint;
  computeUnitPrice: bigint;
}

type MintSigner = TransactionPartialSigner | heaven.MintSignerSource;

const build = (input: Omit<LaunchInput, 'terms'>, mintSigner: MintSigner, abortSignal: AbortSignal) => {
  const { network, wallet, form, kind, purchase, computeUnitPrice } = input;
  return heaven.buildCreateStandardLiquidityPool(network.client, {
    payer: wallet.address,
    creator: wallet.address,
    name: form.name.trim(),
    symbol: form.symbol.trim(),
    uri: form.uri.trim(),
    configVersion: kind,
    initialPurchaseAmount: purchase,
    // Version 0 has no room for all addresses of a launch. Only this kind's table is known.
    lutAddress:
      kind === 1
        ? (network.practice?.ledger.lookupTables.community ?? COMMUNITY_LOOKUP_TABLE_ADDRESS)
        : undefined,
    transactionVersion: wallet.version,
    computeUnitPrice,
    mintSigner,
    // Wallets want to be the first. The mint's key signs last, and only what the wallet was given.
    signingOrder: 'wallet-first',
    abortSignal,
  });
};

type Observe = (now: heaven.GrindProgress) => void;

/** Searches for the mint's address, once everything else is checked. In practice mode for a shorter one, which is quick. */
export async function findMint(input: LaunchInput, observe: Observe, abortSignal: AbortSignal) {
  const suffix = input.network.practice ? '7' : '777';
  const search = () => heaven.grindMintAddress({ suffix, observe, abortSignal });
  return (await build(input, search, abortSignal)).mintSigner as TransactionPartialSigner;
}

/** What the whole launch would take from the wallet, from a simulation with a mint that is thrown away. */
export function useWholeCost(input: Omit<LaunchInput, 'wallet' | 'terms'> & { wallet: Wallet | undefined }) {
  const { network, wallet, purchase, kind } = input;
  const form = { ...input.form };
  for (const name of ['name', 'symbol', 'uri'] as const)
    if (!form[name].trim() || problemOf(name, form)) form[name] = EXAMPLE[name];
  // What the mint holds of them takes rent.
  const texts = [form.name, form.symbol, form.uri].map((text) => text.trim().length);
  return useQuery({
    queryKey: [network.rpcUrl, 'whole cost', wallet?.address, kind, String(purchase), ...texts],
    queryFn: async ({ signal }) => {
      const whole = { ...input, wallet: wallet as Wallet, form };
      const owner = whole.wallet.address;
      network.practice?.welcome(owner);
      const [built, { sol }] = await Promise.all([
        build(whole, await generateKeyPairSigner(), signal),
        heaven.getWalletBalances(network.client, { wallet: owner, mints: [], abortSignal: signal }),
      ]);
      const review = await heaven.reviewTransaction(network.client, built, { abortSignal: signal });
      return { ...review, spendable: sol.spendable };
    },
    enabled: wallet !== undefined,
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
  const { simulation, inspection, costs } = whole ?? {};
  const total = simulation?.ok ? -simulation.sol.change : undefined;
  const purchase = cost?.details.leastLamports ?? 0n;
  const fees = inspection?.fees.total ?? 0n;
  const rent = costs?.rent ?? (total === undefined ? undefined : total - purchase - fees);
  const part = { isPart: true };
  return [
    total !== undefined && costFact('Total cost, about', total, { isStrong: true }),
    total !== undefined && cost && costFact('of which first purchase', purchase, part),
    rent !== undefined && costFact('of which rent', rent, part),
    total !== undefined && costFact('of which network fees', fees, part),
    cost && costFact('First purchase, at most', cost.costLamports),
    cost && { term: 'Exchange fee of the purchase', value: 'None' },
  ];
}

export function launchOperation(
  input: LaunchInput,
  mintSigner: TransactionPartialSigner,
  cost: heaven.InitialBuyQuote | undefined,
  whole: heaven.TransactionReview | undefined,
  onLanded: () => void,
): Operation {
  const { form, purchase, terms } = input;
  const { address: mint } = mintSigner;
  const name = isolate(sanitizeText(form.name.trim()));
  const unit = { decimals: terms.tokenADecimals, symbol: isolate(sanitizeText(form.symbol.trim())) };
  const token: Fact = { term: 'Token', value: `${name} (${unit.symbol})`, isStrong: true };
  const bought = (term: string) => (cost ? [amountFact(term, purchase, unit, true)] : []);
  return {
    title: 'Review launch',
    confirm: 'Sign and launch',
    noun: 'launch',
    done: 'launched',
    token: { mint, ...unit },
    names: { [mint]: 'the new token' },
    facts: [
      token,
      { term: 'Kind', value: KINDS[input.kind].name },
      { term: 'Mint', value: shortenAddress(mint), exact: mint },
      { term: 'Metadata, final', value: form.uri.trim() },
      amountFact('Supply, all of it in the pool', terms.initialTokenAAmount, unit),
      ...bought('You buy'),
      ...costFacts(cost, whole),
    ],
    build: (signal) => build(input, mintSigner, signal),
    lastSigner: mintSigner,
    receipt: ({ trades }) => {
      onLanded();
      const [{ amountIn: paid } = {}] = trades ?? [];
      const next = { label: 'Trade it', act: () => navigate({ view: 'trade', pool: mint }) };
      const facts = [
        token,
        { term: 'Mint', value: mint },
        ...bought('You bought'),
        paid !== undefined && paidFact('for', paid, SOL),
      ];
      return { title: 'Launched', headline: `${name} can be traded now.`, facts, next };
    },
  };
}

import type { TransactionPartialSigner } from '@solana/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  buildCreateStandardLiquidityPool,
  type GrindProgress,
  getProtocolConfigState,
  grindMintAddress,
  type InitialBuyQuote,
  METADATA_LIMITS,
  type MintSignerSource,
  type ProtocolConfig,
  quoteInitialBuy,
} from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';

import { navigate } from '../address';
import { readImage, readMetadataFile, toFileUrl } from '../files';
import {
  explainError,
  formatExact,
  formatSol,
  formatUnits,
  formatUsd,
  parseAmount,
  SOL,
  sanitizeText,
} from '../format';
import { type Network, useNetwork } from '../network/network';
import type { Operation } from '../review/review';
import type { Fact } from '../ui';
import type { Wallet } from '../wallet/wallet';

/** Community fees. */
const CONFIG_VERSION = 1;
/** How much more the purchase may cost by the time it lands: what the builder allows. */
const SLIPPAGE_BPS = 100;

/** What is typed. */
export type LaunchForm = Readonly<Record<'name' | 'symbol' | 'uri' | 'purchase', string>>;

/** What every launch starts with: the supply, and the fees. */
export function useLaunchTerms() {
  const { client, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, 'launch terms'],
    queryFn: ({ signal }) => getProtocolConfigState(client, { version: CONFIG_VERSION, abortSignal: signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What the first purchase costs. It pays no fee. */
export function useLaunchCost(tokenAmount: bigint | undefined) {
  const { client, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, 'launch cost', String(tokenAmount)],
    queryFn: ({ signal }) =>
      quoteInitialBuy(client, {
        configVersion: CONFIG_VERSION,
        tokenAmount: tokenAmount ?? 0n,
        slippageBps: SLIPPAGE_BPS,
        abortSignal: signal,
      }),
    enabled: Boolean(tokenAmount),
    placeholderData: keepPreviousData,
  });
}

/** The file behind the metadata address: `null` if it can't be read. */
export function useMetadataFile(uri: string) {
  const network = useNetwork();
  return useQuery({
    queryKey: [network.rpcUrl, 'metadata file', uri],
    queryFn: async ({ signal }) => {
      const file = await readMetadataFile(network, uri, signal).catch(() => undefined);
      if (file === undefined) return null;
      const image =
        typeof file.image === 'string'
          ? await readImage(network, file.image, signal).catch(() => undefined)
          : undefined;
      const [name, symbol] = [file.name, file.symbol].map((text) =>
        typeof text === 'string' ? sanitizeText(text) : '',
      );
      return { name, symbol, image };
    },
    enabled: toFileUrl(uri) !== undefined,
    retry: false,
  });
}

/** What is wrong with what is typed, by field. */
export function problemsOf(form: LaunchForm, terms: ProtocolConfig | undefined) {
  const problems: { -readonly [TField in keyof LaunchForm]?: string } = {};
  for (const field of ['name', 'symbol', 'uri'] as const) {
    const size = new TextEncoder().encode(form[field].trim()).length;
    if (size === 0)
      problems[field] = field === 'uri' ? 'Type the address of the metadata file.' : `Type a ${field}.`;
    else if (size > METADATA_LIMITS[field])
      problems[field] = `This has ${size} bytes, and ${METADATA_LIMITS[field]} are allowed. Shorten it.`;
  }
  if (!problems.uri && toFileUrl(form.uri.trim()) === undefined)
    problems.uri = 'Type a whole address that begins with https://, ipfs:// or ar://.';
  if (form.purchase.trim() !== '' && terms !== undefined) {
    try {
      if (parseAmount(form.purchase, terms.tokenADecimals) >= terms.initialTokenAAmount)
        problems.purchase = 'Not all of the tokens can be bought. Type less.';
    } catch (error) {
      problems.purchase = explainError(error).message;
    }
  }
  return problems;
}

interface LaunchInput {
  readonly network: Network;
  readonly wallet: Wallet;
  readonly form: LaunchForm;
  readonly terms: ProtocolConfig;
  /** Tokens to buy, in native units. */
  readonly purchase: bigint;
  /** Micro-lamports per compute unit. */
  readonly computeUnitPrice: bigint;
}

/** Builds a launch that the wallet signs first. */
const build = (
  { network, wallet, form, purchase, computeUnitPrice }: LaunchInput,
  mintSigner: TransactionPartialSigner | MintSignerSource,
  abortSignal: AbortSignal,
) =>
  buildCreateStandardLiquidityPool(network.client, {
    payer: wallet.address,
    creator: wallet.address,
    name: form.name.trim(),
    symbol: form.symbol.trim(),
    uri: form.uri.trim(),
    configVersion: CONFIG_VERSION,
    initialPurchaseAmount: purchase,
    // Version 0 has no room for all addresses of a launch.
    lutAddress: network.practice?.ledger.lookupTables.community ?? COMMUNITY_LOOKUP_TABLE_ADDRESS,
    transactionVersion: wallet.version,
    computeUnitPrice,
    mintSigner,
    signingOrder: 'wallet-first',
    abortSignal,
  });

/** Searches for the mint's address, once everything else is checked. In practice mode for a shorter one, which is quick. */
export async function findMint(
  input: LaunchInput,
  observe: (progress: GrindProgress) => void,
  abortSignal: AbortSignal,
) {
  const suffix = input.network.practice === undefined ? '777' : '7';
  const built = await build(input, () => grindMintAddress({ suffix, observe, abortSignal }), abortSignal);
  return built.mintSigner as TransactionPartialSigner;
}

/** A launch, from its review to its receipt. */
export function launchOperation(
  input: LaunchInput,
  mintSigner: TransactionPartialSigner,
  cost: InitialBuyQuote | undefined,
  onLanded: () => void,
): Operation {
  const { form, purchase, terms } = input;
  const [name, symbol] = [sanitizeText(form.name.trim()), sanitizeText(form.symbol.trim())];
  const mint = mintSigner.address;
  const unit = { decimals: terms.tokenADecimals, symbol };
  const about: Fact[] = [
    { term: 'Token', value: `${name} (${symbol})`, isStrong: true },
    { term: 'Mint', value: mint },
  ];
  const tokens = { value: formatUnits(purchase, unit), exact: formatExact(purchase, unit), isStrong: true };
  return {
    title: 'Review the launch',
    confirm: 'Sign and launch',
    noun: 'launch',
    done: 'launched',
    legs: [],
    token: { mint, ...unit },
    names: { [mint]: 'the new token' },
    facts: [
      ...about,
      { term: 'Metadata, final', value: form.uri.trim() },
      { term: 'Supply, all of it in the pool', value: formatUnits(terms.initialTokenAAmount, unit) },
      ...(cost === undefined ? [] : [{ term: 'You buy', ...tokens }, ...costFacts(cost)]),
    ],
    warnings: [],
    build: (signal) => build(input, mintSigner, signal),
    lastSigner: mintSigner,
    receipt: () => {
      onLanded();
      return {
        title: 'Launched',
        headline: `${name} can be traded now.`,
        facts: cost === undefined ? about : [...about, { term: 'You bought', ...tokens }],
        next: { label: 'Trade it', act: () => navigate({ view: 'trade', pool: mint }) },
      };
    },
  };
}

/** What the first purchase costs, in SOL and dollars. */
export const costFacts = ({ costLamports, costUsd }: InitialBuyQuote): readonly Fact[] => [
  {
    term: 'Cost, at most',
    value: `${formatSol(costLamports)} (${formatUsd(costUsd)})`,
    exact: formatExact(costLamports, SOL),
    isStrong: true,
  },
  { term: 'Exchange fee of the purchase', value: 'None' },
];

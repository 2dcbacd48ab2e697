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
import { explainError, formatSol, formatUsd, parseAmount, SOL, sanitizeText } from '../format';
import { type Network, useNetwork } from '../network/network';
import type { Operation } from '../review/review';
import { amountFact, type Fact } from '../ui';
import type { Wallet } from '../wallet/wallet';

/** Community fees. */
const configVersion = 1;

/** What is typed. */
export type LaunchForm = Readonly<Record<'name' | 'symbol' | 'uri' | 'purchase', string>>;

/** What every launch starts with, such as the supply and the fees. */
export function useLaunchTerms() {
  const { client, rpcUrl } = useNetwork();
  const queryFn = () => getProtocolConfigState(client, { version: configVersion });
  return useQuery({ queryKey: [rpcUrl, 'launch terms'], queryFn, staleTime: Number.POSITIVE_INFINITY });
}

/** What the first purchase costs. The slippage is that of the builder. */
export function useLaunchCost(tokenAmount: bigint) {
  const { client, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, 'launch cost', String(tokenAmount)],
    queryFn: () => quoteInitialBuy(client, { configVersion, tokenAmount, slippageBps: 100 }),
    enabled: tokenAmount > 0n,
    placeholderData: keepPreviousData,
  });
}

/** The file behind a metadata address, read once the typing pauses. `null` if it can't be read. */
export function useMetadataFile(uri: string) {
  const network = useNetwork();
  return useQuery({
    queryKey: [network.rpcUrl, 'metadata file', uri],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      if (signal.aborted) return null;
      const file = await readMetadataFile(network, uri, signal).catch(() => undefined);
      if (file === undefined) return null;
      const image = await readImage(network, String(file.image), signal).catch(() => undefined);
      return { name: typeof file.name === 'string' ? sanitizeText(file.name) : undefined, image };
    },
    enabled: toFileUrl(uri) !== undefined,
    retry: false,
  });
}

/** What is wrong with a field that is not empty. */
export function problemOf(field: keyof LaunchForm, form: LaunchForm, terms: ProtocolConfig | undefined) {
  const text = form[field].trim();
  if (text === '') return undefined;
  if (field !== 'purchase') {
    const size = new TextEncoder().encode(text).length;
    const most = METADATA_LIMITS[field];
    if (size > most) return `${size} bytes, and ${most} fit.`;
    const isWrong = field === 'uri' && toFileUrl(text) === undefined;
    return isWrong ? 'Type a whole address that begins with https://, ipfs:// or ar://.' : undefined;
  }
  try {
    const isAll = terms && parseAmount(text, terms.tokenADecimals) >= terms.initialTokenAAmount;
    return isAll ? 'Not all of the tokens can be bought. Type less.' : undefined;
  } catch (error) {
    return explainError(error).message;
  }
}

interface LaunchInput {
  network: Network;
  wallet: Wallet;
  form: LaunchForm;
  terms: ProtocolConfig;
  /** Tokens to buy, in native units. */
  purchase: bigint;
  computeUnitPrice: bigint;
}

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
    configVersion,
    initialPurchaseAmount: purchase,
    // Version 0 has no room for all addresses of a launch.
    lutAddress: network.practice?.ledger.lookupTables.community ?? COMMUNITY_LOOKUP_TABLE_ADDRESS,
    transactionVersion: wallet.version,
    computeUnitPrice,
    mintSigner,
    // Wallets want to be the first. The mint's key signs last, and only what the wallet was given.
    signingOrder: 'wallet-first',
    abortSignal,
  });

/** Searches for the mint's address, once everything else is checked. In practice mode for a shorter one, which is quick. */
export async function findMint(
  input: LaunchInput,
  observe: (now: GrindProgress) => void,
  abortSignal: AbortSignal,
) {
  const suffix = input.network.practice ? '7' : '777';
  const built = await build(input, () => grindMintAddress({ suffix, observe, abortSignal }), abortSignal);
  return built.mintSigner as TransactionPartialSigner;
}

/** What the first purchase costs, in SOL and dollars. */
export const costFacts = ({ costLamports, costUsd }: InitialBuyQuote): Fact[] => [
  {
    ...amountFact('Cost, at most', costLamports, SOL, true),
    value: `${formatSol(costLamports)} (${formatUsd(costUsd)})`,
  },
  { term: 'Exchange fee of the purchase', value: 'None' },
];

/** A launch, from its review to its receipt. */
export function launchOperation(
  input: LaunchInput,
  mintSigner: TransactionPartialSigner,
  cost: InitialBuyQuote | undefined,
  onLanded: () => void,
): Operation {
  const { form, purchase, terms } = input;
  const { address: mint } = mintSigner;
  const name = sanitizeText(form.name.trim());
  const unit = { decimals: terms.tokenADecimals, symbol: sanitizeText(form.symbol.trim()) };
  const token: Fact = { term: 'Token', value: `${name} (${unit.symbol})`, isStrong: true };
  const bought = (term: string) => (cost ? [amountFact(term, purchase, unit, true)] : []);
  return {
    title: 'Review the launch',
    confirm: 'Sign and launch',
    noun: 'launch',
    done: 'launched',
    legs: [],
    token: { mint, ...unit },
    names: { [mint]: 'the new token' },
    facts: [
      token,
      { term: 'Mint', value: mint },
      { term: 'Metadata, final', value: form.uri.trim() },
      amountFact('Supply, all of it in the pool', terms.initialTokenAAmount, unit),
      ...bought('You buy'),
      ...(cost ? costFacts(cost) : []),
    ],
    warnings: [],
    build: (signal) => build(input, mintSigner, signal),
    lastSigner: mintSigner,
    receipt: () => {
      onLanded();
      const next = { label: 'Trade it', act: () => navigate({ view: 'trade', pool: mint }) };
      const facts = [token, { term: 'Mint', value: mint }, ...bought('You bought')];
      return { title: 'Launched', headline: `${name} can be traded now.`, facts, next };
    },
  };
}

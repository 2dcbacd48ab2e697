import type { TransactionPartialSigner } from '@solana/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';

import { navigate } from '../address';
import { toFileUrl } from '../files';
import { explainError, formatSol, formatUsd, parseAmount, sanitizeText } from '../format';
import { type Network, useNetwork } from '../network/network';
import type { Operation } from '../review/review';
import { amountFact, type Fact } from '../ui';
import type { Wallet } from '../wallet/wallet';

/** Community fees. */
const configVersion = 1;

export type LaunchForm = Readonly<Record<'name' | 'symbol' | 'uri' | 'purchase', string>>;

export function useLaunchTerms() {
  const { client, rpcUrl } = useNetwork();
  const queryFn = () => heaven.getProtocolConfigState(client, { version: configVersion });
  return useQuery({ queryKey: [rpcUrl, 'launch terms'], queryFn, staleTime: 'static' });
}

/** What the first purchase costs. The slippage is that of the builder. */
export function useLaunchCost(tokenAmount: bigint) {
  const { client, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, 'launch cost', String(tokenAmount)],
    queryFn: () => heaven.quoteInitialBuy(client, { configVersion, tokenAmount, slippageBps: 100 }),
    enabled: tokenAmount > 0n,
    placeholderData: keepPreviousData,
  });
}

/** What is wrong with a field that is not empty. */
export function problemOf(field: keyof LaunchForm, form: LaunchForm, terms?: heaven.ProtocolConfig) {
  const text = form[field].trim();
  if (text === '') return undefined;
  if (field !== 'purchase') {
    const size = new TextEncoder().encode(text).length;
    const most = heaven.METADATA_LIMITS[field];
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
  terms: heaven.ProtocolConfig;
  purchase: bigint;
  computeUnitPrice: bigint;
}

type MintSigner = TransactionPartialSigner | heaven.MintSignerSource;

const build = (input: LaunchInput, mintSigner: MintSigner, abortSignal: AbortSignal) => {
  const { network, wallet, form, purchase, computeUnitPrice } = input;
  return heaven.buildCreateStandardLiquidityPool(network.client, {
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
};

type Observe = (now: heaven.GrindProgress) => void;

/** Searches for the mint's address, once everything else is checked. In practice mode for a shorter one, which is quick. */
export async function findMint(input: LaunchInput, observe: Observe, abortSignal: AbortSignal) {
  const suffix = input.network.practice ? '7' : '777';
  const search = () => heaven.grindMintAddress({ suffix, observe, abortSignal });
  return (await build(input, search, abortSignal)).mintSigner as TransactionPartialSigner;
}

export const costFacts = ({ costLamports, costUsd }: heaven.InitialBuyQuote): Fact[] => [
  { term: 'Cost, at most', value: `${formatSol(costLamports)} (${formatUsd(costUsd)})`, isStrong: true },
  { term: 'Exchange fee of the purchase', value: 'None' },
];

export function launchOperation(
  input: LaunchInput,
  mintSigner: TransactionPartialSigner,
  cost: heaven.InitialBuyQuote | undefined,
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

import type { Address } from '@solana/kit';

import { encodeProtocolConfig } from '../program/accounts.js';
import { findProtocolConfigAddress } from '../program/addresses.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS, CONFIG_VERSIONS } from '../program/constants.js';
import { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import {
  LOOKUP_TABLE_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { encodeLookupTable } from './encode.js';
import type { LedgerState } from './ledger-state.js';
import {
  createSampleConfig,
  createSamplePoolFields,
  GENESIS,
  type SamplePool,
  type SamplePoolName,
  sampleAddress,
  sampleLookupTable,
  tradeAccounts,
  UNSTAKED_WSOL_RESERVE,
} from './samples.js';

/** 100 SOL for each sample pool's creator. */
const CREATOR_LAMPORTS = 100_000_000_000n;

/** What a ledger holds from the start. */
export interface SampleAccounts {
  /** The sample pools. */
  readonly pools: Readonly<Record<SamplePoolName, SamplePool>>;
  /** The lookup tables for launches with config versions 1 (community) and 2 (creator), and for creations of pro pools (3). */
  readonly lookupTables: Readonly<Record<'community' | 'creator' | 'pro', Address>>;
}

export async function writeSamples(ledger: LedgerState): Promise<SampleAccounts> {
  const { programAddress } = ledger;
  ledger.setSolPrice(GENESIS.solPrice);
  for (const version of CONFIG_VERSIONS) {
    ledger.setAccount(await findProtocolConfigAddress({ version }, { programAddress }), {
      owner: programAddress,
      data: encodeProtocolConfig(createSampleConfig(version)),
    });
  }
  const samples = await createSamplePoolFields();
  const pools = {
    community: await ledger.addPool(samples.community),
    creator: await ledger.addPool(samples.creator),
    pro: await ledger.addPool(samples.pro),
    launching: await ledger.addPool(samples.launching),
  };
  for (const { creator, tokenBVault, protocolConfig } of Object.values(pools)) {
    ledger.setBalance(creator, CREATOR_LAMPORTS);
    // All pools of a config version share one wrapped SOL vault.
    setWrappedSol(ledger, tokenBVault, protocolConfig, UNSTAKED_WSOL_RESERVE);
  }
  // The pro pool's creator holds all of its liquidity, some fees, and tokens to add more.
  await ledger.setLpPosition({
    pool: pools.pro.pool,
    user: pools.pro.creator,
    lpTokenBalance: 400_000_000_000n,
    rewardDebt: 0n,
    pendingFees: 1_234_567n,
  });
  await giveTokens(ledger, pools.pro, 100_000_000_000_000n);
  // The creator of the `creator` pool's token holds some of it, to create a pro pool with.
  await giveTokens(ledger, pools.creator, 10_000_000_000_000_000n);

  const lookupTables = {
    community: COMMUNITY_LOOKUP_TABLE_ADDRESS,
    creator: await sampleAddress('creator lookup table'),
    pro: await sampleAddress('pro lookup table'),
  };
  for (const [table, version] of [
    [lookupTables.community, 1],
    [lookupTables.creator, 2],
    [lookupTables.pro, 3],
  ] as const) {
    const data = encodeLookupTable({ addresses: await sampleLookupTable(version, programAddress) });
    ledger.setAccount(table, { owner: LOOKUP_TABLE_PROGRAM_ADDRESS, data });
  }
  return { pools, lookupTables };
}

async function giveTokens(
  ledger: LedgerState,
  { creator: owner, mint, tokenProgram }: SamplePool,
  amount: bigint,
): Promise<void> {
  const address = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
  ledger.setTokenAccount(address, tokenProgram, { mint, owner, amount });
}

const setWrappedSol = (ledger: LedgerState, address: Address, owner: Address, amount: bigint): void =>
  ledger.setTokenAccount(address, TOKEN_PROGRAM_ADDRESS, { mint: WRAPPED_SOL_MINT_ADDRESS, owner, amount });

/** 10 SOL. */
const FEE_LAMPORTS = 10_000_000_000n;

/** Gives a wallet wrapped SOL to trade with, SOL for fees and an account of the token, and returns a trade's accounts. */
export async function fundTrader(
  ledger: LedgerState,
  pool: SamplePool,
  owner: Address,
  wrappedLamports: bigint,
) {
  const { mint, tokenProgram } = pool;
  const accounts = await tradeAccounts(pool, owner);
  ledger.setBalance(owner, FEE_LAMPORTS);
  setWrappedSol(ledger, accounts.userTokenBVault, owner, wrappedLamports);
  if (ledger.getAccount(accounts.userTokenAVault) === undefined)
    ledger.setTokenAccount(accounts.userTokenAVault, tokenProgram, { mint, owner, amount: 0n });
  return accounts;
}

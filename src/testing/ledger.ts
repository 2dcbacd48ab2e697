import {
  type AccountNotificationsApi,
  type Address,
  type Base64EncodedWireTransaction,
  createSolanaRpcFromTransport,
  type Rpc,
  type RpcSubscriptions,
  type RpcTransport,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit';

import { HeavenError } from '../errors.js';
import type { UiAmount } from '../math/units.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  encodeLiquidityPoolState,
  encodeProtocolConfig,
  encodeUserLpPosition,
  type LiquidityPoolState,
  type ProtocolConfig,
  type UserLpPosition,
} from '../program/accounts.js';
import {
  findAssociatedTokenAddress,
  findLpPositionAddress,
  findProtocolConfigAddress,
} from '../program/addresses.js';
import {
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  CLOCK_SYSVAR_ADDRESS,
  COMMUNITY_LOOKUP_TABLE_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  LOOKUP_TABLE_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  SYSVAR_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../program/constants.js';
import { rentExemption } from '../solana/rent.js';
import {
  encodeClock,
  encodeLookupTable,
  encodeMint,
  encodePriceFeed,
  encodeTokenAccount,
  type MintFields,
} from './encode.js';
import type { ExchangeBehaviour } from './programs/exchange/behaviour.js';
import { slotTrades } from './programs/exchange/slot-trades.js';
import { encodedAccount } from './rpc-methods/account-encoding.js';
import { accountMethods } from './rpc-methods/accounts.js';
import { airdropMethods } from './rpc-methods/airdrop.js';
import { clusterMethods, type PrioritizationFee, SLOTS_PER_EPOCH } from './rpc-methods/cluster.js';
import { rpcDispatch } from './rpc-methods/dispatch.js';
import { transactionHistory } from './rpc-methods/history.js';
import type { RpcMethods } from './rpc-methods/ledger-reads.js';
import { transactionMethods } from './rpc-methods/transactions.js';
import type { SimulatedTransaction } from './runtime.js';
import { sampleTransaction } from './sample-transaction.js';
import {
  GENESIS,
  type SamplePool,
  type SamplePoolFields,
  type SamplePoolName,
  sampleAddress,
  sampleConfig,
  sampleLookupTable,
  samplePool,
  samplePoolFields,
} from './samples.js';
import { simulateOn } from './simulate.js';
import { type LedgerSubscriptions, ledgerSubscriptions } from './subscriptions.js';

/** A slot lasts some 400 ms. */
const SLOTS_PER_SECOND = { slots: 5n, seconds: 2n } as const;
/** How many requests are kept before the older half of them is forgotten. */
const MOST_REQUESTS = 20_000;
/** 100 SOL for each creator of a sample pool. */
const CREATOR_LAMPORTS = 100_000_000_000n;

/** An account of the embedded ledger. */
export interface LedgerAccount {
  readonly owner: Address;
  readonly data: Uint8Array;
  /** Default: the rent exemption of its size. */
  readonly lamports?: bigint;
}

/** Told of each account that is written, or removed, and in which slot. */
export type LedgerListener = (address: Address, account: LedgerAccount | undefined, slot: bigint) => void;

/** A request that the ledger has answered. */
export interface LedgerRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * A cluster in memory, with the exchange's sample pools on it, behind kit's RPC type: for tests, examples and a first
 * try without a network. It holds accounts and a clock and answers what the SDK asks. It simulates transactions with a
 * model of the exchange's program by this library's own understanding; see {@link ExchangeBehaviour}. One that is sent with
 * `rpc.sendTransaction` is checked, signatures and block hash too, and executed at once.
 */
export interface EmbeddedLedger {
  /** For `createClient`. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** The transport under `rpc`, to put delays or failures in front of it. */
  readonly transport: RpcTransport;
  /** Account notifications, for `createClient`. */
  readonly rpcSubscriptions: RpcSubscriptions<AccountNotificationsApi>;
  /** The subscriptions there are, to count them or to drop them. */
  readonly subscriptions: LedgerSubscriptions;
  /** The sample pools. */
  readonly pools: Readonly<Record<SamplePoolName, SamplePool>>;
  /** The lookup tables for launches with config versions 1 (community) and 2 (creator). */
  readonly lookupTables: { readonly community: Address; readonly creator: Address };
  /** Transactions that `getTransaction` knows (in base64): the last buy in the pool `creator`, with its real figures. */
  readonly transactions: { readonly buy: Signature };
  /** The requests so far, oldest first: the latest 10,000 at least. */
  readonly requests: readonly LedgerRequest[];
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  getAccount(address: Address): LedgerAccount | undefined;
  /** Writes an account, or removes it. */
  setAccount(address: Address, account: LedgerAccount | undefined): void;
  /** Gives a wallet SOL, in lamports. */
  setBalance(wallet: Address, lamports: bigint): void;
  /** Makes the emulated exchange behave otherwise than assumed; without an argument, as assumed again. */
  setBehaviour(behaviour?: ExchangeBehaviour): void;
  /** Sets what `getRecentPrioritizationFees` answers, in micro-lamports per compute unit. */
  setPrioritizationFees(fees: readonly PrioritizationFee[]): void;
  /** Simulates a transaction and keeps what it did, if it succeeded. Signatures are not looked at. */
  execute(tx: Base64EncodedWireTransaction): Promise<SimulatedTransaction>;
  /** Calls back on each write, until the function that it returns is called. */
  onWrite(listener: LedgerListener): () => void;
  /** Goes to a slot; the time and the epoch follow. */
  setSlot(slot: bigint): void;
  /** Sets the SOL/USD price. */
  setSolPrice(usdPerSol: UiAmount): void;
  /** Changes fields of a pool. */
  updatePool(pool: Address, change: (state: LiquidityPoolState) => Partial<LiquidityPoolState>): void;
  /** Sets a pool's reserves, token A in its native units, token B in lamports. */
  setReserves(pool: Address, reserves: { readonly tokenA?: bigint; readonly tokenB?: bigint }): void;
  /** Changes fields of a protocol config. */
  updateConfig(config: Address, change: (config: ProtocolConfig) => Partial<ProtocolConfig>): void;
  /** Writes a mint anew. */
  setMint(mint: Address, tokenProgram: Address, fields: MintFields): void;
  /** Writes a token account. */
  setTokenAccount(
    address: Address,
    tokenProgram: Address,
    fields: {
      readonly mint: Address;
      readonly owner: Address;
      readonly amount: bigint;
      readonly isFrozen?: boolean;
    },
  ): void;
  /** Writes a user's LP position in a pro pool. */
  setLpPosition(position: Omit<UserLpPosition, 'bump'>): Promise<void>;
  /** Adds a pool of its own making to the sample pools. */
  addPool(fields: SamplePoolFields): Promise<SamplePool>;
}

/**
 * Makes an embedded ledger.
 *
 * @param options `programAddress`: the exchange's address on it. Default: mainnet's.
 * @example
 * ```ts
 * const ledger = await createEmbeddedLedger();
 * const client = createClient({ rpc: ledger.rpc });
 * const { mint, configVersion } = ledger.pools.creator;
 * const quote = await quoteBuy(client, { configVersion, mint, maxSolSpend: 1, slippageBps: 50 });
 * ```
 */
export async function createEmbeddedLedger({
  programAddress = HEAVEN_PROGRAM_ADDRESS,
}: {
  readonly programAddress?: Address;
} = {}): Promise<EmbeddedLedger> {
  const accounts = new Map<Address, LedgerAccount>();
  const listeners = new Set<LedgerListener>();
  const requests: LedgerRequest[] = [];
  let slot: bigint = GENESIS.slot;
  let behaviour: ExchangeBehaviour = {};
  let prioritizationFees: readonly PrioritizationFee[] | undefined;

  const write = (address: Address, account: LedgerAccount | undefined) => {
    if (account === undefined) accounts.delete(address);
    else accounts.set(address, account);
    for (const listener of listeners) listener(address, account, slot);
  };
  const unixTimestamp = () =>
    GENESIS.unixTimestamp + ((slot - GENESIS.slot) * SLOTS_PER_SECOND.seconds) / SLOTS_PER_SECOND.slots;
  const epoch = () => slot / SLOTS_PER_EPOCH;

  const tick = () =>
    write(CLOCK_SYSVAR_ADDRESS, {
      owner: SYSVAR_PROGRAM_ADDRESS,
      data: encodeClock({ slot, epoch: epoch(), unixTimestamp: unixTimestamp() }),
    });
  const setSolPrice = (price: UiAmount) =>
    write(SOL_USD_FEED_ADDRESS, {
      owner: CHAINLINK_STORE_PROGRAM_ADDRESS,
      data: encodePriceFeed({ price, slot, timestamp: unixTimestamp() - 2n }),
    });
  const existing = (address: Address): LedgerAccount => {
    const account = accounts.get(address);
    if (account) return account;
    throw new HeavenError('account-not-found', `The embedded ledger has no account ${address}.`, {
      account: 'any',
      address,
    });
  };
  const updatePool: EmbeddedLedger['updatePool'] = (address, change) => {
    const account = existing(address);
    const state = decodeLiquidityPoolState(account.data, address);
    write(address, { ...account, data: encodeLiquidityPoolState({ ...state, ...change(state) }) });
  };
  const setMint: EmbeddedLedger['setMint'] = (mint, owner, fields) =>
    write(mint, { owner, data: encodeMint(fields) });
  const setTokenAccount: EmbeddedLedger['setTokenAccount'] = (address, owner, fields) =>
    write(address, { owner, data: encodeTokenAccount(fields) });
  const setBalance: EmbeddedLedger['setBalance'] = (wallet, lamports) =>
    write(wallet, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array(), lamports });
  const addPool: EmbeddedLedger['addPool'] = async (fields) => {
    const { pool, state, token } = await samplePool(fields, programAddress);
    write(pool.pool, { owner: programAddress, data: encodeLiquidityPoolState(state) });
    setMint(pool.mint, pool.tokenProgram, token);
    setTokenAccount(pool.tokenAVault, pool.tokenProgram, {
      mint: pool.mint,
      owner: pool.protocolConfig,
      amount: state.reserve.tokenA,
    });
    return pool;
  };

  tick();
  setSolPrice(GENESIS.solPrice);
  for (const version of [1, 2, 3] as const) {
    write(await findProtocolConfigAddress({ version }, { programAddress }), {
      owner: programAddress,
      data: encodeProtocolConfig(sampleConfig(version)),
    });
  }
  const samples = await samplePoolFields();
  const pools = {
    community: await addPool(samples.community),
    creator: await addPool(samples.creator),
    pro: await addPool(samples.pro),
    launching: await addPool(samples.launching),
  };

  for (const { creator } of Object.values(pools)) setBalance(creator, CREATOR_LAMPORTS);
  // One vault of wrapped SOL for all pools of a config version.
  for (const { tokenBVault, protocolConfig, configVersion } of Object.values(pools)) {
    const amount = sampleConfig(configVersion).unstakedWsolReserve;
    const nativeReserve = rentExemption(165);
    write(tokenBVault, {
      owner: TOKEN_PROGRAM_ADDRESS,
      data: encodeTokenAccount({
        mint: WRAPPED_SOL_MINT_ADDRESS,
        owner: protocolConfig,
        amount,
        nativeReserve,
      }),
      lamports: amount + nativeReserve,
    });
  }

  // The pro pool's creator holds all of its liquidity, some fees, and tokens to add more.
  const { pool: proPool, creator: proCreator, mint: proMint, tokenProgram: proTokenProgram } = pools.pro;
  const setLpPosition: EmbeddedLedger['setLpPosition'] = async (position) => {
    const address = await findLpPositionAddress(
      { pool: position.pool, user: position.user },
      { programAddress },
    );
    write(address, { owner: programAddress, data: encodeUserLpPosition({ bump: 255, ...position }) });
  };
  await setLpPosition({
    pool: proPool,
    user: proCreator,
    lpTokenBalance: 400_000_000_000n,
    rewardDebt: 0n,
    pendingFees: 1_234_567n,
  });
  setTokenAccount(
    await findAssociatedTokenAddress({ owner: proCreator, mint: proMint, tokenProgram: proTokenProgram }),
    proTokenProgram,
    { mint: proMint, owner: proCreator, amount: 100_000_000_000_000n },
  );

  // The creator token's creator holds some of it, to make a pro pool of.
  const { creator, mint, tokenProgram } = pools.creator;
  setTokenAccount(await findAssociatedTokenAddress({ owner: creator, mint, tokenProgram }), tokenProgram, {
    mint,
    owner: creator,
    amount: 10_000_000_000_000_000n,
  });

  const lastBuy = await sampleTransaction(pools.creator, programAddress);
  const lookupTables = {
    community: COMMUNITY_LOOKUP_TABLE_ADDRESS,
    creator: await sampleAddress('creator lookup table'),
  };
  for (const [name, version] of [
    ['community', 1],
    ['creator', 2],
  ] as const) {
    write(lookupTables[name], {
      owner: LOOKUP_TABLE_PROGRAM_ADDRESS,
      data: encodeLookupTable({ addresses: await sampleLookupTable(version, programAddress) }),
    });
  }

  const wholeAccount = (account: LedgerAccount): Required<LedgerAccount> => ({
    ...account,
    lamports: account.lamports ?? rentExemption(account.data.length),
  });
  const getAccount = (address: Address) => {
    const account = accounts.get(address);
    return account && wholeAccount(account);
  };
  const trades = slotTrades(() => slot);
  const simulate = (tx: Base64EncodedWireTransaction) =>
    simulateOn({ programAddress, behaviour, slot, trades, getAccount, rentExemption }, tx);
  const executeNow: EmbeddedLedger['execute'] = async (tx) => {
    const { trades: made, ...outcome } = await simulate(tx);
    trades.add(made);
    for (const [address, account] of outcome.accounts) {
      if (account !== undefined && changes(accounts.get(address), account))
        write(address, account.lamports === 0n ? undefined : account);
    }
    return outcome;
  };
  // Two at once would each start from accounts without what the other does.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  const reads = {
    slot: () => slot,
    epoch,
    unixTimestamp,
    getAccount,
    *listAccounts() {
      for (const [address, account] of accounts) yield [address, wholeAccount(account)] as const;
    },
  };
  const history = transactionHistory();
  history.add(lastBuy);
  const transactions = { ...reads, simulate, execute: executeNow, inTurn, history };
  const methods: RpcMethods = {
    ...accountMethods(reads),
    ...clusterMethods(reads, () => prioritizationFees),
    ...transactionMethods(transactions),
    ...airdropMethods(transactions, setBalance),
  };
  const dispatch = rpcDispatch(methods, (method, params) => {
    requests.push({ method, params });
    if (requests.length > MOST_REQUESTS) requests.splice(0, MOST_REQUESTS / 2);
  });
  const transport = (({ payload }: { readonly payload: unknown }) => dispatch(payload)) as RpcTransport;
  const toRpcAccount = (account: LedgerAccount | undefined) =>
    account && encodedAccount(wholeAccount(account), { encoding: 'base64' }, getAccount);

  const onWrite: EmbeddedLedger['onWrite'] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    rpc: createSolanaRpcFromTransport(transport) as Rpc<SolanaRpcApi>,
    transport,
    ...ledgerSubscriptions(onWrite, toRpcAccount),
    pools,
    lookupTables,
    transactions: { buy: lastBuy.signature },
    requests,
    get slot() {
      return slot;
    },
    get unixTimestamp() {
      return unixTimestamp();
    },
    getAccount: (address) => accounts.get(address),
    setAccount: write,
    setBalance,
    setBehaviour: (next = {}) => {
      behaviour = next;
    },
    setPrioritizationFees: (fees) => {
      prioritizationFees = fees;
    },
    execute: (tx) => inTurn(() => executeNow(tx)),
    onWrite,
    setSlot: (next) => {
      slot = next;
      tick();
    },
    setSolPrice,
    updatePool,
    setReserves: (pool, reserves) =>
      updatePool(pool, ({ reserve }) => ({ reserve: { ...reserve, ...reserves } })),
    updateConfig: (address, change) => {
      const account = existing(address);
      const config = decodeProtocolConfig(account.data, address);
      write(address, { ...account, data: encodeProtocolConfig({ ...config, ...change(config) }) });
    },
    setMint,
    setTokenAccount,
    setLpPosition,
    addPool,
  };
}

/** Whether an execution changed an account. */
const changes = (before: LedgerAccount | undefined, after: Required<LedgerAccount>): boolean =>
  before === undefined
    ? after.lamports > 0n
    : before.owner !== after.owner ||
      before.data !== after.data ||
      (before.lamports ?? rentExemption(before.data.length)) !== after.lamports;

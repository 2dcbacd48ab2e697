import type { Address, Base64EncodedWireTransaction } from '@solana/kit';
import { getTokenDecoder } from '@solana-program/token';
import { expect } from 'vitest';
import { type FeeAmounts, type FeeRates, type LiquidityPoolState, parseLogs } from '../../src/index.js';
import { computePendingFees } from '../../src/math/liquidity.js';
import { userLpPositionDeclaration } from '../../src/program/account-layouts.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  decodeUserLpPosition,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  type TradeEvent,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { LiquidityPoolType } from '../../src/program/types.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';

// What everybody holds on an embedded ledger, and what must be true of it after each transaction.

export interface Pool {
  readonly kind: 'standard' | 'pro';
  readonly pool: Address;
  readonly mint: Address;
  readonly configVersion: number;
}

/** Lamports by `wallet SOL`, token units by `wallet mint`, LP tokens by `wallet LP pool`. Wrapped SOL counts as SOL. */
export type Holdings = Readonly<Record<string, bigint>>;

export const solOf = (wallet: Address) => `${wallet} SOL`;
export const unitsOf = (wallet: Address, mint: Address) => `${wallet} ${mint}`;
export const lpTokensOf = (wallet: Address, pool: Address) => `${wallet} LP ${pool}`;

export const KINDS = [
  'trade',
  'liquidity',
  'LP transfer',
  'creator claim',
  'LP claim',
  'setting',
  'creation',
] as const;

/** A transaction to send, and what its quote promises. */
export interface Intent {
  readonly what: (typeof KINDS)[number];
  readonly tx: Base64EncodedWireTransaction;
  readonly payer: Address;
  readonly pool: Pool;
  /** How holdings change, besides the network fee and rent. */
  readonly promised: Holdings;
  /** The worst that the payer has agreed to, if others come first. */
  readonly worst?: Holdings;
  /** What each fee of the pool grows by, and its rate in basis points. */
  readonly fees?: FeeAmounts;
  readonly feeRates?: FeeRates;
  /** Token units that the token's transfer fee withholds. */
  readonly transferFee?: bigint;
  /** What a new pool starts with. */
  readonly created?: Pick<Sums, 'reserveA' | 'reserveB' | 'lpSupply'>;
  /** Units of a new token. */
  readonly minted?: bigint;
}

/** What a pool's state must say: what it said at the start, and the sum of what happened since. */
interface Sums {
  reserveA: bigint;
  reserveB: bigint;
  lpSupply: bigint;
  /** All fees that were ever taken, without those that liquidity providers have claimed. */
  fees: bigint;
  claimedByReceivers: bigint;
  volumeUsd: number;
}

const feesIn = (state: LiquidityPoolState): FeeAmounts => ({
  protocol: state.protocolTradingFees,
  liquidityProvider: state.liquidityProviderTradingFees,
  creator: state.creatorTradingFees,
  creatorProtocol: state.creatorTradingFeeProtocolFees,
  reflection: state.reflectionTradingFees,
});

const total = (fees: FeeAmounts) => Object.values(fees).reduce((sum: bigint, fee: bigint) => sum + fee, 0n);

function sumsIn(state: LiquidityPoolState): Sums {
  const claimedByReceivers =
    state.creatorTradingFeesClaimedByCreator + state.creatorTradingFeesClaimedByOthers;
  return {
    reserveA: state.reserve.tokenA,
    reserveB: state.reserve.tokenB,
    lpSupply: state.lpToken.supply.total,
    fees: total(feesIn(state)) + claimedByReceivers,
    claimedByReceivers,
    volumeUsd: state.tradingVolumeUsd,
  };
}

const nonZero = (changes: Holdings): Holdings =>
  Object.fromEntries(Object.entries(changes).filter(([, amount]) => amount !== 0n));

const isTokenAccount = (owner: Address, { length, 165: kind }: Uint8Array) =>
  (owner === TOKEN_PROGRAM_ADDRESS || owner === TOKEN_2022_PROGRAM_ADDRESS) && (length === 165 || kind === 2);

function addTo<TKey>(sums: Map<TKey, bigint>, key: TKey, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

/** Decodes each array once: the ledger replaces an account's data and never writes into it. */
function onceEach<TDecoded>(decode: (data: Uint8Array) => TDecoded): (data: Uint8Array) => TDecoded {
  const known = new WeakMap<Uint8Array, TDecoded>();
  return (data) => {
    const decoded = known.get(data) ?? decode(data);
    known.set(data, decoded);
    return decoded;
  };
}

const poolIn = onceEach((data) => decodeLiquidityPoolState(data));
const liquidSolIn = onceEach((data) => decodeProtocolConfig(data).unstakedWsolReserve);
const tokenDecoder = getTokenDecoder();
const tokenIn = onceEach((data) => tokenDecoder.decode(data));

/** All accounts of a ledger at one moment. */
export class Books {
  /** Each account, without its lamports, as text, and its lamports. */
  readonly accounts = new Map<Address, readonly [text: string, lamports: bigint]>();
  readonly pools = new Map<Address, LiquidityPoolState>();
  /** What wallets hold. */
  readonly held = new Map<string, bigint>();
  /** Token units, or wrapped lamports, in each vault. */
  readonly vaults = new Map<Address, bigint>();
  /** The units of each token in all its accounts. */
  readonly units = new Map<Address, bigint>();
  /** The LP tokens of all positions, and the fees that they could claim, by pool. */
  readonly lpTokens = new Map<Address, bigint>();
  readonly claimable = new Map<Address, bigint>();
  /** All lamports, and those that neither a wallet nor a vault can spend: rent. */
  lamports = 0n;
  rent = 0n;

  constructor(ledger: EmbeddedLedger, wallets: readonly Address[], pools: readonly Pool[]) {
    for (const { pool } of pools)
      this.pools.set(pool, poolIn(ledger.getAccount(pool)?.data ?? new Uint8Array()));
    for (const [address, { owner, lamports, data }] of ledger.listAccounts()) {
      this.accounts.set(address, [`${owner} ${Buffer.from(data).toString('latin1')}`, lamports]);
      this.lamports += lamports;
      this.rent += lamports;
      if (wallets.includes(address)) this.#addSol(solOf(address), lamports);
      else if (isTokenAccount(owner, data)) this.#addTokens(address, lamports, data, wallets);
      else if (owner === ledger.programAddress && data.length === userLpPositionDeclaration.size)
        this.#addPosition(data);
    }
  }

  /** How holdings have changed. */
  changesSince(before: Books): Holdings {
    const names = new Set([...before.held.keys(), ...this.held.keys()]);
    const changeOf = (name: string) => (this.held.get(name) ?? 0n) - (before.held.get(name) ?? 0n);
    return nonZero(Object.fromEntries([...names].map((name) => [name, changeOf(name)])));
  }

  /** The accounts that have changed. */
  accountsChangedSince(before: Books): readonly Address[] {
    const all = new Set([...before.accounts.keys(), ...this.accounts.keys()]);
    return [...all].filter((address) => {
      const [text, lamports] = this.accounts.get(address) ?? [];
      const [textBefore, lamportsBefore] = before.accounts.get(address) ?? [];
      return text !== textBefore || lamports !== lamportsBefore;
    });
  }

  #addSol(name: string, lamports: bigint): void {
    addTo(this.held, name, lamports);
    this.rent -= lamports;
  }

  #addTokens(address: Address, lamports: bigint, data: Uint8Array, wallets: readonly Address[]): void {
    const { mint, owner, amount, isNative } = tokenIn(data);
    const isSol = mint === WRAPPED_SOL_MINT_ADDRESS;
    if (isSol) expect(isNative).toEqual({ __option: 'Some', value: lamports - amount });
    addTo(this.units, mint, amount);
    if (!wallets.includes(owner)) {
      this.vaults.set(address, amount);
      if (isSol) this.rent -= amount;
    } else if (isSol) this.#addSol(solOf(owner), amount);
    else addTo(this.held, unitsOf(owner, mint), amount);
  }

  #addPosition(data: Uint8Array): void {
    const position = decodeUserLpPosition(data);
    const { pool, user, lpTokenBalance } = position;
    const { accumulatedFeePerLpToken = 0n } = this.pools.get(pool)?.reserve ?? {};
    addTo(this.held, lpTokensOf(user, pool), lpTokenBalance);
    addTo(this.lpTokens, pool, lpTokenBalance);
    addTo(this.claimable, pool, computePendingFees(position, accumulatedFeePerLpToken));
  }
}

/** Sends transactions, and checks after each that the books balance. */
export class Auditor {
  readonly ledger: EmbeddedLedger;
  readonly wallets: readonly Address[];
  readonly pools: Pool[];
  readonly #sums = new Map<Address, Sums>();
  /** What each vault holds beyond the reserves and fees of its pools. */
  readonly #surplus: ReadonlyMap<Address, bigint>;
  #books: Books | undefined;

  constructor(ledger: EmbeddedLedger, wallets: readonly Address[], pools: readonly Pool[]) {
    this.ledger = ledger;
    this.wallets = wallets;
    this.pools = [...pools];
    ledger.onWrite(() => {
      this.#books = undefined;
    });
    const books = this.books();
    for (const [pool, state] of books.pools) this.#sums.set(pool, sumsIn(state));
    this.#surplus = surplusIn(books);
  }

  /** The books of this moment: the same ones as long as nothing is written. */
  books(): Books {
    this.#books ??= new Books(this.ledger, this.wallets, this.pools);
    return this.#books;
  }

  stateOf({ pool }: Pool): LiquidityPoolState {
    return this.books().pools.get(pool) as LiquidityPoolState;
  }

  /** How much a wallet has. `name`: such as {@link solOf} it. */
  has(name: string): bigint {
    return this.books().held.get(name) ?? 0n;
  }

  /**
   * Sends a transaction, and returns why it failed.
   *
   * @param isFresh Whether nothing has happened since it was quoted.
   */
  async send(intent: Intent, isFresh: boolean): Promise<unknown> {
    const { payer, pool, created } = intent;
    const before = this.books();
    const { err, logs, fee } = await this.ledger.execute(intent.tx);
    if (err !== null) {
      expectNoChange(before, this.books(), payer, fee, err);
      return err;
    }
    if (created !== undefined) {
      this.pools.push(pool);
      this.#sums.set(pool.pool, { ...created, fees: 0n, claimedByReceivers: 0n, volumeUsd: 0 });
    }
    const after = this.books();
    expect(after.lamports, 'all lamports').toBe(before.lamports - fee);
    const changes = after.changesSince(before);
    const spent = fee + after.rent - before.rent;
    const changed = nonZero({ ...changes, [solOf(payer)]: (changes[solOf(payer)] ?? 0n) + spent });
    if (isFresh) expect(changed, 'what was quoted').toEqual(nonZero(intent.promised));
    else expectWithinLimits(intent, changed);

    const event = parseLogs(logs).events.find(({ name }) => name === 'TradeEvent');
    const trade = event?.data as Required<TradeEvent> | undefined;
    const withheld = this.#addUp(intent, changed, trade);
    if (isFresh && trade !== undefined && intent.fees !== undefined) {
      expectFees(intent, before, after, trade);
      expect(withheld, 'quoted transfer fee').toBe(intent.transferFee);
    }
    for (const [mint, units] of after.units) {
      const minted = mint === pool.mint ? (intent.minted ?? 0n) - withheld : 0n;
      if (mint !== WRAPPED_SOL_MINT_ADDRESS)
        expect(units, `all units of ${mint}`).toBe((before.units.get(mint) ?? 0n) + minted);
    }
    expectNobodyDiluted(intent, before, after);
    this.#checkPools(after);
    return undefined;
  }

  /** Adds a transaction to the sums. Returns the token units that were withheld from a trade. */
  #addUp(intent: Intent, changed: Holdings, trade: Required<TradeEvent> | undefined): bigint {
    const { what, payer, pool } = intent;
    const sums = this.#sums.get(pool.pool) as Sums;
    const sol = changed[solOf(payer)] ?? 0n;
    const units = changed[unitsOf(payer, pool.mint)] ?? 0n;
    if (what === 'creator claim') sums.claimedByReceivers += sol;
    if (what === 'LP claim') sums.fees -= sol;
    if (what === 'liquidity') {
      sums.reserveA -= units;
      sums.reserveB -= sol;
      sums.lpSupply += changed[lpTokensOf(payer, pool.pool)] ?? 0n;
    }
    if (trade === undefined) return 0n;
    const { baseIn, baseOut, quoteIn, quoteOut, totalFeePaid, priceSolUsd } = trade;
    const isBuy = quoteIn > 0n;
    const withheld = isBuy ? baseOut - units : (intent.transferFee ?? 0n);
    sums.reserveA += isBuy ? -baseOut : baseIn - withheld;
    sums.reserveB += isBuy ? quoteIn - totalFeePaid : -quoteOut;
    sums.fees += totalFeePaid;
    sums.volumeUsd += (Number(quoteIn + quoteOut) / 1e9) * priceSolUsd;
    return withheld;
  }

  #checkPools(books: Books): void {
    for (const [pool, state] of books.pools) {
      const { data = new Uint8Array() } = this.ledger.getAccount(state.protocolConfig) ?? {};
      expect(liquidSolIn(data), `of config ${state.protocolConfig}`).toBe(
        books.vaults.get(state.tokenBVault),
      );
      const { volumeUsd, ...sums } = this.#sums.get(pool) as Sums;
      expect(sumsIn(state), pool).toEqual({ ...sums, volumeUsd: expect.closeTo(volumeUsd, 3) });
      if (state.info.type === LiquidityPoolType.Standard) continue;
      expect(books.lpTokens.get(pool), `LP tokens of ${pool}`).toBe(sums.lpSupply);
      expect(books.claimable.get(pool), `LP fees of ${pool}`).toBeLessThanOrEqual(
        state.liquidityProviderTradingFees,
      );
    }
    for (const [vault, surplus] of surplusIn(books))
      expect(surplus, `in the vault ${vault}`).toBe(this.#surplus.get(vault) ?? 0n);
  }
}

/** What each vault holds beyond the reserves, without virtual SOL, and the fees of its pools. */
function surplusIn({ vaults, pools }: Books): ReadonlyMap<Address, bigint> {
  const surplus = new Map(vaults);
  for (const state of pools.values()) {
    const { reserve, info } = state;
    const virtual = info.type === LiquidityPoolType.Standard ? reserve.initialB : 0n;
    addTo(surplus, state.tokenAVault, -reserve.tokenA);
    addTo(surplus, state.tokenBVault, virtual - reserve.tokenB - total(feesIn(state)));
  }
  return surplus;
}

/** A failed transaction changes nothing, but the payer pays for it. One whose payer can't pay the fee is not even run. */
function expectNoChange(before: Books, after: Books, payer: Address, fee: bigint, err: unknown): void {
  const [, lamports = 0n] = before.accounts.get(payer) ?? [];
  if (err === 'InsufficientFundsForFee') expect(lamports, 'enough for the fee').toBeLessThan(fee);
  expect(after.accountsChangedSince(before), 'changed by a failed transaction').toEqual([]);
}

/** Nobody else's holdings change, and the payer's no worse than agreed. */
function expectWithinLimits({ promised, worst = {} }: Intent, changed: Holdings): void {
  expect(Object.keys(promised)).toEqual(expect.arrayContaining(Object.keys(changed)));
  for (const [name, amount] of Object.entries(worst))
    expect(changed[name] ?? 0n, name).toBeGreaterThanOrEqual(amount);
}

/** Each fee grows as quoted: by its part of the SOL side, fees included, rounded down by itself. */
function expectFees(intent: Intent, before: Books, after: Books, trade: Required<TradeEvent>): void {
  const { pool, fees, feeRates = fees } = intent;
  const then = feesIn(before.pools.get(pool.pool) as LiquidityPoolState);
  const now = feesIn(after.pools.get(pool.pool) as LiquidityPoolState);
  const sol = trade.quoteIn + trade.quoteOut;
  for (const name of Object.keys(now) as (keyof FeeAmounts)[]) {
    const grown = now[name] - then[name];
    expect(grown, `quoted ${name} fee`).toBe(fees?.[name]);
    expect(grown, `${name} fee by its rate`).toBe((sol * (feeRates?.[name] ?? 0n)) / 10_000n);
  }
}

/** Rounding favors the pool: a trade never lowers the product of the reserves, and no deposit or withdrawal what an LP token is worth. */
function expectNobodyDiluted({ what, pool }: Intent, before: Books, after: Books): void {
  const then = before.pools.get(pool.pool);
  const now = after.pools.get(pool.pool);
  if (then === undefined || now === undefined) return;
  const [a, b] = [then.reserve, now.reserve];
  if (what === 'trade')
    expect(b.tokenA * b.tokenB, 'product of the reserves').toBeGreaterThanOrEqual(a.tokenA * a.tokenB);
  if (what !== 'liquidity') return;
  const [supplyThen, supplyNow] = [then.lpToken.supply.total, now.lpToken.supply.total];
  expect(b.tokenA * supplyThen, 'tokens per LP token').toBeGreaterThanOrEqual(a.tokenA * supplyNow);
  expect(b.tokenB * supplyThen, 'SOL per LP token').toBeGreaterThanOrEqual(a.tokenB * supplyNow);
}

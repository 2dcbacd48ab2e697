import {
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  type Signature,
} from '@solana/kit';
import { getTokenDecoder } from '@solana-program/token';

import { assertHas, assertNames, assertNumber, assertWhole, given, inputError } from '../base/input.js';
import { decodeLiquidityPoolState } from '../program/accounts.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import {
  getBuyInstruction,
  getProBuyInstruction,
  getProSellInstruction,
  getSellInstruction,
} from '../program/instructions/index.js';
import { SLOT_MS } from '../solana/timing.js';
import type { EmbeddedLedger } from './ledger.js';
import { blockhashOf } from './rpc-methods/cluster.js';
import { MAX_TRANSACTIONS } from './rpc-methods/history.js';
import { fundTrader } from './sample-accounts.js';
import { GENESIS, type SamplePool, type tradeAccounts } from './samples.js';
import { unsignedTransaction } from './wire.js';

/** Which trades {@link runSampleTrades} runs. */
export interface SampleTradesOptions {
  /** Default: the sample pool `creator`. */
  readonly pool?: SamplePool;
  /** How many, from 1 to 2000. Default 200. */
  readonly count?: number;
  /** The seconds of the ledger's clock over which they spread. Default 21600: six hours. */
  readonly seconds?: number;
  /** A whole number. The same seed makes the same trades. Default 1. */
  readonly seed?: number;
}

/** The result of {@link runSampleTrades}. */
export interface SampleTrades {
  /** Oldest first. */
  readonly signatures: readonly Signature[];
  /** The wallets that traded. */
  readonly traders: readonly Address[];
}

const assertSamplePool = (value: unknown, field: string) =>
  assertHas(value, 'tokenAVault', field, "one of the ledger's pools");

const TRADERS = 6;
/** 100,000 SOL for each trader. */
const WRAPPED_LAMPORTS = 100_000_000_000_000n;

/**
 * Gives a ledger a history: signs and sends trades of several wallets, each in its own slot, while the clock moves forward.
 * The price wanders, with quiet times in between. Afterwards the clock is `seconds` later, and the SOL price is as fresh as
 * at the start.
 *
 * @throws {HeavenError} `invalid-input` (count, seconds, seed; or a trade failed)
 * @example
 * ```ts
 * const ledger = await createEmbeddedLedger();
 * await runSampleTrades(ledger, { count: 20, seconds: 3_600 });
 * const client = createHeavenClient({ rpc: ledger.rpc });
 * const { trades } = await listTrades(client, { pool: ledger.pools.creator.pool });
 * ```
 */
export async function runSampleTrades(
  ledger: EmbeddedLedger,
  options: SampleTradesOptions = {},
): Promise<SampleTrades> {
  assertHas(ledger, 'pools', 'ledger', 'a ledger made with createEmbeddedLedger');
  assertNames(options, 'options', { pool: given(assertSamplePool), count: 1, seconds: 1, seed: 1 });
  const pool = options.pool ?? ledger.pools.creator;
  const { count = 200, seconds = 21_600, seed = 1 } = options;
  assertWhole('count', count, [1, MAX_TRANSACTIONS]);
  assertNumber('seconds', seconds, [(count * SLOT_MS) / 1_000, 31_536_000]);
  assertWhole('seed', seed, [0, 0xffff_ffff]);
  const random = randomFrom(seed);
  const traders: Trader[] = [];
  for (let index = 0; index < TRADERS; index++) traders.push(await createTrader(ledger, pool, seed, index));

  const signatures: Signature[] = [];
  for (const [index, slot] of slotsOf(ledger.slot, count, seconds, random).entries()) {
    ledger.setSlot(slot);
    const trader = traders[Math.floor(random() * TRADERS)] as Trader;
    // Sometimes buyers are the majority, sometimes sellers.
    const buys = random() < 0.5 + 0.3 * Math.sin((index / count) * 11);
    const size = 0.0005 * 40 ** random();
    const held = tokensIn(ledger, trader.accounts.userTokenAVault);
    const instruction =
      buys || held === 0n
        ? tradeOf(ledger, pool, trader, 'buy', share(solOf(ledger, pool), size))
        : tradeOf(ledger, pool, trader, 'sell', share(held, 0.1 + 0.9 * random()));
    signatures.push(await sendTrade(ledger, trader.signer, instruction));
  }
  ledger.setSolPrice(GENESIS.solPrice);
  return { signatures, traders: traders.map(({ signer }) => signer.address) };
}

interface Trader {
  readonly signer: KeyPairSigner;
  readonly accounts: Awaited<ReturnType<typeof tradeAccounts>>;
}

/** A wallet with SOL, wrapped SOL and an empty account of the token. */
async function createTrader(
  ledger: EmbeddedLedger,
  pool: SamplePool,
  seed: number,
  index: number,
): Promise<Trader> {
  const key = new Uint8Array(32).fill(index + 1);
  new DataView(key.buffer).setUint32(0, seed);
  const signer = await createKeyPairSignerFromPrivateKeyBytes(key);
  return { signer, accounts: await fundTrader(ledger, pool, signer.address, WRAPPED_LAMPORTS) };
}

function tradeOf(
  ledger: EmbeddedLedger,
  pool: SamplePool,
  { accounts }: Trader,
  side: 'buy' | 'sell',
  amount: bigint,
): Instruction {
  // The exchange's program owns each pool.
  const programAddress = ledger.getAccount(pool.pool)?.owner ?? HEAVEN_PROGRAM_ADDRESS;
  const isPro = pool.kind === 'pro';
  const limits = { minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
  if (side === 'buy') {
    const params = { maxSolSpend: amount, ...limits };
    return (isPro ? getProBuyInstruction : getBuyInstruction)({ ...accounts, params }, { programAddress });
  }
  const params = { amountIn: amount, ...limits };
  return (isPro ? getProSellInstruction : getSellInstruction)({ ...accounts, params }, { programAddress });
}

async function sendTrade(
  { rpc, slot }: EmbeddedLedger,
  { address, keyPair }: KeyPairSigner,
  instruction: Instruction,
): Promise<Signature> {
  const unsigned = unsignedTransaction(0, address, blockhashOf(slot), [instruction]);
  const tx = getBase64EncodedWireTransaction(await partiallySignTransaction([keyPair], unsigned));
  const signature = await rpc.sendTransaction(tx, { encoding: 'base64', skipPreflight: true }).send();
  const { value } = await rpc.getSignatureStatuses([signature]).send();
  if (value[0]?.err === null) return signature;
  const reason = JSON.stringify(value[0]?.err, (_, item) => (typeof item === 'bigint' ? `${item}` : item));
  throw inputError(
    'pool',
    `A sample trade in this pool failed (${reason}). Choose a pool that can be traded in.`,
  );
}

/** A part of an amount, at least 1. */
function share(amount: bigint, part: number): bigint {
  const taken = (amount * BigInt(Math.floor(part * 1e9))) / 1_000_000_000n;
  return taken > 0n ? taken : 1n;
}

const tokensIn = (ledger: EmbeddedLedger, account: Address): bigint =>
  getTokenDecoder().decode(ledger.getAccount(account)?.data ?? new Uint8Array()).amount;

function solOf(ledger: EmbeddedLedger, { pool }: SamplePool): bigint {
  const { reserve } = decodeLiquidityPoolState(ledger.getAccount(pool)?.data ?? new Uint8Array(), pool);
  return reserve.tokenB;
}

/** Distinct slots in ascending order, with pauses of very different lengths. */
function slotsOf(start: bigint, count: number, seconds: number, random: () => number): readonly bigint[] {
  const pauses = Array.from({ length: count }, () => -Math.log(1 - random()) * (random() < 0.05 ? 8 : 1));
  const whole = pauses.reduce((sum, pause) => sum + pause, 0);
  // Each trade has its own slot; the spare slots become pauses.
  const spare = Math.floor((seconds * 1_000) / SLOT_MS) - count;
  let passed = 0;
  return pauses.map((pause, index) => {
    passed += pause;
    return start + BigInt(Math.floor((passed / whole) * spare) + index + 1);
  });
}

/** Numbers from 0 to 1, the same for the same seed: Marsaglia's xorshift with 32 bits. */
function randomFrom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

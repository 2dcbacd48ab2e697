import {
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type RpcTransport,
  signTransaction,
} from '@solana/kit';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';

import {
  buildBuy,
  createHeavenClient,
  type HeavenClient,
  type HeavenSubmitRpc,
  quoteBuy,
  type SubmitEvent,
  type SubmitOptions,
  submitTransaction,
} from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { settle, turn } from '../support/clock.js';

/** Fake time for each test of a file, after which no timer may be left. */
export function useFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(async () => {
    await turn();
    const left = vi.getTimerCount();
    vi.useRealTimers();
    expect(left).toBe(0);
  });
}

/** A signed buy, and the ledger that it is for. */
export async function signedBuy() {
  const ledger = await createEmbeddedLedger();
  const wallet = await generateKeyPairSigner();
  ledger.setBalance(wallet.address, 5_000_000_000n);
  const client = createHeavenClient({ rpc: ledger.rpc });
  const { mint, configVersion } = ledger.pools.creator;
  const quote = await quoteBuy(client, { mint, configVersion, maxSolSpend: 1, slippageBps: 50 });
  const built = await buildBuy(client, { payer: wallet.address, quoteResponse: quote });
  const transaction = await signTransaction([wallet.keyPair], built.transaction);
  const tx = getBase64EncodedWireTransaction(transaction);
  const signature = getSignatureFromTransaction(transaction);
  return { ledger, client, wallet, quote, built, transaction, tx, signature };
}

export type SignedBuy = Awaited<ReturnType<typeof signedBuy>>;

/** Sends the buy to its ledger. Returns the record of it there, as a node answers, before kit reads it. */
export async function landedRecord({ ledger, tx, signature }: SignedBuy) {
  await ledger.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
  const params = [signature, { encoding: 'base64', maxSupportedTransactionVersion: 1 }];
  const call = { payload: { jsonrpc: '2.0', id: 1, method: 'getTransaction', params } };
  const { result } = (await ledger.transport(call as never)) as { readonly result: typeof record };
  return result;
}

/** The buy of {@link useSignedBuy}, and the record of a ledger on which it has landed. */
export let buy: SignedBuy;
export let record: Readonly<Record<string, unknown>>;

/** Signs a buy for the tests of a file. */
export const useSignedBuy = () =>
  beforeAll(async () => {
    buy = await signedBuy();
    record = await landedRecord(buy);
  });

/** An error that a node answers. */
export class Refusal extends Error {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  constructor(code: number, data?: unknown) {
    super(String(code));
    this.error = { code, message: `error ${code}`, ...(data === undefined ? {} : { data }) };
  }
}

export const preflight = (err: unknown) => new Refusal(-32_002, { err, logs: [], unitsConsumed: 0 });

/** A status as a node gives it. */
export const status = (confirmationStatus: string | null, err: unknown = null, slot = 7) => ({
  slot,
  confirmations: confirmationStatus === 'finalized' ? null : 1,
  confirmationStatus,
  err,
  status: err === null ? { Ok: null } : { Err: err },
});

export const LAST = 1_150n;
const BLOCK_MS = 200;
/** Slots without a block: a slot is not a height. */
const SKIPPED_SLOTS = 500;

/** What a node is asked to do when it sends. */
export interface SendConfig {
  readonly skipPreflight?: boolean;
}

/** What a scripted node does: each gives a result, throws, or never answers. */
export interface Script {
  readonly send?: (config: SendConfig) => unknown;
  readonly height?: () => unknown;
  /** The slot of the answers about block hash and status. Unless told otherwise that of the last height. */
  readonly slot?: () => unknown;
  /** Whether the block hash is valid. Asked once the last height is past; unless told otherwise it is not. */
  readonly valid?: () => unknown;
  readonly status?: (history: boolean) => unknown;
  readonly record?: () => unknown;
}

/** How a node answers each method: with a result, or a promise of one. A {@link Refusal} is an error of the node. */
export type Does = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** The transport to a node. */
export const nodeTransport = (does: Does) =>
  (async ({ payload, signal }: Parameters<RpcTransport>[0]) => {
    const { id, method, params } = payload as { id: string; method: string; params: readonly unknown[] };
    try {
      const result = await does[method]?.(params);
      signal?.throwIfAborted();
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (error instanceof Refusal) return { jsonrpc: '2.0', id, error: error.error };
      throw error;
    }
  }) as RpcTransport;

/** A configurable node. By default it accepts everything, its height follows the time, and it knows no transaction. */
export function scripted(signature: string, script: Script) {
  const began = performance.now();
  const calls: string[] = [];
  const elapsed = () => performance.now() - began;
  let atFirstCall = () => {};
  let absoluteSlot = 0;
  const context = () => ({ slot: (script.slot ?? (() => absoluteSlot))() });
  const does: Does = {
    sendTransaction: ([, config]) => (script.send ?? (() => signature))(config as object),
    getEpochInfo: async () => {
      const blockHeight = await (script.height ?? (() => 1_000 + Math.floor(elapsed() / BLOCK_MS)))();
      absoluteSlot = Number(blockHeight) + SKIPPED_SLOTS;
      const epoch = { epoch: 1, slotIndex: 1, slotsInEpoch: 432_000, transactionCount: 1 };
      return { absoluteSlot, blockHeight, ...epoch };
    },
    isBlockhashValid: async () => ({ context: context(), value: await (script.valid ?? (() => false))() }),
    getSignatureStatuses: async ([, config]) => {
      const { searchTransactionHistory = false } = config as { readonly searchTransactionHistory?: boolean };
      const look = script.status ?? (() => null);
      return { context: context(), value: [await look(searchTransactionHistory)] };
    },
    getTransaction: () => (script.record ?? (() => null))(),
  };
  const answer = nodeTransport(does);
  const transport = ((request: Parameters<RpcTransport>[0]) => {
    if (calls.length === 0) atFirstCall();
    calls.push((request.payload as { readonly method: string }).method);
    return answer(request);
  }) as RpcTransport;
  return {
    calls,
    elapsed,
    onFirstCall: (does: () => unknown) => {
      atFirstCall = () => void does();
    },
    rpc: createSolanaRpcFromTransport(transport) as HeavenSubmitRpc,
    count: (method: string) => calls.filter((each) => each === method).length,
  };
}

export const never = () => new Promise(() => {});
export const away = () => Promise.reject(new TypeError('fetch failed'));

/** An event in a few words. */
export function wordsFor(event: SubmitEvent): string {
  if (event.type === 'sender-accepted') return 'sender accepted';
  if (event.type === 'sender-failed') return `sender failed: ${(event.error as Error).message}`;
  const words: (string | number | bigint)[] = [event.node, event.type];
  if (event.type === 'status') words.push(event.blockHeight, event.confirmationStatus ?? 'unknown');
  if (event.type === 'no-answer') words.push(event.method, event.error.code);
  if (event.type === 'rejected') words.push(event.error.message.slice(0, 60));
  return words.join(' ');
}

/** Submits to scripted nodes in fake time, and notes what is observed. */
export async function submitted(
  { tx, signature }: Pick<SignedBuy, 'tx' | 'signature'>,
  scripts: readonly Script[],
  options: Partial<SubmitOptions> &
    Pick<Partial<HeavenClient>, 'timeoutMs' | 'commitment'> & { readonly abortAfterMs?: number } = {},
) {
  const nodes = scripts.map((script) => scripted(signature, script));
  const [first, ...rest] = nodes as [(typeof nodes)[number], ...typeof nodes];
  const { timeoutMs = 30_000, commitment = 'confirmed', abortAfterMs, ...others } = options;
  const controller = new AbortController();
  if (abortAfterMs !== undefined) first.onFirstCall(() => setTimeout(() => controller.abort(), abortAfterMs));
  const client = createHeavenClient({ rpc: first.rpc, timeoutMs, commitment });
  const events: string[] = [];
  const running = submitTransaction(client, tx, {
    lastValidBlockHeight: LAST,
    rpcs: rest.map(({ rpc }) => rpc),
    observe: (event) => events.push(wordsFor(event)),
    abortSignal: controller.signal,
    ...others,
  });
  running.catch(() => {});
  const outcome = await settle(running).then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  );
  return { ...outcome, events, nodes, elapsed: first.elapsed() };
}

import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  type Signature,
  signTransaction,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { type BuiltTransaction, parseTransaction, simulate } from '../../src/index.js';
import { buyFor, client, ledger, quoteOneSol, useLedger } from '../support/ledger.js';
import { compiledOf } from '../support/transactions.js';
import { asVersion1 } from '../support/version-1.js';

useLedger();
let wallet: KeyPairSigner;
let buy: BuiltTransaction;
let amountOut: bigint;

beforeEach(async () => {
  wallet = await generateKeyPairSigner();
  ledger.setBalance(wallet.address, 5_000_000_000n);
  ({ amountOut } = (await quoteOneSol()).details);
  buy = await buyFor(wallet.address);
});

const signed = async (built: BuiltTransaction) =>
  getBase64EncodedWireTransaction((await signTransaction([wallet.keyPair], built.transaction)) as never);
const send = async (built: BuiltTransaction): Promise<Signature> =>
  await ledger.rpc.sendTransaction(await signed(built), { encoding: 'base64' }).send();
/** A transaction as `getTransaction` gives it, in JSON or in another encoding. */
interface Recorded {
  readonly version: number;
  readonly transaction: readonly string[] & { readonly message: Readonly<Record<string, unknown>> };
  readonly meta: {
    readonly postTokenBalances: readonly { mint: string; owner: string; uiTokenAmount: object }[];
  };
}
/** What the ledger answers to `getTransaction`, as a node writes it. */
async function record(signature: Signature, config: object): Promise<Recorded> {
  const payload = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, config] };
  const { result } = (await ledger.transport({ payload })) as { readonly result: Recorded };
  return result;
}

describe('a version 1 transaction on the embedded ledger', () => {
  test('pays the priority fee of its config and does what version 0 does', async () => {
    const signature = await send(asVersion1(buy));
    const config = { encoding: 'base64', maxSupportedTransactionVersion: 1 };
    const found = await record(signature, config);
    expect(found).toMatchObject({ version: 1, meta: { err: null, fee: 6_234n } });
    expect(found.meta).not.toHaveProperty('loadedAddresses');
    const parsed = parseTransaction(found as never);
    expect(parsed).toMatchObject({ version: 1, fee: 6_234n, priorityFee: 1_234n });
    expect(parsed.instructions.map(({ parsed }) => parsed?.name)).toEqual(['buy']);
    const { mint } = ledger.pools.creator;
    const own = found.meta.postTokenBalances.find((one) => one.owner === wallet.address && one.mint === mint);
    expect(own).toMatchObject({ uiTokenAmount: { amount: `${amountOut}` } });
  });

  test('has its config in JSON, with null for what is unset, and no lookup tables', async () => {
    const signature = await send(asVersion1(buy));
    const found = await record(signature, { encoding: 'json', maxSupportedTransactionVersion: 1 });
    const limits = { computeUnitLimit: 200_000, heapSize: null, loadedAccountsDataSizeLimit: 1_048_576 };
    const transactionConfig = { ...limits, priorityFee: 1_234n };
    expect(found.transaction.message).toMatchObject({ transactionConfig });
    expect(found.transaction.message).not.toHaveProperty('addressTableLookups');
    expect(parseTransaction(found as never)).toMatchObject({ version: 1, priorityFee: 1_234n });
    // One that does not say its config: what it paid, without its signature.
    const { transactionConfig: _, ...message } = found.transaction.message;
    const silent = { ...found, transaction: { ...found.transaction, message } };
    expect(parseTransaction(silent as never).priorityFee).toBe(1_234n);
    const feeless = { ...silent, meta: { ...found.meta, fee: undefined } };
    expect(parseTransaction(feeless as never).priorityFee).toBeUndefined();
  });

  test('is simulated with limits to set', async () => {
    const built = asVersion1(buy);
    const simulation = await simulate(client, built);
    if (!simulation.ok) throw new Error(simulation.error.message);
    const { loadedAccountsDataSize, suggestedLoadedAccountsDataSizeLimit: sizeLimit } = simulation;
    // The accounts of the ledger that it names, 64 bytes each beside their data.
    const accounts = compiledOf(built).staticAccounts.flatMap((address) => ledger.getAccount(address) ?? []);
    expect(loadedAccountsDataSize).toBe(accounts.reduce((bytes, { data }) => bytes + 64 + data.length, 0));
    expect(sizeLimit).toBe(32_768);
    const computeUnitLimit = simulation.suggestedComputeUnitLimit;
    const tight = asVersion1(buy, { computeUnitLimit, loadedAccountsDataSizeLimit: sizeLimit! });
    expect(await simulate(client, tight)).toMatchObject({ ok: true, fee: 5_000n });
  });
});

import {
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  type Signature,
  signTransaction,
  type V1TransactionConfig,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  buildBuy,
  createHeavenClient,
  parseTransaction,
  quoteBuy,
  refreshLifetime,
  simulate,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { asVersion1, ENOUGH } from '../support/version-1.js';

let ledger: EmbeddedLedger;
let wallet: KeyPairSigner;
let buy: BuiltTransaction;
let amountOut: bigint;
const clientOf = () => createHeavenClient({ rpc: ledger.rpc });

beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  wallet = await generateKeyPairSigner();
  ledger.setBalance(wallet.address, 5_000_000_000n);
  const { mint, configVersion } = ledger.pools.creator;
  const request = { mint, configVersion, maxSolSpend: 1, slippageBps: 50 };
  const quoteResponse = await quoteBuy(clientOf(), request);
  amountOut = quoteResponse.details.amountOut;
  buy = await buildBuy(clientOf(), {
    payer: wallet.address,
    quoteResponse,
    encodedUserDefinedEventData: '',
  });
});

/** The ledger's answer as a node writes it: a result, or an error. */
async function ask(method: string, ...params: readonly unknown[]) {
  const payload = { jsonrpc: '2.0', id: 1, method, params };
  return (await ledger.transport({ payload })) as {
    readonly result: never;
    readonly error?: { readonly code: number; readonly message: string };
  };
}
const signed = async (built: BuiltTransaction) =>
  getBase64EncodedWireTransaction((await signTransaction([wallet.keyPair], built.transaction)) as never);
const send = async (built: BuiltTransaction, options = {}): Promise<Signature> =>
  await ledger.rpc.sendTransaction(await signed(built), { encoding: 'base64', ...options }).send();
const balance = () => ledger.getAccount(wallet.address)!.lamports!;
/** A transaction as `getTransaction` gives it, in JSON or in another encoding. */
interface Recorded {
  readonly version: number;
  readonly transaction: readonly string[] & { readonly message: Readonly<Record<string, unknown>> };
  readonly meta: {
    readonly postTokenBalances: readonly { mint: string; owner: string; uiTokenAmount: object }[];
  };
}
const record = async (signature: Signature, config: object): Promise<Recorded> =>
  (await ask('getTransaction', signature, config)).result;

describe('a version 1 transaction on the embedded ledger', () => {
  test('pays the priority fee of its config and does what version 0 does', async () => {
    const signature = await send(asVersion1(buy));
    const config = { encoding: 'base64', maxSupportedTransactionVersion: 1 };
    const found = await record(signature, config);
    expect(found).toMatchObject({ version: 1, meta: { err: null, fee: 6_234n } });
    expect(found.meta).not.toHaveProperty('loadedAddresses');
    const { version, fee, priorityFee, instructions } = parseTransaction(found as never);
    expect({ version, fee, priorityFee }).toEqual({ version: 1, fee: 6_234n, priorityFee: 1_234n });
    expect(instructions.map(({ parsed }) => parsed?.name)).toEqual(['buy']);
    expect(
      found.meta.postTokenBalances.find(
        ({ owner, mint }) => owner === wallet.address && mint === ledger.pools.creator.mint,
      ),
    ).toMatchObject({ uiTokenAmount: { amount: `${amountOut}` } });
  });

  test('is returned only if version 1 is requested', async () => {
    const signature = await send(asVersion1(buy));
    for (const maxSupportedTransactionVersion of [undefined, null, 0, 0n, '1']) {
      const config = { encoding: 'base64', maxSupportedTransactionVersion };
      expect((await ask('getTransaction', signature, config)).error).toMatchObject({
        code: -32015,
        message: expect.stringContaining('"maxSupportedTransactionVersion": 1'),
      });
    }
    for (const maxSupportedTransactionVersion of [1, 1n, 2])
      expect(await record(signature, { maxSupportedTransactionVersion })).toMatchObject({ version: 1 });
  });

  test('has its config in JSON, with null for what is unset, and no lookup tables', async () => {
    const signature = await send(asVersion1(buy));
    const found = await record(signature, { encoding: 'json', maxSupportedTransactionVersion: 1 });
    expect(found.transaction.message).toMatchObject({
      transactionConfig: {
        computeUnitLimit: 200_000,
        heapSize: null,
        loadedAccountsDataSizeLimit: 1_048_576,
        priorityFee: 1_234n,
      },
    });
    expect(found.transaction.message).not.toHaveProperty('addressTableLookups');
    expect(parseTransaction(found as never)).toMatchObject({ version: 1, priorityFee: 1_234n });
    // One that does not say its config: what it paid, without its signature.
    const { transactionConfig: _, ...message } = found.transaction.message;
    const silent = { ...found, transaction: { ...found.transaction, message } };
    expect(parseTransaction(silent as never).priorityFee).toBe(1_234n);
    expect(
      parseTransaction({ ...silent, meta: { ...found.meta, fee: undefined } } as never).priorityFee,
    ).toBeUndefined();
  });

  test('is read strictly from a node that cuts it short or adds to it', async () => {
    const signature = await send(asVersion1(buy));
    const found = await record(signature, { encoding: 'base64', maxSupportedTransactionVersion: 1 });
    const bytes = Buffer.from(found.transaction[0]!, 'base64');
    for (const wrong of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)])]) {
      const transaction = [wrong.toString('base64'), 'base64'];
      expect(() => parseTransaction({ ...found, transaction } as never)).toThrow(
        expect.objectContaining({ code: 'malformed-data' }),
      );
      const inBase58 = [getBase58Decoder().decode(wrong), 'base58'];
      expect(() => parseTransaction({ ...found, transaction: inBase58 } as never)).toThrow(
        expect.objectContaining({ code: 'malformed-data' }),
      );
    }
  });

  test.each<[string, V1TransactionConfig, unknown]>([
    ['no config', {}, 'MaxLoadedAccountsDataSizeExceeded'],
    [
      'a limit of loaded accounts that is too low',
      { ...ENOUGH, loadedAccountsDataSizeLimit: 100 },
      'MaxLoadedAccountsDataSizeExceeded',
    ],
    [
      'no compute units',
      { loadedAccountsDataSizeLimit: 1_048_576 },
      { InstructionError: [0, 'ComputationalBudgetExceeded'] },
    ],
  ])('fails with %s, and pays its fee', async (_, config, err) => {
    const built = asVersion1(buy, config);
    const { value } = await ledger.rpc
      .simulateTransaction(built.tx, { encoding: 'base64', replaceRecentBlockhash: true })
      .send();
    expect(value.err).toEqual(
      JSON.parse(JSON.stringify(err), (_key, item) => (typeof item === 'number' ? BigInt(item) : item)),
    );
    await expect(send(built)).rejects.toThrow();
    const before = balance();
    const signature = await send(built, { skipPreflight: true });
    const fee = 5_000n + (config.priorityFeeLamports ?? 0n);
    expect(before - balance()).toBe(fee);
    expect(await record(signature, { maxSupportedTransactionVersion: 1 })).toMatchObject({
      meta: { err, fee },
    });
  });

  test('takes no limit and no price from compute budget instructions', async () => {
    const dead = [
      getSetComputeUnitLimitInstruction({ units: 1 }),
      getSetComputeUnitPriceInstruction({ microLamports: 1_000_000_000n }),
    ];
    const plain = asVersion1(buy);
    const built = asVersion1(buy, ENOUGH, [...dead, ...plain.instructions]);
    const [without, having] = [await simulate(clientOf(), plain), await simulate(clientOf(), built)];
    expect(having).toMatchObject({ ok: true, fee: 6_234n, computeUnits: without.computeUnits + 300 });
  });

  test('may have more than 1232 bytes', async () => {
    const memo = {
      programAddress: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      data: new Uint8Array(1_500),
    };
    ledger.setBehavior({ scripted: { [memo.programAddress]: 'success' } });
    const built = asVersion1(buy, ENOUGH, [...asVersion1(buy).instructions, memo as never]);
    expect(built.size).toBeGreaterThan(1_232);
    expect(await send(built)).toEqual(expect.any(String));
  });

  test('is simulated with limits to set', async () => {
    const built = asVersion1(buy);
    const simulation = await simulate(clientOf(), built);
    if (!simulation.ok) throw new Error(simulation.error.message);
    const { loadedAccountsDataSize, suggestedLoadedAccountsDataSizeLimit, suggestedComputeUnitLimit } =
      simulation;
    // The accounts of the ledger that it names, 64 bytes each beside their data.
    const named = new Set([
      wallet.address,
      ...built.instructions.flatMap((one) => [
        one.programAddress,
        ...(one.accounts ?? []).map(({ address }) => address),
      ]),
    ]);
    const size = [...named].reduce((bytes, address) => {
      const account = ledger.getAccount(address);
      return account === undefined ? bytes : bytes + 64 + account.data.length;
    }, 0);
    expect(loadedAccountsDataSize).toBe(size);
    expect(suggestedLoadedAccountsDataSizeLimit).toBe(32_768);
    const tight = asVersion1(buy, {
      computeUnitLimit: suggestedComputeUnitLimit,
      loadedAccountsDataSizeLimit: suggestedLoadedAccountsDataSizeLimit!,
    });
    expect(await simulate(clientOf(), tight)).toMatchObject({ ok: true, fee: 5_000n });
  });

  test('gets a fresh block hash and nothing else', async () => {
    const built = asVersion1(buy);
    ledger.setSlot(ledger.slot + 200n);
    await expect(send(built)).rejects.toThrow();
    const fresh = await refreshLifetime(clientOf(), built);
    const [was, is] = [built, fresh].map(({ tx }) => Buffer.from(tx, 'base64'));
    // The lifetime stands behind the version, the header and the mask.
    expect(is!.subarray(0, 8)).toEqual(was!.subarray(0, 8));
    expect(is!.subarray(8, 40)).not.toEqual(was!.subarray(8, 40));
    expect(is!.subarray(40)).toEqual(was!.subarray(40));
    expect(fresh.requiredSigners).toEqual([wallet.address]);
    const before = balance();
    await send(fresh);
    expect(before - balance()).toBeGreaterThan(6_234n);
  });
});

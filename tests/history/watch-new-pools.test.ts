import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  partiallySignTransaction,
  type Signature,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  buildCreateStandardLiquidityPool,
  buildProCreate,
  listTrades,
  type NewPool,
  toCandles,
  toPosition,
  type WatchNewPoolsOptions,
  watchNewPools,
  watchTrades,
} from '../../src/index.js';
import { findAssociatedTokenAddress } from '../../src/solana/derived-addresses.js';
import { LAUNCHES } from '../mainnet/facts.js';
import { node, pass, trade, useFaultyNode } from '../support/faulty-node.js';
import { launchOf, openConfigTwo } from '../support/ledger.js';

useFaultyNode();

/** Signs and sends what was built, with a mint that may have signed already. */
async function sendBuilt({ transaction }: BuiltTransaction, keyPair: CryptoKeyPair): Promise<Signature> {
  const signed = await partiallySignTransaction([keyPair], transaction);
  const tx = getBase64EncodedWireTransaction(signed);
  return await node.ledger.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
}

async function launch(wallet: KeyPairSigner, configVersion: 1 | 2, purchase = {}) {
  const built = await buildCreateStandardLiquidityPool(node.client, {
    ...launchOf(wallet.address, node.ledger),
    configVersion,
    mintSigner: await generateKeyPairSigner(),
    ...purchase,
  });
  return { mint: built.mint, pool: built.pool, signature: await sendBuilt(built, wallet.keyPair) };
}

async function createPro(wallet: KeyPairSigner) {
  const { mint, tokenProgram } = node.ledger.pools.pro;
  const account = await findAssociatedTokenAddress({ owner: wallet.address, mint, tokenProgram });
  node.ledger.setTokenAccount(account, tokenProgram, { mint, owner: wallet.address, amount: 10n ** 15n });
  const built = await buildProCreate(node.client, {
    payer: wallet.address,
    creator: wallet.address,
    configVersion: 3,
    mint,
    initialTokenAAmount: 4_000_000_000_000n,
    initialTokenBAmount: 9_000_000_000n,
    lutAddress: node.ledger.lookupTables.community,
  });
  return { mint, pool: built.pool, signature: await sendBuilt(built, wallet.keyPair) };
}

describe('a watch of new pools', () => {
  let wallet: KeyPairSigner;
  beforeEach(async () => {
    wallet = await generateKeyPairSigner();
    node.ledger.setBalance(wallet.address, 100_000_000_000n);
  });
  const collectPools = (options: WatchNewPoolsOptions = {}) => {
    const found: NewPool[] = [];
    void (async () => {
      for await (const pool of watchNewPools(node.client, { abortSignal: node.stop.signal, ...options }))
        found.push(pool);
    })();
    return found;
  };

  test('gives launches and pro pools, and reads no trades', async () => {
    const reads: unknown[] = [];
    node.twist = (method, result, [first]) => {
      if (method === 'getTransaction') reads.push(first);
      return result;
    };
    const all = collectPools();
    const pros = collectPools({ kind: 'pro' });
    const creators = collectPools({ configVersion: 2 });
    await pass(1);
    await trade(2);
    const one = await launch(wallet, 1);
    openConfigTwo(node.ledger);
    const two = await launch(wallet, 2);
    await trade(1);
    const pro = await createPro(wallet);
    await pass(30_000);
    const creator = wallet.address;
    const about = { creator, slot: node.ledger.slot, blockTime: node.ledger.unixTimestamp };
    const expected = [
      { ...one, kind: 'standard', configVersion: 1, creator },
      { ...two, kind: 'standard', configVersion: 2, creator },
      { ...pro, kind: 'pro', configVersion: 3, ...about },
    ];
    expect(all).toMatchObject(expected);
    expect(pros).toMatchObject(expected.slice(2));
    expect(creators).toMatchObject(expected.slice(1, 2));
    expect(new Set(reads)).toEqual(new Set([one.signature, two.signature, pro.signature]));
  });

  test('gives pools created while the connection was lost', async () => {
    const all = collectPools();
    await pass(1);
    node.ledger.subscriptions.dropAll();
    await trade(1);
    const one = await launch(wallet, 1);
    await trade(1);
    await pass(2_000);
    // The node kept no logs of it.
    node.fate = () => 'bare';
    const two = await launch(wallet, 1);
    await pass(1);
    expect(all.map(({ mint }) => mint)).toEqual([one.mint, two.mint]);
  });
});

// As recorded on mainnet: what was bought, and what was paid for it, without a fee.
test.each(LAUNCHES)("a launch's purchase of %d units is a trade of %d lamports", async (tokens, lamports) => {
  const wallet = await generateKeyPairSigner();
  node.ledger.setBalance(wallet.address, 100_000_000_000n);
  const mintSigner = await generateKeyPairSigner();
  const { address: mint } = mintSigner;
  const source = { configVersion: 1, mint };
  const watch = watchTrades(node.client, { ...source, abortSignal: node.stop.signal });
  const watched = watch.next();
  await pass(1_000);
  const purchase = { initialPurchaseAmount: tokens, maxSolSpend: 5, mintSigner };
  const { pool, signature } = await launch(wallet, 1, purchase);
  const { trades } = await listTrades(node.client, { pool });
  const about = { side: 'buy', kind: 'standard', pool, mint, user: wallet.address, signature, unproven: [] };
  const amounts = { amountIn: lamports, amountOut: tokens, totalFee: 0n, transferFee: 0n, decimals: 9 };
  expect(trades).toMatchObject([{ ...about, ...amounts, price: { lamports, tokenUnits: tokens } }]);
  const [candle] = toCandles(trades);
  const price = { lamports, tokenUnits: tokens };
  expect(candle).toMatchObject({ open: price, close: price, volume: { ...price, isComplete: true } });
  expect(toPosition(trades, wallet.address)).toMatchObject({ held: tokens, cost: lamports, unproven: [] });
  await pass(20_000);
  expect(await watched).toEqual({ done: false, value: trades[0] });

  // What a node leaves out or says twice is unknown, but for the fee: a purchase has none.
  const none = { amountIn: undefined, amountOut: undefined, transferFee: undefined, price: undefined };
  type Inner = { instructions: object[] };
  const twice = ({ instructions }: Inner) => ({ instructions: [...instructions, ...instructions] });
  for (const [change, unknown] of [
    [() => ({ logMessages: null }), { event: undefined }],
    [() => ({ innerInstructions: null }), { ...none, unproven: [/inner instructions/] }],
    [
      (inner: Inner[]) => ({ innerInstructions: inner.map((each) => ({ ...each, ...twice(each) })) }),
      { ...none, unproven: [/balances changed/, /2 payments/] },
    ],
  ] as const) {
    node.twist = (method, result: { meta: { innerInstructions: Inner[] } }) =>
      method === 'getTransaction'
        ? { ...result, meta: { ...result.meta, ...change(result.meta.innerInstructions) } }
        : result;
    const page = await listTrades(node.client, { pool });
    const { unproven = [], ...rest } = unknown as { readonly unproven?: readonly RegExp[] };
    const reasons = unproven.map((reason) => expect.stringMatching(reason));
    expect(page.trades).toMatchObject([{ ...about, ...amounts, ...rest, unproven: reasons }]);
  }
});

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
  type NewPool,
  type WatchNewPoolsOptions,
  watchNewPools,
} from '../../src/index.js';
import { findAssociatedTokenAddress } from '../../src/solana/derived-addresses.js';
import { node, pass, trade, useFaultyNode } from '../support/faulty-node.js';
import { launchOf, openConfigTwo } from '../support/ledger.js';

useFaultyNode();

/** Signs and sends what was built, with a mint that may have signed already. */
async function sendBuilt({ transaction }: BuiltTransaction, keyPair: CryptoKeyPair): Promise<Signature> {
  const signed = await partiallySignTransaction([keyPair], transaction);
  const tx = getBase64EncodedWireTransaction(signed);
  return await node.ledger.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
}

async function launch(wallet: KeyPairSigner, configVersion: 1 | 2) {
  const built = await buildCreateStandardLiquidityPool(node.client, {
    ...launchOf(wallet.address, node.ledger),
    configVersion,
    mintSigner: await generateKeyPairSigner(),
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

import {
  type Blockhash,
  createNoopSigner,
  generateKeyPairSigner,
  type ReadonlyUint8Array,
  verifySignature,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { buildCreateStandardLiquidityPool, refreshLifetime } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { buyFor, client, launchOf, ledger, useLedger } from '../support/ledger.js';
import { compiledOf, decodedOf } from '../support/transactions.js';

useLedger();

const trade = () => buyFor(ledger.pools.creator.creator);

async function launch() {
  const mintSigner = await generateKeyPairSigner();
  const input = { ...launchOf(ledger.pools.community.creator), mintSigner };
  return { built: await buildCreateStandardLiquidityPool(client, input), mintSigner };
}

describe('a trade', () => {
  test('stays the same except for its block hash', async () => {
    const built = await trade();
    ledger.setSlot(ledger.slot + 200n);
    const fresh = await refreshLifetime(client, built);
    expect(fresh.lifetime).not.toEqual(built.lifetime);
    expect(fresh.lifetime.lastValidBlockHeight).toBe(ledger.slot + 150n);
    expect(compiledOf(fresh)).toEqual({ ...compiledOf(built), lifetimeToken: fresh.lifetime.blockhash });
    const { size, requiredSigners, instructions, computeBudget } = built;
    expect(fresh).toMatchObject({ size, requiredSigners, instructions, computeBudget });
    expect(fresh.transaction.lifetimeConstraint).toEqual(fresh.lifetime);
    // What was given stays as it was.
    expect(compiledOf(built).lifetimeToken).toBe(built.lifetime.blockhash);
  });

  test('takes a given block hash without a call to the node', async () => {
    const built = await trade();
    const lifetime = { blockhash: '11111111111111111111111111111112' as Blockhash, lastValidBlockHeight: 7n };
    const before = ledger.requests.length;
    const fresh = await refreshLifetime(client, built, { lifetime });
    expect(compiledOf(fresh).lifetimeToken).toBe(lifetime.blockhash);
    expect(fresh.lifetime).toEqual(lifetime);
    expect(ledger.requests.length).toBe(before);
    const broken = { ...lifetime, blockhash: 'none' as Blockhash };
    await expectRefusal(refreshLifetime(client, built, { lifetime: broken }), 'invalid-input');
  });
});

describe('a launch', () => {
  test('keeps its lookup tables, mint and pool, and is signed again by its mint', async () => {
    const { built, mintSigner } = await launch();
    ledger.setSlot(ledger.slot + 10n);
    const fresh = await refreshLifetime(client, built, { mintSigner });
    const { mint, pool, maxLamportSpend } = built;
    expect(fresh).toMatchObject({ mint, pool, maxLamportSpend });
    expect(compiledOf(fresh)).toEqual({ ...compiledOf(built), lifetimeToken: fresh.lifetime.blockhash });
    const { signatures, messageBytes } = decodedOf(fresh);
    const { publicKey } = mintSigner.keyPair;
    const isValid = (bytes: ReadonlyUint8Array) => verifySignature(publicKey, signatures[mint]!, bytes);
    expect(await isValid(messageBytes)).toBe(true);
    expect(await isValid(decodedOf(built).messageBytes)).toBe(false);
    expect(Object.keys(fresh.transaction.signatures)).toEqual(Object.keys(built.transaction.signatures));
    expect(fresh.requiredSigners).toEqual(built.requiredSigners);
  });

  test('is rejected without the signer of its mint; the error names the mint', async () => {
    const { built } = await launch();
    const before = ledger.requests.length;
    // Another signer's signature is no substitute.
    for (const signers of [[], built.requiredSigners.map(createNoopSigner)]) {
      const refreshing = refreshLifetime(client, built, { signers });
      const { context } = await expectRefusal(refreshing, 'invalid-transaction:signers');
      expect(context).toEqual({ reason: 'another block hash voids signatures', signers: [built.mint] });
    }
    expect(ledger.requests.length).toBe(before);
  });

  test('rejects a signer that it does not need, and a value that is not a signer', async () => {
    const { built, mintSigner } = await launch();
    const other = await generateKeyPairSigner();
    for (const [options, context] of [
      [{ mintSigner: other }, { field: 'mintSigner', value: other.address }],
      [{ mintSigner, signers: [{ address: built.mint }] }, { field: 'signers[0]' }],
      [{ signers: 1 }, { field: 'signers' }],
    ])
      await expectRefusal(refreshLifetime(client, built, options as never), 'invalid-input', context);
  });
});

test('a wallet that signs right away is accepted, and its signature is not lost later', async () => {
  const payer = await generateKeyPairSigner();
  const signed = await refreshLifetime(client, await buyFor(payer.address), { signers: [payer] });
  expect(signed.requiredSigners).toEqual([]);
  const context = { signers: [payer.address] };
  await expectRefusal(refreshLifetime(client, signed), 'invalid-transaction:signers', context);
});

import { getTransactionDecoder, getTransactionEncoder, signTransaction } from '@solana/kit';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';

import { createWorld } from '../svm/harness.js';
import { buy, STRATEGIES, sell } from '../svm/trades.js';

describe.each([
  ['buy', buy],
  ['sell', sell],
] as const)('a %s', (_, trade) => {
  test.each(STRATEGIES)(
    'with wrapSol %s is read, signed and written by web3.js 1.x as by kit, and runs',
    async (wrapSol) => {
      const world = await createWorld('creator');
      world.giveTokens(10_000_000_000_000_000n);
      const { tx, transaction, lifetime, requiredSigners } = (await trade(world, { wrapSol })).built;
      const theirs = VersionedTransaction.deserialize(Buffer.from(tx, 'base64'));
      expect(Buffer.from(theirs.serialize()).toString('base64')).toBe(tx);
      const { staticAccountKeys, header, recentBlockhash, addressTableLookups } = theirs.message;
      expect(recentBlockhash).toBe(lifetime.blockhash);
      expect(staticAccountKeys.slice(0, header.numRequiredSignatures).map(String)).toEqual(requiredSigners);
      expect(addressTableLookups).toEqual([]);
      theirs.sign([Keypair.fromSeed(world.seed)]);
      const byKit = await signTransaction([world.wallet.keyPair], transaction);
      expect([...theirs.serialize()]).toEqual([...getTransactionEncoder().encode(byKit)]);
      world.sendSigned(getTransactionDecoder().decode(theirs.serialize()));
    },
  );
});

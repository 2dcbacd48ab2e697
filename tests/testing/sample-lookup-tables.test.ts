import {
  type Address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  signTransaction,
} from '@solana/kit';
import { expect, test } from 'vitest';

import { buildCreateStandardLiquidityPool, buildProCreate, createHeavenClient } from '../../src/index.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { ownWarnings } from '../support/warnings.js';

const sample = await createEmbeddedLedger();
const { pools, lookupTables } = sample;
const mintSigner = await generateKeyPairSigner();

/** The transaction that creates a pool of a config version, with a table. */
const creating = (
  configVersion: number,
  lutAddress: Address,
  payer = pools.creator.creator,
  { rpc } = sample,
) => {
  const client = createHeavenClient({ rpc });
  const common = { payer, creator: payer, configVersion, lutAddress, encodedUserDefinedEventData: '' };
  if (configVersion === 3) {
    const amounts = { initialTokenAAmount: 1_000_000n, initialTokenBAmount: 1_000_000n };
    return buildProCreate(client, { ...common, ...amounts, mint: pools.creator.mint });
  }
  const token = { name: 'A', symbol: 'A', uri: 'https://example.com/a.json' };
  return buildCreateStandardLiquidityPool(client, {
    ...common,
    ...token,
    initialPurchaseAmount: 0n,
    mintSigner: async () => mintSigner,
  });
};

test.each([
  [1, lookupTables.community, lookupTables.pro],
  [2, lookupTables.creator, lookupTables.community],
  [3, lookupTables.pro, lookupTables.community],
])('config %i has a lookup table that serves it', async (configVersion, own, another) => {
  const built = await creating(configVersion, own);
  expect(ownWarnings(built).map(({ code }) => code)).toEqual([]);
  const other = await creating(configVersion, another);
  expect(ownWarnings(other).map(({ code }) => code)).toEqual(['useless-lookup-table']);
  // The config and its vault, as an index each in place of an address.
  expect(other.size - built.size).toBe(2 * 31);
});

test('a launch is recorded with the addresses that it looked up', async () => {
  const ledger = await createEmbeddedLedger();
  const wallet = await generateKeyPairSigner();
  ledger.setBalance(wallet.address, 10_000_000_000n);
  const built = await creating(1, lookupTables.community, wallet.address, ledger);
  const signed = await signTransaction([wallet.keyPair, mintSigner.keyPair], built.transaction);
  const tx = getBase64EncodedWireTransaction(signed);
  const signature = await ledger.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
  const config = { encoding: 'base64', maxSupportedTransactionVersion: 0 } as const;
  const record = await ledger.rpc.getTransaction(signature, config).send();
  const { protocolConfig, tokenBVault } = pools.community;
  const { writable, readonly } = record!.meta!.loadedAddresses!;
  expect([...writable].sort()).toEqual([protocolConfig, tokenBVault].sort());
  expect(readonly).toContain(WRAPPED_SOL_MINT_ADDRESS);
});

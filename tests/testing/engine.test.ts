import { type Base64EncodedWireTransaction, generateKeyPairSigner } from '@solana/kit';
import { expect, test, vi } from 'vitest';
import { HEAVEN_PROGRAM_ADDRESS, SOL_USD_FEED_ADDRESS } from '../../src/program/index.js';
import { encodeClock, encodePriceFeed } from '../../src/testing/encode.js';
import { createEmptyLedger, type EngineOutcome, type TransactionEngine } from '../../src/testing/index.js';
import { CLOCK_SYSVAR_ADDRESS } from '../support/addresses.js';
import { transferTo } from '../support/transfer.js';

const wallet = await generateKeyPairSigner();
const other = await generateKeyPairSigner();

/** An engine that counts its runs, and says what it is told to. */
function scriptedEngine(outcome: Partial<EngineOutcome> = {}) {
  const seen: { slot: bigint; tx: Base64EncodedWireTransaction }[] = [];
  const engine: TransactionEngine = {
    run: async ({ slot }, tx) => {
      seen.push({ slot, tx });
      const success = { err: null, logs: ['Program log: mine'], unitsConsumed: 42n, fee: 5_000n };
      return { ...success, loadedAccountsDataSize: 0, accounts: new Map(), ...outcome };
    },
  };
  return { engine, seen };
}

test('an empty ledger begins at its clock and continues from there, 200 ms a slot', () => {
  const ledger = createEmptyLedger({ clock: { slot: 863_999n, unixTimestamp: 1_700_000_000n } });
  const clock = () => ledger.getAccount(CLOCK_SYSVAR_ADDRESS)?.data;
  expect(clock()).toEqual(encodeClock({ slot: 863_999n, epoch: 1n, unixTimestamp: 1_700_000_000n }));
  ledger.setSlot(864_019n);
  expect(clock()).toEqual(encodeClock({ slot: 864_019n, epoch: 2n, unixTimestamp: 1_700_000_004n }));
});

test('a custom engine runs what is executed, simulated and sent, and commits once', async () => {
  const keep = vi.fn();
  const account = { owner: HEAVEN_PROGRAM_ADDRESS, data: Uint8Array.of(7), lamports: 9n };
  const { engine, seen } = scriptedEngine({ accounts: new Map([[other.address, account]]), keep });
  const ledger = createEmptyLedger({ engine });
  const { value: blockhash } = await ledger.rpc.getLatestBlockhash().send();
  const tx = await transferTo(other.address, 1n, wallet, blockhash);

  const { value } = await ledger.rpc.simulateTransaction(tx, { encoding: 'base64' }).send();
  expect(value).toMatchObject({ err: null, logs: ['Program log: mine'], unitsConsumed: 42n });
  expect(keep).not.toHaveBeenCalled();
  expect(ledger.getAccount(other.address)).toBeUndefined();

  expect(await ledger.execute(tx)).not.toHaveProperty('keep');
  expect(keep).toHaveBeenCalledTimes(1);
  expect(ledger.getAccount(other.address)).toEqual(account);

  ledger.setSlot(ledger.slot + 1n);
  await ledger.rpc.sendTransaction(tx, { encoding: 'base64', skipPreflight: true }).send();
  expect(keep).toHaveBeenCalledTimes(2);
  expect(seen).toEqual([411_354_049n, 411_354_049n, 411_354_050n].map((slot) => ({ slot, tx })));
});

test('setting the price keeps the rest of the feed', () => {
  const ledger = createEmptyLedger();
  const owner = HEAVEN_PROGRAM_ADDRESS;
  const feed = encodePriceFeed({ price: '80', slot: 1n, timestamp: 1n });
  feed.set([9, 9, 9, 9], 143);
  ledger.setAccount(SOL_USD_FEED_ADDRESS, { owner, data: feed.slice(), lamports: 77n });
  ledger.setSolPrice('123.45');
  const data = encodePriceFeed({ price: '123.45', slot: ledger.slot, timestamp: ledger.unixTimestamp - 2n });
  data.set([9, 9, 9, 9], 143);
  expect(ledger.getAccount(SOL_USD_FEED_ADDRESS)).toEqual({ owner, data, lamports: 77n });
});

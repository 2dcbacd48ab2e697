import { type Address, decompileTransactionMessage, type Instruction } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  assertTransactionMatches,
  type BuildBuyInput,
  buildBuy,
  inspectTransaction,
  quoteBuy,
  type TransactionOptions,
} from '../../src/index.js';
import { addressOfByte, STRANGER, WALLET } from '../support/addresses.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { compiledOf } from '../support/transactions.js';

useLedger();

const DONT_FRONT = 'jitodontfront111111111111111111111111111111';
const SYSTEM = '11111111111111111111111111111111';
const TIP = { to: STRANGER, lamports: 123_456n };
const memo: Instruction = { programAddress: addressOfByte(9), data: new Uint8Array([1]) };

const inputWith = async (options: TransactionOptions): Promise<BuildBuyInput> => {
  const { mint, configVersion } = ledger.pools.creator;
  const terms = { configVersion, mint, maxSolSpend: '1', slippageBps: 50 };
  const quoteResponse = await quoteBuy(client, terms);
  return { payer: WALLET, quoteResponse, encodedUserDefinedEventData: '', ...options };
};

/** The instructions as they are on the wire. */
async function instructionsWith(options: TransactionOptions): Promise<readonly Instruction[]> {
  const { tx } = await buildBuy(client, await inputWith(options));
  const { instructions } = decompileTransactionMessage(compiledOf(tx), { addressesByLookupTableAddress: {} });
  return instructions as readonly Instruction[];
}

/** A transfer as the System program reads it: u32 2, u64 lamports. */
const transferOf = (to: Address, lamports: bigint, more: readonly object[] = []) => {
  const data = new Uint8Array(12);
  data[0] = 2;
  new DataView(data.buffer).setBigUint64(4, lamports, true);
  const accounts = [{ address: WALLET, role: 3 }, { address: to, role: to === WALLET ? 3 : 1 }, ...more];
  return { programAddress: SYSTEM, accounts, data };
};
const MARK = { address: DONT_FRONT, role: 0 };

describe.each([0, 1] as const)('in version %d', (transactionVersion) => {
  test('a tip is one transfer, after everything else', async () => {
    const plain = await instructionsWith({ transactionVersion, after: [memo] });
    const tipped = await instructionsWith({ transactionVersion, after: [memo], tip: TIP });
    expect(tipped.slice(0, -1)).toEqual(plain);
    expect(tipped.at(-1)).toEqual(transferOf(STRANGER, 123_456n));
  });

  test('dontFront adds a read-only account to the tip', async () => {
    const marked = await instructionsWith({ transactionVersion, tip: TIP, dontFront: true });
    expect(marked.at(-1)).toEqual(transferOf(STRANGER, 123_456n, [MARK]));
    const tipped = await instructionsWith({ transactionVersion, tip: TIP });
    expect(marked.slice(0, -1)).toEqual(tipped.slice(0, -1));
  });

  test('without a tip, dontFront pays nothing', async () => {
    const marked = await instructionsWith({ transactionVersion, dontFront: true });
    expect(marked.at(-1)).toEqual(transferOf(WALLET, 0n, [MARK]));
    expect(marked.slice(0, -1)).toEqual(await instructionsWith({ transactionVersion, dontFront: false }));
  });

  test('the defaults change nothing', async () => {
    expect(await instructionsWith({ transactionVersion, tip: null, dontFront: null })).toEqual(
      await instructionsWith({ transactionVersion }),
    );
  });
});

describe('before it is signed', () => {
  const intentOf = (input: BuildBuyInput) => ({ function: 'buildBuy', input }) as const;

  test('a requested tip gives no warning', async () => {
    const input = await inputWith({ tip: TIP, dontFront: true });
    const { tx } = await buildBuy(client, input);
    expect((await assertTransactionMatches(tx, intentOf(input), { client })).warnings).toEqual([]);
    const told = await inspectTransaction(tx, { client, owner: WALLET, recipients: [STRANGER] });
    expect(told.warnings).toEqual([]);
    expect(told.credits).toContainEqual(expect.objectContaining({ account: STRANGER, amount: 123_456n }));
  });

  test('an unrequested tip gives a warning', async () => {
    const { tx } = await buildBuy(client, await inputWith({ tip: TIP }));
    const { warnings } = await inspectTransaction(tx, { client, owner: WALLET });
    expect(warnings).toMatchObject([{ code: 'unknown-recipient' }]);
  });

  test('dontFront alone pays nobody', async () => {
    const { tx } = await buildBuy(client, await inputWith({ dontFront: true }));
    expect((await inspectTransaction(tx, { client, owner: WALLET })).warnings).toEqual([]);
  });
});

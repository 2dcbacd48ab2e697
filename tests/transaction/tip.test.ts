import type { Address, Instruction } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import type { TransactionOptions } from '../../src/index.js';
import { addressOfByte, STRANGER, WALLET } from '../support/addresses.js';
import { buyFor, useLedger } from '../support/ledger.js';
import { messageOf } from '../support/transactions.js';

useLedger();

const DONT_FRONT = 'jitodontfront111111111111111111111111111111';
const SYSTEM = '11111111111111111111111111111111';
const TIP = { to: STRANGER, lamports: 123_456n };
const memo: Instruction = { programAddress: addressOfByte(9), data: new Uint8Array([1]) };

/** The instructions as they are on the wire. */
const instructionsWith = async (options: TransactionOptions): Promise<readonly Instruction[]> =>
  messageOf(await buyFor(WALLET, options)).instructions;

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
});

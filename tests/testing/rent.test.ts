import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, test } from 'vitest';
import { computeRentExemption } from '../../src/program/index.js';

import { RENT_SYSVAR_ADDRESS } from '../../src/solana/programs.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { STRANGER, WALLET } from '../support/addresses.js';
import { SOL } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { buyFor, ledger, useLedger } from '../support/ledger.js';

useLedger();

const minimumOf = (size: bigint) => ledger.rpc.getMinimumBalanceForRentExemption(size).send();
const lamportsOf = (address: Address) => ledger.getAccount(address)?.lamports;
const sysvarOf = (of: EmbeddedLedger) =>
  Buffer.from(of.getAccount(RENT_SYSVAR_ADDRESS)?.data ?? []).toString('hex');

describe('the rent of a ledger', () => {
  test("is mainnet's, unless it is set", async () => {
    expect(await minimumOf(165n)).toBe(1_488_440n);
    expect(sysvarOf(ledger)).toBe('d813000000000000000000000000f03f32');
    expect(lamportsOf(RENT_SYSVAR_ADDRESS)).toBe((128n + 17n) * 5_080n);
    ledger.setRent(2_575n);
    expect(await minimumOf(165n)).toBe(754_475n);
    expect(sysvarOf(ledger)).toBe('0f0a000000000000000000000000f03f32');
    const other = await createEmbeddedLedger({ lamportsPerByte: 6_960n });
    expect(sysvarOf(other)).toBe('301b000000000000000000000000f03f32');
    const { data, lamports } = other.getAccount(other.pools.pro.mint)!;
    expect(lamports).toBe(computeRentExemption(data.length, 6_960n));
  });

  test('changes nothing in existing accounts', async () => {
    const { mint, pool } = ledger.pools.creator;
    const before = [mint, pool].map(lamportsOf);
    ledger.setRent(696n);
    ledger.setReserves(pool, { tokenA: 1n });
    expect([mint, pool].map(lamportsOf)).toEqual(before);
    ledger.setAccount(STRANGER, { owner: WALLET, data: new Uint8Array(165) });
    expect(lamportsOf(STRANGER)).toBe(203_928n);
  });

  test.each([0n, -1n, 100_001n, 5_080 as unknown as bigint])('is rejected at %s', async (rate) => {
    const context = { field: 'lamportsPerByte', value: rate };
    await expectRefusal(() => ledger.setRent(rate), 'invalid-input', context);
    await expectRefusal(() => createEmbeddedLedger({ lamportsPerByte: rate }), 'invalid-input', context);
  });
});

describe('what an account must hold at the end of a transaction', () => {
  const LEAST = 650_240n;
  /** Runs transfers in a buy by somebody else, and gives what becomes of it. */
  async function resultOf(...before: readonly Instruction[]): Promise<unknown> {
    const { tx } = await buyFor(ledger.pools.creator.creator, { before });
    return (await ledger.execute(tx)).err;
  }
  const transfer = (from: Address, to: Address, amount: bigint) =>
    getTransferSolInstruction({ source: createNoopSigner(from), destination: to, amount });
  const POOR = { InsufficientFundsForRent: { account_index: expect.any(Number) } };

  test('one that has less than the rent: what it had before, or nothing', async () => {
    ledger.setBalance(STRANGER, LEAST - 10n);
    ledger.setBalance(WALLET, SOL);
    expect(await resultOf(transfer(STRANGER, WALLET, 1n))).toEqual(POOR);
    expect(await resultOf(transfer(STRANGER, WALLET, 1n), transfer(WALLET, STRANGER, 1n))).toBeNull();
    expect(await resultOf(transfer(WALLET, STRANGER, 1n))).toBeNull();
    expect(lamportsOf(STRANGER)).toBe(LEAST - 9n);
    expect(await resultOf(transfer(STRANGER, WALLET, LEAST - 9n))).toBeNull();
    expect(lamportsOf(STRANGER)).toBeUndefined();
  });

  test('one that has more: the rent of today', async () => {
    ledger.setRent(6_960n);
    ledger.setBalance(WALLET, SOL);
    ledger.setBalance(STRANGER, 890_880n);
    ledger.setRent(5_080n);
    expect(await resultOf(transfer(STRANGER, WALLET, 890_880n - LEAST + 1n))).toEqual(POOR);
    expect(await resultOf(transfer(STRANGER, WALLET, 890_880n - LEAST))).toBeNull();
  });
});

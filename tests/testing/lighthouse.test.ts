import { type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { findAssociatedTokenAddress } from '../../src/program/index.js';
import { encodeTokenAccount } from '../../src/testing/index.js';
import { GUARDS, guard, LIGHTHOUSE, partsOf, unsigned } from '../review/signed-support.js';
import type { Mutable } from '../review/support.js';
import { buyFor, client, ledger, useLedger } from '../support/ledger.js';

// What the embedded ledger makes of the assertions that wallets add.

useLedger();

const FAILED = { Custom: 6001 };
let payer: Address;
let tokens: Address;
let tx: string;

beforeEach(async () => {
  payer = (await generateKeyPairSigner()).address;
  ledger.setBalance(payer, 5_000_000_000n);
  const { mint, tokenProgram } = ledger.pools.creator;
  tokens = await findAssociatedTokenAddress({ owner: payer, mint, tokenProgram });
  ({ tx } = await buyFor(payer));
});

/** Runs the buy with guards before and after it. */
function run(before: readonly Mutable[], after: readonly Mutable[]) {
  const parts = partsOf(tx);
  return ledger.execute(
    unsigned({ ...parts, instructions: [...before, ...parts.instructions, ...after] }) as never,
  );
}

describe('what holds', () => {
  test('the shapes that Phantom uses, before and after a buy', async () => {
    const { err, logs } = await run(
      [GUARDS.system(payer), GUARDS.missing(tokens)],
      [GUARDS.payer(payer, 3_900_000_000n), GUARDS.tokenAfter(tokens, 1n), GUARDS.tokenBefore(tokens)],
    );
    expect(err).toBeNull();
    expect(logs.filter((line) => line.startsWith(`Program ${LIGHTHOUSE} consumed`))).toHaveLength(5);
    expect(ledger.getAccount(tokens)).toBeDefined();
  });

  test('each comparison, of the balance', async () => {
    // The compute budget's two instructions follow, so that the fee stays: it is paid before the first instruction.
    const simulated = async (guards: readonly Mutable[]) => {
      const parts = partsOf(tx);
      const instructions = [...guards, ...parts.instructions.slice(0, 2)];
      const config = { encoding: 'base64', sigVerify: false } as const;
      const wire = unsigned({ ...parts, instructions }) as never;
      return (await client.rpc.simulateTransaction(wire, config).send()).value;
    };
    const held = 5_000_000_000n - (await run([], [])).fee;
    ledger.setBalance(payer, 5_000_000_000n);
    const balance = (value: bigint, operator: number) => {
      const data = GUARDS.payer(payer, value).data.slice(3, 13);
      return guard([payer], 5, 4, ...data.slice(0, 9), operator);
    };
    const holds: Readonly<Record<number, readonly [below: boolean, equal: boolean, above: boolean]>> = {
      0: [false, true, false],
      1: [true, false, true],
      2: [true, false, false],
      3: [false, false, true],
      4: [true, true, false],
      5: [false, true, true],
    };
    for (const [operator, expected] of Object.entries(holds))
      for (const [index, value] of [held - 1n, held, held + 1n].entries()) {
        const { err } = await simulated([balance(value, Number(operator))]);
        expect(err === null, `${operator} ${value}`).toBe(expected[index]);
      }
  });
});

describe('what does not', () => {
  test.each<[string, (tokens: Address) => Mutable]>([
    ['too little SOL', () => GUARDS.payer(payer, 4_500_000_000n)],
    ['another program', (account) => GUARDS.system(account)],
    ['another owner', () => GUARDS.owner(payer, LIGHTHOUSE)],
    ['an account that is there', (account) => GUARDS.missing(account)],
    ['too few tokens', (account) => GUARDS.tokenAfter(account, 2n ** 63n)],
  ])('%s fails the whole transaction', async (_, make) => {
    const index = partsOf(tx).instructions.length;
    const { err, logs } = await run([], [make(tokens)]);
    expect(err).toEqual({ InstructionError: [index, FAILED] });
    expect(logs.at(-2)).toMatch(/^Program log: Assertion failed: |^Program L2T/);
    expect(ledger.getAccount(tokens)).toBeUndefined();
  });

  test('an unsupported assertion says so, and does not pass', async () => {
    for (const one of [
      guard([payer], 7, 4, 0, 0, 0),
      guard([payer], 5, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4),
      guard([payer], 6, 4, 1, 0, 1),
      // Of the slot.
      guard([], 15, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3),
      guard([LIGHTHOUSE, payer, tokens], 1, 0, 0),
    ]) {
      const { err, logs } = await run([one], []);
      expect(err).toEqual({ InstructionError: [0, 'UnsupportedProgramId'] });
      expect(logs.join('\n')).toContain('Not emulated: the embedded ledger does not run');
    }
    expect((await run([guard([payer, tokens], 6, 4, 0)], [])).err).toEqual({
      InstructionError: [0, 'InvalidInstructionData'],
    });
  });

  test('a token account with a delegate, or none where tokens are asserted', async () => {
    const { mint, tokenProgram } = ledger.pools.creator;
    const data = encodeTokenAccount({ mint, owner: payer, amount: 0n });
    ledger.setAccount(tokens, { owner: tokenProgram, data });
    expect((await run([GUARDS.tokenBefore(tokens)], [])).err).toBeNull();
    const delegated = data.slice();
    delegated[72] = 1;
    delegated.fill(9, 76, 108);
    ledger.setAccount(tokens, { owner: tokenProgram, data: delegated });
    expect((await run([GUARDS.tokenBefore(tokens)], [])).err).toEqual({ InstructionError: [0, FAILED] });
    const { err } = await run([GUARDS.tokenAfter(payer)], []);
    expect(err).toEqual({ InstructionError: [0, 'InvalidAccountData'] });
  });
});

import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { inspectTransaction } from '../../src/index.js';
import { GUARDS, guard, LIGHTHOUSE, unsigned } from './signed-support.js';
import { draftOf, type Mutable, wallet } from './support.js';

const { address: payer } = await wallet(1);
const { address: account } = await wallet(2);
const { address: memory } = await wallet(3);
const SYSTEM = '11111111111111111111111111111111';
const SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address;

const inspect = (...instructions: readonly Mutable[]) =>
  inspectTransaction(unsigned(draftOf(instructions, payer)), { owner: payer });

const wordsFor = async (instruction: Mutable) => (await inspect(instruction)).instructions[0]!.description;

describe('an assertion', () => {
  // By their number and accounts: each of the 16 assertions, as Lighthouse's published clients list them.
  const COUNTS = [1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 3, 1];
  test.each(COUNTS.map((count, index) => [index + 2, count]))('%i takes %i accounts', async (kind, count) => {
    for (const given of [0, 1, 2, 3, 4]) {
      const accounts = Array.from({ length: given }, () => account);
      const { instructions } = await inspect(guard(accounts, kind, 4));
      expect(instructions[0]!.program, `${given}`).toBe(given === count ? 'lighthouse' : undefined);
    }
  });

  test('names its accounts', async () => {
    const expected = 'as the wallet that added this expects';
    const one = await wordsFor(GUARDS.payer(account));
    expect(one).toBe(`Fail the transaction unless ${account} is ${expected}`);
    const two = await wordsFor(guard([account, memory], 4, 4));
    expect(two).toBe(`Fail the transaction unless ${account} and ${memory} are ${expected}`);
    expect(await wordsFor(guard([], 15, 4))).toBe(`Fail the transaction unless the clock is ${expected}`);
  });

  test('takes nothing, and warns of nothing', async () => {
    const inspection = await inspect(GUARDS.payer(payer), GUARDS.tokenAfter(account));
    const assertion = { program: 'lighthouse', effects: [] };
    const fee = { amount: 5_000n, instructions: [] };
    expect(inspection).toMatchObject({ instructions: [assertion, assertion], debits: [fee] });
    expect(inspection).toMatchObject({ credits: [], warnings: [] });
  });
});

test.each([
  ['MemoryWrite', [0, 1, 255, 0, 0], [LIGHTHOUSE, SYSTEM as Address], [SYSVAR]],
  ['MemoryClose', [1, 1, 255], [LIGHTHOUSE], []],
])(
  "%s, of Lighthouse's own accounts, is not understood, and the payer warned",
  async (_, data, before, after) => {
    const read = (address: Address) => ({ address, role: AccountRole.READONLY });
    const paying = { address: payer, role: AccountRole.WRITABLE_SIGNER };
    const kept = { address: memory, role: AccountRole.WRITABLE };
    const accounts = [...before.map(read), paying, kept, ...after.map(read)];
    const { instructions, warnings } = await inspect({ ...guard([], ...data), accounts });
    expect(instructions[0]).toMatchObject({ program: undefined, effects: [{ accounts: [payer] }] });
    expect(warnings).toMatchObject([{ code: 'anything', instruction: 0 }]);
  },
);

test.each([[18, 4], []])('an instruction that does not exist is unknown: %j', async (...data) => {
  const { instructions } = await inspect(guard([account], ...data));
  expect(instructions[0]?.program).toBeUndefined();
});

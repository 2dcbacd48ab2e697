import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { inspectTransaction } from '../../src/index.js';
import { fc } from '../support/properties.js';
import { GUARDS, guard, LIGHTHOUSE, unsigned } from './signed-support.js';
import { draftOf, type Mutable, wallet } from './support.js';

const [payer, account, memory] = (await Promise.all([1, 2, 3].map(wallet))).map(({ address }) => address) as [
  Address,
  Address,
  Address,
];
const SYSTEM = '11111111111111111111111111111111';
const SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address;

const inspect = (...instructions: readonly Mutable[]) =>
  inspectTransaction(unsigned(draftOf(instructions, payer)), { owner: payer });

const wordsFor = async (instruction: Mutable) => (await inspect(instruction)).instructions[0]!.description;

describe('assertions in words', () => {
  const amount = [0, 0xca, 0x9a, 0x3b, 0, 0, 0, 0]; // 0x3b9aca00
  test.each<[Mutable, string]>([
    [GUARDS.missing(account), `${account} has a balance = 0 SOL`],
    [
      GUARDS.payer(account, 1_500_000_000n),
      `${account} has a balance ≥ 1.5 SOL, program = ${SYSTEM}, data length = 0`,
    ],
    [GUARDS.owner(account, payer), `${account} has program = ${payer}`],
    [
      GUARDS.tokenBefore(account),
      `${account} has delegate = none, delegated amount ≤ 0, is associated = true`,
    ],
    [guard([account], 9, 0, 2, ...amount, 3), `${account} has amount < 1000000000`],
    [guard([account], 9, 6, 5, 0, 1), `${account} has native reserve ≠ none`],
    [guard([account], 2, 4, 0x80, 0x01, 2, 0xff, 3), `${account} has 1 bytes of data at 128 < -1`],
    [guard([], 15, 4, 0, 7, 0, 0, 0, 0, 0, 0, 0, 5), 'the clock has slot ≤ 7'],
  ])('%#', async (instruction, words) => {
    expect(await wordsFor(instruction)).toBe(`Fail the transaction unless ${words}`);
  });

  test('only so many of them', async () => {
    const one = [3, 0, 0];
    const words = await wordsFor(
      guard([account], 6, 4, 200, 1, ...Array.from({ length: 200 }, () => one).flat()),
    );
    // 200 is 0xc8 0x01 in seven bits a byte.
    expect(words).toMatch(/ and 194 more$/);
    expect(words.length).toBeLessThan(500);
  });

  test.each([[[7, 4, 1, 0]], [[6, 4, 1, 9]], [[6, 7, 0]], [[6, 4, 0, 0]], [[9, 4, 3, 2, 0]]])(
    'an undecoded assertion names its account: %j',
    async (data) => {
      expect(await wordsFor(guard([account], ...data))).toMatch(new RegExp(`^Check ${account}.*not decoded`));
    },
  );

  test('they take nothing, and warn of nothing', async () => {
    const { debits, credits, warnings, instructions } = await inspect(
      GUARDS.payer(payer),
      GUARDS.tokenAfter(account),
    );
    expect(instructions.map(({ program, effects }) => [program, effects])).toEqual([
      ['lighthouse', []],
      ['lighthouse', []],
    ]);
    expect(debits.map(({ amount: most, instructions: by }) => [most, by])).toEqual([[5_000n, []]]);
    expect(credits).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 0, max: 4 }),
        async (data, count) => {
          const words = await wordsFor({ ...guard(Array.from({ length: count }, () => account)), data });
          expect(words.length).toBeLessThan(1_000);
          expect(words).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        },
      ),
      { numRuns: 300 },
    );
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

test('a nonexistent instruction is unknown', async () => {
  const { instructions } = await inspect(guard([account], 18, 4));
  expect(instructions[0]?.program).toBeUndefined();
});

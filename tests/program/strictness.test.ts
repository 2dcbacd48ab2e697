import { getSolanaErrorFromTransactionError } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { createHeavenIdl } from '../../scripts/idl.js';
import {
  explainTransactionFailure,
  findAssociatedTokenAddress,
  getBuyInstruction,
  getCreatorToggleProSwapInstruction,
  parseBuyInstruction,
  parseCreatorToggleProSwapInstruction,
  parseLogs,
} from '../../src/program/index.js';
import { addressOfByte } from '../support/addresses.js';
import { expectRefusal, heavenError } from '../support/errors.js';

const buyAccounts = {
  tokenAProgram: addressOfByte(1),
  liquidityPoolState: addressOfByte(2),
  user: addressOfByte(3),
  tokenAMint: addressOfByte(4),
  userTokenAVault: addressOfByte(5),
  userTokenBVault: addressOfByte(6),
  tokenAVault: addressOfByte(7),
  tokenBVault: addressOfByte(8),
  protocolConfig: addressOfByte(9),
};
const params = { maxSolSpend: 1n, minimumAmountOut: 2n, encodedUserDefinedEventData: '' };

test.each(['a\0b', '\ufeffab', 'naïve 🚀'])(
  'event data comes back as it went in: %j',
  (encodedUserDefinedEventData) => {
    const instruction = getBuyInstruction({
      ...buyAccounts,
      params: { ...params, encodedUserDefinedEventData },
    });
    expect(parseBuyInstruction(instruction).data.params.encodedUserDefinedEventData).toBe(
      encodedUserDefinedEventData,
    );
  },
);

test('text that is no UTF-8 is not parsed', () => {
  const instruction = getBuyInstruction({
    ...buyAccounts,
    params: { ...params, encodedUserDefinedEventData: 'a' },
  });
  const data = Uint8Array.from(instruction.data).fill(0xff, instruction.data.length - 1);
  expect(() => parseBuyInstruction({ ...instruction, data })).toThrow(heavenError('malformed-data:asked'));
});

test('a flag is 0 or 1', () => {
  const accounts = { liquidityPoolState: addressOfByte(1), creator: addressOfByte(2) };
  const instruction = getCreatorToggleProSwapInstruction({ ...accounts, enabled: true });
  expect(parseCreatorToggleProSwapInstruction(instruction).data.enabled).toBe(true);
  const data = Uint8Array.from(instruction.data).fill(2, 8);
  expect(() => parseCreatorToggleProSwapInstruction({ ...instruction, data })).toThrow(
    heavenError('malformed-data:asked'),
  );
});

test('the address of a signer is checked', () => {
  const user = { address: 'bad', signTransactions: () => [] } as never;
  expect(() => getBuyInstruction({ ...buyAccounts, user, params })).toThrow(
    heavenError('invalid-address', { field: 'user' }),
  );
});

test('a token program that is no address is named', async () => {
  const seeds = { owner: addressOfByte(1), mint: addressOfByte(2), tokenProgram: 'x' as never };
  await expectRefusal(findAssociatedTokenAddress(seeds), 'invalid-address', { field: 'tokenProgram' });
});

test("an instruction's failure without a code keeps its index", () => {
  const err = getSolanaErrorFromTransactionError({ InstructionError: [2, 'InsufficientFunds'] });
  expect(explainTransactionFailure({ err })).toMatchObject({ instructionIndex: 2 });
});

test("kit's error is explained as it is", () => {
  const err = getSolanaErrorFromTransactionError({ InstructionError: [1, { Custom: 6013 }] });
  expect(explainTransactionFailure(err)).toMatchObject({
    instructionIndex: 1,
    programError: { name: 'ExceededSlippage' },
  });
});

describe('logs that no node prints', () => {
  test.each(['0', '99999999999', '9'.repeat(400)])('a depth of %s is survived', (depth) => {
    expect(parseLogs([`Program X invoke [${depth}]`, 'Program X success'])).toEqual({
      events: [],
      truncated: true,
    });
  });
});

test('the IDL says what sell returns', () => {
  const { instructions } = createHeavenIdl() as unknown as {
    instructions: { name: string; returns?: string }[];
  };
  expect(instructions.flatMap(({ name, returns }) => (returns ? [[name, returns]] : []))).toEqual([
    ['sell', 'u64'],
  ]);
});

import {
  type Address,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  lamports,
  signBytes,
  type V1TransactionConfig,
} from '@solana/kit';
import {
  getRequestHeapFrameInstruction,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { getTransferSolInstruction } from '@solana-program/system';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { describe, expect, test } from 'vitest';

import { inspectTransaction } from '../../src/index.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { decodedOf } from '../support/transactions.js';
import { signedWith } from '../support/transfer.js';

const payer = await generateKeyPairSigner();
const other = await generateKeyPairSigner();
const transfer = getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n });
const byOther = getTransferSolInstruction({ source: other, destination: other.address, amount: 1n });
const memo: Instruction = { programAddress: MEMO_PROGRAM_ADDRESS, data: Uint8Array.of(65) };
const limit = (units: number) => getSetComputeUnitLimitInstruction({ units });
const price = (microLamports: bigint) => getSetComputeUnitPriceInstruction({ microLamports });
const heap = getRequestHeapFrameInstruction({ bytes: 1 });
const senseless = { programAddress: COMPUTE_BUDGET_PROGRAM_ADDRESS, data: Uint8Array.of(99) };

/** A signature that the ed25519 program checks: 16 bytes of offsets into its own data, key, signature, message. */
async function ed25519(): Promise<Instruction> {
  const message = Uint8Array.of(1, 2, 3);
  const signature = await signBytes(payer.keyPair.privateKey, message);
  const offsets = new Uint16Array([48, 0xffff, 16, 0xffff, 112, message.length, 0xffff]);
  const key = getAddressEncoder().encode(payer.address);
  return {
    programAddress: 'Ed25519SigVerify111111111111111111111111111' as Address,
    data: Uint8Array.of(1, 0, ...new Uint8Array(offsets.buffer), ...key, ...signature, ...message),
  };
}
const checked = await ed25519();

const ENOUGH: V1TransactionConfig = { computeUnitLimit: 100_000, loadedAccountsDataSizeLimit: 1_048_576 };
const withFee = (priorityFeeLamports: bigint) => ({ ...ENOUGH, priorityFeeLamports });

type Version = 'legacy' | 0 | 1;

/** Runs a transaction on a new machine, and says what it took of the payer, and what the inspection says. */
async function run(version: Version, instructions: readonly Instruction[], config: V1TransactionConfig = {}) {
  const svm = new LiteSVM();
  for (const { address } of [payer, other]) svm.airdrop(address, lamports(10_000_000_000n));
  const lifetime = { blockhash: svm.latestBlockhash(), lastValidBlockHeight: 1n };
  const format = version === 1 ? { config } : { version };
  const tx = await signedWith(payer, instructions, { lifetime, ...format });
  const inspection = await inspectTransaction(tx);
  const before = svm.getBalance(payer.address)!;
  const result = svm.sendTransaction(decodedOf(tx));
  return {
    paid: before - svm.getBalance(payer.address)!,
    problem: result instanceof FailedTransactionMetadata ? result.toString() : undefined,
    inspection,
  };
}

describe('what a transaction costs on the real runtime is what its inspection says', () => {
  test.each<[string, Version, readonly Instruction[], bigint, V1TransactionConfig?]>([
    ['version 0 without a price', 0, [transfer, memo], 5_000n],
    // 100,001 units at 3 micro-lamports.
    ['version 0, rounded up', 0, [limit(100_001), price(3n), transfer], 5_001n],
    ['a legacy transaction', 'legacy', [price(1_000_000n), limit(70_000), transfer], 75_000n],
    // Two builtins and a program: 3,000 + 3,000 + 200,000 units.
    ['version 0 at the default limit', 0, [price(1_000_000n), transfer, memo], 211_000n],
    // 3,000 for the price and 3,000 for the check of the signature.
    ['a checked signature at the default limit', 0, [price(1_000_000n), checked], 16_000n],
    ['the highest limit by default', 0, [price(1_000_000n), ...Array(8).fill(memo)], 1_405_000n],
    ['two signers', 0, [transfer, byOther], 10_000n],
    ['version 1 without a fee', 1, [transfer], 5_000n, ENOUGH],
    ['version 1 with a fee', 1, [transfer], 6_234n, withFee(1_234n)],
    ['version 1 with two signers', 1, [byOther], 10_007n, withFee(7n)],
    ['version 1 with a checked signature', 1, [checked], 10_000n, ENOUGH],
    ['an ignored compute budget', 1, [limit(1), price(1_000_000_000n), heap, transfer], 5_009n, withFee(9n)],
    ['a compute budget that makes no sense', 1, [senseless, transfer], 5_000n, ENOUGH],
  ])('%s', async (_, version, instructions, fee, config) => {
    const { paid, problem, inspection } = await run(version, instructions, config);
    expect(problem).toBeUndefined();
    expect(inspection.fees.total).toBe(fee);
    expect(paid).toBe(fee);
    expect(inspection.warnings).toEqual([]);
  });
});

test.each<[string, V1TransactionConfig, string]>([
  ['nothing', {}, 'MaxLoadedAccountsDataSizeExceeded'],
  ['no limit of loaded accounts', { computeUnitLimit: 100_000 }, 'MaxLoadedAccountsDataSizeExceeded'],
  ['no compute units', { loadedAccountsDataSizeLimit: 1_048_576 }, 'ComputationalBudgetExceeded'],
])('version 1 that sets %s fails, and its inspection warns', async (_, config, reason) => {
  const { problem, inspection } = await run(1, [transfer], config);
  expect(problem).toContain(reason);
  expect(inspection.warnings.map(({ code }) => code)).toContain('bound-to-fail');
});

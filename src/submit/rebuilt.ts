import type { HeavenError } from '../base/errors.js';
import type { InstructionConfig } from '../program/deployment.js';
import { expectedFrom, withTemporaryAccount } from '../review/expected.js';
import { builtOtherwise, explainMismatch } from '../review/explain.js';
import { isSameTransaction } from '../review/match.js';
import { stepOf } from '../review/read-step.js';
import { view } from '../solana/account-data.js';
import {
  type LoadedInstruction,
  type LoadedTransaction,
  loadTransaction,
  readWireTransaction,
} from '../solana/message.js';
import { SWAP, wrappedAmountAt } from '../transaction/prepared/prepare.js';
import type { BuiltTrade } from '../transaction/trade.js';

/** What may change when a trade is built again. */
type Amounts = Pick<BuiltTrade, 'amountIn' | 'minimumOut'>;

/**
 * How a trade that was built again differs from the one before, besides its amounts, its block hash and the seed of a temporary account.
 * It reads the bytes that are signed, and nothing that the new one says of itself.
 */
export async function otherChange(
  built: BuiltTrade,
  rebuilt: BuiltTrade,
  config: InstructionConfig,
): Promise<HeavenError<'transaction-mismatch'> | undefined> {
  // Without the contents of lookup tables: only the new transaction itself could tell them.
  const actual = loadTransaction(readWireTransaction(rebuilt.tx), new Map());
  const { instructions, settings } = built;
  const own = instructions.slice(0, settings.instructionsBefore);
  const expected = await withTemporaryAccount(withAmounts(built, rebuilt, config), actual, own);
  if (isSameTransaction(actual, expected)) return undefined;
  return builtOtherwise(explainMismatch(actual, expected, config));
}

/** A trade's transaction with the amounts of another. */
function withAmounts(built: BuiltTrade, to: Amounts, config: InstructionConfig): LoadedTransaction {
  const { side, amountIn, computeBudget, settings } = built;
  const transaction = expectedFrom(built);
  const { instructions } = transaction;
  const steps = instructions.map((instruction) => stepOf(instruction, config));
  // The caller's own instructions may look like the trade's.
  const first = computeBudget.length + settings.instructionsBefore;
  const swap = steps.findIndex((step, index) => index >= first && step?.program === 'exchange');
  const wrapped = side === 'buy' ? steps[swap]?.accounts.userTokenBVault : undefined;
  const wrap = steps.findIndex((step, index) => {
    const { destination, newAccount = destination } = step?.accounts ?? {};
    const isFunding = index >= first && index < swap && step?.program === 'system';
    return isFunding && newAccount !== undefined && newAccount === wrapped;
  });
  const change = (instruction: LoadedInstruction, index: number): LoadedInstruction => {
    if (index !== swap && index !== wrap) return instruction;
    const data = new Uint8Array(instruction.data);
    const bytes = view(data);
    const set = (at: number, value: bigint) => bytes.setBigUint64(at, value, true);
    if (index === swap) {
      set(SWAP.amount, to.amountIn);
      set(SWAP.minimumOut, to.minimumOut);
    } else {
      const at = wrappedAmountAt(data);
      set(at, bytes.getBigUint64(at, true) - amountIn + to.amountIn);
    }
    return { ...instruction, data };
  };
  return { ...transaction, instructions: instructions.map(change) };
}

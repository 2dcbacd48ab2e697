import { MEMO_1_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { say } from '../prose.js';
import { makeStep, type PlainInstruction, quoted, type Step } from '../step.js';

export const MEMO_PROGRAM_ADDRESSES: readonly string[] = [MEMO_PROGRAM_ADDRESS, MEMO_1_PROGRAM_ADDRESS];

export function memoStep({ data }: PlainInstruction): Step {
  const memo = new TextDecoder().decode(data);
  return makeStep('memo', 'Memo', { data: { memo } }, say`Note ${quoted(memo)}`);
}

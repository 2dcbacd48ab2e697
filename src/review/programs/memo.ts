import { quoted } from '../inspection-words.js';
import type { PlainInstruction, Step } from '../step.js';
import { makeStep } from './make-step.js';

export const MEMO_PROGRAM_ADDRESSES: readonly string[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVddwQDwyMo',
];

export function memoStep({ data }: PlainInstruction): Step {
  const memo = new TextDecoder().decode(data);
  return makeStep('memo', 'Memo', { data: { memo } }, { inWords: `Note ${quoted(memo)}` });
}

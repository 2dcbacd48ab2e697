import { makeStep, type PlainInstruction, quoted, type Step } from '../step.js';

export const MEMO_PROGRAM_ADDRESSES: readonly string[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVddwQDwyMo',
];

export function memoStep({ data }: PlainInstruction): Step {
  const memo = new TextDecoder().decode(data);
  return makeStep('memo', 'Memo', { data: { memo } }, `Note ${quoted(memo)}`);
}

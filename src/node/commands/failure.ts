import { isHeavenError } from 'heaven-pools';
import { answerOf, stringifyJson } from 'heaven-pools/http';

import { CommandError, printable, standardOutput, withoutKeys } from './output.js';

/** Prints the error that a command failed with, without a stack or the node's URL. */
export function printFailure(error: unknown, isJson: boolean): void {
  const failure = failureOf(error);
  if (isJson) standardOutput.print(stringifyJson({ error: failure }));
  else standardOutput.note(printable(`error (${failure.code}): ${failure.message}`));
}

function failureOf(error: unknown) {
  if (error instanceof CommandError) return { code: error.code, message: error.message };
  const { code, details } = answerOf(error);
  if (!isHeavenError(error)) return { code, message: 'Unexpected error: this is a bug.' };
  return { code, message: withoutKeys(error.message), details };
}

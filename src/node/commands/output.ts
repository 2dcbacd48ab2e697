import type { Command } from 'commander';

// How the commands print. Nothing here loads kit.

/** The command was called incorrectly. */
export class UsageError extends Error {}

/** A command failed for a reason outside the library. */
export class CommandError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Where the output goes: `print` for the answer, `note` for everything else. */
export interface Output {
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
}

export const standardOutput: Output = {
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
};

/** Removes possible keys: everything after the host of each URL. */
export const withoutKeys = (text: string): string =>
  text.replace(/\b(https?|wss?|rediss?):\/\/[^\s'"]+/gi, (url) => {
    if (!URL.canParse(url)) return `${url.slice(0, url.indexOf(':'))}://…`;
    const { protocol, host, pathname, search, username } = new URL(url);
    const isBare = pathname === '/' && search === '' && username === '';
    return isBare ? url : `${protocol}//${host}/…`;
  });

/** Prints the error that a command failed with, without a stack or the node's URL. The program itself prints a {@link UsageError}. */
export async function printFailure(error: unknown, isJson: boolean, command: Command): Promise<void> {
  if (error instanceof UsageError) throw error;
  process.exitCode = 1;
  const { isHeavenError, answerOf, stringifyJson } = await import('./library.js');
  let failure: { readonly code: string; readonly message: string; readonly details?: object | undefined };
  let reason: string;
  if (error instanceof CommandError) {
    failure = { code: error.code, message: error.message };
    reason = error.message;
  } else if (isHeavenError(error)) {
    const { code, message, details } = answerOf(error);
    failure = { code, message: withoutKeys(message), details };
    reason = withoutKeys(withOptionName(error, command));
  } else {
    reason = 'Unexpected error: this is a bug.';
    failure = { code: answerOf(error).code, message: reason };
  }
  if (isJson) standardOutput.print(stringifyJson({ error: failure }));
  else standardOutput.note(printable(`error (${failure.code}): ${reason}`));
}

/** The message with the command's option instead of the function's field. */
function withOptionName(
  { message, context }: { readonly message: string; readonly context: object },
  { options }: Command,
): string {
  const field = 'field' in context ? context.field : undefined;
  const option = options.find((each) => each.attributeName() === field);
  return option?.long ? message.replace(String(field), option.long) : message;
}

/** Aligns columns to their widest cell. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Untrusted text without the characters that control a terminal. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

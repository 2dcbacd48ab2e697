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
  text.replace(/\b(https?|wss?):\/\/[^\s'"]+/gi, (url) => {
    if (!URL.canParse(url)) return `${url.slice(0, url.indexOf(':'))}://…`;
    const { protocol, host, pathname, search, username } = new URL(url);
    const isBare = pathname === '/' && search === '' && username === '';
    return isBare ? url : `${protocol}//${host}/…`;
  });

/** Prints the error that a command failed with. The program itself prints a {@link UsageError}. */
export async function printFailure(error: unknown, isJson: boolean, options: OptionNames): Promise<void> {
  if (error instanceof UsageError) throw error;
  process.exitCode = 1;
  const { error: told, code, reason } = await describeFailure(error, options);
  if (isJson) standardOutput.print((await import('heaven-pools/http')).stringifyJson({ error: told }));
  else standardOutput.note(printable(`error (${code}): ${reason}`));
}

/** Maps a function's fields to the command's options. */
export type OptionNames = Readonly<Record<string, string>>;

/** An error in the HTTP API's form, and in words. Neither contains a stack or the node's URL. */
export async function describeFailure(
  error: unknown,
  options: OptionNames = {},
): Promise<{ readonly error: object; readonly code: string; readonly reason: string }> {
  if (error instanceof CommandError) {
    const { code, message } = error;
    return { error: { code, message }, code, reason: message };
  }
  const { isHeavenError } = await import('heaven-pools/core');
  const { answerOf } = await import('heaven-pools/http');
  const { code, message, details } = answerOf(error);
  if (!isHeavenError(error)) {
    const reason = 'Unexpected error: this is a bug.';
    return { error: { code, message: reason }, code, reason };
  }
  return {
    error: { code, message: withoutKeys(message), details },
    code,
    reason: withoutKeys(withOptionName(error, options)),
  };
}

/** The message with the option's name instead of the field's. */
function withOptionName(
  { message, context }: { message: string; context: object },
  options: OptionNames,
): string {
  const field = 'field' in context && typeof context.field === 'string' ? context.field : '';
  const option = options[field];
  const at = message.indexOf(field);
  if (option === undefined || at < 0) return message;
  return `${message.slice(0, at)}${option}${message.slice(at + field.length)}`;
}

/** The options of a command by field: `maxSolSpend` is `--max-sol-spend`. */
export const optionNames = (...fields: readonly string[]): OptionNames =>
  Object.fromEntries(
    fields.map((field) => [field, `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`]),
  );

/** A label with its value, or only a title. */
export type Row = readonly [label: string, value?: string];

/** Labels in one column, values in another. A value may have several lines. */
export function aligned(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(([label, value]) => (value === undefined ? 0 : label.length)));
  return rows.flatMap(([label, value]) =>
    value === undefined
      ? [label]
      : value
          .split('\n')
          .map((line, index) => `${(index === 0 ? label : '').padEnd(width)}  ${line}`.trimEnd()),
  );
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

import { isHeavenError } from '../../errors.js';
import { toUiAmount } from '../../math/units.js';

// How the commands print. Nothing here loads kit.

/** Something about the call itself that is wrong. */
export class UsageError extends Error {}

/** What a command can't do, for a reason that is none of the library's. */
export class CommandError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Where the output goes: lines of the answer, and lines beside it. */
export interface Output {
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
}

export const standardOutput: Output = {
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
};

/** A text without what may be a key in a URL: all that comes behind its host. */
export const withoutKeys = (text: string): string =>
  text.replace(/\b(https?|wss?):\/\/[^\s'"]+/gi, (url) => {
    if (!URL.canParse(url)) return `${url.slice(0, url.indexOf(':'))}://…`;
    const { protocol, host, pathname, search, username } = new URL(url);
    const isBare = pathname === '/' && search === '' && username === '';
    return isBare ? url : `${protocol}//${host}/…`;
  });

/** Prints the error that a command ends with. A {@link UsageError} is the program's to print. */
export async function printFailure(error: unknown, isJson: boolean, options: OptionNames): Promise<void> {
  if (error instanceof UsageError) throw error;
  process.exitCode = 1;
  const { error: told, code, reason } = await describeFailure(error, options);
  if (isJson) standardOutput.print((await import('../../http/json.js')).stringifyJson({ error: told }));
  else standardOutput.note(printable(`error (${code}): ${reason}`));
}

/** The fields of a function by the options that stand for them. */
export type OptionNames = Readonly<Record<string, string>>;

/** An error as the HTTP interface tells it, and for a person. Both without stacks, and without the node's URL. */
export async function describeFailure(
  error: unknown,
  options: OptionNames = {},
): Promise<{ readonly error: object; readonly code: string; readonly reason: string }> {
  if (error instanceof CommandError) {
    const { code, message } = error;
    return { error: { code, message }, code, reason: message };
  }
  const { answerOf } = await import('../../http/errors.js');
  const { code, message, details } = answerOf(error);
  if (!isHeavenError(error)) {
    const reason = 'Something went wrong that should not have.';
    return { error: { code, message: reason }, code, reason };
  }
  return {
    error: { code, message: withoutKeys(message), details },
    code,
    reason: withoutKeys(withOptionName(error, options)),
  };
}

/** A message that names the option in the place of the field, and what to do about a config that is not there. */
function withOptionName(
  { code, message, context }: { code: string; message: string; context: object },
  options: OptionNames,
) {
  const isNoConfig =
    code === 'account-not-found' && 'account' in context && context.account === 'ProtocolConfig';
  if (isNoConfig && options.configVersion !== undefined)
    return `${message} Name another ${options.configVersion}, or another cluster.`;
  // The curve's errors have it in the message alone.
  const inMessage = /^(\w+): /.exec(message)?.[1] ?? '';
  const field = 'field' in context && typeof context.field === 'string' ? context.field : inMessage;
  const option = options[field];
  if (option === undefined) return message;
  const at = message.indexOf(field);
  return at < 0 ? message : `${message.slice(0, at)}${option}${message.slice(at + field.length)}`;
}

/** The options of a command by field: `maxSolSpend` is `--max-sol-spend`. */
export const optionNames = (...fields: readonly string[]): OptionNames =>
  Object.fromEntries(
    fields.map((field) => [field, `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`]),
  );

// ---------------------------------------------------------------- numbers

/** `1234567.5` -> `1,234,567.5`. */
export const grouped = (digits: string): string => {
  const [whole = '', fraction] = digits.split('.');
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`;
};

/** An amount with all its digits. */
export const amount = (units: bigint, decimals: number): string => grouped(toUiAmount(units, decimals));

/** Lamports in SOL, with all their digits. */
export const inSol = (lamports: bigint): string => `${amount(lamports, 9)} SOL`;

/** Lamports in SOL and as they are. */
export const inSolAndLamports = (lamports: bigint): string =>
  `${inSol(lamports)} (${grouped(String(lamports))} lamports)`;

/** A number that is only shown, to six significant digits and without an exponent. */
export function shownNumber(value: number): string {
  if (!Number.isFinite(value) || value === 0) return String(value);
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  // From here on toFixed() gives an exponent.
  if (exponent >= 21) return grouped(String(BigInt(value)));
  const digits = value.toFixed(Math.min(100, Math.max(0, 5 - exponent)));
  return grouped(digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);
}

export const inUsd = (value: number): string => `$${grouped(value.toFixed(2))}`;

/** A rate in percent, with all its digits. */
export const percent = (basisPoints: bigint): string => `${toUiAmount(basisPoints, 2)} %`;

/** Seconds for a person. */
export function duration(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ] as const;
  for (const [size, unit] of units) {
    if (seconds >= 2 * size) return `${grouped(String(Math.round(seconds / size)))} ${unit}`;
  }
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** The kinds of fee, in words. */
export const FEE_KINDS = {
  protocol: 'protocol',
  liquidityProvider: 'liquidity providers',
  creator: 'creator',
  creatorProtocol: 'protocol’s share',
  reflection: 'reflection',
} as const;

// ---------------------------------------------------------------- lines

/** A label with its value, or a title alone. */
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

/** Columns as wide as what is in them. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A text from elsewhere, without what a terminal would obey. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

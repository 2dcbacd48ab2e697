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

/** Removes possible keys: everything after the host of each URL. Other keys are rejected before anything is printed. */
export const withoutKeys = (text: string): string =>
  text.replace(/\b(https?|wss?|rediss?):\/\/[^\s'"]+/gi, (url) => {
    if (!URL.canParse(url)) return `${url.slice(0, url.indexOf(':'))}://…`;
    const { protocol, host, pathname, search, username } = new URL(url);
    const isBare = pathname === '/' && search === '' && username === '';
    return isBare ? url : `${protocol}//${host}/…`;
  });

/** Untrusted text without the characters that control a terminal. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

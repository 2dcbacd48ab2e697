import {
  isSignerRole,
  isSolanaError,
  SOLANA_ERROR__PROGRAM_CLIENTS__INSUFFICIENT_ACCOUNT_METAS,
} from '@solana/kit';

export class Failure extends Error {
  /** Why an instruction or a transaction fails, as a node writes it. */
  readonly reason: unknown;
  readonly logs: readonly string[];

  constructor(reason: unknown, logs: readonly string[] = []) {
    super('failed');
    this.reason = reason;
    this.logs = logs;
  }
}

export const custom = (code: number, ...logs: string[]) => new Failure({ Custom: code }, logs);

export const notEmulated = (what: string) =>
  new Failure('UnsupportedProgramId', [
    `Program log: Not emulated: the embedded ledger does not run ${what}.`,
  ]);

export const failureWords = (reason: unknown): string =>
  typeof reason === 'object' && reason !== null && 'Custom' in reason
    ? `custom program error: 0x${Number(reason.Custom).toString(16)}`
    : String(reason);

export function assertSigner(...accounts: readonly { readonly role: number }[]): void {
  if (!accounts.every(({ role }) => isSignerRole(role))) throw new Failure('MissingRequiredSignature');
}

/** `short`: what the program fails with if accounts are missing. */
export function parsed<T>(parse: () => T, short = 'NotEnoughAccountKeys'): T {
  try {
    return parse();
  } catch (error) {
    const isShort = isSolanaError(error, SOLANA_ERROR__PROGRAM_CLIENTS__INSUFFICIENT_ACCOUNT_METAS);
    throw new Failure(isShort ? short : 'InvalidInstructionData');
  }
}

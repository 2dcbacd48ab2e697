import type { Address } from '@solana/kit';
import type { AccountShape } from '../account-data.js';
import { startsWith } from '../discriminator.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../programs.js';
import { createRecent } from '../recent.js';

/** What must be at an address that this library derived, or that the deployment names. */
export interface ExpectedAccount {
  readonly owner: Address;
  readonly shape: AccountShape;
}

/** What is known of an account without decoding it. */
export interface AccountFacts {
  readonly owner: unknown;
  /** In bytes. */
  readonly size: number;
  /** Its first eight bytes, if it has that many. */
  readonly start: Uint8Array;
}

const expected = /* @__PURE__ */ createRecent<ExpectedAccount>(16_384);

/** Notes what must be at an address, for transports over several nodes. Bounded: it drops old notes. */
export function expectAccount(address: Address, owner: Address, shape: AccountShape): void {
  const known = expected.get(address);
  if (known?.owner !== owner || known.shape !== shape) expected.set(address, { owner, shape });
}

/** What is noted of an address. */
export const expectedAt = (address: string): ExpectedAccount | undefined => expected.get(address);

/** Whether nothing was created at a derived address: anybody can send lamports there, which makes an empty account. */
export const isUncreated = ({ owner, size }: AccountFacts): boolean =>
  owner === SYSTEM_PROGRAM_ADDRESS && size === 0;

/** Why an account can't be the one at its address, or `undefined`. */
export function faultOf({ owner, shape }: ExpectedAccount, account: AccountFacts): string | undefined {
  if (isUncreated(account)) return undefined;
  if (account.owner !== owner) return `it belongs to ${account.owner}, not to ${owner}`;
  if (account.size < shape.size) return `it has ${account.size} bytes, but ${shape.size} are needed`;
  if (shape.discriminator === undefined || startsWith(account.start, shape.discriminator)) return undefined;
  return 'it starts with another discriminator';
}

import { view } from './account-data.js';
import { ACCOUNT_TYPE, EXTENSION_HEADER, FIRST_EXTENSION, IS_MINT, MINT } from './token-layout.js';

/** The types of Token-2022's extensions. [Level M](/protocol). */
export const EXTENSION = {
  transferFeeConfig: 1,
  transferFeeAmount: 2,
  confidentialTransferAccount: 5,
  defaultAccountState: 6,
  immutableOwner: 7,
  nonTransferable: 9,
  interestBearing: 10,
  permanentDelegate: 12,
  transferHook: 14,
  metadataPointer: 18,
  tokenMetadata: 19,
  scaledUiAmount: 25,
  pausable: 26,
} as const;

/** Whether the data of an account of a token program is a mint's. */
export const isMintData = (data: Uint8Array): boolean =>
  data.length === MINT.size || data[ACCOUNT_TYPE] === IS_MINT;

/** The bytes of an extension, or `undefined`. Calls `cutShort` with the type of one that is cut short before it is found. */
export function extensionIn(
  data: Uint8Array,
  type: number,
  cutShort: (type: number) => void = () => {},
): Uint8Array | undefined {
  const bytes = view(data);
  for (let offset = FIRST_EXTENSION; offset + EXTENSION_HEADER <= data.length; ) {
    const found = bytes.getUint16(offset, true);
    const end = offset + EXTENSION_HEADER + bytes.getUint16(offset + 2, true);
    if (found === 0) return undefined;
    if (end > data.length) {
      cutShort(found);
      return undefined;
    }
    if (found === type) return data.subarray(offset + EXTENSION_HEADER, end);
    offset = end;
  }
  return undefined;
}

/** What a token account of a mint with an extension has for it. */
const ACCOUNT_CONTENT = { transferFeeConfig: 8, nonTransferable: 0, transferHook: 1, pausable: 0 } as const;

/** The bytes of an associated token account of a Token-2022 mint. */
export const tokenAccountSizeOf = (mint: Uint8Array): number =>
  (Object.keys(ACCOUNT_CONTENT) as (keyof typeof ACCOUNT_CONTENT)[]).reduce<number>(
    (size, extension) =>
      extensionIn(mint, EXTENSION[extension]) === undefined
        ? size
        : size + EXTENSION_HEADER + ACCOUNT_CONTENT[extension],
    // Each has one extension without content: its owner can't be changed.
    FIRST_EXTENSION + EXTENSION_HEADER,
  );

const KEY_SIZE = 32;
const FROZEN = 2;
const named = <TName extends string>(names: { readonly [TKey in TName]: boolean }): readonly TName[] =>
  (Object.keys(names) as TName[]).filter((name) => names[name]);

/** What those who control a mint can do to its holders: issue more, freeze their accounts, seize or burn what they hold, pause all transfers. */
export type MintRight = 'issue' | 'freeze' | 'seize' | 'pause';

/**
 * What stands in the way of a transfer.
 *
 * - `paused`: none succeeds until the mint's authority resumes the token.
 * - `non-transferable`: none ever succeeds.
 * - `hook`: each calls a program, which needs accounts of its own.
 * - `frozen`: a new account is frozen until the freeze authority thaws it.
 */
export type TransferLimit = 'paused' | 'non-transferable' | 'hook' | 'frozen';

/** What those who control a mint can do to the holders of its token, and what limits transfers now. */
export function readMintControl(mint: Uint8Array): {
  readonly rights: readonly MintRight[];
  readonly transferLimits: readonly TransferLimit[];
} {
  const has = (extension: keyof typeof EXTENSION, from = 0, to?: number) =>
    extensionIn(mint, EXTENSION[extension])?.subarray(from, to).some(Boolean) === true;
  return {
    rights: named({
      issue: mint[MINT.mintAuthority] === 1,
      freeze: mint[MINT.freezeAuthority] === 1,
      seize: has('permanentDelegate'),
      pause: has('pausable', 0, KEY_SIZE),
    }),
    transferLimits: named({
      paused: has('pausable', KEY_SIZE),
      'non-transferable': extensionIn(mint, EXTENSION.nonTransferable) !== undefined,
      hook: has('transferHook', KEY_SIZE),
      frozen: extensionIn(mint, EXTENSION.defaultAccountState)?.[0] === FROZEN,
    }),
  };
}

/** Whether wallets show other amounts of a token than its decimals give. */
export const isDisplayScaled = (mint: Uint8Array): boolean =>
  [EXTENSION.scaledUiAmount, EXTENSION.interestBearing].some((type) => extensionIn(mint, type) !== undefined);

/** Whether a token account may hold a balance that only its owner can read. */
export const isConfidential = (account: Uint8Array): boolean =>
  extensionIn(account, EXTENSION.confidentialTransferAccount) !== undefined;

/** The transfer fees that wait in a token account. */
export function withheldFeesIn(account: Uint8Array): bigint {
  const content = extensionIn(account, EXTENSION.transferFeeAmount);
  return content === undefined || content.length < 8 ? 0n : view(content).getBigUint64(0, true);
}

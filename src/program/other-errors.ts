import type { Address } from '@solana/kit';
import { getSystemErrorMessage, type SystemError } from '@solana-program/system';
import {
  type AssociatedTokenError,
  getAssociatedTokenErrorMessage,
  getTokenErrorMessage,
  type TokenError,
} from '@solana-program/token';
import { inSol } from '../math/units.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  LOOKUP_TABLE_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../solana/programs.js';

// What the codes of other programs are called, and what to do about what users run into. The programs' clients have sentences, but only
// outside of production builds.

/** From the programs' sources, by code. Token-2022 begins with the codes of Token. */
const TOKEN =
  'NotRentExempt InsufficientFunds InvalidMint MintMismatch OwnerMismatch FixedSupply AlreadyInUse InvalidNumberOfProvidedSigners InvalidNumberOfRequiredSigners UninitializedState NativeNotSupported NonNativeHasBalance InvalidInstruction InvalidState Overflow AuthorityTypeNotSupported MintCannotFreeze AccountFrozen MintDecimalsMismatch NonNativeNotSupported';
const token2022 = () =>
  `${TOKEN} ExtensionTypeMismatch ExtensionBaseMismatch ExtensionAlreadyInitialized ConfidentialTransferAccountHasBalance ConfidentialTransferAccountNotApproved ConfidentialTransferDepositsAndTransfersDisabled ConfidentialTransferElGamalPubkeyMismatch ConfidentialTransferBalanceMismatch MintHasSupply NoAuthorityExists TransferFeeExceedsMaximum MintRequiredForTransfer FeeMismatch FeeParametersMismatch ImmutableOwner AccountHasWithheldTransferFees NoMemo NonTransferable NonTransferableNeedsImmutableOwnership MaximumPendingBalanceCreditCounterExceeded MaximumDepositAmountExceeded CpiGuardSettingsLocked CpiGuardTransferBlocked CpiGuardBurnBlocked CpiGuardCloseAccountBlocked CpiGuardApproveBlocked CpiGuardSetAuthorityBlocked CpiGuardOwnerChangeBlocked ExtensionNotFound NonConfidentialTransfersDisabled ConfidentialTransferFeeAccountHasWithheldFee InvalidExtensionCombination InvalidLengthForAlloc AccountDecryption ProofGeneration InvalidProofInstructionOffset HarvestToMintDisabled SplitProofContextStateAccountsNotSupported NotEnoughProofContextStateAccounts MalformedCiphertext CiphertextArithmeticFailed PedersenCommitmentMismatch RangeProofLengthMismatch IllegalBitLength FeeCalculation IllegalMintBurnConversion InvalidScale MintPaused PendingBalanceNonZero`;
const SYSTEM =
  'AccountAlreadyInUse ResultWithNegativeLamports InvalidProgramId InvalidAccountDataLength MaxSeedLengthExceeded AddressWithSeedMismatch NonceNoRecentBlockhashes NonceBlockhashNotExpired NonceUnexpectedBlockhashValue';
/** Its codes begin again at 10. */
const LOOKUP_TABLE =
  'MaxSeedLengthExceeded InvalidSeeds IllegalOwner        ReadonlyDataModified ReadonlyLamportsChanged';

type Program = readonly [title: string, names: string, sentence?: (code: number) => string | undefined];

function programAt(address: Address | undefined): Program | undefined {
  switch (address) {
    case SYSTEM_PROGRAM_ADDRESS:
      return ['System', SYSTEM, (code) => getSystemErrorMessage(code as SystemError)];
    case TOKEN_PROGRAM_ADDRESS:
      return ['Token', TOKEN, (code) => getTokenErrorMessage(code as TokenError)];
    case TOKEN_2022_PROGRAM_ADDRESS:
      return ['Token-2022', token2022(), (code) => getTokenErrorMessage(code as TokenError)];
    case ASSOCIATED_TOKEN_PROGRAM_ADDRESS:
      return [
        'associated token',
        // The second is that of the System program, which it calls to open an account.
        'InvalidOwner ResultWithNegativeLamports',
        (code) => getAssociatedTokenErrorMessage(code as AssociatedTokenError),
      ];
    case LOOKUP_TABLE_PROGRAM_ADDRESS:
      return ['lookup table', LOOKUP_TABLE];
  }
  return undefined;
}

const MORE_UNITS = 'It needs more compute units than it allows: set a higher computeUnitLimit.';
const TAKES_MORE = 'An account holds less than is taken from it. Check its balance.';
const REBUILD = 'Build the transaction again: the builder reads which accounts exist.';
const AGAIN = 'Send it again, with a higher computeUnitPrice.';

/** What to do, by the name of an error: of a program's, or of the runtime's. */
const advice = (): Readonly<Record<string, string>> => ({
  // System
  AccountAlreadyInUse: `An account that it creates exists already. ${REBUILD}`,
  ResultWithNegativeLamports:
    'A wallet holds less SOL than it pays. Use less, and leave some for rent and fees.',
  // Token, Token-2022
  InsufficientFunds: TAKES_MORE,
  OwnerMismatch: 'A token account belongs to another wallet. Name an account of the wallet that signs.',
  NonNativeHasBalance:
    'Tokens are left in the account to be closed, perhaps because somebody sent some. Build the sale again: the account then stays open.',
  AccountFrozen: 'A token account is frozen: only whoever has frozen it can change that.',
  NoMemo:
    'The account that receives the tokens requires a memo before each transfer, and the exchange writes none. Switch that off in the wallet.',
  NonTransferable: "The token can't be transferred, so nobody can trade it.",
  CpiGuardTransferBlocked:
    'The token account has a CPI guard: programs may not take tokens from it. Switch it off in the wallet, and trade again.',
  MintPaused: 'Those who control the mint have paused all transfers. Trade again once they resume them.',
  // The runtime
  AccountNotFound: 'The wallet that pays for the transaction holds no SOL.',
  AddressLookupTableNotFound: 'A lookup table that it names is not there, or not yet.',
  AlreadyProcessed: "It has already landed: look for its signature, and don't send it again.",
  BlockhashNotFound:
    'Its block hash is too old, or the node is behind. Take a new one with refreshLifetime, and sign again.',
  InsufficientFundsForFee:
    'The wallet that pays holds less SOL than the fee. Add SOL, or set a lower computeUnitPrice.',
  InsufficientFundsForRent: 'It would leave an account less SOL than its rent. Use less.',
  InvalidAccountForFee: 'What pays for it is not a wallet. Name a wallet as payer, or as feePayer.',
  SignatureFailure:
    'A signature is missing or wrong. Sign the transaction as it was built, with all its requiredSigners.',
  ProgramAccountNotFound:
    'A program that it calls is not on this network. Check which network the node is of.',
  DuplicateInstruction: "It sets a compute unit limit or price twice. Leave out your own, or the wallet's.",
  MaxLoadedAccountsDataSizeExceeded:
    'Its accounts hold more bytes than it allows: set a higher loadedAccountsDataSizeLimit, or leave it out.',
  UnsupportedVersion:
    'The network does not take this version of transaction. Build it with transactionVersion 0.',
  WouldExceedMaxBlockCostLimit: AGAIN,
  WouldExceedMaxAccountCostLimit: AGAIN,
  ComputationalBudgetExceeded: MORE_UNITS,
  ProgramFailedToComplete: `A program stopped halfway. ${MORE_UNITS}`,
  MissingRequiredSignature: 'A wallet that has to sign did not.',
  IllegalOwner: `An account belongs to another owner than it must, or exists already. ${REBUILD}`,
});

/** The names of errors that there is advice about. */
export const advisedErrors = (): readonly string[] => Object.keys(advice());

/** What to do about an error, or else what its client says of it. */
export function wordsOf(name: string, sentence = ''): string {
  const known = advice();
  if (Object.hasOwn(known, name)) return ` ${known[name]}`;
  return sentence === '' || /in production|^Solana error #/.test(sentence) ? '' : ` ${asSentence(sentence)}`;
}

const asSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/ \(instruction #\d+\)$/, '')}.`;

/** A code of another program, its name and in words, if the program and its code are known. */
export function otherError(
  address: Address | undefined,
  code: number,
  logs: readonly string[],
): { readonly name: string; readonly said: string } | undefined {
  const [title, names = '', sentence] = programAt(address) ?? [];
  const name = names.split(' ')[code];
  if (!name) return undefined;
  const words = name === 'ResultWithNegativeLamports' ? shortOfSol(logs) : undefined;
  return {
    name,
    said: `${name} (${code}) of the ${title} program.${words ?? wordsOf(name, sentence?.(code))}`,
  };
}

/** The System program's own log. A program can't write a line like it: its own begin with "Program". */
const TOO_FEW = /^Transfer: insufficient lamports (\d{1,20}), need (\d{1,20})$/;

function shortOfSol(logs: readonly string[]): string | undefined {
  const [, has, needs] = logs.flatMap((line) => TOO_FEW.exec(line) ?? []);
  if (has === undefined || needs === undefined) return undefined;
  return ` The wallet has ${inSol(BigInt(has))} left by then, and this needs ${inSol(BigInt(needs))}. Add SOL, or use less.`;
}

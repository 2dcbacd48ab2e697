// LiteSVM's errors in a node's format. It numbers errors without fields in the order of these lists.

const TRANSACTION_ERRORS = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded',
  'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
] as const;

const INSTRUCTION_ERRORS = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
  'BorshIoError',
] as const;

/** The fields of LiteSVM's error objects. They share field names but no common type, so their class decides. */
interface ErrorObject {
  readonly index?: number;
  readonly accountIndex?: number;
  readonly code?: number;
  err?(): unknown;
}

const unknownError = (error: unknown) =>
  new Error(`LiteSVM failed with an error that this version doesn't know: ${String(error)}. Report it.`);

/** The class of an error with fields. */
const kindOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null ? error.constructor.name : undefined;

/** A transaction's error in a node's format, such as `{ InstructionError: [0, { Custom: 1 }] }`. */
export function transactionErrorFrom(error: unknown): unknown {
  if (typeof error === 'number') return named(TRANSACTION_ERRORS, error);
  const { index, accountIndex, err } = (error ?? {}) as ErrorObject;
  switch (kindOf(error)) {
    case 'TransactionErrorInstructionError':
      return { InstructionError: [index, instructionErrorFrom(err?.call(error))] };
    case 'TransactionErrorDuplicateInstruction':
      return { DuplicateInstruction: index };
    case 'TransactionErrorInsufficientFundsForRent':
      return { InsufficientFundsForRent: { account_index: accountIndex } };
    case 'TransactionErrorProgramExecutionTemporarilyRestricted':
      return { ProgramExecutionTemporarilyRestricted: { account_index: accountIndex } };
  }
  throw unknownError(error);
}

function instructionErrorFrom(error: unknown): string | { readonly Custom: number } {
  if (typeof error === 'number') return named(INSTRUCTION_ERRORS, error);
  switch (kindOf(error)) {
    case 'InstructionErrorCustom':
      return { Custom: Number((error as ErrorObject).code) };
    case 'InstructionErrorBorshIo':
      return 'BorshIoError';
  }
  throw unknownError(error);
}

function named(names: readonly string[], number: number): string {
  const name = names[number];
  if (name === undefined) throw unknownError(number);
  return name;
}

import {
  type Address,
  createFailedToSendTransactionError,
  getSolanaErrorFromJsonRpcError,
  getSolanaErrorFromTransactionError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { HeavenError } from '../../src/errors.js';
import {
  explainTransactionFailure,
  listHeavenProgramErrors,
  toHeavenProgramError,
} from '../../src/program/index.js';
import { addressNamed } from '../support/addresses.js';

const NAMES: readonly (readonly [code: number, name: string])[] = [
  [6000, 'UnsupportedTokenMint'],
  [6001, 'InvalidTokenVaultBalance'],
  [6002, 'InvalidUserToken'],
  [6003, 'InvalidTaxationMode'],
  [6004, 'InvalidOwner'],
  [6005, 'InvalidLockLiquidityProviderTokenPercentage'],
  [6006, 'CannotCreatePoolWithDisabledProtocolConfigVersion'],
  [6007, 'InvalidTokenInputAmount'],
  [6008, 'InvalidSwapTax'],
  [6009, 'InvalidFeeMode'],
  [6010, 'InvalidLiquidityProviderTokenLockVault'],
  [6011, 'InvalidUserLiquidityProviderTokenVault'],
  [6012, 'InsufficientBalance'],
  [6013, 'ExceededSlippage'],
  [6014, 'InvalidAddLiquidityInput'],
  [6015, 'InvalidRemoveLiquidityInput'],
  [6016, 'AddLiquidityDisabled'],
  [6017, 'RemoveLiquidityDisabled'],
  [6018, 'SwapDisabled'],
  [6019, 'LiquidityPoolIsNotOpenYet'],
  [6020, 'InvalidSwapInInputs'],
  [6021, 'InvalidProtocolSwapFeeWallet'],
  [6022, 'InvalidSwapOutInputs'],
  [6023, 'InvalidPostFeeAmount'],
  [6024, 'ExceededQuoteTokenSlippage'],
  [6025, 'ExceededBaseTokenSlippage'],
  [6026, 'LpTokensLocked'],
  [6027, 'InvalidProtocolBaseTokenSwapFeeVault'],
  [6028, 'InvalidProtocolQuoteTokenSwapFeeVault'],
  [6029, 'InvalidUserPoolStatsAccount'],
  [6030, 'InvalidUserGlobalStatsAccount'],
  [6031, 'CannotUpdateLpLock'],
  [6032, 'ZeroAmount'],
  [6033, 'CannotUpdateLpOpenTime'],
  [6034, 'CannotSetLockBurnLpTokens'],
  [6035, 'InvalidTax'],
  [6036, 'InvalidChainlinkFeedAccount'],
  [6037, 'InvalidChainlinkProgram'],
  [6038, 'InvalidConfigVersion'],
  [6039, 'CannotUpdateLockedTaxation'],
  [6040, 'CannotClaimSwapFee'],
  [6041, 'NonCreatorCannotAddLp'],
  [6042, 'SimpleAmmBaseTokenCannotHaveFreezeAuthority'],
  [6043, 'SimpleAmmBaseTokenCannotHaveMintAuthority'],
  [6044, 'SimpleAmmQuoteTokenMustBeWSOL'],
  [6045, 'SimpleAmmBaseTokenSupplyMustMatchInputAmount'],
  [6046, 'SimpleAmmBaseTokenMustBeSplToken'],
  [6047, 'InvalidProgramAuthorityLookupTableAddress'],
  [6048, 'CannotCreatePoolWithUnsupportedPoolType'],
  [6049, 'InvalidLendingMarket'],
  [6050, 'KaminoPriceListRefreshIxNotFound'],
  [6051, 'KaminoError'],
  [6052, 'ReserveRebalancing'],
  [6053, 'OnlySingleSwapAllowed'],
];

const ANCHOR_NAMES: readonly (readonly [code: number, name: string])[] = [
  [100, 'InstructionMissing'],
  [101, 'InstructionFallbackNotFound'],
  [102, 'InstructionDidNotDeserialize'],
  [2000, 'ConstraintMut'],
  [2001, 'ConstraintHasOne'],
  [2006, 'ConstraintSeeds'],
  [2012, 'ConstraintAddress'],
  [3000, 'AccountDiscriminatorAlreadySet'],
  [3005, 'AccountNotEnoughKeys'],
  [3007, 'AccountOwnedByWrongProgram'],
  [3012, 'AccountNotInitialized'],
  [4100, 'DeclaredProgramIdMismatch'],
];

describe('error codes', () => {
  test('are the 54 of the exchange, in order', () => {
    expect(NAMES).toHaveLength(54);
    expect(listHeavenProgramErrors().map(({ code, name }) => [code, name])).toEqual(NAMES);
  });

  test.each([...NAMES, ...ANCHOR_NAMES])('%d is %s, with a meaning and a remedy', (code, name) => {
    expect(toHeavenProgramError(code)).toEqual({
      code,
      name,
      meaning: expect.stringMatching(/^\S.*\.$/),
      action: expect.stringMatching(/^\S.*\.$/),
    });
  });

  test.each([0, 1, 99, 5999, 6054, -1, 6000.5, Number.NaN])('%d is not one of them', (code) => {
    expect(toHeavenProgramError(code)).toBeUndefined();
  });
});

// ---------------------------------------------------------------- failures

const EXCHANGE = 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o' as Address;
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
const ROUTER = addressNamed('router');
const HTTP_429 = { headers: new Headers(), message: 'Too many requests', statusCode: 429 };

/** 6013 is 0x177d. */
const SLIPPAGE = { InstructionError: [4, { Custom: 6013 }] };
const failed = (program: string, code: string): string =>
  `Program ${program} failed: custom program error: ${code}`;
const slippageLogs = [
  `Program ${EXCHANGE} invoke [1]`,
  'Program log: AnchorError thrown. Error Code: ExceededSlippage. Error Number: 6013.',
  failed(EXCHANGE, '0x177d'),
];

describe('a failure of the exchange', () => {
  test.each([
    ['numbers', { InstructionError: [4, { Custom: 6013 }] }],
    ['bigints', { InstructionError: [4n, { Custom: 6013n }] }],
  ])('is explained from an error in %s', (_, err) => {
    const failure = explainTransactionFailure({ err, logs: slippageLogs });
    expect(failure).toMatchObject({
      instructionIndex: 4,
      code: 6013,
      programAddress: EXCHANGE,
      programError: { code: 6013, name: 'ExceededSlippage' },
    });
    const { meaning, action } = toHeavenProgramError(6013)!;
    for (const part of ['Instruction 5 failed', 'ExceededSlippage', '6013', meaning, action])
      expect(failure?.message).toContain(part);
  });

  test('is explained without logs, from its code', () => {
    for (const logs of [undefined, null, []]) {
      const failure = explainTransactionFailure({ err: SLIPPAGE, ...(logs === undefined ? {} : { logs }) });
      expect(failure?.programError?.name).toBe('ExceededSlippage');
      expect(failure).not.toHaveProperty('programAddress');
    }
  });

  test('may be one of the Anchor framework', () => {
    const failure = explainTransactionFailure({
      err: { InstructionError: [0, { Custom: 2006 }] },
      logs: [`Program ${EXCHANGE} invoke [1]`, failed(EXCHANGE, '0x7d6')],
    });
    expect(failure?.programError?.name).toBe('ConstraintSeeds');
  });

  test('may have an unknown code', () => {
    const failure = explainTransactionFailure({
      err: { InstructionError: [0, { Custom: 7000 }] },
      logs: [failed(EXCHANGE, '0x1b58')],
    });
    expect(failure).toMatchObject({ code: 7000, programAddress: EXCHANGE });
    expect(failure).not.toHaveProperty('programError');
    expect(failure?.message).toContain('7000');
  });

  test('is found behind a program that called it', () => {
    const logs = [
      `Program ${ROUTER} invoke [1]`,
      `Program ${EXCHANGE} invoke [2]`,
      failed(EXCHANGE, '0x177d'),
      failed(ROUTER, '0x177d'),
    ];
    expect(explainTransactionFailure({ err: SLIPPAGE, logs })).toMatchObject({
      programAddress: EXCHANGE,
      programError: { name: 'ExceededSlippage' },
    });
  });

  test('is known for another deployment', () => {
    const logs = [failed(ROUTER, '0x177d')];
    const config = { programAddress: ROUTER };
    expect(explainTransactionFailure({ err: SLIPPAGE, logs }, config)?.programError?.code).toBe(6013);
    expect(explainTransactionFailure({ err: SLIPPAGE, logs: slippageLogs }, config)).not.toHaveProperty(
      'programError',
    );
  });
});

describe('a failure of another program', () => {
  test("is not the exchange's by its code", () => {
    const failure = explainTransactionFailure({ err: SLIPPAGE, logs: [failed(ROUTER, '0x177d')] });
    expect(failure).toMatchObject({ code: 6013, programAddress: ROUTER });
    expect(failure).not.toHaveProperty('programError');
    expect(failure?.message).not.toContain('ExceededSlippage');
    expect(failure?.message).toContain(ROUTER);
  });

  test('is that of the program that the exchange called', () => {
    const failure = explainTransactionFailure({
      err: { InstructionError: [4, { Custom: 1 }] },
      logs: [
        `Program ${EXCHANGE} invoke [1]`,
        `Program ${TOKEN} invoke [2]`,
        'Program log: Error: insufficient funds',
        failed(TOKEN, '0x1'),
        failed(EXCHANGE, '0x1'),
      ],
    });
    expect(failure).toMatchObject({ instructionIndex: 4, code: 1, programAddress: TOKEN });
    expect(failure).not.toHaveProperty('programError');
  });

  test('can hold a code of the Anchor framework', () => {
    const err = { InstructionError: [0, { Custom: 3012 }] };
    expect(explainTransactionFailure({ err, logs: [failed(ROUTER, '0xbc4')] })).not.toHaveProperty(
      'programError',
    );
  });

  test('is identified by the list of programs if logs are missing', () => {
    const instructionPrograms = [TOKEN, TOKEN, TOKEN, TOKEN, ROUTER];
    const failure = explainTransactionFailure({ err: SLIPPAGE, instructionPrograms });
    expect(failure).toMatchObject({ programAddress: ROUTER });
    expect(failure).not.toHaveProperty('programError');
    expect(
      explainTransactionFailure({
        err: { InstructionError: [0, { Custom: 3012 }] },
        instructionPrograms: [EXCHANGE],
      })?.programError?.name,
    ).toBe('AccountNotInitialized');
  });

  test('is not hidden by a program that prints a failure', () => {
    const logs = [
      `Program ${ROUTER} invoke [1]`,
      `Program log: ${failed(EXCHANGE, '0x177d')}`,
      failed(ROUTER, '0x177d'),
    ];
    expect(explainTransactionFailure({ err: SLIPPAGE, logs })).toMatchObject({ programAddress: ROUTER });
  });

  test.each([
    ['11111111111111111111111111111111', 1, /holds less SOL/],
    ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 1, /token account holds less/],
    ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 17, /frozen/],
  ])('of %s with code %i says what users run into', (program, code, words) => {
    const instructionPrograms = [program as Address];
    const failure = explainTransactionFailure({
      err: { InstructionError: [0, { Custom: code }] },
      instructionPrograms,
    });
    expect(failure?.message).toMatch(words);
    expect(failure?.programError).toBeUndefined();
    const other = explainTransactionFailure({
      err: { InstructionError: [0, { Custom: code + 1 }] },
      instructionPrograms,
    });
    expect(other?.message).toBe(`Instruction 1 failed: custom error ${code + 1} of ${program}.`);
  });

  test('with a low code and no hint is not explained', () => {
    const failure = explainTransactionFailure({ err: { InstructionError: [2, { Custom: 1 }] } });
    expect(failure).toMatchObject({ instructionIndex: 2, code: 1 });
    expect(failure).not.toHaveProperty('programError');
  });
});

describe('a failure without a code', () => {
  test.each([
    ['a text', 'BlockhashNotFound', 'BlockhashNotFound'],
    ['an object', { InsufficientFundsForRent: { account_index: 2 } }, 'InsufficientFundsForRent'],
  ])("is the transaction's: %s", (_, err, name) => {
    const failure = explainTransactionFailure({ err });
    expect(failure).toEqual({ message: expect.stringContaining(name) });
  });

  test.each([
    ['a text', 'InsufficientFunds', 'InsufficientFunds'],
    ['an object', { BorshIoError: 'Unknown' }, 'BorshIoError'],
  ])("is an instruction's: %s", (_, inner, name) => {
    const failure = explainTransactionFailure({ err: { InstructionError: [2n, inner] } });
    expect(failure).toEqual({ message: expect.stringContaining(name), instructionIndex: 2 });
    expect(failure?.message).toMatch(/^Instruction 3 failed: /);
  });

  test.each([null, undefined])('%s is no failure', (err) => {
    expect(explainTransactionFailure({ err, logs: slippageLogs })).toBeUndefined();
    expect(explainTransactionFailure(err)).toBeUndefined();
  });
});

describe('what getTransaction answers', () => {
  test('is explained, with the logs it carries', () => {
    const meta = { err: SLIPPAGE, logMessages: [failed(ROUTER, '0x177d')], fee: 5000n };
    expect(explainTransactionFailure({ meta })).toEqual(
      explainTransactionFailure({ err: SLIPPAGE, logs: meta.logMessages }),
    );
    expect(explainTransactionFailure({ meta })).toMatchObject({ code: 6013, programAddress: ROUTER });
  });

  test('may be without logs', () => {
    for (const meta of [{ err: SLIPPAGE }, { err: SLIPPAGE, logMessages: null }]) {
      expect(explainTransactionFailure({ meta })?.programError?.name).toBe('ExceededSlippage');
    }
  });

  test.each([[{ meta: null }], [{ meta: { err: null, logMessages: slippageLogs } }]])(
    '%o is no failure',
    (response) => {
      expect(explainTransactionFailure(response)).toBeUndefined();
    },
  );
});

test('an account that does not exist may be that of a wallet that holds none of the token', () => {
  expect(toHeavenProgramError(3012)?.action).toContain('or the wallet holds none of the token');
});

describe('errors that kit throws', () => {
  /** What a node answers to a transaction that fails its preflight simulation. */
  const preflight = (err: unknown, logs: readonly string[] | null) =>
    getSolanaErrorFromJsonRpcError({
      code: -32002,
      message: 'Transaction simulation failed',
      data: {
        accounts: null,
        err,
        innerInstructions: null,
        logs,
        replacementBlockhash: null,
        returnData: null,
        unitsConsumed: 12_345n,
      },
    });

  test.each([
    ['numbers', { InstructionError: [4, { Custom: 6013 }] }],
    ['bigints', { InstructionError: [4n, { Custom: 6013n }] }],
  ])('a failed preflight in %s is explained, with the logs it carries', (_, err) => {
    expect(explainTransactionFailure({ err: preflight(err, slippageLogs) })).toMatchObject({
      instructionIndex: 4,
      code: 6013,
      programAddress: EXCHANGE,
      programError: { name: 'ExceededSlippage' },
    });
  });

  test('a failed preflight of another program is not attributed to the exchange', () => {
    const err = preflight(SLIPPAGE, [failed(ROUTER, '0x177d')]);
    const failure = explainTransactionFailure({ err });
    expect(failure).toMatchObject({ code: 6013, programAddress: ROUTER });
    expect(failure).not.toHaveProperty('programError');
  });

  test('a failed preflight without logs goes by the list of programs', () => {
    const err = preflight({ InstructionError: [0, { Custom: 6013 }] }, null);
    expect(explainTransactionFailure({ err, instructionPrograms: [ROUTER] })).not.toHaveProperty(
      'programError',
    );
    expect(explainTransactionFailure({ err })?.programError?.code).toBe(6013);
  });

  test.each([
    ['AccountNotFound', /holds no SOL/],
    ['AddressLookupTableNotFound', /lookup table/],
    ['AlreadyProcessed', /don't send it again/],
    ['BlockhashNotFound', /refreshLifetime/],
    ['InsufficientFundsForFee', /less SOL than the fee/],
    ['SignatureFailure', /requiredSigners/],
  ])('a failed preflight of the whole transaction says why: %s', (name, words) => {
    const failure = explainTransactionFailure({ err: preflight(name, []) });
    expect(failure).toEqual({ message: expect.stringMatching(words) });
    expect(failure?.message).toContain(`The transaction failed: ${name}. `);
    // A simulation gives the bare name.
    expect(explainTransactionFailure({ err: name })).toEqual(failure);
  });

  test.each([
    ['ComputationalBudgetExceeded', /computeUnitLimit/],
    ['InsufficientFunds', /holds less/],
    ['MissingRequiredSignature', /has to sign/],
  ])('a failed preflight of an instruction says why: %s', (name, words) => {
    const failure = explainTransactionFailure({ err: preflight({ InstructionError: [3, name] }, []) });
    expect(failure).toEqual({ message: expect.stringMatching(words), instructionIndex: 3 });
    expect(explainTransactionFailure({ err: { InstructionError: [3, name] } })).toEqual(failure);
  });

  test('a failed preflight is explained from inside a failed transaction plan', () => {
    const error = preflight(SLIPPAGE, [failed(EXCHANGE, '0x177d'), failed(ROUTER, '0x177d')]);
    const result = { kind: 'single', status: 'failed', error, context: {} };
    const err = createFailedToSendTransactionError(result as never);
    expect(explainTransactionFailure({ err })).toMatchObject({
      instructionIndex: 4,
      programAddress: EXCHANGE,
      programError: { name: 'ExceededSlippage' },
    });
  });

  test('a transaction error is explained', () => {
    const err = getSolanaErrorFromTransactionError({ InstructionError: [1, { Custom: 6018 }] });
    expect(explainTransactionFailure({ err })).toMatchObject({
      instructionIndex: 1,
      code: 6018,
      programError: { name: 'SwapDisabled' },
    });
  });

  test('an error of the Token program is not attributed to the exchange', () => {
    const err = getSolanaErrorFromTransactionError({ InstructionError: [1, { Custom: 1 }] });
    const failure = explainTransactionFailure({ err, logs: [failed(TOKEN, '0x1')] });
    expect(failure).toMatchObject({ code: 1, programAddress: TOKEN });
    expect(failure).not.toHaveProperty('programError');
  });

  test.each([
    ['of the network', new TypeError('fetch failed')],
    ['of a wallet', new Error('User rejected')],
    ['of this library', new HeavenError('invalid-input', 'No.', { field: 'mint', value: 1 })],
    ['around one of kit', new Error('explained', { cause: preflight('BlockhashNotFound', []) })],
    ["of a node's transport", new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, HTTP_429)],
    ['of a node that is behind', getSolanaErrorFromJsonRpcError({ code: -32005, message: 'behind' })],
    [
      'of a plan that met none of a transaction',
      createFailedToSendTransactionError({
        kind: 'single',
        status: 'failed',
        error: new Error('fetch failed'),
        context: {},
      } as never),
    ],
  ])('an error %s is no failed transaction', (_, err) => {
    expect(explainTransactionFailure(err)).toBeUndefined();
    expect(explainTransactionFailure({ err })).toBeUndefined();
  });

  test.each(['ProgramCacheHitMaxLimit', 'CommitCancelled', 'AccountInUse'])('%s is one', (name) => {
    expect(explainTransactionFailure(getSolanaErrorFromTransactionError(name))).toEqual({
      message: expect.stringMatching(/^The transaction failed: /),
    });
  });
});

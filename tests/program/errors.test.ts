import {
  type Address,
  createFailedToSendTransactionError,
  getSolanaErrorFromJsonRpcError,
  getSolanaErrorFromTransactionError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import * as system from '@solana-program/system';
import * as token from '@solana-program/token';
import { describe, expect, test, vi } from 'vitest';
import { HeavenError } from '../../src/base/errors.js';
import { explainTransactionFailure } from '../../src/index.js';
import { listHeavenProgramErrors, toHeavenProgramError } from '../../src/program/error-codes.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { advisedErrors } from '../../src/program/other-errors.js';
import { addressNamed, LOOKUP_TABLE_PROGRAM_ADDRESS } from '../support/addresses.js';
import { idl } from './committed-idl.js';

/** Some of the Anchor framework. */
const ANCHOR_ERRORS = [
  { code: 100, name: 'InstructionMissing' },
  { code: 102, name: 'InstructionDidNotDeserialize' },
  { code: 2006, name: 'ConstraintSeeds' },
  { code: 3012, name: 'AccountNotInitialized' },
  { code: 4100, name: 'DeclaredProgramIdMismatch' },
];

test('the error codes of the exchange and of its framework have a name, a meaning and a remedy', () => {
  expect(listHeavenProgramErrors().map(({ code }) => code)).toEqual(
    Array.from({ length: 54 }, (_, index) => 6_000 + index),
  );
  const sentence = expect.stringMatching(/^\S.*\.$/);
  for (const { code, name } of [...idl.errors, ...ANCHOR_ERRORS])
    expect(toHeavenProgramError(code)).toEqual({ code, name, meaning: sentence, action: sentence });
  for (const code of [0, 1, 99, 5999, 6054, -1, 6000.5, Number.NaN])
    expect(toHeavenProgramError(code)).toBeUndefined();
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

/** A failed instruction. */
const custom = (code: number | bigint, index: number | bigint = 4) => ({
  InstructionError: [index, { Custom: code }],
});
/** What a node answers to a transaction that fails its preflight simulation. */
const preflight = (err: unknown, logs: readonly string[] | null) => {
  const unused = { accounts: null, innerInstructions: null, replacementBlockhash: null, returnData: null };
  const data = { ...unused, err, logs, unitsConsumed: 12_345n };
  return getSolanaErrorFromJsonRpcError({ code: -32002, message: 'Transaction simulation failed', data });
};
/** What kit throws when the one transaction of a plan meets an error. */
const failedPlan = (error: Error) =>
  createFailedToSendTransactionError({ kind: 'single', status: 'failed', error, context: {} } as never);

describe('whose failure it is', () => {
  type Report = Parameters<typeof explainTransactionFailure>[0];
  /** The name of the exchange's error, and the program that failed. */
  const told = (report: Report, config?: { readonly programAddress: Address }) => {
    const failure = explainTransactionFailure(report, config);
    return [failure?.programError?.name, failure?.programAddress];
  };
  const SLIPPED = ['ExceededSlippage', EXCHANGE] as const;
  const inRouter = [failed(ROUTER, '0x177d')];
  const printed = [`Program log: ${failed(EXCHANGE, '0x177d')}`, ...inRouter];
  const inToken = [failed(TOKEN, '0x1'), failed(EXCHANGE, '0x1')];
  const programs = [TOKEN, TOKEN, TOKEN, TOKEN, ROUTER];
  const inFirst = { err: custom(3012, 0), instructionPrograms: [EXCHANGE] };
  const withoutLogs = preflight(custom(6013), null);

  test.each<[string, Report, name: string | undefined, program: Address | undefined]>([
    ['numbers', { err: SLIPPAGE, logs: slippageLogs }, ...SLIPPED],
    ['bigints', { err: custom(6013n, 4n), logs: slippageLogs }, ...SLIPPED],
    ['no logs: by its code', { err: SLIPPAGE }, 'ExceededSlippage', undefined],
    ['an Anchor code', { err: custom(2006), logs: [failed(EXCHANGE, '0x7d6')] }, 'ConstraintSeeds', EXCHANGE],
    ['an unknown code', { err: custom(7000), logs: [failed(EXCHANGE, '0x1b58')] }, undefined, EXCHANGE],
    ['a caller that failed with it', { err: SLIPPAGE, logs: [...slippageLogs, ...inRouter] }, ...SLIPPED],
    ['another program with the same code', { err: SLIPPAGE, logs: inRouter }, undefined, ROUTER],
    ['a program that the exchange called', { err: custom(1), logs: inToken }, undefined, TOKEN],
    ['a program that prints a failure', { err: SLIPPAGE, logs: printed }, undefined, ROUTER],
    ['no logs, another in its place', { err: SLIPPAGE, instructionPrograms: programs }, undefined, ROUTER],
    ['no logs, the exchange in its place', inFirst, 'AccountNotInitialized', EXCHANGE],
    ['a low code and no hint', { err: custom(1) }, undefined, undefined],
    ['what getTransaction answers', { meta: { err: SLIPPAGE, logMessages: slippageLogs } }, ...SLIPPED],
    ['a failed preflight', { err: preflight(SLIPPAGE, slippageLogs) }, ...SLIPPED],
    ['a preflight without logs', { err: withoutLogs, instructionPrograms: programs }, undefined, ROUTER],
    ["kit's error", { err: getSolanaErrorFromTransactionError(SLIPPAGE) }, 'ExceededSlippage', undefined],
    ["kit's error by itself", getSolanaErrorFromTransactionError(SLIPPAGE), 'ExceededSlippage', undefined],
    ['an error inside a failed plan', { err: failedPlan(preflight(SLIPPAGE, slippageLogs)) }, ...SLIPPED],
  ])('%s', (_, report, name, program) => {
    expect(told(report)).toEqual([name, program]);
  });

  test('on another deployment', () => {
    const config = { programAddress: ROUTER };
    expect(told({ err: SLIPPAGE, logs: inRouter }, config)).toEqual(['ExceededSlippage', ROUTER]);
    expect(told({ err: SLIPPAGE, logs: slippageLogs }, config)).toEqual([undefined, EXCHANGE]);
  });

  test('with its instruction, its code, and what to do', () => {
    const failure = explainTransactionFailure({ err: SLIPPAGE, logs: slippageLogs });
    expect(failure).toMatchObject({ name: 'ExceededSlippage', instructionIndex: 4, code: 6013 });
    const { meaning, action } = toHeavenProgramError(6013)!;
    for (const part of ['Instruction 5 failed', 'ExceededSlippage', '6013', meaning, action])
      expect(failure?.message).toContain(part);
    expect(explainTransactionFailure({ err: SLIPPAGE })).not.toHaveProperty('programAddress');
  });
});

describe('a failure without a code', () => {
  test.each(['AccountNotFound', 'BlockhashNotFound'])("is the transaction's: %s", (err) => {
    const failure = explainTransactionFailure({ err });
    expect(failure).toEqual({ message: expect.any(String), name: err });
    expect(explainTransactionFailure({ err: preflight(err, []) })).toEqual(failure);
  });

  test("is an instruction's", () => {
    const inner = 'MissingRequiredSignature';
    const failure = explainTransactionFailure({ err: { InstructionError: [2n, inner] } });
    expect(failure).toEqual({
      message: expect.stringMatching(/^Instruction 3 /),
      name: inner,
      instructionIndex: 2,
    });
    const again = { err: preflight({ InstructionError: [2, inner] }, []) };
    expect(explainTransactionFailure(again)).toEqual(failure);
  });

  test.each<[name: string, err: object, rest: object]>([
    ['InsufficientFundsForRent', { InsufficientFundsForRent: { account_index: 2 } }, {}],
    ['BorshIoError', { InstructionError: [2n, { BorshIoError: 'Unknown' }] }, { instructionIndex: 2 }],
    ['ProgramCacheHitMaxLimit', getSolanaErrorFromTransactionError('ProgramCacheHitMaxLimit'), {}],
  ])('may be one without an explanation of its own: %s', (name, err, rest) => {
    const failure = explainTransactionFailure({ err });
    expect(failure).toMatchObject({ message: expect.stringContaining(name), ...rest });
  });
});

describe('what another program or the runtime says', () => {
  const ofProgram = (program: Address, code: number, logs: readonly string[] = []) =>
    explainTransactionFailure({ err: custom(code, 0), instructionPrograms: [program], logs })!.message;
  const pascal = (constant: string) =>
    constant.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  /** A client's error codes by name, from the names of its constants. */
  const codesIn = (client: object, prefix: string) =>
    Object.entries(client).flatMap(([name, code]): [string, number][] =>
      name.startsWith(prefix) ? [[pascal(name.slice(prefix.length)), code]] : [],
    );

  const TOKEN_ERRORS = codesIn(token, 'TOKEN_ERROR__');
  test.each<[string, Address, readonly (readonly [string, number])[], (code: never) => string]>([
    ['System', SYSTEM_PROGRAM_ADDRESS, codesIn(system, 'SYSTEM_ERROR__'), system.getSystemErrorMessage],
    ['Token', TOKEN, TOKEN_ERRORS, token.getTokenErrorMessage],
    ['Token-2022', TOKEN_2022_PROGRAM_ADDRESS, TOKEN_ERRORS, token.getTokenErrorMessage],
    [
      'associated token',
      ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
      codesIn(token, 'ASSOCIATED_TOKEN_ERROR__'),
      token.getAssociatedTokenErrorMessage,
    ],
  ])(
    'has the names of the client of the %s program, and its sentence where there is no advice',
    (title, program, codes, sentence) => {
      for (const [name, code] of codes) {
        const message = ofProgram(program, code);
        const start = `Instruction 1 failed: ${name} (${code}) of the ${title} program. `;
        expect(message.slice(0, start.length)).toBe(start);
        const words = `${sentence(code as never).toLowerCase()}.`;
        if (!advisedErrors().includes(name)) expect(message.slice(start.length).toLowerCase()).toBe(words);
      }
      expect(ofProgram(program, 999)).toBe(`Instruction 1 failed: custom error 999 of ${program}.`);
    },
  );

  test.each<[Address, code: number, RegExp]>([
    [
      TOKEN_2022_PROGRAM_ADDRESS,
      20,
      /^Instruction 1 failed: ExtensionTypeMismatch \(20\) of the Token-2022 program\.$/,
    ],
    [TOKEN_2022_PROGRAM_ADDRESS, 36, /NoMemo \(36\).* requires a memo .* Switch that off/],
    [TOKEN_2022_PROGRAM_ADDRESS, 37, /NonTransferable \(37\).* can't be transferred/],
    [TOKEN_2022_PROGRAM_ADDRESS, 42, /CpiGuardTransferBlocked \(42\).* Switch it off/],
    [TOKEN_2022_PROGRAM_ADDRESS, 67, /MintPaused \(67\).* paused all transfers/],
    [TOKEN_2022_PROGRAM_ADDRESS, 68, /PendingBalanceNonZero/],
    [TOKEN, 20, /custom error 20 of Token/],
    [LOOKUP_TABLE_PROGRAM_ADDRESS, 2, /IllegalOwner \(2\) of the lookup table program\. An account belongs/],
    [LOOKUP_TABLE_PROGRAM_ADDRESS, 3, /custom error 3 of/],
    [LOOKUP_TABLE_PROGRAM_ADDRESS, 11, /ReadonlyLamportsChanged/],
    [SYSTEM_PROGRAM_ADDRESS, 1, /A wallet holds less SOL than it pays/],
    [EXCHANGE, 6054, /error 6054 of the exchange, which this version does not know\. Update this library/],
    [EXCHANGE, 1, new RegExp(`custom error 1 of ${EXCHANGE}`)],
  ])('%s, %i', (program, code, words) => {
    expect(ofProgram(program, code)).toMatch(words);
  });

  test('says what a wallet has and needs, as the System program logs it', () => {
    const [line, end] = [
      'Transfer: insufficient lamports 1000000, need 2039280',
      failed(SYSTEM_PROGRAM_ADDRESS, '0x1'),
    ];
    const words =
      /The wallet has 0\.001 SOL left by then, and this needs 0\.00203928 SOL\. Add SOL, or use less\.$/;
    expect(ofProgram(SYSTEM_PROGRAM_ADDRESS, 1, [line, end])).toMatch(words);
    expect(ofProgram(SYSTEM_PROGRAM_ADDRESS, 1, [`Program log: ${line}`, end])).not.toMatch(words);
  });

  test.each<[err: unknown, RegExp]>([
    [
      { InstructionError: [2, 'IllegalOwner'] },
      /^Instruction 3 failed: IllegalOwner\. An account belongs to another owner/,
    ],
    [
      { InstructionError: [2, 'AccountNotRentExempt'] },
      /AccountNotRentExempt\. An account does not have enough lamports to be rent-exempt\.$/,
    ],
    ['ProgramAccountNotFound', /^The transaction failed: ProgramAccountNotFound\. .* not on this network/],
    ['MaxLoadedAccountsDataSizeExceeded', /set a higher loadedAccountsDataSizeLimit/],
    [
      { DuplicateInstruction: 1 },
      /^The transaction failed: DuplicateInstruction\. It sets a compute unit limit or price twice/,
    ],
    ['CallChainTooDeep', /^The transaction failed: CallChainTooDeep\. \S.*\.$/],
    ['NewError', /^The transaction failed: NewError\.$/],
    ['constructor', /^The transaction failed: constructor\.$/],
  ])("of the runtime's: %j", (err, words) => {
    expect(explainTransactionFailure({ err })?.message).toMatch(words);
    // kit's own error has no name: its sentence stands in place of both, where there is no advice.
    const { message } = explainTransactionFailure(getSolanaErrorFromTransactionError(err as never))!;
    expect(message).toMatch(/^(?:The transaction|Instruction 3) failed: \S.*\.$/);
    expect(message).not.toContain('(instruction #');
  });

  test('in a production build, which has no sentences: a name and, of what is likely, what to do', () => {
    vi.stubEnv('NODE_ENV', 'production');
    expect(ofProgram(TOKEN, 4)).toMatch(/OwnerMismatch \(4\) of the Token program\. A token account belongs/);
    expect(ofProgram(TOKEN, 3)).toBe('Instruction 1 failed: MintMismatch (3) of the Token program.');
    const err = { InstructionError: [2, 'IllegalOwner'] };
    const byKit = explainTransactionFailure(getSolanaErrorFromTransactionError(err as never));
    expect(byKit).toEqual(explainTransactionFailure({ err }));
    const unlikely = explainTransactionFailure({ err: { InstructionError: [2, 'Immutable'] } });
    expect(unlikely?.message).toBe('Instruction 3 failed: Immutable.');
    vi.unstubAllEnvs();
  });
});

describe('no failed transaction', () => {
  test.each([
    ['null', null],
    ['undefined', undefined],
    ['an error of the network', new TypeError('fetch failed')],
    ['an error of a wallet', new Error('User rejected')],
    ['an error of this library', new HeavenError('invalid-input', 'No.', { field: 'mint', value: 1 })],
    ['an error around one of kit', new Error('explained', { cause: preflight('BlockhashNotFound', []) })],
    ["an error of a node's transport", new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, HTTP_429)],
    ['a node that is behind', getSolanaErrorFromJsonRpcError({ code: -32005, message: 'behind' })],
    ['a plan that met none of a transaction', failedPlan(new Error('fetch failed'))],
  ])('%s', (_, err) => {
    expect(explainTransactionFailure(err)).toBeUndefined();
    expect(explainTransactionFailure({ err, logs: slippageLogs })).toBeUndefined();
  });

  test.each([{ meta: null }, { meta: { err: null, logMessages: slippageLogs } }])('%j', (response) => {
    expect(explainTransactionFailure(response)).toBeUndefined();
  });
});

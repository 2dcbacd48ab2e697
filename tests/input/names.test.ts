import { describe, expect, test } from 'vitest';

import * as http from '../../src/http/index.js';
import * as main from '../../src/index.js';
import * as node from '../../src/node/index.js';
import * as program from '../../src/program/index.js';
import { getInstructionDeclarations } from '../../src/program/instructions/declarations.js';
import * as testing from '../../src/testing/index.js';
import { STRANGER } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, useLedger } from '../support/ledger.js';
import { OPERATIONS, OTHERS, ROWS, type Row } from './object-calls.js';

// Every exported function that takes an object rejects a misspelt name with the right one, and names an unknown one.

useLedger();

type Operation = (client: main.HeavenClient, input: object) => Promise<unknown>;
const operations = main as unknown as Readonly<Record<(typeof OPERATIONS)[number], Operation>>;

test('every exported function is tried here, or takes no object of names', () => {
  const exported = Object.entries({ ...main, ...http, ...node, ...testing, ...program }).flatMap(
    ([name, value]) =>
      typeof value === 'function' && !/^(get|parse(?!Heaven))\w+Instruction$/.test(name) ? [name] : [],
  );
  const tried = [...Object.keys(ROWS), ...OTHERS, ...OPERATIONS];
  expect(exported.filter((name) => !tried.includes(name))).toEqual([]);
  expect(tried.filter((name) => !exported.includes(name))).toEqual([]);
});

/** What a call throws, which must be this library's error. */
const refusalOf = async (call: Row[2], more: object): Promise<main.HeavenError> => {
  const called = (async () => await call(more))();
  const error: unknown = await called.then(
    (found) => expect.unreachable(`no error, but ${String(found)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(main.HeavenError);
  return error as main.HeavenError;
};

describe.each(Object.entries(ROWS).flatMap(([name, rows]) => rows.map((row) => [name, ...row] as const)))(
  '%s',
  (_, misspelt, meant, call) => {
    test(`a misspelt ${meant} is named with the right name`, async () => {
      const { message } = await refusalOf(call, { [misspelt]: 1 });
      expect(message).toMatch(
        new RegExp(
          `no (field )?${misspelt}\\b.*(did you mean ${meant}\\?|only .*${meant}|it takes ${meant}$)`,
        ),
      );
    });

    test('an unknown name is named', async () => {
      const { message } = await refusalOf(call, { nonsense: 1 });
      expect(message).toContain('nonsense');
    });
  },
);

test.each(OPERATIONS.filter((name) => name !== 'buildTrade'))(
  '%s names a misspelt name with the right one',
  async (name) => {
    const { message } = await expectRefusal(operations[name]!(client, { abortSignl: 1 }), 'invalid-input');
    expect(message).toContain('has no field abortSignl; did you mean abortSignal?');
  },
);

test.each(getInstructionDeclarations().map(({ name }) => name))(
  'the builder of %s names an unknown name',
  (name) => {
    const camel = name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const build = (
      program as unknown as Readonly<Record<string, (input: object, config?: object) => unknown>>
    )[`get${camel}Instruction`];
    expect(() => build?.({ nonsense: 1 })).toThrow('input has no field nonsense: it takes');
    expect(() => build?.({}, { programAdress: STRANGER })).toThrow('did you mean programAddress?');
  },
);

test.each([undefined, null])('a client whose rpc is %s says what to await or to pass', async (rpc) => {
  for (const config of [{ rpc }, { rpc, rpcUrl: undefined }]) {
    const create = () => main.createHeavenClient(config as never);
    const { message } = await expectRefusal(create, 'invalid-input', { field: 'rpc' });
    expect(message).toBe(
      `rpc is ${rpc}: await createEmbeddedLedger(), or pass an rpcUrl such as 'https://…'.`,
    );
  }
  const withUrl = () => main.createHeavenClient({ rpc, rpcUrl: undefined, timeoutMs: 5 } as never);
  await expectRefusal(withUrl, 'invalid-input', { field: 'rpc' });
  await expectRefusal(() => main.createHeavenClient({ rpcUrl: undefined } as never), 'invalid-input', {
    field: 'rpcUrl',
  });
});

test.each([
  ['getProtocolConfigState', { configVersion: 2 }, 'version'],
  ['quoteBuy', { version: 2, mint: STRANGER, maxSolSpend: 1, slippageBps: 50 }, 'configVersion'],
  ['quoteBuy', { configVersion: 2, mint: STRANGER, maxLamportSpend: 5n, slippageBps: 50 }, 'maxSolSpend'],
  ['quoteBuy', { configVersion: undefined, version: 2, mint: STRANGER, slippageBps: 50 }, 'configVersion'],
  ['getLpBalance', { poolAddress: STRANGER, user: STRANGER }, 'pool'],
] as const)('%s of %o asks whether %s was meant', async (name, input, meant) => {
  await expect(operations[name]!(client, input)).rejects.toThrow(
    new RegExp(
      `The input has no field (configVersion|version|maxLamportSpend|poolAddress); did you mean ${meant}\\?$`,
    ),
  );
});

test('a wrong field inside another is not taken for one that is missing', async () => {
  const input = { payer: STRANGER, pool: STRANGER, brackets: [{}], colour: 1 };
  const { message } = await expectRefusal(operations.buildProSetLpFee!(client, input), 'invalid-amount');
  expect(message).not.toContain('did you mean');
});

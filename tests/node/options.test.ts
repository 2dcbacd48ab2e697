import { Command } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { declare } from '../../src/node/commands/serve.js';

// The options of `heaven-pools serve`, as flags and as environment variables.

afterEach(() => vi.unstubAllEnvs());

/** The command, with what it says to stderr and the settings that it would start with. */
function createCommand() {
  const said: string[] = [];
  const program = new Command().exitOverride().configureOutput({ writeErr: (text) => void said.push(text) });
  declare(program);
  const command = program.commands[0]!;
  let settings: Readonly<Record<string, unknown>> = {};
  command.action((given) => {
    settings = given;
  });
  const parse = (...args: readonly string[]) => {
    program.parse(['serve', ...args], { from: 'user' });
    return settings;
  };
  return { options: command.options, parse, said };
}

const { options } = createCommand();

/** Each setting with values that it may have and what they mean, and values that it may not have. */
const SETTINGS: readonly (readonly [
  name: string,
  accepted: Readonly<Record<string, unknown>>,
  rejected: readonly string[],
])[] = [
  // Checked when it starts: an error here would repeat the key in a URL.
  ['rpcUrl', { 'node.example': 'node.example' }, []],
  ['embedded', { 1: true, true: true, 0: false, false: false }, ['yes']],
  ['port', { 0: 0, 65535: 65_535 }, ['65536', '-1', 'http']],
  ['host', { '0.0.0.0': '0.0.0.0' }, []],
  ['programIds', { 'one, two': ['one', 'two'] }, [' ,']],
  ['commitment', { processed: 'processed', finalized: 'finalized' }, ['fast']],
  ['rpcTimeout', { 1: 1, 2147483647: 2_147_483_647 }, ['0', '2147483648']],
  ['rpcAttempt', { 1: 1 }, ['0', '1e3']],
  ['rpcMaxResponse', { 1: 1 }, ['0']],
  ['rpcCalls', { 1: 1 }, ['0']],
  ['cache', { 0: 0 }, ['1.5', '-1']],
  ['blockhashCache', { 0: 0, 7500: 7_500 }, ['7501']],
  ['mints', { 0: 0, 1000: 1_000 }, ['1001']],
  ['maxBody', { 1: 1 }, ['0', '64k']],
  ['timeout', { 1: 1 }, ['0']],
  [
    'cors',
    {
      '*': '*',
      none: false,
      'https://app.example,http://localhost:1': ['https://app.example', 'http://localhost:1'],
    },
    ['https://app.example/path', 'app.example', ''],
  ],
  ['corsHeaders', { 'x-api-key, content-type': ['x-api-key', 'content-type'] }, ['x api key']],
  ['maxWaiting', { 1: 1 }, ['0', 'many']],
  ['rateLimit', { 0: 0 }, ['some']],
  ['rateLimitRedisUrl', { 'redis://host': 'redis://host' }, []],
  ['trustedProxies', { 0: 0, 10: 10 }, ['11']],
  ['metricsPort', { 0: 0, 65535: 65_535 }, ['65536']],
  ['logLevel', { trace: 'trace', silent: 'silent' }, ['loud']],
  ['logAddresses', { 0: false, true: true }, ['no']],
  ['logNames', { 1: true, false: false }, ['iso']],
  ['grace', { 0: 0 }, [' 1']],
];

test('each option is listed here', () => {
  expect(SETTINGS.map(([name]) => name)).toEqual(options.map((option) => option.attributeName()));
});

describe.each(SETTINGS)('%s', (name, accepted, rejected) => {
  const { long, envVar = '' } = options.find((option) => option.attributeName() === name) ?? {};
  test.each(Object.entries(accepted))('%j is read, as a flag and as a variable', (text, value) => {
    expect(createCommand().parse(`${long}=${text}`)).toHaveProperty(name, value);
    vi.stubEnv(envVar, text);
    expect(createCommand().parse()).toHaveProperty(name, value);
    // The flag overrides the variable.
    vi.stubEnv(envVar, 'wrong');
    if (rejected.length === 0) expect(createCommand().parse(`${long}=${text}`)).toHaveProperty(name, value);
  });
  test.each(rejected)('%j is rejected, and the error names the option', (text) => {
    const { parse, said } = createCommand();
    const error = expect.objectContaining({ code: 'commander.invalidArgument' });
    expect(() => parse(`${long}=${text}`)).toThrow(error);
    expect(said.join()).toContain(long);
  });
});

test('--rpc and --program-id are the other commands’ names for two of them', () => {
  const settings = createCommand().parse('--rpc', 'a', '--program-id', 'b');
  expect(settings).toMatchObject({ rpcUrl: 'a', programIds: ['b'] });
});

test('--embedded alone means yes', () => {
  expect(createCommand().parse('--embedded', '--port', '1')).toMatchObject({ embedded: true, port: 1 });
});

test.each([['--nonsense'], ['nonsense']])('%s is rejected', (argument) => {
  expect(() => createCommand().parse(argument)).toThrow();
});

import { describe, expect, test } from 'vitest';
import { parseLogs } from '../../src/index.js';
import { HEAVEN_PROGRAM_ADDRESS as EXCHANGE } from '../../src/program/index.js';
import { addressNamed } from '../support/addresses.js';
import { base64Of, bytesOf } from '../support/bytes.js';
import { heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ROUTER = addressNamed('router');
/** Another launchpad, whose trade event has the same discriminator: it is made of the event's name alone. */
const LAUNCHPAD = addressNamed('launchpad');

const invoke = (program: string, depth: number): string => `Program ${program} invoke [${depth}]`;
const success = (program: string): string => `Program ${program} success`;
/** A migration event with a market cap of its own, to tell one from another. */
const logged = (marketCap: number): string => {
  const payload = bytesOf('ffca4c935be74916', '00'.repeat(8));
  new DataView(payload.buffer).setFloat64(8, marketCap, true);
  return `Program data: ${base64Of(payload)}`;
};
const placesIn = (logs: readonly string[]) =>
  parseLogs(logs).events.map(({ data, emittedBy: { instructionIndex, innerIndex, stackHeight } }) => [
    (data as { marketCap?: number }).marketCap,
    instructionIndex,
    innerIndex,
    stackHeight,
  ]);

test('the trade event of another launchpad is none, inside the exchange and around it', () => {
  const trade = `Program data: ${base64Of(bytesOf('bddb7fd34ee661ee', '01'.repeat(121)))}`;
  const inside = [invoke(EXCHANGE, 1), invoke(LAUNCHPAD, 2), trade, success(LAUNCHPAD), success(EXCHANGE)];
  const around = [invoke(LAUNCHPAD, 1), invoke(EXCHANGE, 2), success(EXCHANGE), trade, success(LAUNCHPAD)];
  for (const logs of [inside, around]) expect(parseLogs(logs)).toEqual({ events: [], truncated: false });
});

test('another deployment has its own events', () => {
  const logs = [invoke(ROUTER, 1), logged(1), success(ROUTER), invoke(EXCHANGE, 1), logged(2)];
  const { events } = parseLogs(logs, { programAddress: ROUTER });
  expect(events.map(({ data }) => data)).toEqual([{ marketCap: 1 }]);
});

describe('a gap', () => {
  const before = [invoke(EXCHANGE, 1), logged(1)];

  test.each([
    ['the node cut them', ['Log truncated', logged(2), success(EXCHANGE)]],
    // The exchange ended and the router began in lines that are lost: the event is the router's.
    ['the node cut them, and shorter lines still came', ['Log truncated', logged(2), success(ROUTER)]],
    ['a program begins too deep', [invoke(ROUTER, 3), logged(2)]],
    ['a program begins without an end of the last', [invoke(EXCHANGE, 1), logged(2), success(EXCHANGE)]],
    ['a program ends that did not begin', [success(ROUTER), logged(2), success(EXCHANGE)]],
    ['the end is missing', []],
    ['a program begins at no depth', [invoke(ROUTER, 0), logged(2)]],
    ['a program begins beyond all depths', [`Program ${ROUTER} invoke [${'9'.repeat(400)}]`, logged(2)]],
  ])('when %s', (_, behind) => {
    const { events, truncated } = parseLogs([...before, ...behind]);
    expect(truncated).toBe(true);
    expect(events).toMatchObject([{ data: { marketCap: 1 } }]);
    expect(events).toHaveLength(1);
  });
});

test('a failed transaction has reverted the events of all its instructions', () => {
  const failed = `Program ${EXCHANGE} failed: custom program error: 0x177d`;
  const logs = [invoke(EXCHANGE, 1), logged(1), success(EXCHANGE), invoke(EXCHANGE, 1), logged(2), failed];
  const { events, truncated } = parseLogs([...logs, logged(3)]);
  expect(events.map(({ reverted }) => reverted)).toEqual([true, true]);
  expect(truncated).toBe(false);
  // The line of the failure is short enough to come behind the cut.
  expect(parseLogs([...logs.slice(0, 3), 'Log truncated', failed]).events[0]?.reverted).toBe(true);
  // What a program prints is not a failure.
  const printed = [invoke(EXCHANGE, 1), logged(1), `Program log: ${failed}`, success(EXCHANGE)];
  expect(parseLogs(printed).events[0]?.reverted).toBe(false);
});

test.each([null, undefined, 'Program x', 7])('rejects invalid logs: %j', (logs) => {
  expect(() => parseLogs(logs as never)).toThrow(heavenError('invalid-input', { field: 'logs' }));
});

// ---------------------------------------------------------------- whatever there is

interface Run {
  readonly program: string;
  readonly steps: readonly (Run | number | string)[];
}

/** Programs that call one another and log in between: a number is an event, a string a line that imitates another. */
const { run } = fc.letrec<{ run: Run; step: Run | number | string }>((tie) => ({
  run: fc.record({
    program: fc.constantFrom<string>(EXCHANGE, ROUTER, TOKEN, LAUNCHPAD),
    steps: fc.array(tie('step'), { maxLength: 4 }),
  }),
  step: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.nat(1000),
    fc.constantFrom(
      `Program log: ${invoke(EXCHANGE, 1)}`,
      `Program log: ${success(ROUTER)}`,
      `Program log: ${success(EXCHANGE)}`,
      'Program log: Log truncated',
      `Program log: \n${invoke(EXCHANGE, 2)}`,
      `Program log: Program ${ROUTER} failed: custom program error: 0x1`,
      `${invoke(EXCHANGE, 1)} `,
      `Program data: ${invoke(EXCHANGE, 1)}`,
      `Program return: ${EXCHANGE} AQ==`,
      'Program data: AQIDBA==',
      `Program ${EXCHANGE} consumed 1 of 2 compute units`,
    ),
    tie('run'),
  ),
}));

test('interleaved programs: each event of the exchange is tied to its run, and no other counts', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 5 }), (top) => {
      const logs: string[] = [];
      const expected: unknown[] = [];
      for (const [index, outer] of top.entries()) {
        let next = 0;
        const print = ({ program, steps }: Run, height: number) => {
          const inner = height === 1 ? undefined : next++;
          logs.push(invoke(program, height));
          for (const step of steps) {
            if (typeof step === 'object') print(step, height + 1);
            else logs.push(typeof step === 'number' ? logged(step) : step);
            if (typeof step === 'number' && program === EXCHANGE) expected.push([step, index, inner, height]);
          }
          logs.push(success(program));
        };
        print(outer, 1);
      }
      expect(placesIn(logs)).toEqual(expected);
      expect(parseLogs(logs).truncated).toBe(false);
      // What comes before a cut is unchanged, wherever the cut is.
      for (let length = 0; length < logs.length; length += 3) {
        const part = parseLogs([...logs.slice(0, length), 'Log truncated', ...logs.slice(length + 1)]);
        expect(part.truncated).toBe(true);
        expect(parseLogs(logs).events.slice(0, part.events.length)).toEqual(part.events);
      }
    }),
  );
});

test('arbitrary lines never throw, and without the exchange running there is no event', () => {
  const address = fc.constantFrom(EXCHANGE, ROUTER, TOKEN);
  const line = fc.oneof(
    fc.string(),
    fc.tuple(address, fc.integer({ min: -1, max: 6 })).map(([program, depth]) => invoke(program, depth)),
    address.map(success),
    address.map((program) => `Program ${program} failed: custom program error: 0x1`),
    fc.nat(1000).map(logged),
    fc.uint8Array({ maxLength: 120 }).map((bytes) => `Program data: ${base64Of(bytes)}`),
    fc.constantFrom('Log truncated', 'Program data: ', 'Program data: vdt/007mYe4='),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (logs) => {
      const { events } = parseLogs(logs);
      for (const { emittedBy } of events) expect(emittedBy.instructionIndex).toBeGreaterThanOrEqual(0);
      const others = logs.filter((text) => !/^Program HEAVEN\w+ invoke/.test(text));
      expect(parseLogs(others).events).toEqual([]);
    }),
  );
  fc.assert(fc.property(fc.array(fc.anything()), (logs) => parseLogs(logs as never).events.length === 0));
});

import { describe, expect, test, vi } from 'vitest';

import { heavenError } from '../support/errors.js';
import {
  away,
  buy,
  LAST,
  landedRecord,
  never,
  preflight,
  Refusal,
  record,
  type Script,
  type SendConfig,
  signedBuy,
  status,
  submitted,
  useFakeTime,
  useSignedBuy,
} from './support.js';

useSignedBuy();
useFakeTime();

/** A status from a time on, in milliseconds since the submission. */
const from = (ms: number, then: unknown, before: unknown = null) => {
  const began = performance.now();
  return () => (performance.now() - began >= ms ? then : before);
};
const ERROR = { InstructionError: [6, { Custom: 6_002 }] };
const CONFIRMED = status('confirmed');
const FAILED = status('confirmed', ERROR);
const lands = (ms = 0): Script => ({ status: from(ms, CONFIRMED), record: () => record });
/** A node's answers to the first calls, and what it does at all later ones. */
const first = (answers: readonly (() => unknown)[], then: () => unknown) => {
  let calls = 0;
  return () => (answers[calls++] ?? then)();
};
const throwing = (error: unknown) => () => {
  throw error;
};
const rejects = throwing(preflight(ERROR));

/** What a transaction ends as that is submitted to these nodes. */
const outcomeWith = async (...scripts: readonly Script[]) => (await submitted(buy, scripts)).result?.status;

describe('one node', () => {
  test('accepts it, and it lands with its trade', async () => {
    const { result, events } = await submitted(buy, [lands(900)]);
    const { signature, ledger, wallet, quote } = buy;
    const trade = { user: wallet.address, side: 'buy', mint: quote.mint, instructionIndex: 6 };
    expect(result).toMatchObject({ status: 'landed', signature, slot: ledger.slot, trades: [trade] });
    const looks = ['0 status 1000 unknown', '0 status 1002 unknown', '0 status 1005 confirmed'];
    expect(events).toEqual(['0 sent', ...looks]);
  });

  test('is sent the same bytes again every two seconds, from then on without a simulation', async () => {
    const send = vi.fn((_: SendConfig) => buy.signature);
    const { result, events } = await submitted(buy, [{ ...lands(5_000), send }]);
    expect(result?.status).toBe('landed');
    expect(send.mock.calls.map(([{ skipPreflight = false }]) => skipPreflight)).toEqual([false, true, true]);
    expect(events.filter((event) => /sent/.test(event))).toEqual(['0 sent', '0 resent', '0 resent']);
  });

  test.each([
    ['processed', 'confirmed', 'confirmed', 9_000],
    ['confirmed', 'finalized', 'finalized', 9_000],
    ['processed', 'confirmed', 'processed', 0],
  ] as const)(
    'says %s, later %s: waits for %s, and is not sent again what it knows',
    async (early, later, commitment, ms) => {
      const rising = { status: from(9_000, status(later), status(early)), record: () => record };
      const { nodes, result, elapsed } = await submitted(buy, [rising], { commitment });
      expect(result?.status).toBe('landed');
      expect(elapsed).toBe(ms);
      expect(nodes[0]?.count('sendTransaction')).toBe(1);
    },
  );

  test('executes it and it fails: included is not successful', async () => {
    const error = { instructionIndex: 6, code: 6_002, programError: { code: 6_002 } };
    const { result } = await submitted(buy, [{ status: () => FAILED }]);
    expect(result).toMatchObject({ status: 'failed', slot: 7n, error });
  });

  test('says something else in the record than in the status: the record counts', async () => {
    const meta = { ...(record.meta as object), err: ERROR };
    const failed = await submitted(buy, [{ status: () => CONFIRMED, record: () => ({ ...record, meta }) }]);
    expect(failed.result).toMatchObject({ status: 'failed', slot: buy.ledger.slot, error: { code: 6_002 } });
    const landed = await submitted(buy, [{ status: () => FAILED, record: () => record }]);
    expect(landed.result).toMatchObject({ status: 'landed', slot: buy.ledger.slot });
  });

  test('never sees it: expired after the last height, with a look at the history', async () => {
    const look = vi.fn((_inHistory: boolean) => null);
    const { result, events, nodes } = await submitted(buy, [{ status: look }]);
    expect(result).toEqual({ status: 'expired', signature: buy.signature });
    // 150 blocks of 200 ms: the last height itself is not past it.
    expect(events.slice(-2)).toEqual(['0 status 1150 unknown', '0 status 1152 unknown']);
    expect(look.mock.calls.slice(-3)).toEqual([[false], [false], [true]]);
    expect(nodes[0]?.calls.slice(-3)).toEqual(['getEpochInfo', 'isBlockhashValid', 'getSignatureStatuses']);
  });

  test('behind several machines: a block hash from before the slot of the height proves nothing', async () => {
    // Each poll asks about the block hash first, then for the status.
    const slots = [1_651, 1_652];
    const never = await submitted(buy, [{ height: () => 1_152, slot: () => slots.shift() ?? 1_652 }]);
    expect(never.result?.status).toBe('expired');
    expect(never.nodes[0]?.count('getSignatureStatuses')).toBe(2);
  });

  test('without a history still decides, while its recent statuses reach back far enough', async () => {
    const noHistory = (history: boolean) => {
      if (history) throw new Refusal(-32_011);
      return null;
    };
    expect(await outcomeWith({ status: noHistory })).toBe('expired');
    // 151 blocks later a status can be gone: that is no proof. Nor is one from a machine that is so far ahead.
    for (const script of [{ height: () => Number(LAST) + 151 }, { height: () => 1_151, slot: () => 1_802 }]) {
      const late = await submitted(buy, [{ status: noHistory, ...script }]);
      expect(late.error).toEqual(heavenError('outcome-unknown', { signature: buy.signature }));
    }
  });

  const STATUS_LOST = 'getSignatureStatuses rpc-failed';
  test.each<[string, Script, readonly string[]]>([
    ['loses the answer to sending', { send: away }, ['sendTransaction rpc-failed']],
    ['hangs when sending', { send: never }, []],
    [
      'loses answers to status requests',
      { status: first([away, away], () => CONFIRMED) },
      [STATUS_LOST, STATUS_LOST],
    ],
  ])('%s: it may be in flight, is asked again, and it lands', async (_, script, lost) => {
    const { result, events, elapsed } = await submitted(buy, [{ ...lands(700), ...script }]);
    expect(result?.status).toBe('landed');
    expect(elapsed).toBeLessThan(2_000);
    const silences = events.filter((event) => /no-answer/.test(event));
    expect(silences).toEqual(lost.map((what) => `0 no-answer ${what}`));
  });

  test('lost the answer and then rejects it: may be in flight, so not failed', async () => {
    expect(await outcomeWith({ send: first([away], rejects) })).toBe('expired');
  });

  test('takes it and rejects the next copy: may be in flight, so not failed', async () => {
    expect(await outcomeWith({ ...lands(5_000), send: first([() => buy.signature], rejects) })).toBe(
      'landed',
    );
  });

  test('has a block a second: it is followed for as long as blocks come', async () => {
    const began = performance.now();
    const height = () => 1_000 + Math.floor((performance.now() - began) / 1_000);
    expect(await outcomeWith({ ...lands(100_000), height })).toBe('landed');
  });

  test.each([
    [null, 0],
    [1, 9_000],
  ])('is old and names no level, with %j confirmations: certain after %i ms', async (confirmations, ms) => {
    const old = { ...CONFIRMED, confirmationStatus: null, confirmations };
    const { result, elapsed } = await submitted(buy, [
      { status: from(9_000, CONFIRMED, old), record: () => record },
    ]);
    expect([result?.status, elapsed]).toEqual(['landed', ms]);
  });

  test('executes it and it fails, where only what is final counts: waits for that', async () => {
    const failing = { status: from(9_000, status('finalized', ERROR), FAILED) };
    const { result, elapsed } = await submitted(buy, [failing], { commitment: 'finalized' });
    expect(result?.status).toBe('failed');
    expect(elapsed).toBeGreaterThanOrEqual(9_000);
  });

  test('rejects it in its simulation: failed, and nothing was sent on', async () => {
    const { result, events, nodes } = await submitted(buy, [{ send: rejects }]);
    const error = { code: 6_002, instructionIndex: 6 };
    expect(result).toMatchObject({ status: 'failed', signature: buy.signature, slot: undefined, error });
    expect(events).toEqual([expect.stringMatching(/^0 rejected /)]);
    expect(nodes[0]?.calls).toEqual(['sendTransaction']);
  });

  test('rejects what it may already have: nothing is simulated, and the outcome of the first copy counts', async () => {
    const send = vi.fn((_: SendConfig) => rejects());
    const again = { mayBeUnderWay: true };
    expect((await submitted(buy, [{ ...lands(5_000), send }], again)).result?.status).toBe('landed');
    expect((await submitted(buy, [{ send }], again)).result?.status).toBe('expired');
    const skips = send.mock.calls.map(([{ skipPreflight }]) => skipPreflight);
    expect(new Set(skips)).toEqual(new Set([true]));
  });

  test('has it already', async () => {
    const send = throwing(preflight('AlreadyProcessed'));
    const { result, events } = await submitted(buy, [{ ...lands(), send }]);
    expect(result?.status).toBe('landed');
    expect(events[0]).toBe('0 sent');
  });

  test('does not know the block hash yet, and takes it later', async () => {
    const unknown = throwing(preflight('BlockhashNotFound'));
    const send = first([unknown, unknown], () => buy.signature);
    const { result, events } = await submitted(buy, [{ ...lands(4_600), send }]);
    expect(result?.status).toBe('landed');
    const rejected = expect.stringContaining('0 rejected The transaction failed: BlockhashNotFound');
    expect(events.filter((event) => !/status/.test(event))).toEqual([rejected, rejected, '0 sent']);
  });

  test('knows the block hash no longer: expired', async () => {
    const send = throwing(preflight('BlockhashNotFound'));
    const { result, elapsed } = await submitted(buy, [{ send, height: () => Number(LAST) + 20 }]);
    expect(result?.status).toBe('expired');
    expect(elapsed).toBeLessThan(1_000);
  });

  test.each([
    ['has no such method', -32_601, 'rpc-method-unsupported'],
    ['can not read the transaction', -32_602, 'rpc-failed'],
  ])('%s: an error, as nothing was sent', async (_, code, expected) => {
    const { error } = await submitted(buy, [{ send: throwing(new Refusal(code)) }]);
    expect(error).toEqual(heavenError(expected));
  });

  test.each([
    ['is silent', away],
    ['stays at one height', () => 1_000],
  ])('%s for a minute: nobody knows the outcome', async (_, height) => {
    const { error, elapsed } = await submitted(buy, [{ height }]);
    const context = { signature: buy.signature, lastValidBlockHeight: LAST };
    expect(error).toEqual(heavenError('outcome-unknown', context));
    expect(elapsed).toBeGreaterThan(60_000);
  });

  test('went away while the computer slept: it is asked until it is back', async () => {
    const now = performance.now.bind(performance);
    let sleptMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + sleptMs);
    const asleep = () => {
      sleptMs += 700_000;
      throw new TypeError('fetch failed');
    };
    const { result } = await submitted(buy, [
      {
        height: first([() => 1_000, asleep, away, away], () => 9_000),
        status: first([() => null], () => CONFIRMED),
      },
    ]);
    expect(result?.status).toBe('landed');
    clock.mockRestore();
  });

  const noVerdict = { slot: 7, confirmationStatus: 'confirmed' };
  test.each<[string, Script, string]>([
    ['another signature', { send: () => '1'.repeat(88) }, 'sendTransaction'],
    ['a height that is none', { height: () => 'high' }, 'getEpochInfo'],
    ['a negative height', { height: () => -5 }, 'getEpochInfo'],
    ['no slot of a status', { slot: () => null }, 'getSignatureStatuses'],
    ['a status without a slot', { status: () => ({ ...CONFIRMED, slot: null }) }, 'getSignatureStatuses'],
    ['a status of an unknown level', { status: () => status('certain') }, 'getSignatureStatuses'],
    ['a status that is a text', { status: () => 'confirmed' }, 'getSignatureStatuses'],
    ['no word on failure', { status: () => noVerdict }, 'getSignatureStatuses'],
  ])('answers with %s: no answer', async (_, script, method) => {
    const { events, result } = await submitted(buy, [script]);
    expect(events).toContain(`0 no-answer ${method} rpc-invalid-response`);
    expect(result?.status).not.toBe('landed');
  });
});

describe('the record of a landed transaction', () => {
  const seen = (answer: () => unknown) => submitted(buy, [{ status: () => CONFIRMED, record: answer }]);
  const missing = () => null;

  test('can come a little later', async () => {
    const { result } = await seen(first([missing, missing, missing], () => record));
    expect(result?.status === 'landed' && result.trades).toHaveLength(1);
  });

  test('can be missing: still landed', async () => {
    const { result, elapsed } = await seen(missing);
    const landed = { status: 'landed', signature: buy.signature, slot: 7n };
    expect(result).toEqual({ ...landed, transaction: undefined, trades: undefined });
    expect(elapsed).toBeLessThan(6_000);
  });

  test('of another transaction is ignored', async () => {
    const foreign = await landedRecord(await signedBuy());
    const { result, events } = await seen(() => foreign);
    expect(result).toMatchObject({ status: 'landed', transaction: undefined });
    expect(events).toContain('0 no-answer getTransaction rpc-invalid-response');
  });

  test.each([
    ['without a transaction', () => ({ slot: 1, meta: { err: null } })],
    ['that is a text', () => 'landed'],
    ['of bytes that are no transaction', () => ({ ...record, transaction: ['AAAA', 'base64'] })],
    ['without a meta', () => ({ ...record, meta: null })],
  ])('%s is ignored', async (_, answer) => {
    expect((await seen(answer)).result).toMatchObject({ status: 'landed', transaction: undefined });
  });
});

describe('several nodes', () => {
  const dead: Script = { send: away, height: away, status: away, record: away };

  test('get the same bytes, and only the client’s is asked for the outcome', async () => {
    const { result, nodes } = await submitted(buy, [lands(5_000), { record: () => record }, dead]);
    expect(result?.status).toBe('landed');
    expect(nodes.map((node) => node.count('sendTransaction'))).toEqual([3, 3, 3]);
    for (const node of nodes.slice(1)) expect(new Set(node.calls)).toEqual(new Set(['sendTransaction']));
  });

  test.each([
    ['dead', dead],
    ['hanging', { send: never, height: never }],
  ])('the client’s node is %s: only it could tell, so the outcome is unknown', async (_, script) => {
    const { error, elapsed, nodes } = await submitted(buy, [script, lands(800)]);
    expect(error).toEqual(heavenError('outcome-unknown', { signature: buy.signature }));
    expect(elapsed).toBeGreaterThan(60_000);
    expect(elapsed).toBeLessThan(80_000);
    expect(nodes[1]?.count('sendTransaction')).toBeGreaterThan(20);
  });

  test.each<[string, Script]>([
    ['the last height is past', { height: () => 9_000_000 + Math.floor(performance.now()) }],
    ['it failed', { status: () => FAILED }],
    ['no block passes', { height: () => 1_001 }],
    ['nothing', { send: never }],
  ])('another says that %s: it lands', async (_, liar) => {
    expect(await outcomeWith(lands(14_000), liar, liar)).toBe('landed');
  });

  test('one rejects it at first, and takes it while the other rejects it', async () => {
    const takes = () => new Promise((resolve) => setTimeout(resolve, 900, buy.signature));
    const turning = { ...lands(4_000), send: first([rejects], takes) };
    const other = { send: first([throwing(preflight('BlockhashNotFound'))], rejects) };
    expect(await outcomeWith(turning, other)).toBe('landed');
  });

  test('all reject it: failed', async () => {
    const send = () => new Promise((_, reject) => setTimeout(reject, 900, preflight('AccountNotFound')));
    const { result } = await submitted(buy, [{ send: rejects }, { send }]);
    expect(result).toMatchObject({ status: 'failed', slot: undefined, error: { code: 6_002 } });
  });
});

describe('aborting', () => {
  test('before anything is sent: nothing was', async () => {
    const { error, nodes } = await submitted(buy, [{}], { abortSignal: AbortSignal.abort() });
    expect(error).toEqual(heavenError('aborted', { method: 'submitTransaction' }));
    expect(error).not.toMatchObject({ context: { signature: expect.anything() } });
    expect(nodes[0]?.calls).toEqual([]);
  });

  test.each([
    ['while it is sent', { send: never }, 100],
    ['while the height is read', { height: never }, 700],
    ['while the status is read', { status: never }, 700],
    ['between two looks', {}, 750],
  ])('%s: it may still land', async (_, script, ms) => {
    const { error, elapsed } = await submitted(buy, [script], { abortAfterMs: ms });
    expect(error).toEqual(heavenError('aborted', { signature: buy.signature }));
    expect(elapsed).toBe(ms);
  });

  test('while the record is read: it has landed', async () => {
    const node = { status: () => CONFIRMED, record: never };
    const { result, elapsed } = await submitted(buy, [node], { abortAfterMs: 2_000 });
    expect(result).toMatchObject({ status: 'landed', transaction: undefined });
    expect(elapsed).toBe(2_000);
  });
});

test('a throwing observer does no harm', async () => {
  const complaints = vi.spyOn(console, 'error').mockReturnValue();
  const { result } = await submitted(buy, [lands()], { observe: throwing(new Error('mine')) });
  expect(result?.status).toBe('landed');
  expect(complaints).toHaveBeenCalledTimes(2);
  complaints.mockRestore();
});

test('a slow node gets one request at a time', async () => {
  let most = 0;
  let running = 0;
  const slow = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    running -= 1;
    return null;
  };
  expect(await outcomeWith({ status: slow })).toBe('expired');
  expect(most).toBe(1);
});

import { SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';

import { createClient, submitTransaction } from '../../src/index.js';
import {
  away,
  LAST,
  preflight,
  Refusal,
  type Script,
  type SignedBuy,
  scripted,
  signedBuy,
  status,
  submitted,
  useFakeTime,
} from '../submit/support.js';
import { settle } from '../support/clock.js';
import { heavenError } from '../support/errors.js';

let buy: SignedBuy;
/** The record of a ledger on which the buy has landed. */
let record: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  buy = await signedBuy();
  await buy.ledger.rpc.sendTransaction(buy.tx, { encoding: 'base64' }).send();
  record = (await buy.asked('getTransaction', [
    buy.signature,
    { encoding: 'base64', maxSupportedTransactionVersion: 1 },
  ])) as typeof record;
});
useFakeTime();

const CONFIRMED = status('confirmed');
const SLIPPAGE = { InstructionError: [6, { Custom: 6_002 }] };
const recordWith = (change: object) => ({ ...record, meta: { ...(record.meta as object), ...change } });
const reject = () => {
  throw preflight(SLIPPAGE);
};
const after = (ms: number) => new Promise((done) => setTimeout(done, ms));

test('the last node rejects it while another is being sent it again: it may be in flight', async () => {
  let sends = 0;
  let landsAt = Number.POSITIVE_INFINITY;
  const takesTheSecond: Script = {
    send: async () => {
      sends += 1;
      if (sends === 1) reject();
      if (sends === 2) await after(1_000);
      landsAt = Math.min(landsAt, performance.now() + 1_000);
      return buy.signature;
    },
    status: () => (performance.now() >= landsAt ? CONFIRMED : null),
    record: () => record,
  };
  let answers = 0;
  const rejectsLate: Script = {
    send: async () => {
      answers += 1;
      if (answers === 1) await after(2_500);
      reject();
    },
  };
  expect((await submitted(buy, [takesTheSecond, rejectsLate])).result?.status).toBe('landed');
});

test('the record contradicts the status: the record, with its logs, counts', async () => {
  const { result } = await submitted(buy, [
    { status: () => CONFIRMED, record: () => recordWith({ err: SLIPPAGE }) },
  ]);
  expect(result?.status).toBe('failed');
});

describe("an error of the node with kit's code of an HTTP error", () => {
  const poses = () => {
    throw new Refusal(8_100_002, { statusCode: 429, headers: {} });
  };

  test('when it is sent: it may be in flight, and lands', async () => {
    const lands: Script = { status: () => CONFIRMED, record: () => record };
    for (const scripts of [
      [{ ...lands, send: poses }, {}, {}],
      [lands, { send: poses }, { send: poses }],
    ]) {
      expect((await submitted(buy, scripts)).result?.status).toBe('landed');
    }
  });

  test.each(['height', 'status'])(
    'at each %s: nobody knows the outcome, and the error has the signature',
    async (at) => {
      const { error, events } = await submitted(buy, [{ [at]: poses }, {}, {}]);
      expect(error).toEqual(heavenError('outcome-unknown', { signature: buy.signature }));
      expect(events.filter((event) => /rpc-rate-limited/.test(event))).toEqual([]);
    },
  );
});

test('an RPC that throws what no node answers: the error has the signature', async () => {
  const node = scripted(buy.signature, {});
  const broken = new Proxy(node.rpc, {
    get: (rpc, name) =>
      name === 'getSignatureStatuses'
        ? () => {
            throw new TypeError('not of this library');
          }
        : Reflect.get(rpc, name),
  });
  const submitting = submitTransaction(createClient({ rpc: broken }), buy.tx, { lastValidBlockHeight: LAST });
  await expect(settle(submitting)).rejects.toEqual(
    heavenError('outcome-unknown', { signature: buy.signature }),
  );
});

describe('garbage from a node', () => {
  const NONSENSE = [
    { InstructionError: null },
    { InstructionError: [] },
    { InstructionError: ['x', { Custom: 'y' }] },
    { InstructionError: [-1, { Custom: null }] },
    { InstructionError: [0.5, { Custom: 1e300 }] },
    { InstructionError: [{}, [[]]] },
  ];

  test.each(NONSENSE)('%j as an error in a status: failed', async (err) => {
    const { result } = await submitted(buy, [{ status: () => status('confirmed', err) }]);
    expect(result).toMatchObject({ status: 'failed', slot: 7n });
    expect(result?.status === 'failed' && result.error.message).not.toMatch(/NaN|undefined|null/);
  });

  test.each([5, 'text', {}, [null, {}, 5]])(
    '%j as the logs of a simulation: rejected, and another node takes it',
    async (logs) => {
      const send = () => {
        throw new Refusal(-32_002, { err: SLIPPAGE, logs });
      };
      const takes: Script = { status: () => CONFIRMED, record: () => record };
      const { result, events } = await submitted(buy, [{ ...takes, send }, {}]);
      expect(result?.status).toBe('landed');
      expect(events.find((event) => event.startsWith('0 '))).toMatch(/^0 rejected Instruction 7 failed: /);
      expect((await submitted(buy, [{ send }])).result).toMatchObject({ status: 'failed', slot: undefined });
    },
  );
});

test.each([
  ['knows it for ever, and never confirms it', { status: () => status('processed') }, LAST],
  ['has a block hash that is said to last for ever', {}, 2n ** 64n - 1n],
])('a node that %s: after ten minutes nobody knows the outcome', async (_, script, lastValidBlockHeight) => {
  const { error, elapsed } = await submitted(buy, [script], { lastValidBlockHeight, pollEveryMs: 5_000 });
  expect(error).toEqual(heavenError('outcome-unknown', { signature: buy.signature, lastValidBlockHeight }));
  expect(elapsed).toBeGreaterThan(600_000);
  expect(elapsed).toBeLessThan(610_000);
});

test.each(['sendTransaction', 'getEpochInfo', 'isBlockhashValid', 'getSignatureStatuses', 'getTransaction'])(
  'an RPC without %s is rejected before another node has the transaction',
  async (method) => {
    const good = scripted(buy.signature, {});
    const client = createClient({ rpc: good.rpc });
    const poor = new Proxy(good.rpc, {
      get: (rpc, name) => (name === method ? undefined : Reflect.get(rpc, name)),
    });
    const options = { lastValidBlockHeight: LAST };
    await expect(submitTransaction(client, buy.tx, { ...options, rpcs: [poor] })).rejects.toEqual(
      heavenError('invalid-input', { field: 'rpcs[0]' }),
    );
    await expect(submitTransaction({ ...client, rpc: poor }, buy.tx, options)).rejects.toEqual(
      heavenError('invalid-input', { field: 'client.rpc' }),
    );
    expect(good.calls).toEqual([]);
  },
);

test('it fails in a fork that is dropped, and lands in another: landed, at any commitment', async () => {
  for (const commitment of ['processed', 'confirmed'] as const) {
    let looks = 0;
    const forks: Script = {
      status: () => {
        looks += 1;
        return looks < 4 ? status('processed', SLIPPAGE) : CONFIRMED;
      },
      record: () => (looks < 4 ? null : record),
    };
    expect((await submitted(buy, [forks], { commitment })).result?.status).toBe('landed');
  }
  const fails: Script = { status: () => status('confirmed', SLIPPAGE) };
  expect((await submitted(buy, [fails], { commitment: 'processed' })).result?.status).toBe('failed');
});

describe('a last valid block height that is too low', () => {
  const lastValidBlockHeight = 1_001n;

  test('does not make a transaction expire whose block hash is still valid', async () => {
    let asked = 0;
    const script = {
      valid: () => true,
      status: () => {
        asked += 1;
        return asked < 8 ? null : CONFIRMED;
      },
      record: () => record,
    };
    const { result, nodes } = await submitted(buy, [script], { lastValidBlockHeight });
    expect(result?.status).toBe('landed');
    expect(nodes[0]?.count('isBlockhashValid')).toBeGreaterThan(4);
    expect(nodes[0]?.count('sendTransaction')).toBeGreaterThan(1);
  });

  test.each([
    ['neither true nor false', () => 'no'],
    ['no answer', () => away()],
  ])('is not trusted on %s', async (_, valid) => {
    const { error, events } = await submitted(buy, [{ valid }], { lastValidBlockHeight });
    expect(error).toEqual(heavenError('outcome-unknown'));
    expect(events.some((event) => event.startsWith('0 no-answer isBlockhashValid'))).toBe(true);
  });
});

test.each([
  ['processed', 'confirmed'],
  ['confirmed', 'confirmed'],
  ['finalized', 'finalized'],
] as const)(
  'at %s it asks for the height at %s: that of a fork that is dropped proves nothing',
  async (commitment, level) => {
    const { rpc } = scripted(buy.signature, { status: () => status('finalized'), record: () => record });
    const levels: unknown[] = [];
    const noting = new Proxy(rpc, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...params: readonly unknown[]) => unknown;
        return (...params: readonly unknown[]) => {
          if (name === 'getEpochInfo') levels.push(params[0]);
          return method(...params);
        };
      },
    });
    const options = { lastValidBlockHeight: LAST, commitment };
    const result = await settle(submitTransaction(createClient({ rpc: noting }), buy.tx, options));
    expect(result.status).toBe('landed');
    expect(levels).toEqual([{ commitment: level }]);
  },
);

describe('the requests to a node', () => {
  test('asks it not to retry, because the bytes are resent from here', async () => {
    const retries: unknown[] = [];
    const send = (config: object) => {
      retries.push(Number((config as { readonly maxRetries?: unknown }).maxRetries));
      return buy.signature;
    };
    await submitted(buy, [{ send, status: () => CONFIRMED, record: () => record }]);
    expect(retries).toEqual([0]);
  });

  test('a status without a level is only processed, unless its confirmations are null', async () => {
    const began = performance.now();
    const old: Script = {
      status: () => ({
        ...status(null),
        confirmations: performance.now() - began > 5_000 ? null : 1,
      }),
      record: () => record,
    };
    const { result, elapsed } = await submitted(buy, [old]);
    expect(result?.status).toBe('landed');
    expect(elapsed).toBeGreaterThanOrEqual(5_000);
  });

  test.each([401, 403])('a key that it does not take (HTTP %i): nothing was sent', async (statusCode) => {
    const send = () => {
      throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
        headers: new Headers(),
        message: '',
        statusCode,
      });
    };
    expect((await submitted(buy, [{ send }])).error).toEqual(
      heavenError('rpc-failed', { status: statusCode }),
    );
    expect((await submitted(buy, [{ send, status: () => CONFIRMED }, {}])).result?.status).toBe('landed');
  });
});

import { beforeAll, describe, expect, test } from 'vitest';

import {
  preflight,
  type Script,
  type SignedBuy,
  signedBuy,
  status,
  submitted,
  useFakeTime,
} from './support.js';

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

test('a node that rejected it is being sent it again when the last one rejects it: it may be under way', async () => {
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

describe('a record that contradicts the status', () => {
  const says = (answer: () => unknown): Script => ({ status: () => CONFIRMED, record: answer });
  const failing = () => recordWith({ err: SLIPPAGE });

  test('of one node among several: landed, with the record of another or none', async () => {
    const honest = await submitted(buy, [says(failing), { record: () => record }]);
    expect(honest.result).toMatchObject({ status: 'landed', trades: [{}] });
    const alone = await submitted(buy, [says(failing), {}, {}]);
    expect(alone.result).toMatchObject({ status: 'landed', transaction: undefined });
  });

  test('of more than half of the nodes: failed', async () => {
    const { result } = await submitted(buy, [says(failing), says(failing), {}]);
    expect(result?.status).toBe('failed');
  });
});

import type { Address } from '@solana/kit';
import { beforeEach, expect, test } from 'vitest';

import { type AccountUpdate, createPoolTracker, type PoolTracker } from '../../../src/index.js';
import { addressAt, bytesOfAddress } from '../../../src/solana/addresses.js';
import { encodeClock } from '../../../src/testing/index.js';
import { createScene, type Scene } from './support.js';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;
const SYSVARS = 'Sysvar1111111111111111111111111111111111111' as Address;

let scene: Scene;
let tracker: PoolTracker;
let now: bigint;

beforeEach(async () => {
  scene = await createScene();
  now = scene.ledger.slot;
});

// A stream of Yellowstone (geyser.proto, package geyser), by its field numbers: SubscribeUpdate { account = 2, slot = 3 },
// SubscribeUpdateAccount { account = 1, slot = 2 }, SubscribeUpdateAccountInfo { pubkey = 1, lamports = 2, owner = 3, data = 6,
// write_version = 7 }, SubscribeUpdateSlot { slot = 1, parent = 2, status = 3 }, where status 0 is PROCESSED and 6 is DEAD.

type Fields = Map<number, bigint | Uint8Array>;

function fieldsOf(bytes: Uint8Array): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    if ((tag & 7) === 0) fields.set(tag >> 3, varint());
    else {
      const length = Number(varint());
      at += length;
      fields.set(tag >> 3, bytes.subarray(at - length, at));
    }
  }
  return fields;
}
const message = (fields: Fields, number: number) => fieldsOf(fields.get(number) as Uint8Array);
const number = (fields: Fields, at: number) => (fields.get(at) ?? 0n) as bigint;

function accountOf(update: Fields): AccountUpdate {
  const account = message(update, 2);
  const info = message(account, 1);
  return {
    address: addressAt(info.get(1) as Uint8Array),
    lamports: number(info, 2),
    owner: addressAt(info.get(3) as Uint8Array),
    data: info.get(6) as Uint8Array,
    slot: number(account, 2),
    writeVersion: number(info, 7),
  };
}

function feed(to: PoolTracker, bytes: Uint8Array): void {
  const update = fieldsOf(bytes);
  if (update.has(2)) {
    to.apply(accountOf(update));
    return;
  }
  const { slot, parent, status } = slotOf(update);
  if (status === 0) to.complete(slot, parent);
  if (status === 6) to.dropSlot(slot);
}
const slotOf = (update: Fields) => {
  const slot = message(update, 3);
  return {
    slot: number(slot, 1),
    parent: slot.get(2) as bigint | undefined,
    status: Number(number(slot, 3)),
  };
};

/** What a server writes. */
const tag = (at: number, wire: number) => varintOf(BigInt((at << 3) | wire));
const varintOf = (value: bigint): number[] =>
  value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varintOf(value >> 7n)];
const uint = (at: number, value: bigint) => [...tag(at, 0), ...varintOf(value)];
const bytesOf = (at: number, value: ArrayLike<number>) => [
  ...tag(at, 2),
  ...varintOf(BigInt(value.length)),
  ...Array.from(value),
];
const accountMessage = ({ address, owner, data, slot, writeVersion, lamports }: AccountUpdate) =>
  Uint8Array.from([
    ...bytesOf(
      1,
      [...'pools'].map((letter) => letter.charCodeAt(0)),
    ),
    ...bytesOf(2, [
      ...bytesOf(1, [
        ...bytesOf(1, bytesOfAddress(address)),
        ...uint(2, lamports ?? 1n),
        ...bytesOf(3, bytesOfAddress(owner!)),
        ...uint(5, 2n ** 64n - 1n),
        ...bytesOf(6, data),
        ...uint(7, writeVersion!),
      ]),
      ...uint(2, slot),
    ]),
  ]);
const slotMessage = (slot: bigint, parent: bigint, status = 0n) =>
  Uint8Array.from(
    bytesOf(3, [...uint(1, slot), ...uint(2, parent), ...(status === 0n ? [] : uint(3, status))]),
  );

const hex = (text: string) => Uint8Array.from(text.match(/../g)!, (byte) => Number.parseInt(byte, 16));
/** The clock of slot 350000001, with the fields of a real message that nobody reads. */
const RECORDED_CLOCK = hex(
  '0a04706f6f6c128f010a84010a2006a7d51718c774c928566398691d5eb68b5eb8a39b4b6d5c73555b21000000001080af471a2006a7d5171875f729c73d93408f21' +
    '6120067ed88c76e08c287fc194600000000028ffffffffffffffffff0132288193dc14000000000078e768000000002a030000000000002b030000000000007b78e7' +
    '680000000038cb89ec8ff7231081a7f2a601204d5a0808fbf09dc7061005',
);
/** Slot 350000001 on 349999999, and slot 350000002, which is dead. */
const RECORDED_SLOT = hex('0a05736c6f74731a0e0881a7f2a60110ffa6f2a601284d5a0608fbf09dc706');
const RECORDED_DEAD = hex('0a05736c6f74731a0e0882a7f2a60118062204676f6e65');

test('a recorded Yellowstone message is an update, or the end of a slot', () => {
  expect(accountOf(fieldsOf(RECORDED_CLOCK))).toEqual({
    address: CLOCK,
    lamports: 1_169_280n,
    owner: SYSVARS,
    // Little-endian: slot, the epoch's start, epoch 810, the next epoch, time.
    data: hex('8193dc14000000000078e768000000002a030000000000002b030000000000007b78e76800000000'),
    slot: 350_000_001n,
    writeVersion: 1_234_567_890_123n,
  });
  expect(slotOf(fieldsOf(RECORDED_SLOT))).toEqual({ slot: 350_000_001n, parent: 349_999_999n, status: 0 });
  expect(slotOf(fieldsOf(RECORDED_DEAD))).toEqual({ slot: 350_000_002n, parent: undefined, status: 6 });
});

/** The pool with so many token units, which any amount is for. */
const poolWith = (reserveA: bigint, slot: bigint, writeVersion: bigint): AccountUpdate => {
  const { data, ...pool } = scene.read('pool');
  new DataView(data.buffer).setBigUint64(456, reserveA, true);
  return { ...pool, data, slot, writeVersion };
};
const clockAt = (slot: bigint, writeVersion: bigint): AccountUpdate => ({
  address: CLOCK,
  owner: SYSVARS,
  data: encodeClock({ slot, epoch: 810n, unixTimestamp: 1_760_000_000n + slot }),
  slot,
  writeVersion,
});

test('a Yellowstone stream at processed, with an abandoned fork and a dead slot', () => {
  tracker = createPoolTracker(scene.tracked, { completedBy: 'call' });
  feed(tracker, slotMessage(now, now - 1n));
  tracker.load(scene.readAll());
  expect(tracker.isLive).toBe(true);

  // Slot 1: two trades, the second of which arrives first.
  feed(tracker, accountMessage(clockAt(now + 1n, 1n)));
  feed(tracker, accountMessage(poolWith(2_000n, now + 1n, 3n)));
  feed(tracker, accountMessage(poolWith(1_000n, now + 1n, 2n)));
  expect(tracker.latest?.reserveA).toBe(2_000n);
  feed(tracker, slotMessage(now + 1n, now));
  expect(tracker.snapshot).toMatchObject({ slot: now + 1n, reserveA: 2_000n });

  // Slot 2 builds on it, slot 3 on its parent: slots 1 and 2 are another fork.
  feed(tracker, accountMessage(poolWith(3_000n, now + 2n, 4n)));
  feed(tracker, slotMessage(now + 2n, now + 1n));
  expect(tracker.snapshot?.reserveA).toBe(3_000n);
  feed(tracker, accountMessage(clockAt(now + 3n, 5n)));
  feed(tracker, slotMessage(now + 3n, now));
  expect(tracker.isLive).toBe(true);
  const { reserveA } = tracker.snapshot!;
  expect(new DataView(scene.read('pool').data.buffer).getBigUint64(456, true)).toBe(reserveA);

  feed(tracker, accountMessage(poolWith(4_000n, now + 4n, 6n)));
  expect(tracker.latest?.reserveA).toBe(4_000n);
  feed(tracker, slotMessage(now + 4n, now + 3n, 6n));
  expect(tracker.latest?.reserveA).toBe(reserveA);
  expect(tracker.isLive).toBe(true);
});

test('notifications of a WebSocket, in order of slots: the clock says when a slot is complete', () => {
  tracker = createPoolTracker(scene.tracked);
  const notified = ({ address, owner, data, slot }: AccountUpdate) =>
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'accountNotification',
      params: {
        result: {
          context: { slot: Number(slot) },
          value: {
            data: [Buffer.from(data).toString('base64'), 'base64'],
            owner,
            lamports: 1,
            executable: false,
          },
        },
        subscription: subscriptions.indexOf(address),
      },
    });
  const subscriptions = scene.tracked.accounts.map(({ address }) => address);
  const receive = (text: string) => {
    const { result, subscription } = JSON.parse(text).params;
    const { data, owner } = result.value;
    return tracker.apply({
      address: subscriptions[subscription]!,
      data: Uint8Array.from(Buffer.from(data[0], 'base64')),
      owner,
      slot: BigInt(result.context.slot),
    });
  };
  receive(notified(clockAt(now, 0n)));
  tracker.load(scene.readAll());
  receive(notified(poolWith(1_000n, now + 1n, 0n)));
  expect(receive(notified(clockAt(now + 1n, 0n)))).toBe('applied');
  expect(tracker.isLive).toBe(true);
  expect(tracker.latest?.reserveA).toBe(1_000n);
  receive(notified(clockAt(now + 2n, 0n)));
  expect(tracker.snapshot).toMatchObject({ slot: now + 1n, reserveA: 1_000n });
  expect(tracker.isLive).toBe(true);

  // The connection breaks; its successor begins two slots later.
  tracker.gap();
  receive(notified(clockAt(now + 5n, 0n)));
  expect(tracker.isLive).toBe(false);
  scene.ledger.setSlot(now + 5n);
  tracker.load(scene.readAll());
  expect(tracker.isLive).toBe(true);
  expect(tracker.snapshot?.slot).toBe(now + 5n);
});

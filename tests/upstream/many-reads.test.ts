import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import type { HeavenClient } from '../../src/index.js';
import { addressNumbered } from '../support/addresses.js';
import { pass, settle, turn } from '../support/clock.js';
import { endOf } from '../support/errors.js';
import { createNode, silent } from '../support/rpc.js';
import { read, shared, useFakeTime, well } from './support.js';

useFakeTime();

describe('2,000 different reads of a silent node', () => {
  const READS = 2_000;
  const begin = (client: HeavenClient, count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => endOf(read(client, [addressNumbered(from + index)])));
  const tally = (ends: readonly string[]) =>
    Object.fromEntries([...new Set(ends)].map((end) => [end, ends.filter((other) => other === end).length]));

  test('cost the node few calls, and leave nothing behind', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const node = createNode(silent);
    const client = shared(node.transport, {}, 1_000);
    const seen: WeakRef<object>[] = [];
    await settle(
      Promise.all(
        Array.from({ length: READS + 100 }, (_, index) => {
          const addresses = [addressNumbered(index)];
          seen.push(new WeakRef(addresses));
          return endOf(read(client, addresses));
        }),
      ),
    );
    expect(node.calls.length).toBeLessThanOrEqual(16);
    expect(vi.getTimerCount()).toBe(0);
    // Nothing is in flight, and there is room for as many new requests.
    await pass(10_000);
    const asked = node.calls.length;
    expect(asked).toBeLessThanOrEqual(16);
    node.does = well();
    const ends = await settle(Promise.all(begin(client, READS)));
    expect(tally(ends)).toEqual({ served: READS });
    expect(node.calls).toHaveLength(asked + Math.ceil(READS / 100));
    node.calls.length = 0;
    await pass(150);
    await settle(read(client));
    await turn();
    collect();
    expect(seen.filter((addresses) => addresses.deref() !== undefined).length).toBeLessThan(10);
  });
});

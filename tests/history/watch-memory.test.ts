import type { Signature } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createMemory } from '../../src/history/watch-memory.js';

const signature = (name: string | number) => `${name}` as Signature;

describe('what a history watch remembers', () => {
  test('leaves out what was notified and ignored, once two lists lack it', () => {
    const memory = createMemory(undefined);
    const lasting = signature('listed');
    for (const name of ['listed', 'made up']) memory.ignored(signature(name));
    memory.listed([{ signature: lasting, slot: 5n }]);
    expect(memory.isNew(signature('made up'), 5n)).toBe(false);
    memory.listed([]);
    expect(memory.isNew(signature('made up'), 5n)).toBe(true);
    expect(memory.isNew(lasting, 5n)).toBe(false);
  });

  test('keeps what waits to be read, whatever is listed in the meantime', () => {
    const memory = createMemory({ signature: signature('start'), slot: 1n });
    const horizon = memory.heard(signature('waiting'));
    expect(horizon).toBe(1n);
    for (let slot = 1_000n; slot < 10_000n; slot += 1_000n) {
      memory.listed([
        { signature: signature(`b${slot}`), slot: slot + 200n },
        { signature: signature(`a${slot}`), slot },
      ]);
    }
    expect(memory.has(signature('start'))).toBe(false);
    expect(memory.has(signature('waiting'))).toBe(true);
    // It was new when it was heard of, although much has happened since.
    expect(memory.read({ signature: signature('waiting'), slot: 2n }, horizon)).toBe(true);
    expect(memory.read({ signature: signature('old'), slot: 2n }, memory.heard(signature('old')))).toBe(
      false,
    );
  });

  test('is 300,000 transactions at most', () => {
    const memory = createMemory(undefined);
    for (let k = 0; k <= 300_000; k++) memory.listed([{ signature: signature(k), slot: 7n }]);
    expect(memory.has(signature(0))).toBe(false);
    expect(memory.has(signature(100_000))).toBe(true);
    expect(memory.has(signature(300_000))).toBe(true);
  });
});

import { expect, test } from 'vitest';

import { createPoolTracker } from '../../../src/index.js';
import { createScene } from './support.js';

test("a snapshot has its own pool's vaults, even if a stranger's update came before the read", async () => {
  const { tracked, ledger, read, readAll } = await createScene();
  const real = (() => {
    const fresh = createPoolTracker(tracked);
    fresh.load(readAll());
    return fresh.latest?.addresses;
  })();
  const strange = { ...read('pool'), slot: ledger.slot - 5n };
  // Token A's vault is at byte 664.
  strange.data.fill(7, 664, 696);

  const tracker = createPoolTracker(tracked);
  for (const { name } of tracked.accounts) {
    if (name !== 'pool') tracker.apply({ ...read(name), slot: ledger.slot - 5n });
  }
  tracker.apply(strange);
  expect(tracker.latest?.addresses.tokenAVault).toBe('US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx');
  // Nobody looks between the read and the update.
  tracker.load(readAll());
  tracker.apply({ ...read('pool'), slot: ledger.slot + 1n });
  expect(tracker.latest?.addresses).toEqual(real);
});

import { beforeEach } from 'vitest';

import { createHeavenClient, type HeavenClient } from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

/** The ledger of `useLedger`, and a client of it. */
export let ledger: EmbeddedLedger;
export let client: HeavenClient;

/** Creates a ledger and a client for each test of a file. */
export const useLedger = () =>
  beforeEach(async () => {
    ledger = await createEmbeddedLedger();
    client = createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions });
  });

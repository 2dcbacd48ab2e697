import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createHandler, type Handler } from '../../src/http/index.js';
import { createHeavenClient, type HeavenRpc } from '../../src/index.js';
import { SOL_USD_FEED_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, encodePriceFeed } from '../../src/testing/index.js';
import { assertForCallers, objectText, post, textsIn } from './support.js';
import { type Fields, PAYER, workingRequests } from './working-requests.js';

// Every text that the paths can be made to say is in the names of the interface, and its numbers are for people. Those about a single
// field are read in `every-operation.test.ts`.

const mintSigner = await generateKeyPairSigner();
const handlerOver = (rpc: HeavenRpc): Handler =>
  createHandler({
    client: createHeavenClient({ rpc, timeoutMs: 50 }),
    mintSigner: async () => mintSigner,
    observe: () => {},
  });

async function createServed() {
  const ledger = await createEmbeddedLedger();
  const handler = handlerOver(ledger.rpc);
  return { ledger, handler, requests: await workingRequests(ledger) };
}
const { ledger, handler, requests } = await createServed();

/** The texts of an answer. */
const textsOf = async (on: Handler, path: string, fields: Fields): Promise<readonly string[]> =>
  textsIn((await post(on, path, objectText(fields))).text);

const LONG = JSON.stringify('é'.repeat(700));

/** Values that go together, for every path that has the first of their fields. `refusals.test.ts` reads the texts of its errors. */
const CHANGES: readonly Fields[] = [
  { compute_unit_limit: '0', transaction_version: '1' },
  { compute_unit_price: '18446744073709551615', transaction_version: '1', compute_unit_limit: '1400000' },
  { encoded_user_defined_event_data: LONG },
  { encoded_user_defined_event_data: LONG, transaction_version: '1' },
  { encoded_user_defined_event_data: JSON.stringify('x'.repeat(500)) },
  { uri: JSON.stringify('x'.repeat(190)), symbol: '"maxSolSpend"' },
  { lut_address: JSON.stringify(ledger.lookupTables.creator) },
  { lut_address: JSON.stringify(PAYER) },
  { receiver: JSON.stringify(ledger.pools.pro.mint) },
  { max_slot_offset: '4' },
];

/** A ledger whose operations warn: of a transfer fee, of a window that began at half the price, and of an old price. */
function makeWarn(ledger: EmbeddedLedger): void {
  const fee = { epoch: 0n, basisPoints: 333, maximum: 2n ** 64n - 1n };
  const token = { decimals: 9, supply: 10n ** 18n, transferFee: { older: fee, newer: fee } };
  for (const { mint, tokenProgram, pool } of [ledger.pools.creator, ledger.pools.pro]) {
    ledger.setMint(mint, tokenProgram, token);
    ledger.updatePool(pool, ({ reserve }) => ({
      featureFlags: { sandwichResistantMode: 1 },
      reserve: {
        ...reserve,
        snapshotSlot: ledger.slot - (ledger.slot % 4n),
        snapshotA: reserve.tokenA / 2n,
        snapshotB: reserve.tokenB,
      },
    }));
  }
  const { owner } = ledger.getAccount(SOL_USD_FEED_ADDRESS)!;
  const timestamp = ledger.unixTimestamp - 9_999n;
  const data = encodePriceFeed({ price: 82, slot: ledger.slot, timestamp });
  ledger.setAccount(SOL_USD_FEED_ADDRESS, { owner, data });
}

describe('each text is in the names of the interface', () => {
  test('for values that contradict each other', async () => {
    const texts = new Set<string>();
    for (const [path, { required, optional, alternative }] of Object.entries(requests)) {
      const fields = { ...required, ...optional, ...alternative };
      for (const change of CHANGES) {
        if (!((Object.keys(change)[0] as string) in fields)) continue;
        for (const text of await textsOf(handler, path, { ...required, ...change })) texts.add(text);
      }
    }
    assertForCallers(texts);
    const all = [...texts].join('\n');
    // One of each kind, which would show if nothing was collected: an error, a reason, a warning, an instruction.
    for (const part of [
      'set transaction_version to 1',
      'max_slot_offset is 4',
      'Check lut_address.',
      'Exchange: ',
    ])
      expect(all).toContain(part);
  });

  test('in warnings', async () => {
    const served = await createServed();
    makeWarn(served.ledger);
    const texts = new Set<string>();
    for (const [path, { required }] of Object.entries(served.requests))
      for (const text of await textsOf(served.handler, path, required)) texts.add(text);
    assertForCallers(texts);
    for (const part of ['transfer-fee', 'sandwich-window', 'stale-price'])
      expect([...texts].join('\n')).toContain(part);
  });
});

import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createHandler } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { objectText, post } from './support.js';
import { workingRequests } from './working-requests.js';

// What is wrong with a request, in the names that the caller wrote.

const ledger = await createEmbeddedLedger();
const mintSigner = await generateKeyPairSigner();
const handler = createHandler({
  client: createHeavenClient({ rpc: ledger.rpc }),
  mintSigner: async () => mintSigner,
});
const requests = await workingRequests(handler, ledger);

/** The message about a request with these fields changed; `undefined` leaves one out. */
async function messageOf(
  path: string,
  change: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const fields = Object.entries({ ...requests[path]!.required, ...change }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const { status, text } = await post(handler, path, objectText(Object.fromEntries(fields)));
  expect(status).toBeGreaterThanOrEqual(400);
  return (JSON.parse(text) as { error: { message: string } }).error.message;
}

describe('a message', () => {
  test.each<[string, Readonly<Record<string, string | undefined>>, string]>([
    ['/quote/buy', { max_sol_spend: undefined }, 'max_sol_spend is missing'],
    ['/quote/buy', { mint: 'null' }, 'mint is missing'],
    ['/quote/buy', { max_sol_spend: '0' }, 'max_sol_spend must not be 0.'],
    ['/quote/sell', { amount_in_ui: '0.0' }, 'amount_in_ui must not be 0.'],
    ['/quote/buy', { max_sol_spend: '"a"' }, 'max_sol_spend must be a number'],
    ['/quote/buy', { slippage_bps: '50.5' }, 'slippage_bps must be a whole number'],
    [
      '/quote/buy',
      { slippage_bps: '10001' },
      'slippage_bps must be a whole number of basis points from 0 to 10000 (50 is 0.5 %); got 10001.',
    ],
    ['/tx/pro/transfer-lp', { amount: '0' }, 'amount must not be 0.'],
    ['/tx/pro/add-liquidity', { max_token_a: '0' }, 'max_token_a must not be 0.'],
    ['/tx/pro/toggle-swap', { enabled: '1' }, 'enabled must be true or false'],
    [
      '/tx/buy',
      { compute_unit_price: '18446744073709551616' },
      'compute_unit_price must be a whole number from 0 to 18446744073709551615; got 18446744073709551616.',
    ],
    ['/tx/create-standard-liquidity-pool', { max_sol_spend: '0' }, 'and max_sol_spend allows 0.'],
    ['/tx/pro/remove-liquidity', { lp_tokens_to_burn: '0' }, 'lp_tokens_to_burn must not be 0.'],
  ])('%s with %j', async (path, change, message) => {
    expect(await messageOf(path, change)).toContain(message);
  });
});

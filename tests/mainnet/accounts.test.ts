import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { decodeLiquidityPoolState, decodeProtocolConfig } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { CAPTURED, CAPTURED_NAMES, capturedAccount, statedOf } from './accounts.js';

test.each(CAPTURED_NAMES)('%s has the bytes that the node returned', (name) => {
  const { data } = capturedAccount(name);
  const { length, sha256 } = CAPTURED[name].expected;
  expect(`${data.length}`).toBe(length);
  expect(createHash('sha256').update(data).digest('hex')).toBe(sha256);
});

test.each([
  ['light_sol_pool', decodeLiquidityPoolState],
  ['protocol_config_v2', decodeProtocolConfig],
] as const)('%s is decoded to what is stated', (name, decode) => {
  const { fields } = CAPTURED[name].input;
  expect(statedOf(decode(capturedAccount(name).data), fields)).toEqual(fields);
});

test("the ledger's sample pool has LIGHT's figures", async () => {
  const ledger = await createEmbeddedLedger();
  const { fields } = CAPTURED.light_sol_pool.input;
  // Its creator, times, bumps and LP tokens are made up; a Global pool's own fees don't matter.
  const { market_cap_based_fees, info, lp_token, creator_trading_fee_receiver, ...rest } = fields;
  const state = decodeLiquidityPoolState(ledger.getAccount(ledger.pools.creator.pool)!.data);
  expect(statedOf(state, rest)).toEqual(rest);
});

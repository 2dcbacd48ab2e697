import { address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  createHeavenClient,
  createPoolTracker,
  type DeploymentConfig,
  trackedAccounts,
} from '../../src/index.js';
import { HEAVEN_PROGRAM_ADDRESS, SOL_USD_FEED_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';

const OTHER = address('4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM');
const { rpc, pools } = await createEmbeddedLedger();
const { mint, configVersion } = pools.creator;
const locator = { mint, configVersion };

const deploymentOf = (deployment: DeploymentConfig) => createHeavenClient({ rpc, deployment }).deployment;

describe('a deployment', () => {
  test('is mainnet, but for what is given', () => {
    const other = { programAddress: OTHER, solUsdFeed: SOL_USD_FEED_ADDRESS };
    expect(deploymentOf({ programAddress: OTHER })).toMatchObject(other);
    const unset = { programAddress: undefined } as unknown as DeploymentConfig;
    expect(deploymentOf(unset).programAddress).toBe(HEAVEN_PROGRAM_ADDRESS);
    expect(createHeavenClient({ rpc }).deployment).toEqual(deploymentOf({}));
  });

  test('with a wrong name or address is rejected by a client and by a tracker', async () => {
    const tracked = await trackedAccounts(locator);
    for (const [deployment, code, field] of [
      [{ programAdress: OTHER }, 'invalid-input', 'deployment.programAdress'],
      [{ programAddress: 'here' }, 'invalid-address', 'deployment.programAddress'],
      [{ solUsdFeed: 5 }, 'invalid-address', 'deployment.solUsdFeed'],
    ] as const) {
      const given = deployment as unknown as DeploymentConfig;
      await expectRefusal(() => createHeavenClient({ rpc, deployment: given }), code, { field });
      await expectRefusal(() => trackedAccounts(locator, given), code, { field });
      await expectRefusal(() => createPoolTracker(tracked, { deployment: given }), code, { field });
    }
  });
});

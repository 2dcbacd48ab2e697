import type { Scenario } from '../scenario.js';
import { builtProLife } from './built-pro-life.js';
import { creation } from './creation.js';
import { failures } from './failures.js';
import { launches, lookupTable } from './launch.js';
import { liquidity } from './liquidity.js';
import { priceAccounts } from './price-accounts.js';
import { receiverUpdate, settings } from './settings.js';
import { standardClaims } from './standard-claims.js';

/** Everything but trades: launches, the life of a pro pool, the price accounts, and the documented failures. */
export const LIFE_SCENARIOS: readonly Scenario[] = [
  lookupTable,
  launches,
  standardClaims,
  creation,
  liquidity,
  settings,
  receiverUpdate,
  builtProLife,
  priceAccounts,
  failures,
];

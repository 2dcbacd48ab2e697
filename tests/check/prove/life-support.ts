import type { ProofQuestionId } from '../../../src/check/prove/questions.js';
import type { Scenario } from '../../../src/check/prove/scenario.js';
import {
  COMMUNITY_LOOKUP_TABLE_ADDRESS,
  DEFAULT_RULES,
  type PricedInstruction,
} from '../../../src/program/index.js';

export const TABLE = COMMUNITY_LOOKUP_TABLE_ADDRESS;
export const PRICED = Object.keys(DEFAULT_RULES.priceAccounts) as PricedInstruction[];
export const CONFIRMED = 'confirmed: as-computed';

/** The verdicts for a model that follows the assumptions. */
export const EVERYTHING_ASSUMED: { readonly [id in ProofQuestionId]?: string } = {
  A1: 'confirmed: creator-last',
  A2: 'confirmed: user_lp_position',
  ...Object.fromEntries(PRICED.map((name) => [`A3.${name}`, 'confirmed: pair'])),
  'A8.first-supply': 'confirmed: square-root',
  'A8.rounding': 'confirmed: up',
  'A8.scale': 'confirmed: 1e9',
  A9: 'confirmed: as-built',
  A10: 'confirmed: config-1',
  A11: 'confirmed: fifteen',
  A12: 'confirmed: config',
  launch: CONFIRMED,
  'initial-purchase': CONFIRMED,
  creation: CONFIRMED,
  deposit: CONFIRMED,
  withdrawal: CONFIRMED,
  'lp-transfer': CONFIRMED,
  'creator-claim': CONFIRMED,
  'lp-claim': CONFIRMED,
  setting: CONFIRMED,
  permission: CONFIRMED,
};

/** What a scenario says of a model as assumed. */
export const assumed = ({ questions }: Scenario) =>
  Object.fromEntries(questions.map((id) => [id, EVERYTHING_ASSUMED[id]]));

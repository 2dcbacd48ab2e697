import type { Address } from '@solana/kit';

import { inputError } from '../input.js';
import { assertAddress } from '../solana/addresses.js';
import {
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
} from './constants.js';
import { assertRules, DEFAULT_RULES, type ProtocolRules, patchRules, type RulesPatch } from './rules.js';

/** The exchange's addresses (by default, mainnet's) and the rules that its program is assumed to follow. */
export interface Deployment {
  readonly programAddress: Address;
  readonly chainlinkProgram: Address;
  readonly solUsdFeed: Address;
  readonly rules: ProtocolRules;
}

/** The parts of a {@link Deployment} that differ from the default, which is mainnet with the rules in docs/protocol.md. */
export type DeploymentConfig = Partial<Omit<Deployment, 'rules'>> & {
  /** Only the rules that differ. They apply to every quote and transaction of the client. */
  readonly rules?: RulesPatch | undefined;
};

/** Mainnet's addresses. */
export const DEFAULT_ADDRESSES: Omit<Deployment, 'rules'> = {
  programAddress: HEAVEN_PROGRAM_ADDRESS,
  chainlinkProgram: CHAINLINK_STORE_PROGRAM_ADDRESS,
  solUsdFeed: SOL_USD_FEED_ADDRESS,
};

/** Completes a deployment with mainnet's addresses and the default rules. */
export function deploymentOf(given: DeploymentConfig = {}): Deployment {
  const { rules, ...others } = given;
  for (const [name, address] of Object.entries(others)) {
    if (!Object.hasOwn(DEFAULT_ADDRESSES, name))
      throw inputError(
        `deployment.${name}`,
        `A deployment has no ${name}, only ${Object.keys(DEFAULT_ADDRESSES).join(', ')} and rules.`,
      );
    if (address !== undefined) assertAddress(address, `deployment.${name}`);
  }
  assertRules(rules, 'deployment.rules');
  const {
    programAddress = DEFAULT_ADDRESSES.programAddress,
    chainlinkProgram = DEFAULT_ADDRESSES.chainlinkProgram,
    solUsdFeed = DEFAULT_ADDRESSES.solUsdFeed,
  } = others;
  return { programAddress, chainlinkProgram, solUsdFeed, rules: patchRules(DEFAULT_RULES, rules) };
}

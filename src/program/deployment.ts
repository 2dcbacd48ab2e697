import type { Address } from '@solana/kit';

import { assertFields, assertNames, assertObject } from '../base/input.js';
import { assertAddress } from '../solana/addresses.js';
import {
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
} from './constants.js';

/** The exchange's addresses: by default, mainnet's. */
export interface Deployment {
  readonly programAddress: Address;
  readonly chainlinkProgram: Address;
  readonly solUsdFeed: Address;
}

/** The addresses that differ from mainnet's. */
export type DeploymentConfig = Partial<Deployment>;

/** The program's address, for functions that take no client. A client's `deployment` fits. */
export interface InstructionConfig {
  /** The exchange program, if not mainnet's. */
  readonly programAddress?: Address;
}

/** The exchange program in a config, which may be a client's `deployment`. */
export function programIn(config: InstructionConfig): Address {
  assertNames(config, 'config', DEFAULT_ADDRESSES);
  const { programAddress = HEAVEN_PROGRAM_ADDRESS } = config;
  assertAddress(programAddress, 'programAddress');
  return programAddress;
}

/** Mainnet's addresses. */
const DEFAULT_ADDRESSES: Deployment = {
  programAddress: HEAVEN_PROGRAM_ADDRESS,
  chainlinkProgram: CHAINLINK_STORE_PROGRAM_ADDRESS,
  solUsdFeed: SOL_USD_FEED_ADDRESS,
};

/** Completes a deployment with mainnet's addresses. */
export function deploymentOf(given?: DeploymentConfig | null): Deployment {
  const config = given ?? {};
  assertObject(config, 'deployment');
  assertFields(config, 'deployment', DEFAULT_ADDRESSES);
  const addresses = Object.entries(DEFAULT_ADDRESSES).map(([name, mainnets]) => {
    const address = config[name as keyof Deployment] ?? mainnets;
    assertAddress(address, `deployment.${name}`);
    return [name, address];
  });
  return Object.fromEntries(addresses) as Deployment;
}

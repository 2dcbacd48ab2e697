import type { Address } from '@solana/kit';

import type { Deployment } from '../client.js';
import { userLpPositionDeclaration } from '../program/accounts.js';
import { findLpPositionAddress, findPoolAddress, findProtocolConfigAddress } from '../program/addresses.js';
import { CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS } from '../program/constants.js';
import type { AccountShape } from '../solana/account-data.js';
import { expectAccount } from '../solana/rpc/expected-accounts.js';
import { CLOCK, CONFIG, FEED, POOL } from './layout.js';

// Addresses that are derived here, not named by the caller: something else there is the node's fault.

/** Finds the standard pool of a token. */
export async function locatePool(mint: Address, programAddress: Address): Promise<Address> {
  const address = await findPoolAddress({ mint }, { programAddress });
  expectAccount(address, programAddress, POOL);
  return address;
}

/** Finds a protocol config. */
export async function locateConfig(version: number, programAddress: Address): Promise<Address> {
  const address = await findProtocolConfigAddress({ version }, { programAddress });
  expectAccount(address, programAddress, CONFIG);
  return address;
}

/** Finds a user's LP position in a pool. */
export async function locatePosition(
  pool: Address,
  user: Address,
  programAddress: Address,
): Promise<Address> {
  const address = await findLpPositionAddress({ pool, user }, { programAddress });
  expectAccount(address, programAddress, positionShape());
  return address;
}

let position: AccountShape | undefined;

/** The shape of an LP position. */
export function positionShape(): AccountShape {
  const { name, size, discriminator } = userLpPositionDeclaration;
  position ??= { name, size, discriminator: BigInt(`0x${discriminator}`) };
  return position;
}

/** The price feed and the clock. */
export function locatePriceAndClock({
  solUsdFeed,
  chainlinkProgram,
}: Deployment): readonly [Address, Address] {
  expectAccount(solUsdFeed, chainlinkProgram, FEED);
  expectAccount(CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS, CLOCK);
  return [solUsdFeed, CLOCK_SYSVAR_ADDRESS];
}

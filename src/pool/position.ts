import type { Address } from '@solana/kit';

import { decodeUserLpPosition, type UserLpPosition, userLpPositionDeclaration } from '../program/accounts.js';
import { findLpPositionAddress } from '../program/addresses.js';
import type { AccountShape } from '../solana/account-data.js';
import { assertDerived, ifCreated, type RawAccount } from '../solana/rpc/accounts.js';
import { expectAccount } from '../solana/rpc/expected-accounts.js';

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

function positionShape(): AccountShape {
  const { name, size, discriminator } = userLpPositionDeclaration;
  position ??= { name, size, discriminator: BigInt(`0x${discriminator}`) };
  return position;
}

/** A decoded position, if there is one. */
export function positionFrom(
  account: RawAccount | undefined,
  address: Address,
  programAddress: Address,
): UserLpPosition | undefined {
  if (ifCreated(account) === undefined) return undefined;
  assertDerived(account, address, programAddress, positionShape());
  return decodeUserLpPosition(account.data, address);
}

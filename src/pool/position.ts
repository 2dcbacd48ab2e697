import type { Address } from '@solana/kit';
import { shapeOf, userLpPositionDeclaration } from '../program/account-layouts.js';
import { readAccount, type UserLpPosition } from '../program/accounts.js';
import { deriveLpPositionAddress } from '../program/addresses.js';
import type { HeavenClient } from '../program/client.js';
import { assertExpectedAt, ifCreated, type RawAccount } from '../solana/rpc/accounts.js';
import { fetchPoolState } from './read.js';

/** A user's LP position. All fields are zero if the user has none. */
export interface LpPosition extends Pick<UserLpPosition, 'lpTokenBalance' | 'rewardDebt' | 'pendingFees'> {
  readonly address: Address;
  readonly exists: boolean;
}

/** Reads a pro pool, some users' positions in it, and more accounts, in one call. */
export async function fetchPoolAndPositions<const TUsers extends readonly Address[]>(
  client: HeavenClient,
  {
    pool,
    mint,
    configVersion,
    abortSignal,
  }: Parameters<typeof fetchPoolState>[2] & { readonly pool: Address },
  users: TUsers,
  more: readonly Address[] = [],
) {
  const { programAddress } = client.deployment;
  const addresses = await Promise.all(
    users.map((user) => deriveLpPositionAddress({ pool, user }, client.deployment)),
  );
  const expected = { pool, mint, configVersion, abortSignal };
  const fetched = await fetchPoolState(client, 'pro', expected, [...addresses, ...more]);
  const positions = addresses.map((address, index) =>
    positionAt(fetched.more[index], address, programAddress),
  );
  return { ...fetched, positions: positions as { readonly [TIndex in keyof TUsers]: LpPosition } };
}

function positionAt(account: RawAccount | undefined, address: Address, programAddress: Address): LpPosition {
  if (ifCreated(account) === undefined)
    return { address, exists: false, lpTokenBalance: 0n, rewardDebt: 0n, pendingFees: 0n };
  assertExpectedAt(account, address, programAddress, shapeOf(userLpPositionDeclaration));
  return { ...readAccount(userLpPositionDeclaration, account.data), address, exists: true };
}

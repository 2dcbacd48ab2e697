import type { Address } from '@solana/kit';

import { U64_MAX } from '../../base/integers.js';
import { invalidAccount } from '../../solana/account-data.js';
import { assertOwned } from '../../solana/rpc/accounts.js';
import { assertPoolOf } from '../check.js';
import {
  assertPoolData,
  assertPoolKind,
  configVersionMismatch,
  decodeClock,
  decodeConfigVersion,
  decodeMint,
  decodeSolPrice,
  poolKindOf,
  poolVersionOf,
} from '../decode.js';
import { CLOCK, CONFIG, FEED, MINT, POOL } from '../layout.js';
import type { AccountUpdate, TrackedAccount, TrackedPool } from './accounts.js';

/** The known state that an update is read with. */
export interface KnownState {
  readonly tokenProgram: Address | undefined;
  /** The newest data of the clock. */
  readonly clock: Uint8Array | undefined;
}

const SHAPE_OF = { pool: POOL, protocolConfig: CONFIG, mint: MINT, priceFeed: FEED, clock: CLOCK };

/** Throws if an update can't be the account that it is for. */
export function assertUpdate(
  tracked: TrackedPool,
  { name, address, owners }: TrackedAccount,
  { data, owner, lamports }: Pick<AccountUpdate, 'data' | 'owner' | 'lamports'>,
  known: KnownState,
): void {
  if (lamports === 0n) throw invalidAccount(name, 'it has no lamports: it is gone', address);
  if (owner !== undefined) assertOwned({ address, data, owner }, SHAPE_OF[name].name, address, owners);
  switch (name) {
    case 'pool':
      assertPoolUpdate(tracked, data);
      return;
    case 'protocolConfig': {
      const version = decodeConfigVersion(data, address);
      if (version !== tracked.configVersion) throw configVersionMismatch(tracked.configVersion, version);
      return;
    }
    case 'mint':
      if (owner === undefined && known.tokenProgram === undefined)
        throw invalidAccount(MINT.name, 'its owner, the token program, is not known: give it', address);
      // It checks the transfer fees of this epoch and of all later ones.
      decodeMint(data, 0n);
      return;
    case 'priceFeed':
      decodeSolPrice(
        data,
        known.clock === undefined ? U64_MAX : decodeClock(known.clock).unixTimestamp,
        address,
      );
      return;
    case 'clock':
      decodeClock(data);
  }
}

function assertPoolUpdate(tracked: TrackedPool, data: Uint8Array): void {
  const { configVersion, pool: address, kind } = tracked;
  assertPoolData(data, address);
  const version = poolVersionOf(data);
  if (version !== configVersion) throw configVersionMismatch(configVersion, version);
  if (kind !== undefined) assertPoolKind(kind, poolKindOf(data));
  assertPoolOf(tracked, data);
}

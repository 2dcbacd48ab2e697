import type { Address } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { U64_MAX } from '../base/integers.js';
import type { HeavenWarning } from '../base/warnings.js';
import { view } from './account-data.js';
import { addressAt } from './addresses.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS } from './programs.js';
import type { RawAccount } from './rpc/accounts.js';

/** The layout of a lookup table: a header, then the addresses. */
export const LOOKUP_TABLE = {
  header: 56,
  type: 0,
  deactivationSlot: 4,
  lastExtendedSlot: 12,
  lastExtendedStart: 20,
} as const;
const IS_TABLE = 1;
const NEVER = 0xffff_ffff_ffff_ffffn;

/** The addresses of lookup tables, by table, as kit compresses with them. */
export type LookupTables = { readonly [table: Address]: Address[] };

/** A lookup table's addresses that can be used, and those added in the slot of the read, which can be used from the next one. */
export interface SlotTables {
  readonly lookupTables: LookupTables;
  readonly added: readonly Address[];
}

/** A creation's lookup table, if it has one, as of the slot in which it was read. */
export function lookupTablesAt(
  slot: bigint,
  address: Address | undefined,
  account: RawAccount | undefined,
): SlotTables {
  if (address === undefined) return { lookupTables: {}, added: [] };
  const usable = lookupTableAddresses(account, address, slot);
  const added = lookupTableAddresses(account, address, U64_MAX).slice(usable.length);
  return { lookupTables: { [address]: usable }, added };
}

/** The addresses in a lookup table that a transaction can use in the given slot. */
export function lookupTableAddresses(
  account: RawAccount | undefined,
  address: Address,
  slot: bigint,
): Address[] {
  const refuse = (reason: string): never => {
    throw new HeavenError('unusable-account', `The lookup table ${address} can't be used: ${reason}.`, {
      account: 'lookup table',
      address,
      reason,
    });
  };
  if (account === undefined) return refuse('it does not exist on this cluster');
  if (account.owner !== LOOKUP_TABLE_PROGRAM_ADDRESS)
    refuse(`it belongs to ${account.owner}, not to the lookup table program`);
  const data = view(account.data);
  if (data.byteLength < LOOKUP_TABLE.header || data.getUint32(LOOKUP_TABLE.type, true) !== IS_TABLE)
    refuse('it is not an initialized lookup table');
  if (data.getBigUint64(LOOKUP_TABLE.deactivationSlot, true) !== NEVER) refuse('it is deactivated');
  // What was added in this very slot can't be used yet.
  const isFresh = data.getBigUint64(LOOKUP_TABLE.lastExtendedSlot, true) >= slot;
  const count = Math.floor((data.byteLength - LOOKUP_TABLE.header) / 32);
  return Array.from(
    { length: isFresh ? Math.min(count, data.getUint8(LOOKUP_TABLE.lastExtendedStart)) : count },
    (_, index) => addressAt(account.data, LOOKUP_TABLE.header + index * 32),
  );
}

/** Warns of lookup tables that hold neither the config of a new pool nor the config's vault of wrapped SOL. */
export const uselessTables = (
  { lookupTables, added }: SlotTables,
  config: readonly [protocolConfig: Address, tokenBVault: Address],
): readonly HeavenWarning[] =>
  (Object.keys(lookupTables) as Address[])
    .filter((table) => !config.some((address) => lookupTables[table]?.includes(address)))
    .map((table) => ({
      code: 'useless-lookup-table',
      message: config.some((address) => added.includes(address))
        ? `The addresses of the lookup table ${table} were added in this slot, and can be used from the next: the transaction is longer than it will be then. Build it again.`
        : `The lookup table ${table} holds neither the config ${config[0]} nor its vault of wrapped SOL: the transaction is longer than with a table made for this config version. Check lutAddress.`,
    }));

import { compressTransactionMessageUsingAddressLookupTables } from '@solana/kit';

import type { LookupTables } from '../solana/lookup-table.js';
import type { Compress } from './message-format.js';

/** Takes addresses from these lookup tables, where they hold them. */
export const compressWith =
  (tables: LookupTables): Compress =>
  (message) =>
    compressTransactionMessageUsingAddressLookupTables(message, tables);

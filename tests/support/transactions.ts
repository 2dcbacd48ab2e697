import {
  type AddressesByLookupTableAddress,
  type Base64EncodedWireTransaction,
  decompileTransactionMessage,
  getAddressDecoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
} from '@solana/kit';

import type { BuiltTransaction } from '../../src/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';

/** A transaction that was built, or its base64. */
type Built = string | { readonly tx: string };

/** All instructions of a built transaction, in order. */
export const allInstructionsOf = ({
  computeBudget,
  instructions,
}: BuiltTransaction): readonly Instruction[] => [...computeBudget, ...instructions];

/** The wire transaction behind base64. */
export const decodedOf = (built: Built) =>
  getTransactionDecoder().decode(
    getBase64Encoder().encode((typeof built === 'string' ? built : built.tx) as Base64EncodedWireTransaction),
  );

/** The message of a transaction, as it is compiled. */
export const compiledOf = (built: Built) =>
  getCompiledTransactionMessageDecoder().decode(decodedOf(built).messageBytes);

/** The message of a transaction, with its accounts in place. */
export const messageOf = (built: Built, addressesByLookupTableAddress: AddressesByLookupTableAddress = {}) =>
  decompileTransactionMessage(compiledOf(built), { addressesByLookupTableAddress });

/** The addresses in the sample lookup tables of a ledger. */
export const lookupTablesIn = (ledger: EmbeddedLedger): AddressesByLookupTableAddress =>
  Object.fromEntries(
    Object.values(ledger.lookupTables).map((table) => {
      const data = ledger.getAccount(table)?.data ?? new Uint8Array();
      const addressAt = (index: number) => getAddressDecoder().decode(data, 56 + index * 32);
      return [table, Array.from({ length: (data.length - 56) / 32 }, (_, index) => addressAt(index))];
    }),
  );

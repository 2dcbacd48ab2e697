import {
  type Base64EncodedWireTransaction,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
  type V1TransactionConfig,
} from '@solana/kit';

import { MAX_TRANSACTION_BYTES } from '../../solana/limits.js';
import { readWireTransaction } from '../../solana/message.js';
import { invalidParams, wordOf } from './rpc.js';

/** The length of {@link MAX_TRANSACTION_BYTES} bytes in base58. */
const MOST_BASE58_CHARACTERS = 1_683;

/** A caller's transaction as base64. A node's default is base58. */
export function transactionOf(tx: unknown, encoding: unknown): Base64EncodedWireTransaction {
  if (typeof tx !== 'string') throw invalidParams('Invalid params: the transaction must be text.');
  if (wordOf(encoding, 'encoding', ['base58', 'base64']) === 'base64')
    return tx as Base64EncodedWireTransaction;
  // Nodes accept no larger one in base58, whatever its version.
  if (tx.length > MOST_BASE58_CHARACTERS) {
    throw invalidParams(
      `base58 encoded transaction too large: ${tx.length} bytes (max: encoded/raw ${MOST_BASE58_CHARACTERS}/${MAX_TRANSACTION_BYTES})`,
    );
  }
  try {
    return getBase64Decoder().decode(getBase58Encoder().encode(tx)) as Base64EncodedWireTransaction;
  } catch {
    throw invalidParams(
      'Invalid params: the transaction is not valid base58. Set encoding to base64 for base64.',
    );
  }
}

/** A transaction as `getTransaction` returns it. */
export function encodedTransaction(tx: Base64EncodedWireTransaction, asked: unknown): unknown {
  const encoding = wordOf(asked, 'encoding', ['json', 'base64', 'base58']);
  if (encoding === 'base64') return [tx, encoding];
  const base58 = getBase58Decoder();
  if (encoding === 'base58') return [base58.decode(getBase64Encoder().encode(tx)), encoding];
  const wire = readWireTransaction(tx);
  const { version, config, header, staticAccounts, lifetimeToken, instructions, signatures } = wire;
  const addressTableLookups = wire.lookups.map(({ lookupTableAddress, ...indexes }) => ({
    accountKey: lookupTableAddress,
    ...indexes,
  }));
  return {
    signatures: signatures.map(({ signature }) => base58.decode(signature ?? new Uint8Array(64))),
    message: {
      accountKeys: staticAccounts,
      header: {
        numReadonlySignedAccounts: header.numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
        numRequiredSignatures: header.numSignerAccounts,
      },
      instructions: instructions.map(({ accountIndices, data, programAddress }) => ({
        accounts: accountIndices,
        data: base58.decode(data),
        programIdIndex: staticAccounts.indexOf(programAddress),
        stackHeight: 1,
      })),
      recentBlockhash: lifetimeToken,
      ...(version === 0 ? { addressTableLookups } : {}),
      ...(config === undefined ? {} : { transactionConfig: transactionConfigOf(config) }),
    },
  };
}

/** A version 1 config in a node's format: unset fields are null. */
const transactionConfigOf = ({
  computeUnitLimit = null,
  heapSize = null,
  loadedAccountsDataSizeLimit = null,
  priorityFeeLamports: priorityFee = null,
}: { readonly [TName in keyof V1TransactionConfig]?: V1TransactionConfig[TName] | null }) => ({
  computeUnitLimit,
  heapSize,
  loadedAccountsDataSizeLimit,
  priorityFee,
});

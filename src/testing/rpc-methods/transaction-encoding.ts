import { type Base64EncodedWireTransaction, getBase58Decoder, type V1TransactionConfig } from '@solana/kit';

import { readWireTransaction } from '../../solana/message.js';
import { invalidParams, wordOf } from './rpc.js';

/** A caller's transaction, which must be in base64. A node's default, base58, is not supported. */
export function transactionOf(tx: unknown, encoding: unknown): Base64EncodedWireTransaction {
  wordOf(encoding, 'encoding', ['base64']);
  if (typeof tx !== 'string') throw invalidParams('Invalid params: the transaction must be text.');
  return tx as Base64EncodedWireTransaction;
}

/** A transaction as `getTransaction` returns it. */
export function encodedTransaction(tx: Base64EncodedWireTransaction, asked: unknown): unknown {
  const encoding = wordOf(asked ?? 'json', 'encoding', ['json', 'base64']);
  if (encoding === 'base64') return [tx, encoding];
  const base58 = getBase58Decoder();
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

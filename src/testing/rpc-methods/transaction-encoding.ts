import {
  type Base64EncodedWireTransaction,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
} from '@solana/kit';

import { readWireTransaction } from '../../solana/message.js';
import { lookupsOf } from '../runtime.js';
import { invalidParams, wordOf } from './rpc.js';

/** A transaction that a caller sends, in base64. A node's default is base58. */
export function transactionOf(tx: unknown, encoding: unknown): Base64EncodedWireTransaction {
  if (typeof tx !== 'string') throw invalidParams('Invalid params: the transaction must be text.');
  if (wordOf(encoding, 'encoding', ['base58', 'base64']) === 'base64')
    return tx as Base64EncodedWireTransaction;
  try {
    return getBase64Decoder().decode(getBase58Encoder().encode(tx)) as Base64EncodedWireTransaction;
  } catch {
    throw invalidParams(
      'Invalid params: the transaction is not valid base58. Set encoding to base64 for base64.',
    );
  }
}

/** A transaction as `getTransaction` writes it. */
export function encodedTransaction(tx: Base64EncodedWireTransaction, asked: unknown): unknown {
  const encoding = wordOf(asked, 'encoding', ['json', 'base64', 'base58']);
  if (encoding === 'base64') return [tx, encoding];
  const base58 = getBase58Decoder();
  if (encoding === 'base58') return [base58.decode(getBase64Encoder().encode(tx)), encoding];
  const { message, signatures, version } = readWireTransaction(tx);
  const { header, staticAccounts, lifetimeToken, instructions } = message;
  const addressTableLookups = lookupsOf(message).map(({ lookupTableAddress, ...indexes }) => ({
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
      instructions: instructions.map(
        ({ accountIndices = [], data = new Uint8Array(), programAddressIndex }) => ({
          accounts: accountIndices,
          data: base58.decode(data),
          programIdIndex: programAddressIndex,
          stackHeight: 1,
        }),
      ),
      recentBlockhash: lifetimeToken,
      ...(version === 'legacy' ? {} : { addressTableLookups }),
    },
  };
}

import {
  type Address,
  type AddressesByLookupTableAddress,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type V1TransactionConfig,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';

type Lifetime = { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint };
const NO_BLOCKHASH = { blockhash: '11111111111111111111111111111111' as Blockhash, lastValidBlockHeight: 0n };

interface Signing {
  readonly lifetime?: Lifetime | undefined;
  /** Default: 0, or 1 with a config. */
  readonly version?: 0 | 'legacy';
  /** Makes it version 1. */
  readonly config?: V1TransactionConfig | undefined;
  /** Lookup tables, of version 0. */
  readonly tables?: AddressesByLookupTableAddress;
}

/** Instructions as a transaction, signed by its payer and the signers that are attached. */
export async function signedWith(
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  { lifetime = NO_BLOCKHASH, version = 0, config, tables }: Signing = {},
): Promise<Base64EncodedWireTransaction> {
  const message = pipe(
    config === undefined
      ? createTransactionMessage({ version })
      : setTransactionMessageConfig(config, createTransactionMessage({ version: 1 })),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
  );
  const compressed =
    tables === undefined
      ? message
      : compressTransactionMessageUsingAddressLookupTables(message as never, tables);
  return getBase64EncodedWireTransaction(
    await signTransactionMessageWithSigners(compressed as typeof message),
  );
}

/** A transfer of lamports by its payer. Default block hash: none that a ledger takes. */
export const transferTo = (
  destination: Address,
  amount: bigint,
  source: KeyPairSigner,
  lifetime?: Lifetime,
): Promise<Base64EncodedWireTransaction> =>
  signedWith(source, [getTransferSolInstruction({ source, destination, amount })], { lifetime });

import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';

import { readWireTransaction } from '../../solana/message.js';
import { feeOf } from '../runtime.js';
import { sampleAddress } from '../samples.js';
import { lifetimeAt } from './cluster.js';
import type { RpcMethods } from './ledger-reads.js';
import { addressOf, integerOf } from './params.js';
import { RPC_ERROR, RpcRefusal } from './refusal.js';
import { executeOnRecord, signatureIn, type TransactionLedger } from './transactions.js';

/** 10,000 SOL. */
const MOST_LAMPORTS = 10_000_000_000_000n;

/** `requestAirdrop`: a transfer on record, from a faucet that is given what it transfers. */
export function airdropMethods(
  ledger: TransactionLedger,
  setBalance: (wallet: Address, lamports: bigint) => void,
): RpcMethods {
  let count = 0n;
  return {
    requestAirdrop: async ([address, lamports]) => {
      const destination = addressOf(address);
      const amount = integerOf(lamports, 'the lamports', MOST_LAMPORTS);
      const faucet = await sampleAddress('faucet');
      const transfer = getTransferSolInstruction({
        source: createNoopSigner(faucet),
        destination,
        amount,
      });
      const lifetime = lifetimeAt(ledger.slot());
      const unsigned = pipe(
        createTransactionMessage({ version: 'legacy' }),
        (message) => setTransactionMessageFeePayer(faucet, message),
        (message) =>
          setTransactionMessageLifetimeUsingBlockhash(
            { ...lifetime, blockhash: lifetime.blockhash as Blockhash },
            message,
          ),
        (message) => appendTransactionMessageInstruction(transfer, message),
        compileTransaction,
      );
      // Nobody has the faucet's key: its signatures are numbers.
      count += 1n;
      const bytes = new Uint8Array(64).fill(7);
      new DataView(bytes.buffer).setBigUint64(0, count);
      const tx = getBase64EncodedWireTransaction({
        ...unsigned,
        signatures: { [faucet]: bytes as SignatureBytes },
      });
      const wire = readWireTransaction(tx);
      const { err } = await ledger.inTurn(() => {
        setBalance(faucet, amount + feeOf(1, [transfer]));
        return executeOnRecord(ledger, tx, wire);
      });
      if (err !== null)
        throw new RpcRefusal(
          RPC_ERROR.internal,
          `The airdrop failed: ${JSON.stringify(err)}. A new account needs its rent exemption, 890880 lamports, at least.`,
        );
      return signatureIn(wire);
    },
  };
}

import { type Base64EncodedWireTransaction, getBase58Decoder, type Signature } from '@solana/kit';

import { isSignatureValid, readWireTransaction } from '../transaction/wire.js';
import type { SimulatedTransaction } from './simulator.js';

/** An error that a node answers, with JSON-RPC's code and its data. */
export class RpcRefusal extends Error {
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const PREFLIGHT_FAILURE = -32002;
const SIGNATURE_FAILURE = -32003;

/** The ledger behind the transactions that are sent to it. */
export interface SendingLedger {
  readonly slot: () => bigint;
  /** Whether a transaction with this block hash can still be sent. */
  readonly isFresh: (blockhash: string) => boolean;
  readonly simulate: (tx: Base64EncodedWireTransaction) => Promise<SimulatedTransaction>;
  readonly execute: (tx: Base64EncodedWireTransaction) => Promise<SimulatedTransaction>;
}

/**
 * `sendTransaction` and `getSignatureStatuses` of a node: signatures and block hash are checked, then the transaction is
 * simulated, then it is executed at once. One that fails with `skipPreflight` pays its fee and has its error in the status.
 */
export function sendingMethods({ slot, isFresh, simulate, execute }: SendingLedger) {
  const statuses = new Map<string, { readonly slot: bigint; readonly err: unknown }>();
  const failed = (err: unknown, logs: readonly string[] = []) =>
    new RpcRefusal(PREFLIGHT_FAILURE, 'Transaction simulation failed', { err, logs });

  const sendTransaction = async ([tx, config]: readonly unknown[]): Promise<Signature> => {
    const { encoding, skipPreflight } = (config ?? {}) as {
      readonly encoding?: string;
      readonly skipPreflight?: boolean;
    };
    if (encoding !== 'base64') throw new Error('The embedded ledger reads transactions in base64 only');
    const wire = readWireTransaction(tx as string);
    for (const { address, signature } of wire.signatures) {
      if (signature !== undefined && (await isSignatureValid(wire, address, signature))) continue;
      throw new RpcRefusal(SIGNATURE_FAILURE, 'Transaction signature verification failure');
    }
    const signature = getBase58Decoder().decode(wire.signatures[0]?.signature as Uint8Array) as Signature;
    if (statuses.has(signature)) {
      if (skipPreflight) return signature;
      throw failed('AlreadyProcessed');
    }
    if (!isFresh(wire.message.lifetimeToken)) throw failed('BlockhashNotFound');
    if (!skipPreflight) {
      const { err, logs } = await simulate(tx as Base64EncodedWireTransaction);
      if (err !== null) throw failed(err, logs);
    }
    statuses.set(signature, { slot: slot(), err: null });
    const { err, accounts } = await execute(tx as Base64EncodedWireTransaction);
    // Of one that could not even pay its fee, a cluster knows nothing.
    if (accounts.size === 0) statuses.delete(signature);
    else statuses.set(signature, { slot: slot(), err });
    return signature;
  };

  const getSignatureStatuses = ([signatures]: readonly unknown[]) =>
    (signatures as readonly string[]).map((signature) => {
      const status = statuses.get(signature);
      if (status === undefined) return null;
      return {
        ...status,
        confirmations: 1n,
        confirmationStatus: 'confirmed',
        status: status.err === null ? { Ok: null } : { Err: status.err },
      };
    });

  return { sendTransaction, getSignatureStatuses };
}

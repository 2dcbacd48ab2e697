import { createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';

import { view } from '../../solana/account-data.js';
import { costOf } from '../../solana/compute-budget.js';
import { readWireTransaction } from '../../solana/message.js';
import type { Execution } from '../execution.js';
import type { LedgerState } from '../ledger-state.js';
import { sampleAddress } from '../samples.js';
import { wireTransaction } from '../wire.js';
import { blockhashOf } from './cluster.js';
import { signatureIn } from './history.js';
import { addressOf, integerOf, RPC_ERROR, type RpcMethods, RpcRefusal } from './rpc.js';

/** 10,000 SOL. */
const MAX_LAMPORTS = 10_000_000_000_000n;

/** `requestAirdrop`: a recorded transfer from a faucet, which gets the lamports first. */
export function airdropMethods(ledger: LedgerState, execution: Execution): RpcMethods {
  let count = 0n;
  return {
    requestAirdrop: async ([address, lamports]) => {
      const destination = addressOf(address);
      const amount = integerOf(lamports, 'the lamports', MAX_LAMPORTS);
      const faucet = await sampleAddress('faucet');
      const source = createNoopSigner(faucet);
      const transfer = getTransferSolInstruction({ source, destination, amount });
      // The faucet has no key: its signatures are counters.
      count += 1n;
      const signature = new Uint8Array(64).fill(7);
      view(signature).setBigUint64(0, count);
      const tx = wireTransaction('legacy', faucet, blockhashOf(ledger.slot), transfer, signature);
      const wire = readWireTransaction(tx);
      // Several airdrops may wait for their turn.
      const held = ledger.getAccount(faucet)?.lamports ?? 0n;
      ledger.setBalance(faucet, held + amount + costOf(wire).fees.total);
      const { err } = await execution.executeOnRecord(tx, wire);
      if (err !== null)
        throw new RpcRefusal(
          RPC_ERROR.internal,
          `The airdrop failed: ${JSON.stringify(err)}. A new account needs its rent exemption, ${ledger.computeRentExemption(0)} lamports, at least.`,
        );
      return signatureIn(wire);
    },
  };
}

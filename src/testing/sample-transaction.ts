import { getBuyInstruction } from '../program/instructions/index.js';
import { readWireTransaction } from '../solana/message.js';
import { Execution } from './execution.js';
import { LedgerState } from './ledger-state.js';
import { TransactionHistory, type TransactionRecord } from './rpc-methods/history.js';
import { fundTrader } from './sample-accounts.js';
import { type SamplePool, sampleWallet } from './samples.js';
import { ModelEngine } from './simulate.js';
import { wireTransaction } from './wire.js';

/** The last buy in LIGHT/SOL before its accounts were captured, which left the sample pool's reserves. */
const LAST_BUY = {
  lamports: 2_974_457_039n,
  net: 2_929_840_184n,
  creatorFee: 29_744_570n,
  tokens: 195_707_570_900_467n,
} as const;

/**
 * The last buy of the sample pool `creator`, as it is in the ledger's history: the model runs it on a copy of the ledger with the
 * reserves before it.
 */
export async function sampleTransaction(ledger: LedgerState, pool: SamplePool): Promise<TransactionRecord> {
  const { programAddress } = ledger;
  const past = new LedgerState({ programAddress });
  for (const [address, account] of ledger.listAccounts()) past.setAccount(address, account);
  const { lamports, net, creatorFee, tokens } = LAST_BUY;
  past.updatePool(pool.pool, ({ reserve, creatorTradingFees }) => ({
    reserve: { ...reserve, tokenA: reserve.tokenA + tokens, tokenB: reserve.tokenB - net },
    creatorTradingFees: creatorTradingFees - creatorFee,
  }));
  const user = await sampleWallet('buyer');
  const accounts = await fundTrader(past, pool, user, lamports);
  const params = {
    maxSolSpend: lamports,
    minimumAmountOut: (tokens * 99n) / 100n,
    encodedUserDefinedEventData: '',
  };
  const buy = getBuyInstruction({ ...accounts, params }, { programAddress });
  // Any 32 bytes will do as an expired block hash.
  const tx = wireTransaction(0, user, pool.pool, buy, new Uint8Array(64).fill(7));
  const history = new TransactionHistory();
  await new Execution(past, new ModelEngine(programAddress), history).executeOnRecord(
    tx,
    readWireTransaction(tx),
  );
  return history.newestFirst()[0] as TransactionRecord;
}

import { createEmbeddedLedger } from '../../src/testing/index.js';
import { accountVectors, addressVectors, eventVectors, instructionVectors } from './interface.js';
import { quoteVectors, rateVectors } from './trades.js';
import { transactionVectors } from './transactions.js';
import { textOf } from './vector.js';

/** What tests/vectors/*.json hold, by the files' names: what the library answers on the embedded ledger. */
export async function createVectorFiles(): Promise<ReadonlyMap<string, string>> {
  const ledger = await createEmbeddedLedger();
  const topics = {
    accounts: accountVectors(ledger),
    addresses: await addressVectors(ledger),
    rates: rateVectors(ledger),
    quotes: await quoteVectors(ledger),
    instructions: await instructionVectors(ledger),
    transactions: await transactionVectors(ledger),
    events: eventVectors(),
  };
  return new Map(Object.entries(topics).map(([topic, vectors]) => [`${topic}.json`, textOf(topic, vectors)]));
}

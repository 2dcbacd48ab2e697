// A bot that survives a restart, on the embedded ledger: what it signed is on disk before it is sent, and followed on start. So a crash
// at any point neither loses a trade nor makes a second one.
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Blockhash, getBase64EncodedWireTransaction, signTransaction } from '@solana/kit';
import * as heaven from 'heaven-pools';
import { createEmbeddedLedger } from 'heaven-pools/testing';

import { keyOf, run } from '../common.js';

/** A signed transaction as it is on disk: its bytes, and until when they can land. */
interface UnderWay {
  readonly tx: string;
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: string;
}

/** One file with at most one transaction: the next is signed when the outcome of this one is certain. */
const journalIn = (folder: string) => {
  const path = join(folder, 'under-way.json');
  return {
    async write(entry: UnderWay) {
      const file = await open(`${path}.new`, 'w');
      await file.writeFile(JSON.stringify(entry));
      await file.sync(); // a rename of what isn't on disk yet could lose both
      await file.close();
      await rename(`${path}.new`, path);
    },
    read: async (): Promise<UnderWay | undefined> => {
      const text = await readFile(path, 'utf8').catch((error) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      return text === undefined ? undefined : JSON.parse(text);
    },
    clear: () => rm(path),
  };
};

run(async () => {
  const ledger = await createEmbeddedLedger();
  const client = heaven.createHeavenClient({ rpc: ledger.rpc });
  const { mint, configVersion } = ledger.pools.community;
  const wallet = await keyOf(1); // yours
  ledger.setBalance(wallet.address, 1_000_000_000n);
  const folder = await mkdtemp(join(tmpdir(), 'bot-'));
  const journal = journalIn(folder);

  /** What a start does first: it follows what an earlier run may have sent. The same bytes run at most once. */
  async function recover() {
    const entry = await journal.read();
    if (entry === undefined) return console.log('nothing was under way');
    const { tx, blockhash, lastValidBlockHeight } = entry;
    const lifetime = { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
    const { status, signature } = await heaven.submitUntilCertain(client, tx, {
      ...lifetime,
      mayBeUnderWay: true,
    });
    console.log(`${status}: ${signature}, of the run before`); // book its trades here, by signature
    await journal.clear();
  }

  async function trade(options: Pick<heaven.SubmitUntilCertainOptions, 'abortSignal' | 'observe'> = {}) {
    const terms = { configVersion, mint, lamports: 100_000_000n, slippageBps: 100 };
    const quoteResponse = await heaven.quoteBuy(client, terms);
    const { transaction, lifetime } = await heaven.buildBuy(client, { payer: wallet.address, quoteResponse });
    const tx = getBase64EncodedWireTransaction(await signTransaction([wallet.keyPair], transaction));
    const { blockhash, lastValidBlockHeight } = lifetime;
    await journal.write({ tx, blockhash, lastValidBlockHeight: `${lastValidBlockHeight}` }); // before it is sent
    const { status, signature } = await heaven.submitUntilCertain(client, tx, { ...lifetime, ...options });
    console.log(`${status}: ${signature}`); // and here
    await journal.clear();
  }

  await recover();
  const crash = new AbortController();
  await trade({
    abortSignal: crash.signal,
    observe: ({ type }) => type === 'sent' && crash.abort(), // stands for the end of the process
  }).catch(({ code }) => console.log(`${code} after sending, with the outcome unknown`));

  await recover();
  await trade();
  await recover();
  await rm(folder, { recursive: true });
});

// What a bot does: one snapshot, then quotes for many amounts and slots without asking the node again.
import { computeBuy, createClient, fetchPoolSnapshot, marketCapMicroUsd, swapStateOf } from 'heaven-pools';
import { createEmbeddedLedger } from 'heaven-pools/testing';

const ledger = await createEmbeddedLedger();
const client = createClient({ rpc: ledger.rpc });
const { mint, configVersion } = ledger.pools.launching;

const snapshot = await fetchPoolSnapshot(client, { configVersion, mint });
console.log(`slot ${snapshot.slot}, market cap ${Number(marketCapMicroUsd(snapshot)) / 1e6} USD`);
for (const offset of [0n, 5n, 15n, 16n]) {
  const slot = snapshot.createdAtSlot + offset;
  const { amountOut, fees } = computeBuy(swapStateOf(snapshot, { slot }), 1_000_000_000n);
  console.log(
    `${offset} slots after the launch 1 SOL buys ${amountOut} units; the creator gets ${fees.creator} lamports`,
  );
}
console.log(`calls to the node: ${ledger.requests.length}`);

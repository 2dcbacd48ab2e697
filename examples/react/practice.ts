// The embedded ledger, and a wallet to try the page with.
import { address } from '@solana/kit';
import { createHeavenClient } from 'heaven-pools';
import { createEmbeddedLedger, registerPracticeWallet } from 'heaven-pools/testing';

const ledger = await createEmbeddedLedger();
const { rpc, pools } = ledger;
await registerPracticeWallet({ rpc });
export const client = createHeavenClient({ rpc });
export const { mint } = pools.creator;
export const welcome = (wallet: string) => ledger.setBalance(address(wallet), 5_000_000_000n);

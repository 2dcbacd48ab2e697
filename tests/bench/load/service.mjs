// A server whose time is its own: it caches what it reads, and has the mint of a launch at hand.
import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { createHandler } from '../../../dist/http.js';
import { createHeavenClient, shareReads } from '../../../dist/index.js';
import { startServer } from '../../../dist/node.js';

const client = shareReads(createHeavenClient({ rpc: createSolanaRpc(process.argv[2]) }), {
  accountsTtlMs: 600_000,
  blockhashTtlMs: 30_000,
});
const mint = await generateKeyPairSigner();
const handler = createHandler({ client, mintSigner: async () => mint, observe: () => {} });
const { url } = await startServer({ handler, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: true });
console.log(url);

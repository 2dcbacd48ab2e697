import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { createHeavenClient } from 'heaven-pools';
import { createHandler } from 'heaven-pools/http';

// The service that the golden answers are of, for any engine: its node is at RPC_URL.

export const handler = createHandler({
  client: createHeavenClient({ rpcUrl: process.env.RPC_URL ?? '' }),
  mintSigner: () => createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(5)),
});

/** For workerd. */
export default { fetch: (request: Request) => handler(request) };

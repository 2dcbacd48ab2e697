// The HTTP interface on Cloudflare Workers, or on workerd anywhere. It keeps no state: each launch searches for its own mint.
import { createSolanaRpcFromTransport } from '@solana/kit';
import { createFailoverTransport, createHeavenClient, type HeavenRpc } from 'heaven-pools';
import { createHandler, type Handler } from 'heaven-pools/http';

interface Env {
  /** RPC nodes, best first, separated by commas. A secret: it usually holds a key. */
  readonly RPC_URL: string;
}

let handler: Handler | undefined;

/** The environment arrives with the first request, and stays the same. */
function handlerOf({ RPC_URL }: Env): Handler {
  const transport = createFailoverTransport(RPC_URL.split(','));
  const rpc = createSolanaRpcFromTransport(transport) as HeavenRpc;
  return createHandler({ client: createHeavenClient({ rpc }) });
}

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    handler ??= handlerOf(env);
    const clientAddress = request.headers.get('cf-connecting-ip') ?? undefined;
    return handler(request, { clientAddress });
  },
};

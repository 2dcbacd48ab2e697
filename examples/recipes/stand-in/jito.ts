// Jito's block engine in this process, in front of the embedded ledger: bundles of one transaction over JSON-RPC. It loses the first
// bundle, and its answer to it. The next one lands a slot later.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
} from '@solana/kit';
import { type EmbeddedLedger, SLOT_MS } from 'heaven-pools/testing';

interface Bundle {
  readonly signature: string;
  status: 'Pending' | 'Landed' | 'Failed';
  slot: number | null;
}

export async function startBlockEngine(ledger: EmbeddedLedger, tipAccounts: readonly Address[]) {
  for (const account of tipAccounts) ledger.setBalance(account, 1_000_000_000n);
  const bundles = new Map<string, Bundle>();
  const sent: string[] = [];

  async function land(tx: Base64EncodedWireTransaction, bundle: Bundle): Promise<void> {
    ledger.setSlot(ledger.slot + 1n);
    await ledger.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
    bundle.status = 'Landed';
    bundle.slot = Number(ledger.slot);
  }

  function sendBundle([transactions, options]: readonly unknown[]): string | undefined {
    const [tx] = transactions as readonly [Base64EncodedWireTransaction];
    if ((options as { encoding?: string } | undefined)?.encoding !== 'base64')
      throw new Error('this stand-in only takes base64');
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(tx));
    const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    if (!tipAccounts.some((account) => staticAccounts.includes(account)))
      throw new Error('Bundles must write lock at least one tip account to be eligible for the auction.');
    sent.push(tx);
    if (sent.length === 1) return undefined;
    const signature = getSignatureFromTransaction(transaction);
    const id = createHash('sha256').update(signature).digest('hex');
    if (bundles.has(id)) return id;
    const bundle: Bundle = { signature, status: 'Pending', slot: null };
    bundles.set(id, bundle);
    setTimeout(() => {
      land(tx, bundle).catch((error: Error) => {
        bundle.status = 'Failed';
        console.error(`The stand-in dropped the bundle: ${error.message}`);
      });
    }, SLOT_MS);
    return id;
  }

  const inContext = (value: unknown) => ({ context: { slot: Number(ledger.slot) }, value });
  const methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    getTipAccounts: () => tipAccounts,
    sendBundle,
    getInflightBundleStatuses: ([ids]) =>
      inContext(
        (ids as string[]).map((id) => {
          const { status = 'Invalid', slot = null } = bundles.get(id) ?? {};
          return { bundle_id: id, status, landed_slot: slot };
        }),
      ),
    getBundleStatuses: ([ids]) =>
      inContext(
        (ids as string[]).flatMap((id) => {
          const bundle = bundles.get(id);
          if (bundle?.status !== 'Landed') return [];
          const { signature, slot } = bundle;
          const landed = { slot, confirmation_status: 'confirmed', err: { Ok: null } };
          return [{ bundle_id: id, transactions: [signature], ...landed }];
        }),
      ),
  };

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
    let answer: object;
    try {
      const result = methods[method]?.(params);
      if (result === undefined) return void response.destroy();
      answer = { result };
    } catch (error) {
      answer = { error: { code: -32602, message: (error as Error).message } };
    }
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/api/v1/bundles`, sent: sent as readonly string[], stop };
}

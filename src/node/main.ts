import type { Address } from '@solana/kit';

import { createClient } from '../client.js';
import { createHandler } from '../http/handler.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../program/constants.js';
import { createEmbeddedLedger } from '../testing/ledger.js';
import { startServer } from './server.js';
import { takeTour } from './tour.js';

const print = (line: string) => console.log(line);
const { RPC_URL, PORT, HOST } = process.env;

/** LIGHT, whose pool exists on mainnet and, with the same figures, on the embedded ledger. */
const TOUR_MINT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;
const TOUR_PAYER = 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD' as Address;

/** An operator wants a line, not a stack. */
const onError = (error: unknown, path: string) => {
  const { message, cause } = error as Error;
  console.error(`${path}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`);
};

function portFrom(value: string | undefined): number {
  const port = Number(value || 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT must be a number from 0 to 65535; got ${value}.`);
  return port;
}

async function main(): Promise<void> {
  const port = portFrom(PORT);
  const client = createClient(RPC_URL ? { rpcUrl: RPC_URL } : { rpc: (await createEmbeddedLedger()).rpc });
  const server = await startServer({
    handler: createHandler({ client, onError }),
    port,
    hostname: HOST || '127.0.0.1',
  });

  let isStopping = false;
  const stop = () => {
    // A second signal does not wait for requests in flight.
    if (isStopping) process.exit(1);
    isStopping = true;
    print('\nStopping.');
    void server.close().then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  const source = RPC_URL
    ? `the cluster behind ${new URL(RPC_URL).host}`
    : 'the embedded ledger (sample pools, no network)';
  print(`heaven-pools serves ${source} at ${server.url}`);
  try {
    await takeTour({
      url: server.url,
      client,
      configVersion: 2,
      mint: TOUR_MINT,
      payer: TOUR_PAYER,
      lookupTable: COMMUNITY_LOOKUP_TABLE_ADDRESS,
      print,
    });
  } catch (error) {
    print(`The tour ended early: ${(error as Error).message}`);
  }
  print(`\nServing at ${server.url}. Ctrl-C stops it.`);
}

main().catch((error: unknown) => {
  console.error(`heaven-pools could not start: ${(error as Error).message}`);
  process.exit(1);
});

// A Yellowstone service in this process: the embedded ledger's account updates over real gRPC. A slot takes 50 milliseconds, and
// somebody trades in every fourth one. It restarts once: the connection breaks, and for a while it can't be reached.
import { Server, ServerCredentials, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { type Address, getBase58Encoder } from '@solana/kit';
import { createEmbeddedLedger } from 'heaven-pools/testing';

import { geyserService, type SubscribeRequest } from '../geyser.js';

const FAST_SLOT_MS = 50;
const TRADE_EVERY = 4n;
/** Slots after the first subscription. */
const RESTART = { from: 14n, until: 21n };
/** Updates of as many slots can be replayed. */
const KEPT_SLOTS = 100n;

interface Write {
  readonly address: Address;
  readonly slot: bigint;
  /** As a `SubscribeUpdate` without its filters. */
  readonly update: object;
}

type Call = ServerDuplexStream<SubscribeRequest, object>;

export async function startYellowstone() {
  const ledger = await createEmbeddedLedger();
  const { mint, configVersion, pool } = ledger.pools.community;
  const first = ledger.slot;
  const writes: Write[] = [];
  const calls = new Map<Call, (write: Write) => void>();
  const base58 = getBase58Encoder();
  let writeVersion = 0;

  ledger.onWrite((address, account, slot) => {
    if (account === undefined) return;
    writeVersion += 1;
    const info = {
      pubkey: base58.encode(address),
      owner: base58.encode(account.owner),
      data: account.data,
      lamports: String(account.lamports),
      writeVersion,
    };
    const write = { address, slot, update: { account: { account: info, slot: String(slot) } } };
    writes.push(write);
    while (writes[0] !== undefined && writes[0].slot < slot - KEPT_SLOTS) writes.shift();
    for (const send of calls.values()) send(write);
  });

  function subscribe(call: Call): void {
    call.on('data', ({ accounts, ping, fromSlot }: SubscribeRequest) => {
      if (ping !== undefined) {
        call.write({ pong: ping });
        return;
      }
      const send = ({ address, update }: Write) => {
        const filters = Object.keys(accounts).filter((name) => accounts[name]?.account.includes(address));
        if (filters.length > 0) call.write({ filters, ...update });
      };
      const oldest = writes[0]?.slot ?? ledger.slot;
      if (fromSlot !== undefined && BigInt(fromSlot) < oldest) {
        const details = `slot ${fromSlot} is not available, the oldest is ${oldest}`;
        call.emit('error', { code: status.OUT_OF_RANGE, details });
        return;
      }
      if (fromSlot !== undefined)
        for (const write of writes.filter(({ slot }) => slot >= BigInt(fromSlot))) send(write);
      calls.set(call, send);
      clock ??= setInterval(nextSlot, FAST_SLOT_MS);
    });
    call.on('cancelled', () => calls.delete(call));
    call.on('end', () => {
      calls.delete(call);
      call.end();
    });
  }

  /** Starts to listen, on any free port for 0. */
  async function listen(at: number) {
    const server = new Server();
    server.addService(geyserService, { subscribe });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${at}`, ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    return { server, port };
  }

  const running = await listen(0);
  let clock: NodeJS.Timeout | undefined;
  function nextSlot(): void {
    ledger.setSlot(ledger.slot + 1n);
    const passed = ledger.slot - first;
    if (passed % TRADE_EVERY === 0n)
      ledger.updatePool(pool, ({ reserve }) => ({
        reserve: { ...reserve, tokenB: reserve.tokenB + 1_000_000_000n },
      }));
    if (passed === RESTART.from) {
      calls.clear();
      running.server.forceShutdown();
    }
    // A port that is taken meanwhile ends the example: nothing catches that.
    if (passed === RESTART.until) void listen(running.port).then((again) => Object.assign(running, again));
  }
  const stop = () => {
    clearInterval(clock);
    running.server.forceShutdown();
  };
  return { url: `http://127.0.0.1:${running.port}`, rpc: ledger.rpc, pool: { mint, configVersion }, stop };
}

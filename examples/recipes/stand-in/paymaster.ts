// A paymaster behind HTTP: it signs and pays for buys on Heaven, up to a limit per user and one for all.
import { randomUUID } from 'node:crypto';
import {
  getBase64Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit';
import {
  assertSponsorable,
  explainTransactionFailure,
  type HeavenClient,
  isHeavenError,
  type SponsorableTransaction,
} from 'heaven-pools';
import { startServer } from 'heaven-pools/node';

/** In lamports. A real paymaster sets them back each day, and keeps its books in a database. */
export interface Limits {
  readonly perTransaction: bigint;
  readonly perUser: bigint;
  readonly inTotal: bigint;
}

/** A request that is refused. Its message is for the user. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function startPaymaster(client: HeavenClient, signer: KeyPairSigner, limits: Limits) {
  /** Who has logged in, by their token. A user is a login, or a wallet that has signed: an address is free, and anybody can name it. */
  const users = new Map<string, string>();
  const spentBy = new Map<string, bigint>();
  let spent = 0n;
  /**
   * What was signed, by its message: the same message lands at most once, so it counts once, whoever sends it again. A real paymaster
   * forgets it after two minutes, when its block hash is too old.
   */
  const signed = new Map<string, Promise<string>>();

  /** Refuses what would fail: that costs its fee, too. */
  async function simulate(tx: string): Promise<void> {
    const options = { encoding: 'base64', sigVerify: false, commitment: 'confirmed' } as const;
    const { value } = await client.rpc.simulateTransaction(tx as never, options).send();
    const failure = explainTransactionFailure({ err: value.err, logs: value.logs ?? [] }, client.deployment);
    if (failure !== undefined) throw new Refused(422, failure.message);
  }

  async function sign({ bytes }: SponsorableTransaction): Promise<string> {
    const both = await partiallySignTransaction([signer.keyPair], getTransactionDecoder().decode(bytes));
    return getBase64Decoder().decode(getTransactionEncoder().encode(both));
  }

  async function pay(user: string, transaction: string): Promise<string> {
    const checked = await assertSponsorable(transaction, {
      sponsor: signer.address,
      maxLamports: limits.perTransaction,
      functions: ['buildBuy'],
      rentPayer: 'feePayer',
      client,
    });
    const { messageBytes } = getTransactionDecoder().decode(checked.bytes);
    const message = getBase64Decoder().decode(messageBytes);
    const before = signed.get(message);
    if (before !== undefined) return await before;
    await simulate(getBase64Decoder().decode(checked.bytes));
    // From here on nothing is awaited until it is booked: two requests at once share neither a limit nor a message.
    const meanwhile = signed.get(message);
    if (meanwhile !== undefined) return await meanwhile;
    const { lamports } = checked;
    const byUser = (spentBy.get(user) ?? 0n) + lamports;
    if (byUser > limits.perUser) throw new Refused(429, `${user} has used up ${limits.perUser} lamports`);
    if (spent + lamports > limits.inTotal)
      throw new Refused(429, `all users have used up ${limits.inTotal} lamports`);
    spentBy.set(user, byUser);
    spent += lamports;
    const result = sign(checked);
    signed.set(message, result);
    return await result;
  }

  async function handler(request: Request): Promise<Response> {
    try {
      const user = users.get(request.headers.get('authorization') ?? '');
      if (user === undefined) throw new Refused(401, 'log in first');
      const { transaction } = await request.json().catch(() => ({}));
      return Response.json({ transaction: await pay(user, transaction) });
    } catch (error) {
      const status = error instanceof Refused ? error.status : isHeavenError(error) ? 422 : 500;
      // Others may name the node, whose URL can hold a key.
      const message = status === 500 ? 'It could not be checked. Try again.' : (error as Error).message;
      return Response.json({ error: { message } }, { status });
    }
  }

  const server = await startServer({ handler, port: 0, hostname: '127.0.0.1' });
  return {
    url: server.url,
    close: () => server.close(),
    /** Logs a user in, and returns the header for their requests. A real one asks for a password, or has their wallet sign a text. */
    logIn(user: string): string {
      const token = `Bearer ${randomUUID()}`;
      users.set(token, user);
      return token;
    },
    /** What it has signed for, in lamports. */
    spent: () => spent,
  };
}

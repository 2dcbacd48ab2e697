import {
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  generateKeyPairSigner,
  getBase64Encoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createHandler, type Handler, type HandlerConfig, type RequestEvent } from '../../src/http/index.js';
import { LAUNCH_WAIT_MS } from '../../src/http/pending-launches.js';
import { buildBuy, quoteBuy } from '../../src/index.js';
import { createPracticeWallet, type PracticeWalletConfig } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { decodedOf } from '../support/transactions.js';
import { errorOf, ok, PROGRAM, post, send } from './support.js';

const LAUNCH = '/tx/create-standard-liquidity-pool';
const SIGN = '/launch/add-mint-signature';

useLedger();

let mintSigner: KeyPairSigner;
let events: RequestEvent[];
let handler: Handler;
beforeEach(async () => {
  mintSigner = await generateKeyPairSigner();
  events = [];
  handler = handlerWith();
});
afterEach(() => vi.restoreAllMocks());

const handlerWith = (config: Partial<HandlerConfig> = {}) =>
  createHandler({
    client,
    mintSigner: async () => mintSigner,
    observe: (event) => void events.push(event),
    ...config,
  });

interface Launched {
  readonly tx: string;
  readonly mint: Address;
  readonly details: { readonly required_signers: readonly Address[]; readonly [field: string]: unknown };
}

async function walletWith(config: PracticeWalletConfig = {}) {
  const wallet = await createPracticeWallet({ rpc: ledger.rpc, ...config });
  ledger.setBalance(wallet.address, 50_000_000_000n);
  return wallet;
}
type Wallet = Awaited<ReturnType<typeof walletWith>>;

const launchBody = (payer: Address) => ({
  program_id: PROGRAM,
  payer,
  creator: payer,
  name: 'A',
  symbol: 'B',
  uri: 'C',
  initial_purchase_amount: 0,
  lut_address: ledger.lookupTables.community,
  encoded_user_defined_event_data: '',
  signing_order: 'wallet-first',
});
const launchFor = async (payer: Address, change: object = {}): Promise<Launched> =>
  JSON.parse(await ok(handler, LAUNCH, { ...launchBody(payer), ...change })) as Launched;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const signedBy = async (wallet: Wallet, { tx }: { readonly tx: string }) =>
  base64(await wallet.signTransaction(getBase64Encoder().encode(tx)));

async function walletFirst(config: PracticeWalletConfig = {}) {
  const wallet = await walletWith(config);
  const launch = await launchFor(wallet.address);
  return { wallet, launch, signed: await signedBy(wallet, launch) };
}

const refused = async (body: unknown, path = SIGN) => {
  const answer = await post(handler, path, body);
  return { status: answer.status, headers: answer.headers, text: answer.text, ...errorOf(answer) };
};

const realNow = performance.now.bind(performance);
/** Puts the clock that launches wait by so far ahead. */
const passTime = (ms: number) => vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms);

describe('a launch that the wallet signs first', () => {
  test.each([
    ['none', 0, 0],
    ['phantom', 4, 0],
    ['solflare', 2, 0],
    ['phantom', 4, 1],
    ['solflare', 2, 1],
  ] as const)('lands with the assertions of %s (%i), in version %i', async (guards, count, version) => {
    const wallet = await walletWith({ guards });
    const launch = await launchFor(wallet.address, { transaction_version: version });
    expect(launch.mint).toBe(mintSigner.address);
    expect(Object.keys(launch).sort()).toEqual(['details', 'mint', 'tx']);
    expect(launch.details.required_signers).toEqual([wallet.address, launch.mint]);
    expect(decodedOf(launch).signatures).toEqual({ [wallet.address]: null, [launch.mint]: null });

    const signed = await signedBy(wallet, launch);
    const answer = JSON.parse(await ok(handler, SIGN, { tx: signed }));
    const { signatures, messageBytes } = decodedOf(answer);
    // The wallet's transaction and signature, and the mint's signature besides.
    expect(messageBytes).toEqual(decodedOf(signed).messageBytes);
    expect(signatures[wallet.address]).toEqual(decodedOf(signed).signatures[wallet.address]);
    expect(signatures[launch.mint]).toHaveLength(64);
    expect(answer).toEqual({
      tx: answer.tx,
      details: {
        signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/),
        added: Array.from({ length: count }, () => expect.stringMatching(/\S/)),
      },
    });
    const landed = await ledger.rpc.sendTransaction(answer.tx, { encoding: 'base64' }).send();
    expect(answer.details.signature).toBe(landed);
  });

  test('gets the same answer while it waits, and none later', async () => {
    const { signed } = await walletFirst({ guards: 'phantom' });
    const first = await ok(handler, SIGN, { tx: signed });
    passTime(LAUNCH_WAIT_MS - 10_000);
    expect(await ok(handler, SIGN, { tx: signed })).toBe(first);
    passTime(LAUNCH_WAIT_MS);
    const late = await refused({ tx: signed });
    expect(late).toMatchObject({ status: 404, code: 'unknown-launch' });
    expect(late.message).toContain('60 seconds');
    expect(late.message).toContain('Build the launch again');
  });

  test('waits in the process that built it, and not after a restart', async () => {
    const { signed } = await walletFirst();
    handler = handlerWith();
    expect(await refused({ tx: signed })).toMatchObject({ status: 404, code: 'unknown-launch' });
  });

  test('can wait beside others', async () => {
    const one = await walletFirst();
    mintSigner = await generateKeyPairSigner();
    const other = await walletFirst();
    for (const { signed, launch } of [one, other]) {
      const answer = JSON.parse(await ok(handler, SIGN, { tx: signed }));
      expect(decodedOf(answer).signatures[launch.mint]).toHaveLength(64);
    }
  });

  test.each([undefined, null, 'mint-first'])('is not one with the order %s', async (signing_order) => {
    const wallet = await walletWith();
    const launch = await launchFor(wallet.address, { signing_order });
    expect(launch.details.required_signers).toEqual([wallet.address]);
    const signed = await signedBy(wallet, launch);
    expect(await refused({ tx: signed })).toMatchObject({ status: 404, code: 'unknown-launch' });
  });
});

describe("the mint's key signs nothing else", () => {
  test.each([
    ['without an instruction', 'missing-instruction', (all: readonly Instruction[]) => all.slice(0, -1)],
    ['with one twice', 'extra-instruction', (all: readonly Instruction[]) => [...all, all[2]!]],
    [
      'with other data',
      'data',
      (all: readonly Instruction[]) =>
        all.map((one, index) => (index === 5 ? { ...one, data: Uint8Array.of(7, 1, 9) } : one)),
    ],
  ])('a launch %s', async (_, reason, guards) => {
    const sign = vi.fn(mintSigner.signTransactions.bind(mintSigner));
    mintSigner = { ...mintSigner, signTransactions: sign };
    const { signed } = await walletFirst({ guards });
    const error = await refused({ tx: signed });
    expect(error).toMatchObject({ status: 422, code: 'transaction-mismatch', details: { reason } });
    expect(sign).not.toHaveBeenCalled();
  });

  test('a launch that nobody has signed, or whose signature is another', async () => {
    const { launch, signed } = await walletFirst();
    expect(await refused({ tx: launch.tx })).toMatchObject({
      status: 422,
      code: 'transaction-mismatch',
      details: { reason: 'signature' },
    });
    const bytes = Uint8Array.from(Buffer.from(signed, 'base64'));
    bytes[5]! ^= 1;
    expect(await refused({ tx: base64(bytes) })).toMatchObject({
      status: 422,
      details: { reason: 'signature' },
    });
  });

  test('a launch built again with the same mint replaces the first', async () => {
    const { wallet, signed } = await walletFirst();
    ledger.setSlot(ledger.slot + 1n);
    const again = await launchFor(wallet.address);
    expect(await refused({ tx: signed })).toMatchObject({ status: 422, code: 'transaction-mismatch' });
    await ok(handler, SIGN, { tx: await signedBy(wallet, again) });
  });

  test('a trade, and bytes that are not a transaction', async () => {
    const wallet = await walletWith();
    const { mint, configVersion } = ledger.pools.creator;
    const quoteResponse = await quoteBuy(client, { mint, configVersion, maxSolSpend: 1, slippageBps: 50 });
    const event = { encodedUserDefinedEventData: '' };
    const { transaction } = await buildBuy(client, { payer: wallet.address, quoteResponse, ...event });
    const trade = base64(await wallet.signTransaction(getTransactionEncoder().encode(transaction)));
    expect(await refused({ tx: trade })).toMatchObject({ status: 404, code: 'unknown-launch' });
    for (const tx of ['', 'AAAA', '?', 'A'.repeat(60_000)])
      expect(await refused({ tx })).toMatchObject({ status: 400, code: 'malformed-data' });
    for (const body of [{}, { tx: 7 }, { tx: null }])
      expect(await refused(body)).toMatchObject({ status: 400, code: 'invalid-request' });
  });

  test('and appears in no answer', async () => {
    const seed = new Uint8Array(32).fill(42);
    mintSigner = await createKeyPairSignerFromPrivateKeyBytes(seed, true);
    const jwk = await crypto.subtle.exportKey('jwk', mintSigner.keyPair.privateKey);
    const { launch, signed } = await walletFirst();
    const said = [
      launch,
      await ok(handler, SIGN, { tx: signed }),
      await refused({ tx: launch.tx }),
      await ok(handler, SIGN, { tx: signed, mint: launch.mint, mint_signer: true, key: 'x' }),
      events,
    ];
    const text = JSON.stringify(said);
    for (const secret of [base64(seed), jwk.d!, Buffer.from(seed).toString('hex')]) {
      expect(text).not.toContain(secret.replace(/=+$/, ''));
    }
  });
});

describe('the path behaves like the others', () => {
  test('accepts POST, JSON and a body of limited size', async () => {
    const wrong = await send(handler, SIGN, { method: 'GET' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    const untyped = await send(handler, SIGN, { method: 'POST', body: '{}' });
    expect(errorOf(untyped)).toMatchObject({ code: 'unsupported-media-type' });
    expect(await refused('{')).toMatchObject({ status: 400, code: 'malformed-json' });
    expect(await refused({ tx: 'A'.repeat(65_537) })).toMatchObject({ status: 413, code: 'body-too-large' });
    const preflight = await send(handler, SIGN, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    // Each is counted under the path, and none is a defect.
    expect(events.map(({ path }) => path)).toEqual(Array.from({ length: 5 }, () => SIGN));
    expect(events.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  test('obeys the rate limit and the time limit', async () => {
    handler = handlerWith({
      rateLimiter: ({ path }) => (path === SIGN ? { retryAfterSeconds: 7 } : undefined),
    });
    const limited = await refused({ tx: '' });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    handler = handlerWith({ timeoutMs: 20 });
    const body = new ReadableStream({});
    const headers = { 'content-type': 'application/json' };
    const slow = await send(handler, SIGN, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect([slow.status, errorOf(slow).code]).toEqual([408, 'request-timeout']);
  });

  test('says which fields it ignored', async () => {
    const { signed } = await walletFirst();
    const { details } = JSON.parse(await ok(handler, SIGN, { tx: signed, mint: PROGRAM }));
    expect(details.ignored_fields).toEqual(['mint']);
  });

  test('rejects an invalid order', async () => {
    const error = await refused({ program_id: PROGRAM, signing_order: 'wallet_first' }, LAUNCH);
    expect(error).toMatchObject({ status: 400, code: 'invalid-request' });
    expect(error.details?.fields).toContainEqual({
      field: 'signing_order',
      message: 'must be one of mint-first, wallet-first',
    });
  });
});

describe('what it keeps is bounded', () => {
  test('a full service rejects further launches before the mint search, and keeps the waiting ones', async () => {
    const mints = vi.fn(async () => await generateKeyPairSigner());
    handler = handlerWith({ mintSigner: mints, maxPendingLaunches: 2 });
    const [first] = [await walletFirst(), await walletFirst()];
    const wallet = await walletWith();
    const full = await refused(launchBody(wallet.address), LAUNCH);
    expect(full).toMatchObject({ status: 429, code: 'too-many-launches' });
    const seconds = Number(full.headers.get('retry-after'));
    expect([seconds > 50, seconds <= 60]).toEqual([true, true]);
    expect(mints).toHaveBeenCalledTimes(2);
    // Its mint's key need not be kept for a launch that the mint signs first.
    await launchFor(wallet.address, { signing_order: 'mint-first' });
    await ok(handler, SIGN, { tx: first.signed });
    passTime(LAUNCH_WAIT_MS);
    await launchFor(wallet.address);
  });

  test('also with launches built at the same time', async () => {
    handler = handlerWith({ mintSigner: () => generateKeyPairSigner(), maxPendingLaunches: 3 });
    const { address } = await walletWith();
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => post(handler, LAUNCH, launchBody(address))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(6).fill(429)]);
  });

  test.each([0, -1, 1.5, Number.NaN, '7'])('rejects a limit of %j', async (maxPendingLaunches) => {
    await expectRefusal(
      () => handlerWith({ maxPendingLaunches: maxPendingLaunches as never }),
      'invalid-input',
      { field: 'maxPendingLaunches' },
    );
  });
});

import {
  type Address,
  createNoopSigner,
  extendClient,
  type Instruction,
  createClient as kitClient,
  type TransactionSigner,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { buildBuy, createLocalClient, fetchPoolSnapshot, heaven } from '../../src/index.js';
import { decodeLiquidityPoolState, HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { getInstructionDeclarations } from '../../src/program/instructions/declarations.js';
import type { Schema } from '../../src/solana/codec.js';
import type { InstructionDeclaration } from '../../src/solana/define-instruction.js';
import type { LedgerAccount } from '../../src/testing/index.js';
import pinned from '../package/exports.json' with { type: 'json' };
import { expectRefusal } from '../support/errors.js';
import { client as free, ledger, locatorOf, termsOf, useLedger } from '../support/ledger.js';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
let payer: TransactionSigner;

useLedger();
beforeEach(() => {
  payer = createNoopSigner(ledger.pools.creator.creator);
});

const ask = () => ({ ...termsOf(), maxSolSpend: '1.5' });

/** A kit client of the ledger. */
const overLedger = () => {
  const { rpc, rpcSubscriptions } = ledger;
  return kitClient().use((client) => extendClient(client, { rpc, rpcSubscriptions }));
};

/** One with a wallet, which is asked for its address each time. */
const withWallet = (wallet = () => payer) =>
  overLedger().use((client) =>
    extendClient(client, {
      get payer() {
        return wallet();
      },
    }),
  );

describe('heaven()', () => {
  test('puts the functions under client.heaven, and leaves the client unchanged', async () => {
    const client = withWallet().use(heaven());
    expect(client.rpc).toBe(ledger.rpc);
    expect(client.payer).toBe(payer);
    expect(Object.keys(client.heaven).sort()).toEqual(
      [...Object.keys(createLocalClient(client.heaven.client)), ...pinned['client.heaven']].sort(),
    );
    const quoteResponse = await client.heaven.quoteBuy(ask());
    const { lifetime } = await createLocalClient(free).buildBuy({ payer, quoteResponse });
    const trade = { quoteResponse, encodedUserDefinedEventData: 'x', lifetime };
    expect((await client.heaven.buildBuy(trade)).tx).toBe((await buildBuy(free, { ...trade, payer })).tx);
    const snapshot = await fetchPoolSnapshot(free, locatorOf(termsOf()));
    expect(await client.heaven.fetchPoolSnapshot(locatorOf(termsOf()))).toEqual(snapshot);
  });

  test("uses the client's payer unless another is given, and reads it each time", async () => {
    const wallets = [ledger.pools.creator.creator, ledger.pools.pro.creator];
    let current = 0;
    const client = withWallet(() => createNoopSigner(wallets[current] as Address)).use(heaven());
    const quoteResponse = await client.heaven.quoteBuy(ask());
    const trade = { quoteResponse, encodedUserDefinedEventData: '' };
    expect((await client.heaven.buildBuy(trade)).requiredSigners).toEqual([wallets[0]]);
    const left = await client.heaven.buildBuy({ ...trade, payer: undefined });
    expect(left.requiredSigners).toEqual([wallets[0]]);
    current = 1;
    const built = await client.heaven.buildBuy(trade);
    expect(built.requiredSigners).toEqual([wallets[1]]);
    // The signer stays attached, for kit's own sending.
    const accounts = built.instructions.flatMap(({ accounts = [] }) => accounts);
    expect(accounts.some((meta) => 'signer' in meta)).toBe(true);
    const sponsored = await client.heaven.buildBuy({ ...trade, feePayer: USDC });
    expect(sponsored.requiredSigners).toEqual([USDC, sponsored.payer]);
    expect(wallets).toContain(sponsored.payer);
    const other = await client.heaven.buildBuy({ ...trade, payer: wallets[0] as Address });
    expect(other.requiredSigners).toEqual([wallets[0]]);
  });

  test('serves every builder with the payer', async () => {
    const client = withWallet(() => {
      throw new Error('No wallet is connected.');
    }).use(heaven());
    const builds = Object.entries(client.heaven).filter(([name]) => /^build/.test(name));
    // Twenty builders, and buildTrade.
    expect(builds).toHaveLength(21);
    for (const [, build] of builds) {
      const built = (build as (input: object) => Promise<unknown>)({});
      await expect(built).rejects.toThrow('No wallet is connected.');
    }
    // What needs no payer does not ask for it.
    await client.heaven.quoteBuy(ask());
  });

  test('without a payer, the builders say that they need one', async () => {
    const client = overLedger().use(heaven());
    const trade = { quoteResponse: await client.heaven.quoteBuy(ask()) };
    await expectRefusal(client.heaven.buildBuy(trade as never), 'invalid-address', { field: 'payer' });
  });

  test("watches through the client's subscriptions, and throws if there are none", async () => {
    const client = overLedger().use(heaven());
    for await (const { kind } of client.heaven.watchPool(locatorOf(termsOf()))) {
      expect(kind).toBe('standard');
      expect(ledger.subscriptions.count).toBe(5);
      break;
    }
    const bare = kitClient({ rpc: ledger.rpc }).use(heaven());
    const watched = bare.heaven.watchPool(locatorOf(termsOf())).next();
    await expectRefusal(watched, 'invalid-input', { field: 'rpcSubscriptions' });
  });

  test('quotes, inspects, checks and simulates with the client', async () => {
    const { heaven: bound } = withWallet().use(heaven());
    const quote = await bound.quoteBuy(ask());
    expect(await bound.quoteMany([{ side: 'buy', ...ask() }])).toEqual([{ ok: true, quote }]);
    const trade = { quoteResponse: quote, encodedUserDefinedEventData: '' };
    const built = await bound.buildBuy(trade);
    expect((await bound.inspectTransaction(built.tx)).feePayer).toBe(payer.address);
    const checkFor = (payer: Address) =>
      bound.assertTransactionMatches(built.tx, { function: 'buildBuy', input: { ...trade, payer } });
    await checkFor(payer.address);
    await expectRefusal(checkFor(ledger.pools.pro.creator), 'transaction-mismatch');
    ledger.setBalance(payer.address, 10_000_000_000n);
    expect((await bound.simulate(built)).ok).toBe(true);
  });

  test('takes deployment, commitment and time limit', () => {
    const options = { commitment: 'processed', timeoutMs: 5 } as const;
    const deployment = { programAddress: payer.address };
    const { client } = overLedger().use(heaven({ ...options, deployment })).heaven;
    const { rpc, rpcSubscriptions } = ledger;
    expect(client).toMatchObject({ ...options, deployment, rpc, rpcSubscriptions });
    expect(() => overLedger().use(heaven({ timeoutMs: 0 }))).toThrow('timeoutMs');
  });

  test('rejects a client without an rpc', () => {
    expect(() => kitClient().use(heaven() as never)).toThrow('use the plugin that gives it before this one');
  });
});

/** Some value of a declared type. */
function sampleOf(schema: Schema): unknown {
  if (typeof schema === 'string') return SAMPLES[schema];
  if ('fields' in schema) return sampleArgs(schema.fields);
  if ('array' in schema) return Array.from({ length: schema.length }, () => sampleOf(schema.array));
  return 'vec' in schema ? [] : null;
}
const sampleArgs = (fields: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sampleOf(field)]));
const SAMPLES = { bool: true, u8: 1, u16: 1, u32: 1, u64: 1n, f64: 1, pubkey: USDC, string: 'x' };

describe('the program itself', () => {
  const inputOf = ({ accounts, remainingAccounts, args }: InstructionDeclaration) => {
    const names = Object.keys({ ...accounts, ...remainingAccounts }).filter((name) => name !== 'payer');
    return { ...Object.fromEntries(names.map((name) => [name, USDC])), ...sampleArgs(args) };
  };
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

  test("builds every instruction for the client's deployment, with its payer", () => {
    const programAddress = ledger.pools.creator.mint;
    const solUsdFeed = ledger.pools.pro.mint;
    const client = withWallet().use(heaven({ deployment: { programAddress, solUsdFeed } }));
    const { instructions } = client.heaven;
    const declarations = getInstructionDeclarations();
    const names = declarations.map(({ name }) => name).sort();
    expect(Object.keys(instructions).map(snakeCase).sort()).toEqual(names);
    for (const [key, build] of Object.entries(instructions)) {
      const declaration = declarations.find(({ name }) => name === snakeCase(key)) as InstructionDeclaration;
      const built = (build as (input: object) => Instruction)(inputOf(declaration));
      const parsed = client.heaven.parseInstruction(built);
      expect(parsed).toMatchObject({ name: snakeCase(key), programAddress });
      const accounts: Readonly<Record<string, object>> = parsed.accounts;
      if ('payer' in declaration.accounts)
        expect(accounts.payer).toMatchObject({ address: payer.address, signer: payer });
      expect('planTransaction' in built).toBe(false);
    }
    const { chainlinkFeed, ...input } = inputOf(declarations[0]) as Parameters<typeof instructions.buy>[0];
    const parsed = client.heaven.parseInstruction(instructions.buy(input));
    expect(parsed.name === 'buy' && parsed.accounts.chainlinkFeed?.address).toBe(solUsdFeed);
  });

  test('fetches accounts, at the addresses that it derives', async () => {
    const { accounts, pdas } = overLedger().use(heaven()).heaven;
    const { pool } = ledger.pools.creator;
    const config = await pdas.protocolConfig({ version: ledger.pools.creator.configVersion });

    const stored = ledger.getAccount(pool) as LedgerAccount;
    const state = decodeLiquidityPoolState(stored.data);
    expect((await accounts.liquidityPoolState.fetch(pool)).data).toEqual(state);
    expect((await accounts.protocolConfig.fetch(config)).data).toMatchObject({ version: 2 });
    const [found, none] = await accounts.liquidityPoolState.fetchAllMaybe([pool, USDC]);
    expect([found?.exists, none?.exists]).toEqual([true, false]);
    expect((await accounts.userLpPosition.fetchMaybe(USDC)).exists).toBe(false);

    const { encode, decode } = accounts.liquidityPoolState;
    // Bytes that a later program may add are tolerated.
    expect(decode(new Uint8Array([9, ...encode(state), 1, 2, 3]), 1)).toEqual(state);
  });

  test('rejects accounts of another program, however they are fetched', async () => {
    const { liquidityPoolState } = overLedger().use(heaven()).heaven.accounts;
    const { pool } = ledger.pools.creator;
    ledger.setAccount(pool, { ...(ledger.getAccount(pool) as LedgerAccount), owner: USDC });
    for (const attempt of [
      liquidityPoolState.fetch(pool),
      liquidityPoolState.fetchMaybe(pool),
      liquidityPoolState.fetchAll([pool]),
      liquidityPoolState.fetchAllMaybe([pool]),
    ]) {
      const context = { found: USDC, asked: HEAVEN_PROGRAM_ADDRESS };
      await expectRefusal(attempt, 'invalid-account-data:found', context);
    }
  });
});

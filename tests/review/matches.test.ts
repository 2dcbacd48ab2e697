import { AccountRole, createAddressWithSeed, getUtf8Encoder } from '@solana/kit';
import { getCreateAccountWithSeedInstruction } from '@solana-program/system';
import { describe, expect, test } from 'vitest';

import { createHandler, createRemoteClient } from '../../src/http/index.js';
import {
  assertTransactionMatches,
  type BuildCreateStandardLiquidityPoolInput,
  buildBuy,
  createHeavenClient,
  fetchPoolSnapshot,
  inspectTransaction,
  type TransactionIntent,
} from '../../src/index.js';
import { TOKEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, encodeLookupTable } from '../../src/testing/index.js';
import { heavenError } from '../support/errors.js';
import {
  buildLocally,
  createWorld,
  intentsIn,
  LOOKUP_TABLE_PROGRAM,
  putTogether,
  tableOf,
  takeApart,
  wallet,
} from './support.js';

const world = await createWorld();
const { client, ledger, payer } = world;
const intents = await intentsIn(world);
const named = (name: string) => intents[name] as TransactionIntent;
const communityTable = tableOf(ledger, ledger.lookupTables.community);

describe('passes what this library builds', () => {
  test('and the intents are of every builder', async () => {
    const builders = Object.values(intents).map((intent) => intent.function);
    // buildTrade calls one of the others.
    const all = Object.keys(await import('../../src/index.js')).filter(
      (name) => name.startsWith('build') && name !== 'buildTrade',
    );
    expect([...new Set(builders)].sort()).toEqual(all.sort());
  });

  test.each(Object.entries(intents))('%s', async (_, intent) => {
    const { tx, warnings } = await buildLocally(client, intent);
    expect(await assertTransactionMatches(tx, intent, { client })).toMatchObject({ warnings });
  });

  const LOCAL_ONLY = ['before', 'after', 'lifetime', 'tip', 'dontFront', 'wrapSol', 'snapshot'];
  const overHttp = Object.entries(intents).filter(
    ([, { input }]) => !Object.keys(input).some((field) => LOCAL_ONLY.includes(field)),
  );
  test.each(overHttp)('%s, from a service', async (_, { function: name, input }) => {
    const handler = createHandler({ client, mintSigner: async () => world.mint });
    const remote = createRemoteClient({
      baseUrl: 'http://service',
      fetch: async (url, init) => await handler(new Request(url, init)),
    });
    const { mintSigner, ...request } = input as BuildCreateStandardLiquidityPoolInput;
    const { tx } = await remote[name](request as never);
    const isLaunch = name === 'buildCreateStandardLiquidityPool';
    const intent = {
      function: name,
      input: request,
      ...(isLaunch ? { mintSuffix: world.mint.address.slice(-3) } : {}),
    } as TransactionIntent;
    expect((await assertTransactionMatches(tx, intent, { client })).warnings).toEqual(expect.any(Array));
  });

  test('with another block hash', async () => {
    const { tx } = await buildLocally(client, named('buy'));
    ledger.setSlot(ledger.slot + 10n);
    const later = await buildLocally(client, named('buy'));
    expect(later.tx).not.toBe(tx);
    for (const one of [tx, later.tx]) await assertTransactionMatches(one, named('buy'), { client });
  });

  test('with its accounts in a lookup table, given or read', async () => {
    const { tx } = await buildLocally(client, named('buy'));
    const draft = takeApart(tx);
    const table = (await wallet(60)).address;
    const addresses = [
      ...new Set(
        draft.instructions.flatMap(({ accounts }) =>
          accounts.flatMap(({ address, role }) => (role <= AccountRole.WRITABLE ? [address] : [])),
        ),
      ),
    ];
    draft.tables = { [table]: addresses };
    const compact = await putTogether(draft);
    expect(compact.length).toBeLessThan(tx.length - 200);
    const intent = named('buy');
    await assertTransactionMatches(compact, intent, { client, lookupTables: { [table]: addresses } });
    ledger.setAccount(table, { owner: LOOKUP_TABLE_PROGRAM, data: encodeLookupTable({ addresses }) });
    await assertTransactionMatches(compact, intent, { client });
    ledger.setAccount(table, undefined);
    await expect(assertTransactionMatches(compact, intent, { client })).rejects.toThrow(
      heavenError('transaction-mismatch', { reason: 'lookup-table', found: table }),
    );
  });

  test('a launch without its lookup table, if it fits', async () => {
    const { input } = named('launch without a purchase') as { input: BuildCreateStandardLiquidityPoolInput };
    const intent = {
      function: 'buildCreateStandardLiquidityPool' as const,
      input: { ...input, name: 'A', symbol: 'A', uri: '', encodedUserDefinedEventData: '' },
    };
    const { tx } = await buildLocally(client, intent);
    const draft = takeApart(tx, communityTable);
    draft.tables = {};
    const alone = await putTogether(draft, [world.mint]);
    expect(alone.length).toBeGreaterThan(tx.length);
    await assertTransactionMatches(alone, intent, { client });
  });

  test('with another seed of the temporary account, of any length', async () => {
    const intent = named('buy, temporary');
    const { tx } = await buildLocally(client, intent);
    for (const seed of ['a', 'ü'.repeat(16)]) {
      const draft = takeApart(tx);
      const index = draft.instructions.findIndex(
        ({ data, accounts }) => data[0] === 3 && accounts.length >= 2,
      );
      const create = draft.instructions[index]!;
      const old = create.accounts[1]!.address;
      const account = await createAddressWithSeed({
        baseAddress: payer,
        programAddress: TOKEN_PROGRAM_ADDRESS,
        seed,
      });
      const view = new DataView(create.data.buffer);
      const seedLength = Number(view.getBigUint64(36, true));
      const instruction = getCreateAccountWithSeedInstruction({
        payer: { address: payer } as never,
        newAccount: account,
        base: payer,
        seed,
        amount: view.getBigUint64(44 + seedLength, true),
        space: 165n,
        programAddress: TOKEN_PROGRAM_ADDRESS,
      });
      create.data = Uint8Array.from(instruction.data);
      expect(create.data.length).toBe(44 + getUtf8Encoder().encode(seed).length + 48);
      for (const { accounts } of draft.instructions)
        for (const meta of accounts) if (meta.address === old) meta.address = account;
      await assertTransactionMatches(await putTogether(draft), intent, { client });
    }
  });

  test('signed by the user, too', async () => {
    const intent = named('buy');
    const { tx } = await buildLocally(client, intent);
    await assertTransactionMatches(await putTogether(takeApart(tx), [await wallet(1)]), intent, { client });
  });
});

describe('without a client', () => {
  test('checks a trade with a snapshot', async () => {
    const { input } = named('buy') as Extract<TransactionIntent, { function: 'buildBuy' }>;
    const { configVersion, mint } = input.quoteResponse;
    const snapshot = await fetchPoolSnapshot(client, { configVersion, mint });
    const intent = { function: 'buildBuy', input: { ...input, snapshot } } as const;
    const { tx } = await buildBuy(client, input);
    const requests = ledger.requests.length;
    expect(await assertTransactionMatches(tx, intent)).toMatchObject({ warnings: [] });
    expect(ledger.requests.length).toBe(requests);
  });

  test("asks for one if it needs the chain's state", async () => {
    const { tx } = await buildLocally(client, named('buy'));
    await expect(assertTransactionMatches(tx, named('buy'))).rejects.toThrow(
      heavenError('invalid-input', { field: 'client' }),
    );
  });

  test('says which exchange is meant', async () => {
    const programAddress = (await wallet(61)).address;
    const other = await createEmbeddedLedger({ programAddress });
    const there = createHeavenClient({ rpc: other.rpc, deployment: { programAddress } });
    const { input } = named('buy') as Extract<TransactionIntent, { function: 'buildBuy' }>;
    const { configVersion, mint } = input.quoteResponse;
    const snapshot = await fetchPoolSnapshot(there, { configVersion, mint });
    const details = { pool: snapshot.addresses.pool };
    const quoteResponse = { ...input.quoteResponse, programId: programAddress, details };
    const intent = { function: 'buildBuy', input: { ...input, quoteResponse, snapshot } } as const;
    const { tx } = await buildBuy(there, intent.input);
    await assertTransactionMatches(tx, intent, { programAddress });
    const { instructions } = await inspectTransaction(tx, { client: there });
    expect(instructions.map(({ program }) => program)).toContain('exchange');
    await expect(assertTransactionMatches(tx, intent, { client, programAddress })).rejects.toThrow(
      heavenError('invalid-input', { field: 'programAddress' }),
    );
    await expect(assertTransactionMatches(tx, intent, {})).rejects.toThrow(heavenError('quote-mismatch'));
  });
});

describe('of the question', () => {
  test('rejects an invalid intent', async () => {
    const { tx } = await buildLocally(client, named('buy'));
    for (const intent of [
      undefined,
      {},
      { function: 'quoteBuy', input: {} },
      { function: 'toString', input: {} },
    ]) {
      await expect(assertTransactionMatches(tx, intent as never, { client })).rejects.toThrow(
        heavenError('invalid-input', { field: 'intent.function' }),
      );
    }
    await expect(assertTransactionMatches(tx, { function: 'buildBuy' } as never, { client })).rejects.toThrow(
      heavenError('invalid-input', { field: 'intent.input' }),
    );
  });

  test("passes on the builder's errors and warnings", async () => {
    const { input } = named('buy') as Extract<TransactionIntent, { function: 'buildBuy' }>;
    const { tx } = await buildBuy(client, input);
    const { creator } = ledger.pools;
    const { reserve } = await import('../../src/index.js').then(({ getPoolState }) =>
      getPoolState(client, { mint: creator.mint }),
    );
    ledger.setReserves(creator.pool, { tokenA: reserve.tokenA / 2n });
    const { warnings } = await assertTransactionMatches(tx, { function: 'buildBuy', input }, { client });
    expect(warnings.map(({ code }) => code)).toEqual(['minimum-not-reached']);
    ledger.setReserves(creator.pool, { tokenA: reserve.tokenA });
    ledger.updatePool(creator.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } }));
    await expect(assertTransactionMatches(tx, { function: 'buildBuy', input }, { client })).rejects.toThrow(
      heavenError('operation-disabled:swap'),
    );
    ledger.updatePool(creator.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 1 } }));
  });
});

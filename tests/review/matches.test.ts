import { AccountRole, type Address, createAddressWithSeed } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import {
  assertTransactionMatches,
  type BuildCreateStandardLiquidityPoolInput,
  buildBuy,
  createHeavenClient,
  fetchPoolSnapshot,
  inspectTransaction,
  quoteInitialBuy,
  type TransactionIntent,
} from '../../src/index.js';
import { findProPoolAddress, TOKEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { encodeLookupTable } from '../../src/testing/encode.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { endOf, expectRefusal } from '../support/errors.js';
import { locatorOf } from '../support/ledger.js';
import { type Call, clientOver } from '../support/rpc.js';
import {
  buildLocally,
  createWorld,
  intentsIn,
  putTogether,
  sponsoredBy,
  tableOf,
  takeApart,
  wallet,
} from './support.js';

const world = await createWorld();
const { client, ledger, payer, sponsor } = world;
const intents = await intentsIn(world);
const named = (name: string) => intents[name] as TransactionIntent;
const communityTable = tableOf(ledger, ledger.lookupTables.community);

test('a text that differs is cut in the error, and a difference behind the cut is found', async () => {
  const withMemo = (text: string): TransactionIntent => {
    const memo = { programAddress: MEMO_PROGRAM_ADDRESS, data: new TextEncoder().encode(text) };
    return { ...named('buy'), input: { ...named('buy').input, after: [memo] } } as TransactionIntent;
  };
  const asked = 'ab '.repeat(100);
  for (const found of ['ba '.repeat(100), `${'ab '.repeat(99)}end`]) {
    const { tx } = await buildLocally(client, withMemo(found));
    const cut = { field: 'memo', asked: `${asked.slice(0, 199)}…`, found: `${found.slice(0, 199)}…` };
    await expectRefusal(
      assertTransactionMatches(tx, withMemo(asked), { client }),
      'transaction-mismatch',
      cut,
    );
  }
});

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

  test.each(Object.entries(intents))('%s, of which a sponsor pays the fees alone', async (name, intent) => {
    const asked = sponsoredBy(sponsor, intent);
    const [plain, { tx, requiredSigners, size, payer: trader }] = await Promise.all([
      buildLocally(client, intent),
      buildLocally(client, asked),
    ]);
    expect(requiredSigners[0]).toBe(sponsor);
    // Who paid the fee for another's pro sell, and nothing else, has no part in it any more.
    const isNamed = (signer: Address) =>
      plain.instructions.some(({ accounts = [] }) => accounts.some(({ address }) => address === signer));
    expect(requiredSigners.slice(1).sort()).toEqual(plain.requiredSigners.filter(isNamed).sort());
    expect(trader).toBe(plain.payer);
    // A signature and an address each.
    expect(size - plain.size).toBe((requiredSigners.length - plain.requiredSigners.length) * (64 + 32));
    await assertTransactionMatches(tx, asked, { client });
    const context = { kind: 'payer', asked: trader, found: sponsor };
    await expectRefusal(assertTransactionMatches(tx, intent, { client }), 'transaction-mismatch', context);
    // Without the sponsor it is the plain one.
    const isLaunch = name.startsWith('launch');
    const draft = takeApart(tx, isLaunch ? communityTable : {});
    const unsponsored = await putTogether({ ...draft, feePayer: trader }, isLaunch ? [world.mint] : []);
    await assertTransactionMatches(unsponsored, intent, { client });
  });

  test.each([
    // The table, then the pool's accounts.
    ['a launch', false, 2],
    // And those of the quote.
    ['a launch with what was asked for', true, 3],
  ])('unless the caller gives up, during whichever call to the node: %s', async (_, isAsked, calls) => {
    const request = { configVersion: 1, initialPurchasePercent: 1 };
    const { tokenAmount } = await quoteInitialBuy(client, request);
    const launch = named('launch');
    const intent = {
      ...launch,
      input: { ...launch.input, initialPurchaseAmount: tokenAmount },
      ...(isAsked ? { request } : {}),
    } as TransactionIntent;
    const { tx } = await buildLocally(client, intent);
    const endWithSilenceAt = (silentCall: number) => {
      const givesUp = new AbortController();
      let call = 0;
      const node = (request: Call) => {
        if (call++ !== silentCall) return ledger.transport(request as never);
        givesUp.abort();
        return new Promise(() => {});
      };
      const options = { client: clientOver(node), abortSignal: givesUp.signal };
      return endOf(assertTransactionMatches(tx, intent, options));
    };
    for (let call = 0; call < calls; call++) expect(await endWithSilenceAt(call)).toBe('aborted');
    expect(await endWithSilenceAt(calls)).toBe('served');
  });

  test('and says which pool a creation makes, of which token', async () => {
    const create = named('pro creation');
    const { mint, creator } = create.input as { readonly mint: Address; readonly creator: Address };
    const { tx } = await buildLocally(client, create);
    const pool = await findProPoolAddress({ mint, creator });
    expect(await assertTransactionMatches(tx, create, { client })).toMatchObject({ mint, pool });
  });

  test('with another block hash', async () => {
    const { tx } = await buildLocally(client, named('buy'));
    ledger.setSlot(ledger.slot + 10n);
    const later = await buildLocally(client, named('buy'));
    expect(later.tx).not.toBe(tx);
    for (const one of [tx, later.tx]) await assertTransactionMatches(one, named('buy'), { client });
  });

  test('with its accounts in a lookup table, given or read', async () => {
    const intent = named('buy');
    const { tx } = await buildLocally(client, intent);
    const draft = takeApart(tx);
    const table = (await wallet(60)).address;
    const accounts = draft.instructions.flatMap((instruction) => instruction.accounts);
    const unsigned = accounts.filter(({ role }) => role <= AccountRole.WRITABLE);
    const addresses = [...new Set(unsigned.map(({ address }) => address))];
    const compact = await putTogether({ ...draft, tables: { [table]: addresses } });
    expect(compact.length).toBeLessThan(tx.length - 200);
    await assertTransactionMatches(compact, intent, { client, lookupTables: { [table]: addresses } });
    ledger.setAccount(table, { owner: LOOKUP_TABLE_PROGRAM_ADDRESS, data: encodeLookupTable({ addresses }) });
    await assertTransactionMatches(compact, intent, { client });
    ledger.setAccount(table, undefined);
  });

  test('a launch without its lookup table, if it fits', async () => {
    const { input } = named('launch without a purchase') as { input: BuildCreateStandardLiquidityPoolInput };
    const short = { ...input, name: 'A', symbol: 'A', uri: 'A', encodedUserDefinedEventData: '' };
    const intent = { function: 'buildCreateStandardLiquidityPool', input: short } as const;
    const { tx } = await buildLocally(client, intent);
    const draft = takeApart(tx, communityTable);
    const alone = await putTogether({ ...draft, tables: {} }, [world.mint]);
    expect(alone.length).toBeGreaterThan(tx.length);
    await assertTransactionMatches(alone, intent, { client });
  });

  test.each(['a', 'ü'.repeat(16)])('with another seed of the temporary account: %s', async (seed) => {
    const intent = named('buy, temporary');
    const draft = takeApart((await buildLocally(client, intent)).tx);
    const create = draft.instructions.find(({ data, accounts }) => data[0] === 3 && accounts.length >= 2)!;
    const old = create.accounts[1]!.address;
    const programAddress = TOKEN_PROGRAM_ADDRESS;
    const account = await createAddressWithSeed({ baseAddress: payer, programAddress, seed });
    // 3, the base, the length of the seed in 8 bytes, the seed, then lamports, space and owner.
    const bytes = new TextEncoder().encode(seed);
    const length = [bytes.length, 0, 0, 0, 0, 0, 0, 0];
    create.data = Uint8Array.of(...create.data.slice(0, 36), ...length, ...bytes, ...create.data.slice(-48));
    for (const { accounts } of draft.instructions)
      for (const meta of accounts) if (meta.address === old) meta.address = account;
    await assertTransactionMatches(await putTogether(draft), intent, { client });
  });
});

/** The buy's transaction, and its intent with more or other input. */
async function boughtWith(change: object = {}) {
  const { input } = named('buy') as Extract<TransactionIntent, { function: 'buildBuy' }>;
  const { tx } = await buildBuy(client, input);
  return { tx, intent: { function: 'buildBuy', input: { ...input, ...change } } as const };
}
const termsOf = ({ input }: Awaited<ReturnType<typeof boughtWith>>['intent']) => {
  const { configVersion, mint } = input.quoteResponse;
  return { configVersion, mint };
};

describe('without a client', () => {
  test('checks a trade with a snapshot, and without one asks for the client', async () => {
    const { tx, intent } = await boughtWith();
    const snapshot = await fetchPoolSnapshot(client, locatorOf(termsOf(intent)));
    const offline = (await boughtWith({ snapshot })).intent;
    const requests = ledger.requests.length;
    expect(await assertTransactionMatches(tx, offline)).toMatchObject({ warnings: [] });
    expect(ledger.requests.length).toBe(requests);
    await expectRefusal(assertTransactionMatches(tx, intent), 'invalid-input', { field: 'client' });
  });

  test('rejects a program that is no address, and an input that is none', async () => {
    const { tx, intent } = await boughtWith();
    const elsewhere = assertTransactionMatches(tx, intent, { programAddress: 'x' as Address });
    await expectRefusal(elsewhere, 'invalid-address', { field: 'programAddress' });
    const empty = { ...intent, input: null } as never;
    await expectRefusal(assertTransactionMatches(tx, empty), 'invalid-input', { field: 'intent.input' });
  });

  test('says which exchange is meant', async () => {
    const programAddress = (await wallet(61)).address;
    const elsewhere = await createEmbeddedLedger({ programAddress });
    const there = createHeavenClient({ rpc: elsewhere.rpc, deployment: { programAddress } });
    const { intent: here } = await boughtWith();
    const snapshot = await fetchPoolSnapshot(there, locatorOf(termsOf(here)));
    const details = { pool: snapshot.addresses.pool };
    const quoteResponse = { ...here.input.quoteResponse, programId: programAddress, details };
    const { intent } = await boughtWith({ quoteResponse, snapshot });
    const { tx } = await buildBuy(there, intent.input);
    await assertTransactionMatches(tx, intent, { programAddress });
    const { instructions } = await inspectTransaction(tx, { client: there });
    expect(instructions.map(({ program }) => program)).toContain('exchange');
    const both = assertTransactionMatches(tx, intent, { client, programAddress });
    await expectRefusal(both, 'invalid-input', { field: 'programAddress' });
    await expectRefusal(assertTransactionMatches(tx, intent), 'quote-mismatch');
  });
});

test.each([
  [undefined, 'intent.function'],
  [{ function: 'quoteBuy', input: {} }, 'intent.function'],
  [{ function: 'toString', input: {} }, 'intent.function'],
  [{ function: 'buildBuy' }, 'intent.input'],
])('rejects the intent %j', async (intent, field) => {
  const { tx } = await boughtWith();
  const checked = assertTransactionMatches(tx, intent as never, { client });
  await expectRefusal(checked, 'invalid-input', { field });
});

test("passes on the builder's errors and warnings", async () => {
  const { tx, intent } = await boughtWith();
  const { pool } = ledger.pools.creator;
  const { reserveA } = await fetchPoolSnapshot(client, locatorOf(termsOf(intent)));
  ledger.setReserves(pool, { tokenA: reserveA / 2n });
  const { warnings } = await assertTransactionMatches(tx, intent, { client });
  expect(warnings.map(({ code }) => code)).toEqual(['minimum-not-reached']);
  ledger.setReserves(pool, { tokenA: reserveA });
  ledger.updatePool(pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } }));
  await expectRefusal(assertTransactionMatches(tx, intent, { client }), 'operation-disabled:swap');
  ledger.updatePool(pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 1 } }));
});

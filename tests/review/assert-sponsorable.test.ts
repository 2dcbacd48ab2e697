import { AccountRole, type Address, getBase64Decoder, getBase64Encoder, type Instruction } from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getTransferInstruction,
} from '@solana-program/token';
import { describe, expect, test } from 'vitest';

import { assertSponsorable, type BuilderName, inspectTransaction } from '../../src/index.js';
import { TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../../src/program/index.js';
import { encodeLookupTable } from '../../src/testing/encode.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import {
  asMutable,
  associated,
  buildLocally,
  createWorld,
  type Draft,
  intentsIn,
  putTogether,
  SOMEWHERE,
  signer,
  sponsoredBy,
  TABLE,
  takeApart,
  UNKNOWN_PROGRAM,
  wallet,
} from './support.js';

const world = await createWorld();
const { client, ledger, payer, other, attacker, sponsor, tokens } = world;
const { creator } = ledger.pools;
const intents = await intentsIn(world);
/** Fees of two signatures and the default budget, and rent of a token account of at most 195 bytes. */
const FEES = 10_000n + 8_000_000n;
const RENT = (195n + 128n) * 5_080n;
const terms = { client, sponsor, maxLamports: 20_000_000n, functions: ['buildBuy'] as BuilderName[] };
const opening = { ...terms, rentPayer: 'feePayer' } as const;

const bytesOf = (tx: string) => Uint8Array.from(getBase64Encoder().encode(tx));
const built = async (name: string, options = {}) =>
  (await buildLocally(client, sponsoredBy(sponsor, intents[name]!, options))).tx;
const refused = (tx: string, kind: string, options: Partial<Parameters<typeof assertSponsorable>[1]> = {}) =>
  expectRefusal(assertSponsorable(tx, { ...terms, ...options }), 'transaction-mismatch', { kind });

describe("a user's transaction", () => {
  test.each(Object.keys(intents))('%s: passes if it is named, as it is and at its cost', async (name) => {
    const { function: own } = intents[name]!;
    const tx = await built(name);
    const { bytes, lamports } = await assertSponsorable(tx, { ...terms, functions: [own] });
    expect(getBase64Decoder().decode(bytes)).toBe(tx);
    const { fees } = await inspectTransaction(tx);
    expect(lamports).toBe(fees.total);
    await assertSponsorable(tx, { ...terms, functions: [own], maxLamports: fees.total });
    await refused(tx, 'amount', { functions: [own], maxLamports: fees.total - 1n });
    await refused(tx, 'instruction', { functions: [own === 'buildBuy' ? 'buildSell' : 'buildBuy'] });
  });

  test.each(['buy', 'sell, none', 'pro buy for another, none', 'deposit', 'withdrawal, none', 'claim'])(
    '%s: the sponsor opens accounts only if that is asked for',
    async (name) => {
      const tx = await built(name, { rentPayer: 'feePayer' });
      const functions = [intents[name]!.function];
      const { lamports } = await assertSponsorable(tx, { ...opening, functions });
      expect(lamports).toBeGreaterThan((await inspectTransaction(tx)).fees.total);
      await refused(tx, 'rights', { functions });
    },
  );

  test('takes no more than was said', async () => {
    // A user who has no token account yet.
    const [user, paying] = await Promise.all([wallet(60), wallet(8)]);
    for (const { address } of [user, paying]) ledger.setBalance(address, 10_000_000_000n);
    const tx = await built('buy', { rentPayer: 'feePayer', payer: user.address });
    const { bytes, lamports } = await assertSponsorable(tx, opening);
    expect(lamports).toBe(FEES + RENT);
    const signed = await putTogether(takeApart(getBase64Decoder().decode(bytes)), [user, paying]);
    await ledger.rpc.sendTransaction(signed as never, { encoding: 'base64' }).send();
    const { value } = await ledger.rpc.getBalance(sponsor).send();
    // The token account has 165 bytes, its type, an immutable owner (4) and withheld fees (12).
    expect(10_000_000_000n - value).toBe(FEES + (182n + 128n) * 5_080n);
  });

  test('whose array changes after the call: what was checked is signed', async () => {
    const [good, evil] = [bytesOf(await built('buy')), bytesOf(await built('sell'))];
    const sent = good.slice();
    const asked = assertSponsorable(sent, terms);
    sent.set(evil.subarray(0, sent.length));
    const { bytes } = await asked;
    expect(bytes).toEqual(good);
    bytes.fill(0);
    expect(sent).not.toEqual(bytes);
  });
});

/** What is the sponsor's own, such as its pool's settings, isn't sponsored. Here its key is the payer's. */
describe("the sponsor's own transaction", () => {
  /** It pays for another's operation: that is what a sponsor does. */
  const FOR_ANOTHER = /for another|LP transfer/;

  test.each(Object.keys(intents).filter((name) => !FOR_ANOTHER.test(name)))('%s', async (name) => {
    const { function: own, input } = intents[name]!;
    const { tx } = await buildLocally(client, intents[name]!);
    const most = { functions: [own], maxLamports: 2n ** 64n - 1n, rentPayer: 'feePayer' } as const;
    await refused(tx, 'rights', { ...most, sponsor: input.payer as Address });
  });
});

describe('an attack', async () => {
  const nonce = getAdvanceNonceAccountInstruction({ nonceAccount: SOMEWHERE, nonceAuthority: signer(other) });
  const memo = (address: Address, role: AccountRole): Instruction => ({
    ...{ programAddress: MEMO_PROGRAM_ADDRESS, accounts: [{ address, role }] },
    data: new TextEncoder().encode('hello'),
  });
  const transfer = (source: Address) =>
    getTransferSolInstruction({ source: signer(source), destination: attacker, amount: 1n });
  const unknown = (accounts: Instruction['accounts']) => ({
    programAddress: UNKNOWN_PROGRAM,
    accounts: accounts!,
  });
  const ofSponsor = getInitializeAccount3Instruction({
    account: SOMEWHERE,
    mint: creator.mint,
    owner: sponsor,
  });
  const spl = getTransferInstruction(
    { source: tokens, destination: SOMEWHERE, authority: signer(payer), amount: 1n },
    { programAddress: creator.tokenProgram },
  );
  const priced = (microLamports: bigint) => getSetComputeUnitPriceInstruction({ microLamports });

  type Attack = (draft: Draft) => unknown;
  const add =
    (...more: readonly Instruction[]): Attack =>
    ({ instructions }) =>
      instructions.push(...more.map(asMutable));
  const first =
    (instruction: Instruction): Attack =>
    ({ instructions }) =>
      instructions.unshift(asMutable(instruction));
  const account =
    (index: number, position: number, address: Address): Attack =>
    ({ instructions }) => {
      instructions[index]!.accounts[position]!.address = address;
    };
  const sponsorsWrapped = await associated(sponsor, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
  /** Opens somebody's token account at the sponsor's expense. */
  const opens = async (owner: Address, mint: Address) =>
    getCreateAssociatedTokenIdempotentInstruction({
      ...{ payer: signer(sponsor), owner, mint, tokenProgram: creator.tokenProgram },
      ata: await associated(owner, mint, creator.tokenProgram),
    });
  const closes = async () =>
    getCloseAccountInstruction(
      {
        account: await associated(payer, creator.mint, creator.tokenProgram),
        ...{ destination: payer, owner: signer(payer) },
      },
      { programAddress: creator.tokenProgram },
    );
  const foreign = add(await opens(attacker, creator.mint), await opens(payer, ledger.pools.pro.mint));

  // Instructions of the buy: 0, 1 budget, 2 wrapped SOL account, 3 transfer, 4 sync, 5 token account, 6 buy, 7 close, 8 tip.
  test.each<[string, Attack, string, number?]>([
    ['somebody else pays the fees', (draft) => Object.assign(draft, { feePayer: other }), 'payer'],
    ['a transfer from the sponsor', add(transfer(sponsor)), 'rights', 9],
    ['a tip from the sponsor', account(8, 0, sponsor), 'rights', 8],
    ['what is wrapped comes from the sponsor', account(3, 0, sponsor), 'rights', 3],
    ['the sponsor trades', account(6, 5, sponsor), 'rights', 6],
    ["the sponsor's wrapped SOL is spent", account(6, 9, sponsorsWrapped), 'amount'],
    ['the sponsor opens what is closed to the user', account(2, 0, sponsor), 'account', 2],
    ["a token account in the sponsor's name", add(ofSponsor), 'rights', 9],
    ['a memo that the sponsor signs', add(memo(sponsor, AccountRole.READONLY_SIGNER)), 'rights', 9],
    ['a memo that names the sponsor', add(memo(sponsor, AccountRole.READONLY)), 'rights', 9],
    ['an unknown program', add(unknown([])), 'instruction', 9],
    [
      "an unknown program with the sponsor's authority",
      add(unknown([{ address: sponsor, role: AccountRole.WRITABLE_SIGNER }])),
      'instruction',
      9,
    ],
    ["a transfer of the user's tokens", add(spl), 'instruction', 9],
    ["others' token accounts", foreign, 'account', 9],
    ['the token account is closed again', add(await closes()), 'account', 5],
    ['a durable nonce', first(nonce), 'instruction', 0],
    [
      "a durable nonce of the sponsor's",
      first(getAdvanceNonceAccountInstruction({ nonceAccount: SOMEWHERE, nonceAuthority: signer(sponsor) })),
      'instruction',
      0,
    ],
    ['no operation at all', (draft) => draft.instructions.splice(6, 1), 'instruction'],
    [
      'a high priority fee',
      (draft) => draft.instructions.splice(1, 1, asMutable(priced(100_000_000n))),
      'amount',
    ],
    [
      'no compute units, so that it can only fail',
      (draft) => draft.instructions.splice(0, 1, asMutable(getSetComputeUnitLimitInstruction({ units: 0 }))),
      'instruction',
    ],
    [
      'accounts in a lookup table that is not known',
      (draft) => Object.assign(draft, { tables: { [TABLE]: [creator.pool] } }),
      'account',
    ],
  ])('%s', async (_, attack, kind, instruction) => {
    const draft = takeApart(await built('buy with a tip', { rentPayer: 'feePayer' }));
    const honest = await putTogether(draft);
    await assertSponsorable(honest, opening);
    await attack(draft);
    const { context } = await refused(await putTogether(draft), kind, opening);
    expect(context.instruction).toBe(instruction);
  });

  test("may use another's SOL: it is not the sponsor's", async () => {
    const draft = takeApart(await built('buy'));
    draft.instructions.push(asMutable(transfer(other)));
    await assertSponsorable(await putTogether(draft), terms);
  });

  test('the sponsor in a lookup table, a second time', async () => {
    const draft = takeApart(await built('buy'));
    draft.instructions.push(asMutable(memo(SOMEWHERE, AccountRole.READONLY)));
    draft.tables = { [TABLE]: [SOMEWHERE] };
    const tx = await putTogether(draft);
    const holding = (address: Address) =>
      ledger.setAccount(TABLE, {
        ...{ owner: LOOKUP_TABLE_PROGRAM_ADDRESS, data: encodeLookupTable({ addresses: [address] }) },
      });
    holding(SOMEWHERE);
    await assertSponsorable(tx, terms);
    holding(sponsor);
    await refused(tx, 'account');
  });

  test('a signature that is not valid', async () => {
    const bytes = bytesOf(await built('buy'));
    // The second one, after the sponsor's.
    await assertSponsorable(bytes.slice().fill(0, 65, 129), terms);
    await refused(getBase64Decoder().decode(bytes.fill(7, 65, 129)), 'rights');
  });
});

test.each([
  ['functions', [], 'invalid-input'],
  ['functions', ['buy'], 'invalid-input'],
  ['functions', 'buildBuy', 'invalid-input'],
  ['maxLamports', 0n, 'zero-amount'],
  ['maxLamports', 20, 'invalid-amount'],
  ['rentPayer', 'sponsor', 'invalid-input'],
  ['sponsor', 'me', 'invalid-address'],
  ['client', undefined, 'invalid-input'],
] as const)('%s %s is refused', async (field, value, code) => {
  const error = await expectRefusal(
    assertSponsorable(await built('buy'), { ...terms, [field]: value } as never),
    code,
  );
  expect(String((error.context as { field: string }).field)).toMatch(new RegExp(`^${field}`));
});

test('what is not a transaction is refused', async () => {
  await expectRefusal(assertSponsorable('AAAA', terms), 'malformed-data');
  await expectRefusal(assertSponsorable(undefined as never, terms), 'invalid-input', { field: 'tx' });
});

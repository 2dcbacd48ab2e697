import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { getWalletBalances } from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { RENT_SYSVAR_ADDRESS } from '../../src/solana/programs.js';
import { encodeMint, encodeTokenAccount } from '../../src/testing/index.js';
import { addressNamed, OTHER, STRANGER } from '../support/addresses.js';
import { base64Of } from '../support/bytes.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, lying, useLedger } from '../support/ledger.js';

useLedger();

/** 128 bytes at 5080 lamports, and 165 more. */
const WALLET_RENT = 650_240n;
const TOKEN_RENT = 1_488_440n;
const CLASSIC = addressNamed('classic mint');
const EXTENDED = addressNamed('extended mint');
const wallet = addressNamed('wallet');

const associated = (mint: Address, tokenProgram: Address = TOKEN_PROGRAM_ADDRESS) =>
  findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
const classicAccount = await associated(CLASSIC);
const extendedAccount = await associated(EXTENDED, TOKEN_2022_PROGRAM_ADDRESS);
const wrappedAccount = await associated(WRAPPED_SOL_MINT_ADDRESS);

beforeEach(() => {
  const fee = { epoch: 0n, basisPoints: 100, maximum: 1_000n };
  ledger.setMint(CLASSIC, TOKEN_PROGRAM_ADDRESS, { decimals: 6, supply: 10n ** 15n });
  ledger.setMint(EXTENDED, TOKEN_2022_PROGRAM_ADDRESS, {
    decimals: 9,
    supply: 10n ** 18n,
    transferFee: { older: fee, newer: fee },
  });
});

const place = (address: Address, owner: Address, data: Uint8Array, lamports = TOKEN_RENT) =>
  ledger.setAccount(address, { owner, data, lamports });

const giveClassic = (amount: bigint, address = classicAccount, isFrozen = false, owner = wallet) =>
  place(address, TOKEN_PROGRAM_ADDRESS, encodeTokenAccount({ mint: CLASSIC, owner, amount, isFrozen }));

/** With the immutable owner, and fees that wait: the bytes as Token-2022 writes them. */
function giveExtended(amount: bigint, withheld: bigint, address = extendedAccount) {
  const data = new Uint8Array(182);
  data.set(encodeTokenAccount({ mint: EXTENDED, owner: wallet, amount }));
  data.set([2, 7, 0, 0, 0, 2, 0, 8, 0], 165);
  new DataView(data.buffer).setBigUint64(174, withheld, true);
  place(address, TOKEN_2022_PROGRAM_ADDRESS, data, 1_574_800n);
}

const giveWrapped = (amount: bigint, address = wrappedAccount) =>
  place(
    address,
    TOKEN_PROGRAM_ADDRESS,
    encodeTokenAccount({ mint: WRAPPED_SOL_MINT_ADDRESS, owner: wallet, amount, nativeReserve: TOKEN_RENT }),
    TOKEN_RENT + amount,
  );

const ask = (mints?: readonly Address[], over = client) =>
  getWalletBalances(over, mints === undefined ? { wallet } : { wallet, mints });

const methods = () => ledger.requests.map(({ method }) => method);

type Fields = Record<string, unknown>;

/** Changes one value in what a node returns, at a path such as `0.account.owner`. */
const set = (path: string, value: unknown) => (returned: unknown) => {
  const names = path.split('.');
  const last = names.pop()!;
  const parent = names.reduce((inner, name) => inner[name] as Fields, returned as Fields);
  parent[last] = value;
};

/** A token of which the wallet has nothing, but for what is given. */
const token = (mint: Address, more: object = {}) => ({
  mint,
  tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
  decimals: 9,
  amount: 0n,
  uiAmount: '0',
  frozen: 0n,
  withheldFees: 0n,
  accounts: [],
  ...more,
});
const classicToken = (more: object) =>
  token(CLASSIC, { tokenProgram: TOKEN_PROGRAM_ADDRESS, decimals: 6, ...more });
const account = (address: Address, amount: bigint, more: object = {}) => ({
  address,
  amount,
  isAssociated: true,
  isFrozen: false,
  withheldFees: 0n,
  lamports: TOKEN_RENT,
  ...more,
});

describe('named tokens', () => {
  test('are read with the SOL in one call, in the requested order', async () => {
    ledger.setBalance(wallet, 3_000_000_000n);
    giveClassic(1_500_000n);
    giveExtended(2_000_000_001n, 77n);
    giveWrapped(5_000n);
    const untouched = ledger.pools.creator.mint;
    const mints = [EXTENDED, untouched, CLASSIC];
    expect(await ask(mints)).toEqual({
      wallet,
      sol: {
        lamports: 3_000_000_000n,
        rentExemptMinimum: WALLET_RENT,
        spendable: 3_000_000_000n - WALLET_RENT,
        wrapped: 5_000n,
      },
      tokens: [
        token(EXTENDED, {
          amount: 2_000_000_001n,
          uiAmount: '2.000000001',
          withheldFees: 77n,
          accounts: [account(extendedAccount, 2_000_000_001n, { withheldFees: 77n, lamports: 1_574_800n })],
        }),
        token(untouched),
        classicToken({
          amount: 1_500_000n,
          uiAmount: '1.5',
          accounts: [account(classicAccount, 1_500_000n)],
        }),
      ],
      unreadable: [],
      lamportsPerByte: 5_080n,
      slot: ledger.slot,
    });
    expect(methods()).toEqual(['getMultipleAccounts']);
  });

  test('are zero for a wallet that does not exist, and nothing can be spent', async () => {
    const { sol, tokens } = await ask([CLASSIC]);
    expect(sol).toEqual({ lamports: 0n, rentExemptMinimum: WALLET_RENT, spendable: 0n, wrapped: 0n });
    expect(tokens).toMatchObject([{ mint: CLASSIC, amount: 0n, accounts: [] }]);
    ledger.setBalance(wallet, WALLET_RENT);
    expect((await ask([])).sol.spendable).toBe(0n);
    ledger.setBalance(wallet, WALLET_RENT + 1n);
    expect((await ask([])).sol.spendable).toBe(1n);
  });

  const NOTHING = { amount: 0n, accounts: [] };
  test.each<[string, () => unknown, object]>([
    ['a frozen account apart', () => giveClassic(9n, classicAccount, true), { amount: 9n, frozen: 9n }],
    ['no account whose owner changed', () => giveClassic(9n, classicAccount, false, STRANGER), NOTHING],
    ["no lamports at an account's address", () => ledger.setBalance(classicAccount, 5_000n), NOTHING],
  ])('count %s', async (_, give, expected) => {
    give();
    expect((await ask([CLASSIC])).tokens).toMatchObject([expected]);
  });

  test('are at most 32, each once, without wrapped SOL', async () => {
    const many = Array.from({ length: 33 }, (_, index) => addressNamed(`mint ${index}`));
    for (const [mints, field] of [
      [many, 'mints'],
      [[CLASSIC, EXTENDED, CLASSIC], 'mints[2]'],
      [[CLASSIC, WRAPPED_SOL_MINT_ADDRESS], 'mints[1]'],
      ['all', 'mints'],
    ] as const)
      await expectRefusal(ask(mints as never), 'invalid-input', { field });
    await expectRefusal(ask(['no'] as never), 'invalid-address', { field: 'mints[0]' });
    expect(methods()).toEqual([]);
    for (const mint of many) ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 0, supply: 1n });
    expect((await ask(many.slice(1))).tokens).toHaveLength(32);
  });

  test('must be mints', async () => {
    giveClassic(1n);
    // As long as a mint with extensions, but still a token account.
    giveExtended(1n, 0n);
    for (const [address, code] of [
      [STRANGER, 'account-not-found'],
      [RENT_SYSVAR_ADDRESS, 'invalid-account-data:found'],
      [classicAccount, 'invalid-account-data'],
      [extendedAccount, 'invalid-account-data'],
    ] as const)
      await expectRefusal(ask([address]), code, { address });
  });
});

describe('without named tokens', () => {
  test('reads all accounts of both programs at once, adds them up by token, and keeps wrapped SOL apart', async () => {
    ledger.setBalance(wallet, 1_000_000_000n);
    const [first, second, third] = [addressNamed('a'), addressNamed('b'), addressNamed('c')];
    giveClassic(5n);
    giveClassic(7n, first, true);
    giveClassic(90n, second);
    giveClassic(1_000n, addressNamed('of a stranger'), false, STRANGER);
    giveExtended(11n, 3n, third);
    giveWrapped(40n);
    giveWrapped(2n, addressNamed('d'));
    const { sol, tokens, slot } = await ask();
    expect(sol).toMatchObject({ lamports: 1_000_000_000n, wrapped: 42n });
    expect(slot).toBe(ledger.slot);
    const classic = classicToken({
      amount: 102n,
      uiAmount: '0.000102',
      frozen: 7n,
      accounts: [
        account(classicAccount, 5n),
        account(second, 90n, { isAssociated: false }),
        account(first, 7n, { isAssociated: false, isFrozen: true }),
      ],
    });
    const extended = token(EXTENDED, {
      amount: 11n,
      uiAmount: '0.000000011',
      withheldFees: 3n,
      accounts: [account(third, 11n, { isAssociated: false, withheldFees: 3n, lamports: 1_574_800n })],
    });
    expect(tokens).toEqual(CLASSIC < EXTENDED ? [classic, extended] : [extended, classic]);
    expect(methods().sort()).toEqual([
      'getMultipleAccounts',
      'getTokenAccountsByOwner',
      'getTokenAccountsByOwner',
    ]);
  });

  interface Entry {
    readonly pubkey: string;
    readonly account: { readonly owner: string };
  }

  const method = 'getTokenAccountsByOwner';
  const bytesOf = (account: Parameters<typeof encodeTokenAccount>[0]) => [
    base64Of(encodeTokenAccount(account)),
    'base64',
  ];

  test.each<[string, (entries: Entry[]) => unknown]>([
    ['another wallet', set('0.account.data.parsed.info.owner', STRANGER)],
    ['another program', set('0.account.owner', STRANGER)],
    ['no mint', set('0.account.data.parsed.info.mint', 'x')],
    ['too large an amount', set('0.account.data.parsed.info.tokenAmount.amount', String(2n ** 64n))],
    ['an amount that is none', set('0.account.data.parsed.info.tokenAmount.amount', '-1')],
    ['impossible decimals', set('0.account.data.parsed.info.tokenAmount.decimals', 256n)],
    ['no decimals', set('0.account.data.parsed.info.tokenAmount.decimals', null)],
    ['no lamports', set('0.account.lamports', '1')],
    ['no state', set('0.account.data.parsed.info.state', 'toString')],
    ['extensions that are no list', set('0.account.data.parsed.info.extensions', {})],
    ['an account twice', (entries) => entries.push(entries[0]!)],
    ['data that is no account', set('0.account.data', ['AAAA', 'base64'])],
    [
      'bytes of another wallet',
      set('0.account.data', bytesOf({ mint: CLASSIC, owner: STRANGER, amount: 5n })),
    ],
    ['bytes that are none', set('0.account.data', ['*', 'base64'])],
    ['nothing at all', set('0', null)],
  ])('rejects an answer with %s', async (_, change) => {
    giveClassic(5n);
    const liar = (change: (entries: Entry[]) => unknown) =>
      lying(method, (result: { value: Entry[] }) => {
        if (result.value.length > 0) change(result.value);
        return result;
      });
    const honest = liar(() => {});
    expect((await ask(undefined, honest)).tokens).toHaveLength(1);
    await expectRefusal(ask(undefined, liar(change)), 'rpc-invalid-response', { method });
  });

  test("lists an account that the node can't parse, and reads the others", async () => {
    giveClassic(5n);
    giveExtended(11n, 3n, addressNamed('c'));
    // As nodes answer for a token account of a mint that was closed.
    const gone = { mint: OTHER, owner: wallet, amount: 77n };
    const closed = addressNamed('closed');
    const partly = lying(method, (result: { value: Entry[] }) => {
      const [one] = result.value.filter(({ account }) => account.owner === TOKEN_2022_PROGRAM_ADDRESS);
      if (one === undefined) return result;
      const account = { ...one.account, data: bytesOf(gone) };
      return { ...result, value: [...result.value, { pubkey: closed, account }] };
    });
    const { tokens, unreadable } = await ask(undefined, partly);
    expect(tokens.map(({ amount }) => amount).sort()).toEqual([11n, 5n]);
    const facts = { mint: OTHER, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS, amount: 77n };
    expect(unreadable).toEqual([{ ...facts, address: closed, lamports: 1_574_800n }]);
    expect((await ask([CLASSIC], partly)).unreadable).toEqual([]);
  });

  test('reports a node that lists no accounts', async () => {
    const without = lying(method, () => 0);
    await expectRefusal(ask(undefined, without), 'rpc-invalid-response');
  });
});

/** Where accounts stand in the answer: wallet, rent, clock, wrapped SOL, then mint and accounts of the two programs. */
const [OWN, RENT, CLOCK, TOKENS] = [0, 1, 2, 5];
const WRONG = 'rpc-wrong-account';
const OF_ANOTHER = base64Of(encodeTokenAccount({ mint: EXTENDED, owner: wallet, amount: 9n }));

test.each<[string, (value: unknown) => void, string]>([
  ['an account of another token', set(`${TOKENS}.data.0`, OF_ANOTHER), WRONG],
  ['another owner', set(`${TOKENS}.owner`, TOKEN_2022_PROGRAM_ADDRESS), WRONG],
  [
    'a mint for an account',
    set(`${TOKENS}.data.0`, base64Of(encodeMint({ decimals: 1, supply: 1n }))),
    WRONG,
  ],
  ['negative lamports', set(`${OWN}.lamports`, -5n), 'rpc-invalid-response'],
  ["a stranger's rent", set(`${RENT}.owner`, STRANGER), WRONG],
  ["a stranger's clock", set(`${CLOCK}.owner`, STRANGER), WRONG],
])('rejects %s of a node', async (_, change, code) => {
  giveClassic(5n);
  ledger.setBalance(wallet, 1_000_000_000n);
  const liar = lying('getMultipleAccounts', (result: { value: unknown }) => {
    change(result.value);
    return result;
  });
  await expectRefusal(ask([CLASSIC], liar), code);
});

test('a wallet with data keeps the rent of its size', async () => {
  ledger.setAccount(wallet, { owner: STRANGER, data: new Uint8Array(80), lamports: 5_000_000n });
  const { sol } = await ask([]);
  expect(sol.rentExemptMinimum).toBe(208n * 5_080n);
});

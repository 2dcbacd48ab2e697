import {
  type Address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  type RpcTransport,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { createHeavenClient, getWalletBalances, type HeavenClient, type HeavenRpc } from '../../src/index.js';
import {
  computeRentExemption,
  findAssociatedTokenAddress,
  RENT_SYSVAR_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { encodeMint, encodeTokenAccount } from '../../src/testing/index.js';
import { addressNamed, OTHER, STRANGER } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

/** 128 bytes at 5080 lamports, and 165 more. */
const WALLET_RENT = 650_240n;
const TOKEN_RENT = 1_488_440n;
const CLASSIC = addressNamed('classic mint');
const EXTENDED = addressNamed('extended mint');

let wallet: Address;
let classicAccount: Address;
let extendedAccount: Address;
let wrappedAccount: Address;

beforeEach(async () => {
  wallet = (await generateKeyPairSigner()).address;
  const associated = (mint: Address, tokenProgram: Address) =>
    findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
  classicAccount = await associated(CLASSIC, TOKEN_PROGRAM_ADDRESS);
  extendedAccount = await associated(EXTENDED, TOKEN_2022_PROGRAM_ADDRESS);
  wrappedAccount = await associated(WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
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

const methods = () => ledger.requests.map(({ method }) => method);

/** A client over the ledger whose answers to one method are changed. */
function lying(method: string, change: (result: never, params: readonly unknown[]) => unknown): HeavenClient {
  const transport = (async (request: {
    readonly payload: { readonly method: string; readonly params: readonly unknown[] };
  }) => {
    const answer = (await ledger.transport(request as never)) as { result: never };
    const { payload } = request;
    return payload.method === method
      ? { ...answer, result: change(structuredClone(answer.result) as never, payload.params) }
      : answer;
  }) as unknown as RpcTransport;
  return createHeavenClient({ rpc: createSolanaRpcFromTransport(transport) as unknown as HeavenRpc });
}

describe('named tokens', () => {
  test('are read with the SOL in one call, in the requested order', async () => {
    ledger.setBalance(wallet, 3_000_000_000n);
    giveClassic(1_500_000n);
    giveExtended(2_000_000_001n, 77n);
    giveWrapped(5_000n);
    const mints = [EXTENDED, ledger.pools.creator.mint, CLASSIC];
    expect(await getWalletBalances(client, { wallet, mints })).toEqual({
      wallet,
      sol: {
        lamports: 3_000_000_000n,
        rentExemptMinimum: WALLET_RENT,
        spendable: 3_000_000_000n - WALLET_RENT,
        wrapped: 5_000n,
      },
      tokens: [
        {
          mint: EXTENDED,
          tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
          decimals: 9,
          amount: 2_000_000_001n,
          uiAmount: '2.000000001',
          frozen: 0n,
          withheldFees: 77n,
          accounts: [
            {
              address: extendedAccount,
              amount: 2_000_000_001n,
              isAssociated: true,
              isFrozen: false,
              withheldFees: 77n,
              lamports: 1_574_800n,
            },
          ],
        },
        {
          mint: ledger.pools.creator.mint,
          tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
          decimals: 9,
          amount: 0n,
          uiAmount: '0',
          frozen: 0n,
          withheldFees: 0n,
          accounts: [],
        },
        {
          mint: CLASSIC,
          tokenProgram: TOKEN_PROGRAM_ADDRESS,
          decimals: 6,
          amount: 1_500_000n,
          uiAmount: '1.5',
          frozen: 0n,
          withheldFees: 0n,
          accounts: [
            {
              address: classicAccount,
              amount: 1_500_000n,
              isAssociated: true,
              isFrozen: false,
              withheldFees: 0n,
              lamports: TOKEN_RENT,
            },
          ],
        },
      ],
      unreadable: [],
      lamportsPerByte: 5_080n,
      slot: ledger.slot,
    });
    expect(methods()).toEqual(['getMultipleAccounts']);
  });

  test('are zero for a wallet that does not exist, and nothing can be spent', async () => {
    const { sol, tokens } = await getWalletBalances(client, { wallet, mints: [CLASSIC] });
    expect(sol).toEqual({ lamports: 0n, rentExemptMinimum: WALLET_RENT, spendable: 0n, wrapped: 0n });
    expect(tokens).toMatchObject([{ mint: CLASSIC, amount: 0n, accounts: [] }]);
    ledger.setBalance(wallet, WALLET_RENT);
    expect((await getWalletBalances(client, { wallet, mints: [] })).sol.spendable).toBe(0n);
    ledger.setBalance(wallet, WALLET_RENT + 1n);
    expect((await getWalletBalances(client, { wallet, mints: [] })).sol.spendable).toBe(1n);
  });

  test('count frozen amounts apart, and skip accounts whose owner changed', async () => {
    giveClassic(9n, classicAccount, true);
    const [frozen] = (await getWalletBalances(client, { wallet, mints: [CLASSIC] })).tokens;
    expect(frozen).toMatchObject({ amount: 9n, frozen: 9n, accounts: [{ isFrozen: true }] });
    giveClassic(9n, classicAccount, false, STRANGER);
    const [given] = (await getWalletBalances(client, { wallet, mints: [CLASSIC] })).tokens;
    expect(given).toMatchObject({ amount: 0n, accounts: [] });
  });

  test("are zero if the account's address only has lamports", async () => {
    ledger.setBalance(classicAccount, 5_000n);
    const { tokens } = await getWalletBalances(client, { wallet, mints: [CLASSIC] });
    expect(tokens).toMatchObject([{ amount: 0n, accounts: [] }]);
  });

  test('are at most 32, each once, without wrapped SOL', async () => {
    const many = Array.from({ length: 33 }, (_, index) => addressNamed(`mint ${index}`));
    for (const [mints, field] of [
      [many, 'mints'],
      [[CLASSIC, EXTENDED, CLASSIC], 'mints[2]'],
      [[CLASSIC, WRAPPED_SOL_MINT_ADDRESS], 'mints[1]'],
      ['all', 'mints'],
    ] as const)
      await expectRefusal(getWalletBalances(client, { wallet, mints: mints as never }), 'invalid-input', {
        field,
      });
    await expectRefusal(getWalletBalances(client, { wallet, mints: ['no'] as never }), 'invalid-address', {
      field: 'mints[0]',
    });
    expect(methods()).toEqual([]);
    for (const mint of many) ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 0, supply: 1n });
    expect((await getWalletBalances(client, { wallet, mints: many.slice(1) })).tokens).toHaveLength(32);
  });

  test('must be mints', async () => {
    const ask = (mint: Address) => getWalletBalances(client, { wallet, mints: [mint] });
    await expectRefusal(ask(STRANGER), 'account-not-found', { address: STRANGER });
    await expectRefusal(ask(RENT_SYSVAR_ADDRESS), 'invalid-account-data:found', {
      address: RENT_SYSVAR_ADDRESS,
    });
    giveClassic(1n);
    await expectRefusal(ask(classicAccount), 'invalid-account-data', { address: classicAccount });
    // As long as a mint with extensions, but still a token account.
    giveExtended(1n, 0n);
    await expectRefusal(ask(extendedAccount), 'invalid-account-data', { address: extendedAccount });
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
    const { sol, tokens, slot } = await getWalletBalances(client, { wallet });
    expect(sol).toMatchObject({ lamports: 1_000_000_000n, wrapped: 42n });
    expect(slot).toBe(ledger.slot);
    const classic = {
      mint: CLASSIC,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      decimals: 6,
      amount: 102n,
      uiAmount: '0.000102',
      frozen: 7n,
      withheldFees: 0n,
      accounts: [
        { address: classicAccount, amount: 5n, isAssociated: true, isFrozen: false },
        { address: second, amount: 90n, isAssociated: false, isFrozen: false },
        { address: first, amount: 7n, isAssociated: false, isFrozen: true },
      ],
    };
    const extended = {
      mint: EXTENDED,
      tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
      decimals: 9,
      amount: 11n,
      withheldFees: 3n,
      accounts: [{ address: third, isAssociated: false, withheldFees: 3n, lamports: 1_574_800n }],
    };
    expect(tokens).toMatchObject(CLASSIC < EXTENDED ? [classic, extended] : [extended, classic]);
    expect(methods().sort()).toEqual([
      'getMultipleAccounts',
      'getTokenAccountsByOwner',
      'getTokenAccountsByOwner',
    ]);
  });

  interface Entry {
    pubkey: string;
    account: {
      owner: string;
      lamports: unknown;
      data: {
        parsed: {
          info: {
            mint: unknown;
            owner: string;
            state: string;
            tokenAmount: { amount: unknown; decimals: unknown };
            extensions?: unknown;
          };
        };
      };
    };
  }

  const bytesOf = (account: Parameters<typeof encodeTokenAccount>[0]) =>
    [Buffer.from(encodeTokenAccount(account)).toString('base64'), 'base64'] as never;

  test.each<[string, (entries: Entry[]) => unknown, string]>([
    ['another wallet', ([one]) => (one!.account.data.parsed.info.owner = STRANGER), 'is not one of'],
    ['another program', ([one]) => (one!.account.owner = STRANGER), 'is not of the program'],
    ['no mint', ([one]) => (one!.account.data.parsed.info.mint = 'x'), 'no mint'],
    [
      'too large an amount',
      ([one]) => (one!.account.data.parsed.info.tokenAmount.amount = String(2n ** 64n)),
      'no amount',
    ],
    [
      'an amount that is none',
      ([one]) => (one!.account.data.parsed.info.tokenAmount.amount = '-1'),
      'no amount',
    ],
    [
      'no such decimals',
      ([one]) => (one!.account.data.parsed.info.tokenAmount.decimals = 256n),
      'no decimals',
    ],
    ['no decimals', ([one]) => (one!.account.data.parsed.info.tokenAmount.decimals = null), 'no decimals'],
    ['no lamports', ([one]) => (one!.account.lamports = '1'), 'no lamports'],
    ['no state', ([one]) => (one!.account.data.parsed.info.state = 'toString'), 'no state'],
    ['extensions that are no list', ([one]) => (one!.account.data.parsed.info.extensions = {}), 'no amount'],
    ['an account twice', (entries) => entries.push(entries[0]!), 'twice'],
    [
      'data that is no account',
      ([one]) => (one!.account.data = ['AAAA', 'base64'] as never),
      'is not a token account',
    ],
    [
      'bytes of another wallet',
      ([one]) => (one!.account.data = bytesOf({ mint: CLASSIC, owner: STRANGER, amount: 5n })),
      'is not a token account',
    ],
    ['bytes that are none', ([one]) => (one!.account.data = ['*', 'base64'] as never), 'base64'],
    ['nothing at all', (entries) => entries.splice(0, 1, null as never), 'no address'],
  ])('rejects an answer with %s', async (_, change, reason) => {
    giveClassic(5n);
    const liar = lying('getTokenAccountsByOwner', (result: { value: Entry[] }) => {
      if (result.value.length > 0) change(result.value);
      return result;
    });
    const error = await expectRefusal(getWalletBalances(liar, { wallet }), 'rpc-invalid-response', {
      method: 'getTokenAccountsByOwner',
    });
    expect(error.message).toContain(reason);
  });

  test("lists an account that the node can't parse, and reads the others", async () => {
    giveClassic(5n);
    giveExtended(11n, 3n, addressNamed('c'));
    // As nodes answer for a token account of a mint that was closed.
    const gone = { mint: OTHER, owner: wallet, amount: 77n };
    const partly = lying('getTokenAccountsByOwner', (result: { value: Entry[] }) => {
      const [one] = result.value.filter(({ account }) => account.owner === TOKEN_2022_PROGRAM_ADDRESS);
      if (one !== undefined) {
        const account = { ...one.account, data: bytesOf(gone) };
        result.value.push({ pubkey: addressNamed('closed'), account });
      }
      return result;
    });
    const { tokens, unreadable } = await getWalletBalances(partly, { wallet });
    expect(tokens.map(({ amount }) => amount).sort()).toEqual([11n, 5n]);
    expect(unreadable).toEqual([
      {
        address: addressNamed('closed'),
        mint: OTHER,
        tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
        amount: 77n,
        lamports: 1_574_800n,
      },
    ]);
    expect((await getWalletBalances(partly, { wallet, mints: [CLASSIC] })).unreadable).toEqual([]);
  });

  test('reports a node that lists no accounts', async () => {
    const without = lying('getTokenAccountsByOwner', () => 0);
    await expectRefusal(getWalletBalances(without, { wallet }), 'rpc-invalid-response');
  });
});

describe('an account from a lying node', () => {
  const answer = (
    index: number,
    change: (account: { owner: string; data: [string, string]; lamports: unknown }) => unknown,
  ) =>
    lying('getMultipleAccounts', (result: { value: never[] }) => {
      change(result.value[index]!);
      return result;
    });
  const ask = (liar: HeavenClient) => getWalletBalances(liar, { wallet, mints: [CLASSIC] });
  const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
  /** Wallet, rent, clock, wrapped SOL, then mint and accounts of the two programs. */
  const ACCOUNT = 5;

  test('is rejected if it is not a token account of the token', async () => {
    giveClassic(5n);
    ledger.setBalance(wallet, 1_000_000_000n);
    const other = encodeTokenAccount({ mint: EXTENDED, owner: wallet, amount: 10n ** 12n });
    await expectRefusal(
      ask(answer(ACCOUNT, (account) => (account.data = [base64(other), 'base64']))),
      'rpc-wrong-account',
      { address: classicAccount },
    );
    await expectRefusal(
      ask(answer(ACCOUNT, (account) => (account.owner = TOKEN_2022_PROGRAM_ADDRESS))),
      'rpc-wrong-account',
    );
    await expectRefusal(
      ask(
        answer(
          ACCOUNT,
          (account) => (account.data = [base64(encodeMint({ decimals: 1, supply: 1n })), 'base64']),
        ),
      ),
      'rpc-wrong-account',
    );
    await expectRefusal(ask(answer(0, (account) => (account.lamports = -5n))), 'rpc-invalid-response');
    await expectRefusal(ask(answer(1, (account) => (account.owner = STRANGER))), 'rpc-wrong-account');
    await expectRefusal(ask(answer(2, (account) => (account.owner = STRANGER))), 'rpc-wrong-account');
  });
});

test('a wallet with data keeps the rent of its size', async () => {
  ledger.setAccount(wallet, { owner: STRANGER, data: new Uint8Array(80), lamports: 5_000_000n });
  const { sol } = await getWalletBalances(client, { wallet, mints: [] });
  expect(sol.rentExemptMinimum).toBe(208n * 5_080n);
  expect(sol.rentExemptMinimum).toBe(computeRentExemption(80, 5_080n));
});

import {
  type Address,
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64Decoder,
  getTransactionEncoder,
  type Instruction,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  buildBuy,
  buildSell,
  getWalletBalances,
  type MaximumSpendInput,
  maximumSpend,
  quoteBuy,
  quoteSell,
  simulate,
} from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createPracticeWallet, encodeTokenAccount, type PracticeWallet } from '../../src/testing/index.js';
import { partsOf } from '../review/signed-support.js';
import { OTHER, STRANGER } from '../support/addresses.js';
import { SOL } from '../support/amounts.js';
import { expectRefusal, refusalOf } from '../support/errors.js';
import { client, ledger, termsOf, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';

useLedger();

/** Of 200,000 units at 40,000,000 micro-lamports. */
const PRIORITY_FEE = 8_000_000n;
const SIGNATURE_FEE = 5_000n;
/** 30,000 units more at the same price. */
const GUARD_FEE = 1_200_000n;
/** 128 bytes and the account's own, at 5080 lamports: of a wallet, of wrapped SOL, of a token with transfer fees. */
const WALLET_RENT = 650_240n;
const WRAPPED_RENT = 1_488_440n;
const TOKEN_RENT = 1_574_800n;

let wallet: PracticeWallet;
let mint: Address;
let tokenAccount: Address;
let wrappedAccount: Address;

const newWallet = async (how: object = {}) => {
  wallet = await createPracticeWallet({ signer: await generateKeyPairSigner(), ...how });
  const owner = wallet.address;
  const { tokenProgram } = ledger.pools.creator;
  mint = ledger.pools.creator.mint;
  tokenAccount = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
  wrappedAccount = await findAssociatedTokenAddress({ owner, mint: WRAPPED_SOL_MINT_ADDRESS });
  ledger.setBalance(owner, 10n * SOL);
};
beforeEach(() => newWallet());

type Options = Omit<MaximumSpendInput, 'wallet' | 'side' | 'mint'>;

const most = (side: 'buy' | 'sell', options: Options = {}) =>
  maximumSpend(client, { wallet: wallet.address, side, mint, ...options });

const options = ({ guardComputeUnits, keepLamports, ...forBuilder }: Options) => ({
  payer: wallet.address,
  encodedUserDefinedEventData: '',
  ...forBuilder,
});

async function buy(lamports: bigint, given: Options = {}): Promise<BuiltTransaction> {
  const quoteResponse = await quoteBuy(client, { ...termsOf(), lamports });
  return await buildBuy(client, { ...options(given), quoteResponse });
}

async function sell(amountIn: bigint, given: Options = {}): Promise<BuiltTransaction> {
  const quoteResponse = await quoteSell(client, { ...termsOf(), amountIn });
  return await buildSell(client, { ...options(given), quoteResponse });
}

async function signed({ transaction }: BuiltTransaction) {
  const bytes = getTransactionEncoder().encode(transaction) as Uint8Array;
  return getBase64Decoder().decode(await wallet.signTransaction(bytes)) as Base64EncodedWireTransaction;
}

/** Signs, sends, and says what the wallet's account holds then. */
async function land(built: BuiltTransaction): Promise<bigint> {
  await ledger.rpc.sendTransaction(await signed(built), { encoding: 'base64' }).send();
  return ledger.getAccount(wallet.address)?.lamports ?? 0n;
}

/** The balance that the wallet's guard demands, which the ledger doesn't evaluate: 8 bytes, from the fourth on. */
async function guardedBalance(built: BuiltTransaction): Promise<bigint> {
  const { instructions } = partsOf(await signed(built));
  const { data } = instructions.find(({ data: { length } }) => length === 26)!;
  return new DataView(data.buffer).getBigUint64(4, true);
}

const expectFailure = async (built: BuiltTransaction) => {
  expect(await simulate(client, built)).toMatchObject({ ok: false });
};

const giveTokens = (amount: bigint, isFrozen = false) => {
  const account = { mint, owner: wallet.address, amount, isFrozen };
  ledger.setTokenAccount(tokenAccount, ledger.pools.creator.tokenProgram, account);
};

const giveWrappedSol = (amount: bigint, owner: Address = wallet.address) =>
  ledger.setAccount(wrappedAccount, {
    owner: TOKEN_PROGRAM_ADDRESS,
    data: encodeTokenAccount({ mint: WRAPPED_SOL_MINT_ADDRESS, owner, amount, nativeReserve: WRAPPED_RENT }),
    lamports: WRAPPED_RENT + amount,
  });

describe('with a sponsor', () => {
  const SPONSOR = { feePayer: OTHER };
  const BOTH = { feePayer: OTHER, rentPayer: 'feePayer' } as const;
  beforeEach(() => ledger.setBalance(OTHER, SOL));

  test('no fee is kept back, and no rent that the sponsor pays', async () => {
    const fees = { signatureFee: 0n, priorityFee: 0n, guardFee: 0n };
    expect(await most('buy', SPONSOR)).toMatchObject({
      amount: 10n * SOL - TOKEN_RENT - WRAPPED_RENT,
      breakdown: { ...fees, tokenAccountRent: TOKEN_RENT, wrappedSolRent: WRAPPED_RENT },
    });
    expect(await most('buy', BOTH)).toMatchObject({
      amount: 10n * SOL - WRAPPED_RENT,
      lamportsAfter: WRAPPED_RENT,
      breakdown: { ...fees, tokenAccountRent: 0n, wrappedSolRent: WRAPPED_RENT },
    });
    // The wallet itself is no sponsor.
    expect(await most('buy', { feePayer: wallet.address })).toEqual(await most('buy'));
  });

  test('that amount can be spent, and a lamport more not', async () => {
    const { amount, lamportsAfter } = await most('buy', BOTH);
    await expectFailure(await buy(amount + 1n, BOTH));
    const simulation = await simulate(client, await buy(amount, BOTH));
    expect(simulation).toMatchObject({ ok: true, sol: { after: lamportsAfter } });
  });

  test('a wallet without any SOL sells all its tokens, into an account that the sponsor opens', async () => {
    ledger.setBalance(wallet.address, 0n);
    giveTokens(5_000n * SOL);
    const options = { ...BOTH, wrapSol: 'none' } as const;
    expect(await most('sell', options)).toMatchObject({ amount: 5_000n * SOL, missingLamports: 0n });
    expect(await simulate(client, await sell(5_000n * SOL, options))).toMatchObject({ ok: true });
    // What is closed again is the wallet's to open.
    expect(await most('sell', BOTH)).toMatchObject({ amount: 0n, missingLamports: WRAPPED_RENT });
    const unopened = await most('sell', { ...SPONSOR, wrapSol: 'none' });
    expect(unopened.missingLamports).toBe(WRAPPED_RENT);
  });

  test.each([
    ['feePayer', 'invalid-address', { feePayer: 'nobody' as Address }],
    ['rentPayer', 'invalid-input', { rentPayer: 'feePayer' }],
    ['rentPayer', 'invalid-input', { feePayer: OTHER, rentPayer: 'sponsor' as 'payer' }],
  ] as const)('a wrong %s is rejected as the builder does (%s)', async (field, code, options) => {
    await expectRefusal(most('buy', options), code, { field });
    await expectRefusal(buy(SOL, options), code, { field });
  });
});

describe('the most that a buy can spend', () => {
  test('is the balance without what the transaction costs, part by part, in one call', async () => {
    const before = ledger.requests.length;
    expect(await most('buy')).toEqual({
      side: 'buy',
      amount: 9_987_731_760n,
      uiAmount: '9.98773176',
      decimals: 9,
      amountAfterTransferFee: 9_987_731_760n,
      missingLamports: 0n,
      isFrozen: false,
      lamportsAfter: WRAPPED_RENT,
      breakdown: {
        balance: 10n * SOL,
        signatureFee: SIGNATURE_FEE,
        priorityFee: PRIORITY_FEE,
        guardFee: GUARD_FEE,
        tip: 0n,
        tokenAccountRent: TOKEN_RENT,
        wrappedSolRent: WRAPPED_RENT,
        returnedRent: 0n,
        walletRent: WALLET_RENT,
        kept: 0n,
      },
      slot: ledger.slot,
    });
    expect(ledger.requests.slice(before).map(({ method }) => method)).toEqual(['getMultipleAccounts']);
  });

  const guards = { guardComputeUnits: 0 };
  // LiteSVM runs some of them in tests/svm/maximum-spend.test.ts.
  test('lands, and one lamport more does not, whatever the wallet holds and the trade costs', async () => {
    const few = fc.bigInt({ min: 0n, max: 6_000_000n });
    const scene = fc.record({
      wrapSol: fc.constantFrom('associated' as const, 'temporary' as const),
      balance: fc.oneof(few, fc.bigInt({ min: 6_000_000n, max: 20_000_000n }), fc.constant(10n * SOL)),
      tokens: fc.option(fc.constant(5n)),
      wrapped: fc.option(fc.oneof(few, fc.constant(3n * SOL))),
      // Lamports that somebody sent to the addresses of both accounts.
      ahead: fc.option(few),
      tip: fc.option(fc.bigInt({ min: 1n, max: 6_000_000n })),
      computeUnitPrice: fc.constantFrom(undefined, 0n),
    });
    const seen = { landed: 0, missing: 0 };
    await fc.assert(
      fc.asyncProperty(scene, async ({ wrapSol, balance, tokens, wrapped, ahead, tip, computeUnitPrice }) => {
        await newWallet();
        ledger.setBalance(OTHER, SOL);
        ledger.setBalance(wallet.address, balance);
        for (const each of [tokenAccount, wrappedAccount]) if (ahead !== null) ledger.setBalance(each, ahead);
        if (tokens !== null) giveTokens(tokens);
        if (wrapped !== null) giveWrappedSol(wrapped);
        const given = { wrapSol, computeUnitPrice, tip: tip === null ? null : { to: OTHER, lamports: tip } };
        const asked = { ...given, ...guards };
        const first = await most('buy', asked);
        if (first.missingLamports > 0n) {
          seen.missing++;
          expect(first).toMatchObject({ amount: 0n, lamportsAfter: balance });
          ledger.setBalance(wallet.address, balance + first.missingLamports - 1n);
          expect(await most('buy', asked)).toMatchObject({ amount: 0n, missingLamports: 1n });
          ledger.setBalance(wallet.address, balance + first.missingLamports);
        }
        const { amount, lamportsAfter, missingLamports } = await most('buy', asked);
        expect(missingLamports).toBe(0n);
        expect(amount).toBeGreaterThan(0n);
        await expectFailure(await buy(amount + 1n, given));
        expect(await land(await buy(amount, given))).toBe(lamportsAfter);
        seen.landed++;
      }),
      { numRuns: 80 },
    );
    expect(seen.missing).toBeGreaterThan(15);
  });

  test.each([
    // The wallet leaves the limit as it is, so the fee for more units is not spent.
    ['the guards of Phantom', { guards: 'phantom' }, WRAPPED_RENT + GUARD_FEE],
    ['the guards of Solflare', { guards: 'solflare' }, WRAPPED_RENT + GUARD_FEE],
    ['a limit that is raised', { addedComputeUnits: 30_000 }, WRAPPED_RENT],
  ] as const)('lands with %s', async (_, how, left) => {
    await newWallet({ rpc: ledger.rpc, guards: (same: readonly Instruction[]) => same, ...how });
    const { amount } = await most('buy');
    expect(await land(await buy(amount))).toBe(left);
  });

  test('is too much for a wallet that raises the limit and guards 98 % of its balance, unless enough is kept', async () => {
    await newWallet({ rpc: ledger.rpc, guards: 'phantom', addedComputeUnits: 30_000 });
    const { amount } = await most('buy');
    expect(await guardedBalance(await buy(amount))).toBeGreaterThan(await land(await buy(amount)));
    await newWallet({ rpc: ledger.rpc, guards: 'phantom', addedComputeUnits: 30_000 });
    // The fee for more units is 2 % of fifty times as much.
    const kept = { keepLamports: 50n * GUARD_FEE };
    const { amount: less, lamportsAfter } = await most('buy', kept);
    expect(less).toBe(amount + WRAPPED_RENT - WALLET_RENT - 50n * GUARD_FEE);
    expect(await guardedBalance(await buy(less))).toBeLessThanOrEqual(lamportsAfter);
    expect(await land(await buy(less))).toBe(lamportsAfter);
  });

  test('leaves keepLamports', async () => {
    const kept = { keepLamports: SOL, ...guards };
    const { amount, lamportsAfter } = await most('buy', kept);
    expect(lamportsAfter).toBe(SOL + WALLET_RENT);
    expect(await land(await buy(amount))).toBe(SOL + WALLET_RENT);
  });

  test('leaves enough to sell again with the keepLamports of the guides, whatever limit a wallet raises', async () => {
    await newWallet({
      rpc: ledger.rpc,
      guards: (same: readonly Instruction[]) => same,
      addedComputeUnits: 30_000,
    });
    await land(await buy((await most('buy', { keepLamports: 11_000_000n })).amount));
    const { amount, missingLamports } = await most('sell');
    expect(missingLamports).toBe(0n);
    await land(await sell(amount));
    expect((await most('sell')).amount).toBe(0n);
  });

  test('is nothing for a frozen token account', async () => {
    giveTokens(5n, true);
    expect(await most('buy')).toMatchObject({ amount: 0n, uiAmount: '0', isFrozen: true });
  });

  test("uses the cluster's current rent", async () => {
    ledger.setRent(2_575n);
    const rents = { walletRent: 329_600n, wrappedSolRent: 754_475n, tokenAccountRent: 798_250n };
    expect((await most('buy')).breakdown).toMatchObject(rents);
  });
});

describe('the most that a sell can take', () => {
  test('is what the associated account holds, less the transfer fee', async () => {
    // 1 percent, under its maximum.
    const fee = { epoch: 0n, basisPoints: 100, maximum: 50_000_000_000n };
    const transferFee = { older: fee, newer: fee };
    const token = { decimals: 6, supply: 1_000_000_000_000_000_000n, transferFee };
    ledger.setMint(mint, ledger.pools.creator.tokenProgram, token);
    const amount = 1_000_000_000_000n;
    giveTokens(amount);
    const { lamportsAfter, ...spend } = await most('sell', { guardComputeUnits: 0 });
    expect(spend).toMatchObject({
      amount,
      uiAmount: '1000000',
      decimals: 6,
      amountAfterTransferFee: 990_000_000_000n,
      breakdown: { tokenAccountRent: 0n },
    });
    const { details } = await quoteSell(client, { ...termsOf(), amountIn: amount });
    await expectFailure(await sell(amount + 1n));
    expect(await land(await sell(amount))).toBe(lamportsAfter + details.amountOut);
  });

  test('says what comes back when it closes the token account, which may pay the tip', async () => {
    giveTokens(1_000_000_000_000n);
    const account = ledger.getAccount(tokenAccount)!;
    const returned = account.lamports + 7n;
    ledger.setAccount(tokenAccount, { ...account, lamports: returned });
    // Nothing is left when the tip is paid, but what comes back.
    const given = { closeTokenAccount: true, guardComputeUnits: 0, tip: { to: OTHER, lamports: 890_000n } };
    ledger.setBalance(OTHER, SOL);
    ledger.setBalance(wallet.address, SIGNATURE_FEE + PRIORITY_FEE + WRAPPED_RENT);
    const { amount, lamportsAfter, breakdown } = await most('sell', given);
    expect(breakdown.returnedRent).toBe(returned);
    expect(lamportsAfter).toBe(WRAPPED_RENT + returned - 890_000n);
    const built = await sell(amount, given);
    const { details } = await quoteSell(client, { ...termsOf(), amountIn: amount });
    expect(
      await simulate(client, built, { quote: await quoteSell(client, { ...termsOf(), amountIn: amount }) }),
    ).toMatchObject({
      comparison: { simulated: details.amountOut },
    });
    expect(await land(built)).toBe(lamportsAfter + details.amountOut);
    expect(ledger.getAccount(tokenAccount)).toBeUndefined();
  });

  test('is nothing without tokens, and with frozen ones', async () => {
    const closing = { closeTokenAccount: true };
    expect((await most('sell', closing)).breakdown.returnedRent).toBe(0n);
    expect(await most('sell')).toMatchObject({ amount: 0n, isFrozen: false, missingLamports: 0n });
    giveTokens(5n, true);
    expect(await most('sell')).toMatchObject({ amount: 0n, isFrozen: true, amountAfterTransferFee: 0n });
  });

  test.each([
    ['associated', SIGNATURE_FEE + PRIORITY_FEE + WRAPPED_RENT],
    ['temporary', SIGNATURE_FEE + PRIORITY_FEE + WRAPPED_RENT],
    // It stays open.
    ['none', SIGNATURE_FEE + PRIORITY_FEE + WRAPPED_RENT + WALLET_RENT],
  ] as const)('with wrapSol %s takes lamports for fee and rent', async (wrapSol, needed) => {
    giveTokens(1_000_000_000_000n);
    const given = { wrapSol, guardComputeUnits: 0 };
    ledger.setBalance(wallet.address, needed - 1n);
    expect(await most('sell', given)).toMatchObject({ amount: 0n, missingLamports: 1n });
    await expectFailure(await sell(1_000_000_000_000n, given));
    ledger.setBalance(wallet.address, needed);
    const { amount, lamportsAfter, missingLamports } = await most('sell', given);
    expect(missingLamports).toBe(0n);
    expect(await land(await sell(amount, given))).toBeGreaterThanOrEqual(lamportsAfter);
  });
});

describe('rejects', () => {
  test.each([
    ['side', { side: 'hold' }],
    ['mint', { mint: WRAPPED_SOL_MINT_ADDRESS }],
    ['wallet', { wallet: 'none' }],
    ['guardComputeUnits', { guardComputeUnits: -1 }],
    ['computeUnitLimit', { computeUnitLimit: 0 }],
    ['keepLamports', { keepLamports: 1 }],
    ['tip.lamports', { tip: { to: OTHER, lamports: 0n } }],
    ['closeTokenAccount', { side: 'sell', closeTokenAccount: 'yes' }],
    ['closeTokenAccount', { closeTokenAccount: true }],
  ])('%s', async (field, input) => {
    const given = { wallet: wallet.address, side: 'buy', mint, ...input } as MaximumSpendInput;
    const before = ledger.requests.length;
    expect(await refusalOf(maximumSpend(client, given))).toMatchObject({ context: { field } });
    expect(ledger.requests.length).toBe(before);
  });

  test('an invalid or missing mint, and an account whose owner changed', async () => {
    const { tokenAVault, pool } = ledger.pools.creator;
    for (const [address, code] of [
      [STRANGER, 'account-not-found'],
      [tokenAVault, 'invalid-account-data'],
      [pool, 'invalid-account-data:found'],
    ] as const)
      await expectRefusal(maximumSpend(client, { wallet: wallet.address, side: 'buy', mint: address }), code);
    giveWrappedSol(SOL, STRANGER);
    await expectRefusal(most('buy'), 'unusable-account:token account', { address: wrappedAccount });
    expect((await most('buy', { wrapSol: 'temporary' })).amount).toBeGreaterThan(0n);
    const { sol } = await getWalletBalances(client, { wallet: wallet.address, mints: [] });
    expect(sol.wrapped).toBe(0n);
  });

  test.each(['buy', 'sell'] as const)("a wallet that can't pay for a %s", async (side) => {
    const { address } = wallet;
    const account = ledger.getAccount(address)!;
    ledger.setAccount(address, { ...account, owner: STRANGER });
    await expectRefusal(most(side), 'invalid-account-data:found', { address, found: STRANGER });
    // Such as an account with a nonce, which can send lamports by its own instructions only.
    ledger.setAccount(address, { ...account, data: new Uint8Array(80) });
    await expectRefusal(most(side), 'invalid-account-data', { address });
    // What was never paid in is missing, and no mistake.
    ledger.setAccount(address, undefined);
    expect((await most(side)).missingLamports).toBeGreaterThan(0n);
  });

  test('a wrapped SOL account that only somebody else may close, if the trade would close it', async () => {
    giveWrappedSol(SOL);
    const account = ledger.getAccount(wrappedAccount)!;
    const data = Uint8Array.from(account.data);
    // The close authority: a flag of four bytes, and an address.
    data[129] = 1;
    data.set(getAddressEncoder().encode(STRANGER), 133);
    ledger.setAccount(wrappedAccount, { ...account, data });
    for (const side of ['buy', 'sell'] as const) {
      await expectRefusal(most(side), 'unusable-account:token account', { address: wrappedAccount });
      await most(side, { wrapSol: 'temporary' });
    }
    expect((await most('buy', { wrapSol: 'none' })).amount).toBe(SOL);
  });
});

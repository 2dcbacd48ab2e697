import type { Address, Base64EncodedWireTransaction, TransactionSigner } from '@solana/kit';
import { describe, expectTypeOf, test } from 'vitest';

import { createRemoteClient, type RemoteClient, type RemoteClientConfig } from '../../src/http/index.js';
import type { BuyQuote, DetailedBuyQuote, DetailedSellQuote, LocalClient } from '../../src/index.js';
import type { OperationName } from '../../src/operations/index.js';

// The compiler checks this file: `npm run types`. Nothing here is called.

type Name = keyof RemoteClient;
type Input<TName extends Name> = Parameters<RemoteClient[TName]>[0];
type Result<TName extends Name> = Awaited<ReturnType<RemoteClient[TName]>>;

/** A function that only has to compile. */
const compiles = (_code: (heaven: RemoteClient, local: LocalClient) => unknown): void => {};

declare const mint: Address;
declare const pool: Address;
declare const wallet: Address;
declare const signer: TransactionSigner;

describe('the two clients', () => {
  test('a local client is assignable to a remote one, but not the reverse', () => {
    expectTypeOf<LocalClient>().toExtend<RemoteClient>();
    expectTypeOf<RemoteClient>().not.toExtend<LocalClient>();
    expectTypeOf(createRemoteClient).returns.toEqualTypeOf<RemoteClient>();
    expectTypeOf(createRemoteClient).parameters.toEqualTypeOf<[config: RemoteClientConfig]>();
  });

  test('have the same functions, and no others', () => {
    expectTypeOf<Name>().toEqualTypeOf<keyof LocalClient>();
    expectTypeOf<Name>().toEqualTypeOf<OperationName>();
  });
});

describe('inputs', () => {
  test('of builders are without what only works locally', () => {
    type OfLaunches = 'before' | 'after' | 'lifetime' | 'tip' | 'dontFront' | 'mintSigner';
    type LocalOnly = OfLaunches | 'snapshot';
    expectTypeOf<Extract<{ [TName in Name]: keyof Input<TName> }[Name], LocalOnly>>().toEqualTypeOf<never>();
    expectTypeOf<
      Extract<keyof Parameters<LocalClient['buildCreateStandardLiquidityPool']>[0], LocalOnly>
    >().toEqualTypeOf<OfLaunches>();
  });

  test('what is wrong does not compile', () => {
    compiles((heaven) => {
      heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
      // @ts-expect-error a field is missing
      heaven.quoteBuy({ configVersion: 2, mint, slippageBps: 50 });
      // @ts-expect-error a UI amount is no bigint
      heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: 1n, slippageBps: 50 });
      // @ts-expect-error the client names the program
      heaven.quoteBuy({ programId: pool, configVersion: 2, mint, maxSolSpend: 1, slippageBps: 50 });
      // @ts-expect-error the pool is missing
      heaven.quoteProBuy({ configVersion: 3, mint, maxSolSpend: 1, slippageBps: 50 });
      heaven.buildProClaimLpFees({
        pool,
        payer: wallet,
        feePayer: signer,
        rentPayer: 'feePayer',
        allowEmpty: true,
      });
      // @ts-expect-error its words are the SDK's
      heaven.buildProClaimLpFees({ pool, payer: wallet, rentPayer: 'fee_payer' });
      // @ts-expect-error a launch takes its rent from the payer
      heaven.buildProToggleSwap({ pool, payer: wallet, enabled: true, rentPayer: 'feePayer' });
      // @ts-expect-error a native amount is a bigint
      heaven.buildProTransferLp({ pool, sender: wallet, payer: wallet, receiver: wallet, amount: 1 });
    });
  });
});

describe('results', () => {
  test('of quotes are the documented fields', () => {
    expectTypeOf<Result<'quoteBuy'>>().toExtend<BuyQuote>();
    compiles(async (heaven, local) => {
      const ask = { configVersion: 2, mint, maxSolSpend: 1, slippageBps: 50 };
      (await local.quoteBuy(ask)).details;
      const { details } = await heaven.quoteBuy(ask);
      // A service may leave out any of them, and its warnings are its own.
      expectTypeOf(details?.slot).toEqualTypeOf<bigint | undefined>();
      expectTypeOf(details?.warnings?.[0]?.source).toEqualTypeOf<'service' | undefined>();
    });
  });

  test('of builders are the transaction, and the address that is made with it', () => {
    interface Tx {
      readonly tx: Base64EncodedWireTransaction;
    }
    type Documented<TName extends Name> = Omit<Result<TName>, 'warnings' | 'details'>;
    type Special = 'buildCreateStandardLiquidityPool' | 'buildProCreate';
    type Builder = Exclude<Extract<Name, `build${string}`>, Special>;
    expectTypeOf<Documented<Builder>>().toEqualTypeOf<Tx>();
    expectTypeOf<Documented<'buildCreateStandardLiquidityPool'>>().branded.toEqualTypeOf<
      Tx & { readonly mint: Address }
    >();
    expectTypeOf<Documented<'buildProCreate'>>().branded.toEqualTypeOf<Tx & { readonly pool: Address }>();
    compiles(async (heaven, local) => {
      (await local.buildProClaimLpFees({ pool, payer: wallet })).requiredSigners;
      const built = await heaven.buildProClaimLpFees({ pool, payer: wallet });
      expectTypeOf(built.warnings?.[0]?.message).toEqualTypeOf<string | undefined>();
      // @ts-expect-error
      built.requiredSigners;
      // @ts-expect-error
      built.tx = '';
    });
  });

  test('quotes of either client fit the builders of both', () => {
    expectTypeOf<DetailedBuyQuote>().toExtend<Input<'buildBuy'>['quoteResponse']>();
    expectTypeOf<DetailedSellQuote>().toExtend<Input<'buildProSell'>['quoteResponse']>();
    expectTypeOf<BuyQuote>().toExtend<Parameters<LocalClient['buildBuy']>[0]['quoteResponse']>();
    expectTypeOf<BuyQuote>().not.toExtend<Input<'buildSell'>['quoteResponse']>();
  });
});

describe('the config', () => {
  test('needs a base URL alone', () => {
    compiles(() => {
      const config = (_: RemoteClientConfig) => {};
      config({ baseUrl: '' });
      config({ baseUrl: '', programAddress: wallet, timeoutMs: 1, retries: 0, headers: { a: 'b' }, fetch });
      // @ts-expect-error
      config({});
    });
    expectTypeOf<RemoteClientConfig['fetch']>().toEqualTypeOf<typeof fetch | undefined>();
  });
});

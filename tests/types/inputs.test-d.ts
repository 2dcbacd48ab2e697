// What a function's input may be, where its interface alone doesn't show it: one amount in one of two units, one of two ways to name a
// pool. The declarations of fields are compared with the interfaces themselves. Checked by the compiler (`npm run types`), against the sources here and
// against the installed package in examples/tests/consumer. Nothing here is called.
import type { Address } from '@solana/kit';
import type * as heaven from 'heaven-pools';
import type { RemoteClient } from 'heaven-pools/http';
import type { BuyParams } from 'heaven-pools/program';
import { expectTypeOf } from 'vitest';

// The kinds of value: native amounts are bigint, what a person types a number or a string, addresses branded.
expectTypeOf<heaven.QuoteBuyInput['maxSolSpend']>().toEqualTypeOf<number | string | null | undefined>();
// The program calls lamports so.
expectTypeOf<heaven.BuyQuote['maxSolSpend']>().not.toExtend<BuyParams['maxSolSpend']>();
expectTypeOf<heaven.QuoteBuyInput['lamports']>().toEqualTypeOf<bigint | null | undefined>();
expectTypeOf<heaven.QuoteSellInput['amountIn']>().toEqualTypeOf<bigint | null | undefined>();

// An amount is in one of its two units: not in both, and not in none.
const terms = { configVersion: 2, mint: '' as Address, slippageBps: 50 };
expectTypeOf({ ...terms, maxSolSpend: '1' }).toExtend<heaven.QuoteBuyInput>();
expectTypeOf({ ...terms, lamports: 1n }).toExtend<heaven.QuoteBuyInput>();
expectTypeOf({ ...terms, lamports: 1n, maxSolSpend: '1' }).not.toExtend<heaven.QuoteBuyInput>();
expectTypeOf({ ...terms, lamports: 1 }).not.toExtend<heaven.QuoteBuyInput>();
expectTypeOf(terms).not.toExtend<heaven.QuoteBuyInput>();
expectTypeOf({ ...terms, amountIn: 1n }).toExtend<heaven.QuoteSellInput>();
expectTypeOf({ ...terms, amountIn: 1n, amountInUi: 1 }).not.toExtend<heaven.QuoteSellInput>();
expectTypeOf({ ...terms, amountOut: 1n }).toExtend<heaven.QuoteExactOutInput>();
expectTypeOf({ ...terms, amountOut: 1n, amountOutUi: 1 }).not.toExtend<heaven.QuoteExactOutInput>();
type RemoteBuy = Parameters<RemoteClient['quoteBuy']>[0];
expectTypeOf({ ...terms, maxSolSpend: '1' }).toExtend<RemoteBuy>();
expectTypeOf({ ...terms, lamports: 1n }).toExtend<RemoteBuy>();

// A pool by its token or by its address: one of the two.
expectTypeOf<{ mint: Address }>().toExtend<heaven.GetPoolStateInput>();
expectTypeOf<{ pool: Address }>().toExtend<heaven.GetPoolStateInput>();
expectTypeOf<object>().not.toExtend<heaven.GetPoolStateInput>();

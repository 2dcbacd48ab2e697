import type { Address } from '@solana/kit';
import { assertSellQuote, assertShownAmount } from '../build/quote-response.js';
import { type BuiltTrade, buildTrade, type TradeOptions } from '../build/trade.js';
import type { HeavenClient } from '../client.js';
import type { SellQuote } from '../pool/quote.js';
import { getProSellInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import type { Wallet } from '../solana/wallet.js';
import { assertProPool } from './snapshot.js';

/** A sell in a pro pool to build. */
export interface BuildProSellInput extends TradeOptions {
  /** From {@link quoteProSell}, as it is. */
  readonly quoteResponse: SellQuote;
  readonly pool: Address;
  /** The wallet that trades: it owns the token accounts and signs, while the payer pays the fees. Default: the payer. */
  readonly source?: Wallet | null | undefined;
}

/**
 * Builds the unsigned transaction of a quoted sell in a pro pool. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 200000, `computeUnitPrice` to 40000000 micro-lamports.
 * @throws {HeavenError} those of {@link buildSell}, and `pool-kind-mismatch`
 * @example
 * ```ts
 * const { tx } = await buildProSell(client, { payer, pool, quoteResponse: quote, encodedUserDefinedEventData: '' });
 * ```
 */
export async function buildProSell(client: HeavenClient, input: BuildProSellInput): Promise<BuiltTrade> {
  const quote = assertSellQuote(input.quoteResponse, client.deployment.programAddress);
  const { pool, encodedUserDefinedEventData } = input;
  assertAddress(pool, 'pool');
  return await buildTrade(client, {
    side: 'sell',
    locator: { configVersion: quote.configVersion, mint: quote.mint, pool },
    quote,
    amountIn: quote.amountIn,
    owner: input.source ?? input.payer,
    source: undefined,
    options: input,
    check: (snapshot) => {
      assertProPool(snapshot);
      const { token } = snapshot;
      assertShownAmount('amountInUi', quote.amountIn, token.decimals, quote.amountInUi);
    },
    swap: (accounts) =>
      getProSellInstruction(
        {
          ...accounts,
          params: {
            amountIn: quote.amountIn,
            minimumAmountOut: quote.minimumOut,
            encodedUserDefinedEventData,
          },
        },
        { programAddress: quote.programId },
      ),
  });
}

import type { Address } from '@solana/kit';
import { assertBuyQuote, assertShownAmount } from '../build/quote-response.js';
import { type BuiltTrade, buildTrade, type TradeOptions } from '../build/trade.js';
import type { HeavenClient } from '../client.js';
import type { BuyQuote } from '../pool/quote.js';
import { getProBuyInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import type { Wallet } from '../solana/wallet.js';
import { assertProPool } from './snapshot.js';

/** A buy in a pro pool to build. */
export interface BuildProBuyInput extends TradeOptions {
  /** From {@link quoteProBuy}, as it is. */
  readonly quoteResponse: BuyQuote;
  readonly pool: Address;
  /** The wallet that trades: it owns the token accounts and signs, while the payer pays the fees. Default: the payer. */
  readonly source?: Wallet | null | undefined;
}

/**
 * Builds the unsigned transaction of a quoted buy in a pro pool. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 200000, `computeUnitPrice` to 40000000 micro-lamports.
 * @throws {HeavenError} those of {@link buildBuy}, and `pool-kind-mismatch`
 * @example
 * ```ts
 * const { tx } = await buildProBuy(client, { payer, pool, quoteResponse: quote, encodedUserDefinedEventData: '' });
 * ```
 */
export async function buildProBuy(client: HeavenClient, input: BuildProBuyInput): Promise<BuiltTrade> {
  const quote = assertBuyQuote(input.quoteResponse, client.deployment.programAddress);
  const { pool, encodedUserDefinedEventData } = input;
  assertAddress(pool, 'pool');
  return await buildTrade(client, {
    side: 'buy',
    locator: { configVersion: quote.configVersion, mint: quote.mint, pool },
    quote,
    amountIn: quote.maxLamportSpend,
    owner: input.source ?? input.payer,
    source: undefined,
    options: input,
    check: (snapshot) => {
      assertProPool(snapshot);
      const { token } = snapshot;
      assertShownAmount('minimumOutUi', quote.minimumOut, token.decimals, quote.minimumOutUi);
    },
    swap: (accounts) =>
      getProBuyInstruction(
        {
          ...accounts,
          params: {
            maxSolSpend: quote.maxLamportSpend,
            minimumAmountOut: quote.minimumOut,
            encodedUserDefinedEventData,
          },
        },
        { programAddress: quote.programId },
      ),
  });
}

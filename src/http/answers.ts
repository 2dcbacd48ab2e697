import { type Address, getAddressDecoder } from '@solana/kit';
import { assertQuotedPool } from '../build/quote-response.js';
import type { LocalClient } from '../clients/local-client.js';
import type { GetLpBalanceInput, LpBalance } from '../data/lp-balance.js';
import type { GetPoolStateInput } from '../data/pool-state.js';
import type { GetProtocolConfigStateInput } from '../data/protocol-config-state.js';
import type { HeavenError } from '../errors.js';
import { describe } from '../input.js';
import type { BuyAmount, BuyQuote, SellAmount, SellQuote } from '../pool/quote.js';
import { assertAnswersBuy, assertAnswersSell, quoteMismatch } from '../pool/quote-request.js';
import type { BuildProBuyInput } from '../pro/buy.js';
import type { BuildProCreateInput } from '../pro/create.js';
import type { BuildProSellInput } from '../pro/sell.js';
import type { LiquidityPoolState, ProtocolConfig } from '../program/accounts.js';
import { findLpPositionAddress, findPoolAddress, findProPoolAddress } from '../program/addresses.js';
import {
  createProLiquidityPoolDeclaration,
  createStandardLiquidityPoolDeclaration,
} from '../program/instructions.js';
import {
  hexBytes,
  type InstructionConfig,
  type InstructionDeclaration,
  startsWith,
} from '../solana/define-instruction.js';
import { addressOf } from '../solana/wallet.js';
import {
  assertAnswersInitialBuy,
  type InitialBuyQuote,
  type QuoteInitialBuyInput,
} from '../standard/quote-initial-buy.js';

/** The error of an answer that is for something else than was asked, by its reason. */
type Refuse = (reason: string) => HeavenError;

/**
 * Holds an answer to its request as far as it repeats it, and returns it: a quote with the pool that it is for.
 *
 * @throws {HeavenError} `quote-mismatch` for a quote; what `refuse` gives for anything else
 */
export async function answerTo(
  name: string,
  input: unknown,
  answer: unknown,
  programAddress: Address,
  refuse: Refuse,
): Promise<unknown> {
  const assertSame = (field: string, asked: unknown, found: unknown) => {
    if (asked !== found)
      throw refuse(`its ${field} is ${describe(found)}; the request stands for ${describe(asked)}`);
  };
  const config = { programAddress };
  switch (name as keyof LocalClient) {
    case 'quoteBuy':
    case 'quoteProBuy':
      assertAnswersBuy(answer as BuyQuote, input as AskedQuote & BuyAmount, programAddress);
      return await withPool(answer as BuyQuote, input as AskedQuote, config);
    case 'quoteSell':
    case 'quoteProSell':
      assertAnswersSell(answer as SellQuote, input as AskedQuote & SellAmount, programAddress);
      return await withPool(answer as SellQuote, input as AskedQuote, config);
    case 'quoteInitialBuy':
      assertAnswersInitialBuy(answer as InitialBuyQuote, input as QuoteInitialBuyInput);
      break;
    case 'getPoolState': {
      const { mint, pool } = input as GetPoolStateInput;
      const { key, tokenA } = answer as LiquidityPoolState;
      if (mint) assertSame('token_a.mint', mint, tokenA.mint);
      assertSame('key', pool ?? (mint && (await findPoolAddress({ mint }, config))), key);
      break;
    }
    case 'getProtocolConfigState':
      assertSame(
        'version',
        (input as GetProtocolConfigStateInput).version,
        (answer as ProtocolConfig).version,
      );
      break;
    case 'getLpBalance':
      assertSame(
        'lp_position_address',
        await findLpPositionAddress(input as GetLpBalanceInput, config),
        (answer as LpBalance).lpPositionAddress,
      );
      break;
    case 'buildProBuy':
    case 'buildProSell': {
      const { quoteResponse, pool } = input as BuildProBuyInput | BuildProSellInput;
      assertQuotedPool(quoteResponse, pool);
      break;
    }
    case 'buildCreateStandardLiquidityPool': {
      const { tx, mint } = answer as { readonly tx: string; readonly mint: Address };
      const declaration = createStandardLiquidityPoolDeclaration;
      assertSame('mint', createdBy(tx, declaration, 'tokenAMint', programAddress, refuse), mint);
      break;
    }
    case 'buildProCreate': {
      const { tx, pool } = answer as { readonly tx: string; readonly pool: Address };
      const { mint, creator } = input as BuildProCreateInput;
      const declaration = createProLiquidityPoolDeclaration;
      const created = createdBy(tx, declaration, 'liquidityPoolState', programAddress, refuse);
      // In a lookup table it can't be seen: then it is the one that follows from the creator.
      const derived = () => findProPoolAddress({ mint, creator: addressOf(creator, 'creator') }, config);
      assertSame('pool', created ?? (await derived()), pool);
    }
  }
  return answer;
}

interface AskedQuote {
  readonly configVersion: number;
  readonly mint: Address;
  readonly pool?: Address;
  readonly slippageBps: number;
}

/** The documented fields and the pool, which a quote in a pro pool always names here: nothing else says which it is for. */
async function withPool<TQuote extends BuyQuote | SellQuote>(
  { details, ...documented }: TQuote,
  asked: AskedQuote,
  config: InstructionConfig,
): Promise<Omit<TQuote, 'details'> & Pick<BuyQuote, 'details'>> {
  const named = details?.pool;
  if (named === undefined && asked.pool === undefined) return documented;
  const pool = asked.pool ?? (await findPoolAddress(asked, config));
  if (named !== undefined && named !== pool) throw quoteMismatch('details.pool', pool, named);
  return { ...documented, details: { pool } };
}

/** An account of the one instruction of its kind; `undefined` if it stands in a lookup table. */
function createdBy(
  tx: string,
  { accounts, discriminator }: InstructionDeclaration,
  name: 'tokenAMint' | 'liquidityPoolState',
  programAddress: Address,
  refuse: Refuse,
): Address | undefined {
  const [instruction, ...more] = instructionsOf(tx, refuse).filter(
    (candidate) =>
      candidate.programAddress === programAddress && startsWith(candidate.data, hexBytes(discriminator)),
  );
  if (instruction === undefined || more.length > 0)
    throw refuse(`its transaction creates ${more.length > 0 ? 'more than one pool' : 'no pool'}`);
  return instruction.accounts[Object.keys(accounts).indexOf(name)];
}

/** The instructions of a version 0 transaction. Read by hand: kit's codecs would weigh as much as all other checks here. */
function instructionsOf(tx: string, refuse: Refuse) {
  const bytes = bytesOf(tx);
  let offset = 0;
  const take = (length: number) => {
    offset += length;
    if (offset > bytes.length) throw refuse('its tx is not a transaction');
    return bytes.subarray(offset - length, offset);
  };
  const byte = () => take(1)[0] as number;
  const count = (): number => {
    let value = 0;
    for (const unit of [1, 2 ** 7, 2 ** 14]) {
      const part = byte();
      value += (part & 0x7f) * unit;
      if (part < 0x80) return value;
    }
    throw refuse('its tx is not a transaction');
  };
  const repeat = <T>(read: () => T): readonly T[] => {
    const items: T[] = [];
    for (let left = count(); left > 0; left--) items.push(read());
    return items;
  };
  repeat(() => take(64)); // signatures
  if (byte() !== 0x80) throw refuse('its tx is not a transaction of version 0');
  take(3); // how many sign and may be written to
  const addresses = repeat(() => getAddressDecoder().decode(take(32)));
  take(32); // the block hash
  return repeat(() => ({
    programAddress: addresses[byte()],
    accounts: [...take(count())].map((index) => addresses[index]),
    data: take(count()),
  }));
}

function bytesOf(tx: string): Uint8Array {
  try {
    return Uint8Array.from(atob(tx), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

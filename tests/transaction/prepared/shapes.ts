import type { Address, Blockhash, Instruction } from '@solana/kit';

import {
  type BuildBuyInput,
  type BuildProBuyInput,
  type BuildProSellInput,
  type BuildSellInput,
  type BuiltTrade,
  type BuyQuote,
  buildBuy,
  buildProBuy,
  buildProSell,
  buildSell,
  createHeavenClient,
  fetchPoolSnapshot,
  type HeavenClient,
  type PreparedTrade,
  prepareBuy,
  prepareProBuy,
  prepareProSell,
  prepareSell,
  quoteBuy,
  quoteProBuy,
  quoteProSell,
  quoteSell,
  type SellQuote,
  type TradePatch,
  toUiAmount,
} from '../../../src/index.js';
import { createEmbeddedLedger } from '../../../src/testing/index.js';
import { addressOfByte, MEMO_PROGRAM_ADDRESS, OTHER, STRANGER, WALLET } from '../../support/addresses.js';

/** Values of a trade, all of them set. */
export type Values = TradePatch & {
  readonly lifetime: { readonly blockhash: Blockhash; lastValidBlockHeight: bigint };
};

/** A kind of trade: how to prepare it, and how its builder builds it for some values. */
export interface Shape {
  readonly side: 'buy' | 'sell';
  readonly version: 0 | 1;
  readonly isTemporary: boolean;
  readonly hasTip: boolean;
  readonly prepare: (more?: object) => Promise<PreparedTrade>;
  readonly build: (values: Partial<Values>) => Promise<BuiltTrade>;
}

export const lifetimeOf = (byte: number) => ({
  blockhash: addressOfByte(byte) as string as Blockhash,
  lastValidBlockHeight: 1_000n,
});

export const TIP_TO = addressOfByte(33);

/** Instructions that look like the trade's own: a transfer, and a call of the exchange. */
const decoys = (programAddress: Address): readonly Instruction[] => [
  {
    programAddress: addressOfByte(0),
    accounts: [],
    data: new Uint8Array([2, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9]),
  },
  { programAddress, data: new Uint8Array(40).fill(1) },
];

const [buyOf, sellOf] = [
  (quote: BuyQuote, amount: bigint, minimumOut: bigint, decimals: number): BuyQuote => ({
    ...quote,
    maxLamportSpend: amount,
    maxSolSpend: Number(toUiAmount(amount, 9)),
    minimumOut,
    minimumOutUi: Number(toUiAmount(minimumOut, decimals)),
  }),
  (quote: SellQuote, amount: bigint, minimumOut: bigint, decimals: number): SellQuote => ({
    ...quote,
    amountIn: amount,
    amountInUi: Number(toUiAmount(amount, decimals)),
    minimumOut,
    minimumOutUi: Number(toUiAmount(minimumOut, 9)),
  }),
];

/** What is set around a trade. */
const OPTIONS: Readonly<Record<string, (programAddress: Address) => object>> = {
  plain: () => ({}),
  'with a tip': () => ({ tip: { to: TIP_TO, lamports: 1n } }),
  'with a tip, marked, amid instructions of the caller': (programAddress) => ({
    tip: { to: TIP_TO, lamports: 1n },
    dontFront: true,
    before: decoys(programAddress),
    after: [...decoys(programAddress), { programAddress: MEMO_PROGRAM_ADDRESS, data: new Uint8Array(200) }],
    loadedAccountsDataSizeLimit: 65_536,
    encodedUserDefinedEventData: 'x'.repeat(150),
    transactionVersion: 1,
  }),
};

export async function createShapes(): Promise<{
  readonly client: HeavenClient;
  readonly shapes: ReadonlyMap<string, Shape>;
}> {
  const ledger = await createEmbeddedLedger();
  const client = createHeavenClient({ rpc: ledger.rpc });
  const { creator, pro } = ledger.pools;
  const standard = { configVersion: creator.configVersion, mint: creator.mint };
  const ofPro = { configVersion: pro.configVersion, mint: pro.mint, pool: pro.pool };
  const terms = { slippageBps: 50 } as const;
  const [buy, sell, proBuy, proSell, snapshot, proSnapshot] = await Promise.all([
    quoteBuy(client, { ...standard, ...terms, maxSolSpend: '1.5' }),
    quoteSell(client, { ...standard, ...terms, amountInUi: '10' }),
    quoteProBuy(client, { ...ofPro, ...terms, maxSolSpend: '1.5' }),
    quoteProSell(client, { ...ofPro, ...terms, amountInUi: '10' }),
    fetchPoolSnapshot(client, standard),
    fetchPoolSnapshot(client, ofPro),
  ]);
  const common = { payer: WALLET, encodedUserDefinedEventData: 'bot', lifetime: lifetimeOf(1) };
  const decimals = snapshot.token.decimals;
  const proDecimals = proSnapshot.token.decimals;
  const kinds = {
    buy: {
      side: 'buy',
      source: OTHER,
      prepare: (more: object) =>
        prepareBuy(client, { ...common, snapshot, quoteResponse: buy, ...more } as BuildBuyInput),
      build: (amount: bigint, minimum: bigint, more: object) => {
        const quoteResponse = buyOf(buy, amount, minimum, decimals);
        return buildBuy(client, { ...common, snapshot, quoteResponse, ...more });
      },
    },
    sell: {
      side: 'sell',
      source: OTHER,
      prepare: (more: object) =>
        prepareSell(client, { ...common, snapshot, quoteResponse: sell, ...more } as BuildSellInput),
      build: (amount: bigint, minimum: bigint, more: object) => {
        const quoteResponse = sellOf(sell, amount, minimum, decimals);
        return buildSell(client, { ...common, snapshot, quoteResponse, ...more });
      },
    },
    'pro buy': {
      side: 'buy',
      source: STRANGER,
      prepare: (more: object) =>
        prepareProBuy(client, {
          ...{ ...common, pool: pro.pool, snapshot: proSnapshot, quoteResponse: proBuy },
          ...more,
        } as BuildProBuyInput),
      build: (amount: bigint, minimum: bigint, more: object) => {
        const quoteResponse = buyOf(proBuy, amount, minimum, proDecimals);
        return buildProBuy(client, {
          ...{ ...common, pool: pro.pool, snapshot: proSnapshot, quoteResponse },
          ...more,
        });
      },
    },
    'pro sell': {
      side: 'sell',
      source: STRANGER,
      prepare: (more: object) =>
        prepareProSell(client, {
          ...{ ...common, pool: pro.pool, snapshot: proSnapshot, quoteResponse: proSell },
          ...more,
        } as BuildProSellInput),
      build: (amount: bigint, minimum: bigint, more: object) => {
        const quoteResponse = sellOf(proSell, amount, minimum, proDecimals);
        return buildProSell(client, {
          ...{ ...common, pool: pro.pool, snapshot: proSnapshot, quoteResponse },
          ...more,
        });
      },
    },
  } as const;
  const shapes = new Map<string, Shape>();
  for (const [kind, { side, source, prepare, build }] of Object.entries(kinds)) {
    for (const version of [0, 1] as const) {
      for (const wrapSol of ['associated', 'temporary', 'none', 'source'] as const) {
        for (const [words, optionsOf] of Object.entries(OPTIONS)) {
          const own = {
            transactionVersion: version,
            ...(wrapSol === 'source' ? { source } : { wrapSol }),
            ...optionsOf(client.deployment.programAddress),
          };
          // Its many bytes fit into version 1 only.
          if (own.transactionVersion !== version) continue;
          shapes.set(`${kind}, version ${version}, ${wrapSol}, ${words}`, {
            side,
            version,
            isTemporary: wrapSol === 'temporary',
            hasTip: 'tip' in own,
            prepare: (more = {}) => prepare({ ...own, ...more }),
            build: ({ amount = 1n, minimumOut = 1n, ...values }) =>
              build(amount, minimumOut, { ...own, ...values }),
          });
        }
      }
    }
  }
  return { client, shapes };
}

import type { Address, Blockhash, Instruction } from '@solana/kit';

import {
  type BuiltTrade,
  type BuyQuote,
  buildBuy,
  buildProBuy,
  buildProSell,
  buildSell,
  createHeavenClient,
  fetchPoolSnapshot,
  type PreparedTrade,
  type PrepareOptions,
  prepareTrade,
  quoteBuy,
  quoteProBuy,
  quoteProSell,
  quoteSell,
  type SellQuote,
  type TradePatch,
  type TransactionOptions,
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
  readonly prepare: (more?: PrepareOptions & TransactionOptions) => Promise<PreparedTrade>;
  readonly build: (values: Partial<Values>) => Promise<BuiltTrade>;
}

export const lifetimeOf = (byte: number) => ({
  blockhash: addressOfByte(byte) as string as Blockhash,
  lastValidBlockHeight: 1_000n,
});

export const TIP_TO = addressOfByte(33);

/** Instructions that look like the trade's own: a transfer, and a call of the exchange. */
const decoys = (programAddress: Address): readonly Instruction[] => [
  { programAddress: addressOfByte(0), accounts: [], data: Uint8Array.of(2, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9) },
  { programAddress, data: new Uint8Array(40).fill(1) },
];

const toUi = (amount: bigint, decimals: number) => Number(toUiAmount(amount, decimals));

/** The same quote with other amounts. */
function quoteOf(quote: BuyQuote | SellQuote, amount: bigint, minimumOut: bigint, decimals: number) {
  if ('maxLamportSpend' in quote) {
    const minimum = { minimumOut, minimumOutUi: toUi(minimumOut, decimals) };
    return { ...quote, maxLamportSpend: amount, maxSolSpend: toUi(amount, 9), ...minimum };
  }
  const minimum = { minimumOut, minimumOutUi: toUi(minimumOut, 9) };
  return { ...quote, amountIn: amount, amountInUi: toUi(amount, decimals), ...minimum };
}

/** What is set around a trade. */
const OPTIONS: Readonly<Record<string, (programAddress: Address) => object>> = {
  plain: () => ({}),
  'paid by a sponsor': () => ({ feePayer: OTHER, rentPayer: 'feePayer', tip: { to: TIP_TO, lamports: 1n } }),
  // Over 127 bytes of data: their length takes two bytes in version 0.
  'with a tip': () => ({ tip: { to: TIP_TO, lamports: 1n }, encodedUserDefinedEventData: 'x'.repeat(130) }),
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

export async function createShapes() {
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
  const ofStandardPool = { input: { ...common, snapshot }, source: OTHER };
  const ofProPool = { input: { ...common, snapshot: proSnapshot, pool: pro.pool }, source: STRANGER };
  const kinds = {
    buy: { ...ofStandardPool, quote: buy, build: buildBuy },
    sell: { ...ofStandardPool, quote: sell, build: buildSell },
    'pro buy': { ...ofProPool, quote: proBuy, build: buildProBuy },
    'pro sell': { ...ofProPool, quote: proSell, build: buildProSell },
  };
  const shapes = new Map<string, Shape>();
  for (const [kind, { quote, input, source, build }] of Object.entries(kinds)) {
    const { decimals } = input.snapshot.token;
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
            side: 'maxLamportSpend' in quote ? 'buy' : 'sell',
            version,
            isTemporary: wrapSol === 'temporary',
            hasTip: 'tip' in own,
            prepare: async ({ maxAge, ...more } = {}) => {
              const given = { ...input, quoteResponse: quote, ...own, ...more };
              return prepareTrade(client, await build(client, given as never), { maxAge });
            },
            build: ({ amount = 1n, minimumOut = 1n, ...values }) => {
              const quoteResponse = quoteOf(quote, amount, minimumOut, decimals);
              return build(client, { ...input, quoteResponse, ...own, ...values } as never);
            },
          });
        }
      }
    }
  }
  return { client, shapes };
}

import * as http from '../../src/http/index.js';
import * as main from '../../src/index.js';
import * as node from '../../src/node/index.js';
import { paths } from '../../src/operations/index.js';
import * as program from '../../src/program/index.js';
import * as testing from '../../src/testing/index.js';
import { STRANGER } from '../support/addresses.js';
import { buyFor, client, ledger } from '../support/ledger.js';

// Every exported function that takes an object, and how to call it with more in the object.

const creator = () => ledger.pools.creator;
const bought = new WeakMap<object, ReturnType<typeof main.buildBuy>>();
const buy = () => {
  const built = bought.get(ledger) ?? buyFor(STRANGER);
  bought.set(ledger, built);
  return built;
};
const locator = () => ({ mint: creator().mint, configVersion: 2 });
const snapshot = () => main.fetchPoolSnapshot(client, locator());

/** An object of a call: a field that it has, misspelt, and the call with more in it. */
export type Row = readonly [misspelt: string, meant: string, call: (more: object) => unknown];

const submitting = (
  submit: typeof main.submitTransaction | typeof main.submitUntilCertain,
): readonly Row[] => [
  [
    'skipPreflite',
    'skipPreflight',
    async (more) => {
      const { tx, lifetime } = await buy();
      return submit(client as never, tx, { ...lifetime, ...more });
    },
  ],
];

/** What takes an object besides the operations, one row for each object. */
export const ROWS: Readonly<Record<string, readonly Row[]>> = {
  createFailoverTransport: [
    ['observ', 'observe', (more) => main.createFailoverTransport(['http://node'], more)],
  ],
  heaven: [['timeoutms', 'timeoutMs', (more) => main.heaven(more)]],
  shareReads: [['acountsTtlMs', 'accountsTtlMs', (more) => main.shareReads(client, more)]],
  createHeavenClient: [
    ['timeoutms', 'timeoutMs', (more) => main.createHeavenClient({ rpc: ledger.rpc, ...more })],
    ['solUsdFed', 'solUsdFeed', (more) => main.createHeavenClient({ rpc: ledger.rpc, deployment: more })],
  ],
  toCandles: [['form', 'from', (more) => main.toCandles([], { intervalSeconds: 60, ...more })]],
  listTrades: [['limt', 'limit', (more) => main.listTrades(client as never, { ...locator(), ...more })]],
  parseTransaction: [['programAdress', 'programAddress', (more) => main.parseTransaction({} as never, more)]],
  toPosition: [['mnit', 'mint', (more) => main.toPosition([], STRANGER, more)]],
  watchNewPools: [['knid', 'kind', (more) => main.watchNewPools(client as never, more)]],
  watchTrades: [['walet', 'wallet', (more) => main.watchTrades(client as never, { ...locator(), ...more })]],
  findPools: [['creater', 'creator', (more) => main.findPools(client, { all: true, ...more })]],
  findPoolsAt: [['abortSignl', 'abortSignal', (more) => main.findPoolsAt(client, STRANGER, more)]],
  maximumSpend: [
    [
      'keepLamport',
      'keepLamports',
      (more) => main.maximumSpend(client, { wallet: STRANGER, side: 'buy', ...more } as never),
    ],
  ],
  getTokenMetadata: [['mint', 'mints', (more) => main.getTokenMetadata(client, { mints: [], ...more })]],
  getWalletBalances: [
    ['mint', 'mints', (more) => main.getWalletBalances(client, { wallet: STRANGER, ...more })],
  ],
  grindMintAddress: [['sufix', 'suffix', (more) => main.grindMintAddress(more)]],
  fetchPoolSnapshot: [['pol', 'pool', (more) => main.fetchPoolSnapshot(client, { ...locator(), ...more })]],
  trackedAccounts: [
    ['pol', 'pool', (more) => main.trackedAccounts({ ...locator(), ...more })],
    ['solUsdFed', 'solUsdFeed', (more) => main.trackedAccounts(locator(), more)],
  ],
  createPoolTracker: [
    [
      'onRejct',
      'onReject',
      async (more) => main.createPoolTracker(await main.trackedAccounts(locator()), more),
    ],
  ],
  watchPool: [
    ['pol', 'pool', (more) => main.watchPool(client, { ...locator(), ...more }).next()],
    ['observ', 'observe', (more) => main.watchPool(client, locator(), more)],
  ],
  watchPools: [
    [
      'pol',
      'pool',
      async (more) => {
        const { value } = await main.watchPools(client, [{ ...locator(), ...more }]).next();
        throw value?.error;
      },
    ],
    ['observ', 'observe', (more) => main.watchPools(client, [locator()], more)],
  ],
  explainTransactionFailure: [
    ['programAdress', 'programAddress', (more) => main.explainTransactionFailure(undefined, more)],
  ],
  parseLogs: [['programAdress', 'programAddress', (more) => main.parseLogs([], more)]],
  assertSignedTransactionMatches: [
    ['missingSigner', 'missingSigners', (more) => main.assertSignedTransactionMatches('', {} as never, more)],
  ],
  assertTransactionMatches: [
    ['cilent', 'client', (more) => main.assertTransactionMatches('', {} as never, more)],
    [
      'mintSufix',
      'mintSuffix',
      (more) => main.assertTransactionMatches('', { function: 'buildBuy', input: {}, ...more } as never),
    ],
  ],
  assertSponsorable: [
    ['maxLamport', 'maxLamports', (more) => main.assertSponsorable('', { client, ...more } as never)],
  ],
  inspectTransaction: [['ownr', 'owner', (more) => main.inspectTransaction('', more)]],
  reviewTransaction: [['nams', 'names', async (more) => main.reviewTransaction(client, await buy(), more)]],
  simulate: [['ownr', 'owner', async (more) => main.simulate(client, await buy(), more)]],
  quoteMany: [['maxConcurentCalls', 'maxConcurrentCalls', (more) => main.quoteMany(client, [], more)]],
  signAndSubmitTransaction: [
    [
      'skipPreflite',
      'skipPreflight',
      async (more) =>
        main.signAndSubmitTransaction(client as never, await buy(), { sign: () => {}, ...more } as never),
    ],
  ],
  submitTransaction: submitting(main.submitTransaction),
  submitUntilCertain: submitting(main.submitUntilCertain),
  keepLifetime: [['refreshEverMs', 'refreshEveryMs', (more) => main.keepLifetime(client, more)]],
  patchTrade: [
    [
      'tpi',
      'tip',
      async (more) => {
        const { data } = main.prepareTrade(client, await buy());
        return main.patchTrade(data, { amount: 1n, minimumOut: 1n, ...more });
      },
    ],
  ],
  prepareTrade: [['maxAg', 'maxAge', async (more) => main.prepareTrade(client, await buy(), more)]],
  suggestPriorityFee: [
    ['percentil', 'percentile', (more) => main.suggestPriorityFee(client, [STRANGER], more)],
  ],
  refreshLifetime: [['signer', 'signers', async (more) => main.refreshLifetime(client, await buy(), more)]],
  formatAmount: [['digit', 'digits', (more) => main.formatAmount(1n, 9, more)]],
  formatBps: [['local', 'locale', (more) => main.formatBps(1, more)]],
  formatPrice: [['subscrip', 'subscript', (more) => main.formatPrice(1, more)]],
  formatUsd: [['subscrip', 'subscript', (more) => main.formatUsd(1, more)]],
  parseAmount: [['local', 'locale', (more) => main.parseAmount('1', 9, more)]],
  parseBps: [['local', 'locale', (more) => main.parseBps('1', more)]],
  computeDeposit: [
    [
      'maxTokenC',
      'maxTokenA',
      (more) => main.computeDeposit({ reserveA: 9n, reserveB: 9n, lpSupply: 9n }, { maxTokenB: 1n, ...more }),
    ],
  ],
  toSwapState: [['slto', 'slot', async (more) => main.toSwapState(await snapshot(), more)]],
  createHandler: [['timeoutms', 'timeoutMs', (more) => http.createHandler({ client, ...more })]],
  createRemoteClient: [
    ['timeoutms', 'timeoutMs', (more) => http.createRemoteClient({ baseUrl: 'https://x.example', ...more })],
  ],
  createMintSupply: [['sufix', 'suffix', (more) => node.createMintSupply(more)]],
  startServer: [['prot', 'port', (more) => node.startServer({ handler: () => new Response(), ...more })]],
  createEmbeddedLedger: [['engin', 'engine', (more) => testing.createEmbeddedLedger(more)]],
  createEmptyLedger: [['clok', 'clock', (more) => testing.createEmptyLedger(more)]],
  createPracticeWallet: [['guard', 'guards', (more) => testing.createPracticeWallet(more)]],
  registerPracticeWallet: [['guard', 'guards', (more) => testing.registerPracticeWallet(more)]],
  runSampleTrades: [['cuont', 'count', (more) => testing.runSampleTrades(ledger, more)]],
  createSvmEngine: [['program', 'programs', (more) => testing.createSvmEngine({ programs: {}, ...more })]],
  setTokenMetadata: [
    [
      'nmae',
      'name',
      (more) => testing.setTokenMetadata(ledger, STRANGER, { name: 'a', symbol: 'b', uri: 'c', ...more }),
    ],
  ],
  encodeMint: [
    ['mintAuthorty', 'mintAuthority', (more) => testing.encodeMint({ decimals: 9, supply: 1n, ...more })],
  ],
  encodeTokenAccount: [
    [
      'isFrozn',
      'isFrozen',
      (more) => testing.encodeTokenAccount({ mint: STRANGER, owner: STRANGER, amount: 1n, ...more }),
    ],
  ],
  findAssociatedTokenAddress: [
    [
      'tokenProgrm',
      'tokenProgram',
      (more) => program.findAssociatedTokenAddress({ owner: STRANGER, mint: STRANGER, ...more }),
    ],
  ],
  findPoolAddress: [
    ['mnit', 'mint', (more) => program.findPoolAddress(more as never)],
    ['programAdress', 'programAddress', (more) => program.findPoolAddress({ mint: STRANGER }, more)],
  ],
  findProPoolAddress: [['creater', 'creator', (more) => program.findProPoolAddress(more as never)]],
  findLpPositionAddress: [['usr', 'user', (more) => program.findLpPositionAddress(more as never)]],
  findProtocolConfigAddress: [
    ['versoin', 'version', (more) => program.findProtocolConfigAddress(more as never)],
  ],
  parseHeavenInstruction: [
    [
      'programAdress',
      'programAddress',
      (more) => program.parseHeavenInstruction({ programAddress: STRANGER } as never, more),
    ],
  ],
};

/** They take no object, or one that this library returned, or that holds accounts or an account's fields, none of which may be missing. */
export const OTHERS = new Set(
  `HeavenError answerOf assertTradable computeBuy computeBuyExactOut computeMarketCap computeRentExemption computeSell
  computeSellExactOut computeWithdrawal createFeeBrackets createLocalClient createSamplePoolFields
  createSlotFeeBrackets decodeEvent decodeLamportsPerByte decodeLiquidityPoolState decodePoolSnapshot
  decodeProtocolConfig decodeQuote docsUrlOf decodeUserLpPosition encodeLiquidityPoolState encodeProtocolConfig encodeQuote
  encodeUserLpPosition explainError isHeavenError maximumAfterSlippage minimumAfterSlippage parseJson sanitizeText
  shortenAddress signPrepared signPreparedSync stringifyJson toFeeSchedule toLpShare toMicroUsd toNativeAmount
  toProFeeSettings toSlotFeeConfiguration toSpotPrice toUiAmount toUsdValue`.split(/\s+/),
);
/** Operations, which check their names as those of the HTTP interface do; those are tried in tests/http/unknown-fields.test.ts. */
export const OPERATIONS = [
  ...Object.keys(paths),
  ...['quoteBuyExactOut', 'quoteSellExactOut', 'quoteProBuyExactOut', 'quoteProSellExactOut'],
  ...['quoteProAddLiquidity', 'quoteProRemoveLiquidity', 'quoteBest', 'buildTrade'],
] as const;

/** A page of the API reference: what a reader wants to do, and the files whose functions do it. */
export interface Group {
  readonly slug: string;
  readonly title: string;
  readonly lead: string;
  /** Matches `path of the file in src, without .ts` + `#` + `name`. The first group that matches has the name. */
  readonly match: RegExp;
  /** What comes first on the page. */
  readonly first?: readonly string[];
}

/** The pages of the API reference, in the order of the menu. A function that none of them matches fails the build. */
export const groups: readonly Group[] = [
  {
    slug: 'client',
    title: 'Connect to a node',
    lead: 'Every function that reads takes a client. It holds no connection, so you can create as many as you like.',
    match: /^(client|program\/client)\b/,
    first: ['createHeavenClient'],
  },
  {
    slug: 'quotes',
    title: 'Quote a trade',
    lead: 'Quotes read the pool once, or not at all with a `snapshot` at hand. Follow the [trading guide](../trading.md).',
    match:
      /^operations\/(standard|pro)\/quote-(buy|sell|exact-out)#|^route\/quote-(many|best)#|^pool\/quote(-amounts)?#(?!assert)/,
    first: ['quoteBuy', 'quoteSell', 'quoteBest', 'quoteMany', 'quoteProBuy', 'quoteProSell'],
  },
  {
    slug: 'trades',
    title: 'Build a trade',
    lead: 'Builders turn a quote into an unsigned transaction. Follow the [trading guide](../trading.md).',
    match: /^operations\/(standard|pro)\/(buy|sell)#|^route\/|^transaction\/(?!prepared)/,
    first: ['buildBuy', 'buildSell', 'buildTrade'],
  },
  {
    slug: 'prepared',
    title: 'Trade at speed',
    lead: 'Build a trade once, then patch and sign its bytes in microseconds. Follow the [guide for bots](../bots.md).',
    match: /^transaction\/prepared\/|^node\/sign-prepared/,
  },
  {
    slug: 'launch',
    title: 'Launch a token',
    lead: 'Follow the [launch guide](../launching.md).',
    match: /^operations\/standard\/|^node\/mint-supply/,
    first: ['buildCreateStandardLiquidityPool', 'quoteInitialBuy'],
  },
  {
    slug: 'liquidity',
    title: 'Provide liquidity',
    lead: 'Deposits, withdrawals and fees of liquidity providers in [pro pools](../pro-pools.md).',
    match:
      /^operations\/pro\/((quote-)?(add|remove)-liquidity|claim-lp-fees|transfer-lp)#|^operations\/data\/lp-balance/,
    first: [
      'quoteProAddLiquidity',
      'buildProAddLiquidity',
      'quoteProRemoveLiquidity',
      'buildProRemoveLiquidity',
    ],
  },
  {
    slug: 'pro-pools',
    title: 'Create and run a pro pool',
    lead: 'Follow the [guide to pro pools](../pro-pools.md).',
    match: /^operations\/pro\//,
    first: ['buildProCreate'],
  },
  {
    slug: 'review',
    title: 'Check before signing',
    lead: 'What a transaction would do, and whether it is the one you asked for. Follow the [signing guide](../signing.md).',
    match: /^review\//,
    first: ['inspectTransaction', 'simulate'],
  },
  {
    slug: 'submit',
    title: 'Send a transaction',
    lead: 'Send signed bytes until their outcome is certain, and explain a failure. See [wallets](../wallets.md).',
    match: /^submit\/|^program\/error/,
    first: ['submitTransaction'],
  },
  {
    slug: 'read',
    title: 'Read pools, wallets and tokens',
    lead: 'See [what a page needs](../pages.md) and [pools, trades and events](../history.md).',
    match:
      /^operations\/data\/|^reads\/|^pool\/(fetch|decode|market-cap|snapshot|locate|state)#|^program\/accounts#decode(Liq|Prot)/,
    first: ['getPoolInfo', 'getPoolState', 'findPools'],
  },
  {
    slug: 'watch',
    title: 'Follow pools live',
    lead: 'Pools that stay current over a subscription, or over an account stream of your own. Follow the [guide for bots](../bots.md).',
    match: /^pool\/(watch|tracker)\//,
  },
  {
    slug: 'history',
    title: 'Read trades, candles and positions',
    lead: 'Follow the [guide to trade history](../history.md).',
    match: /^history\/|^program\/events/,
  },
  {
    slug: 'amounts',
    title: 'Show and parse amounts',
    lead: 'Between native amounts and what a person reads and types. See [exact amounts](../trading.md#exact-amounts).',
    match: /^format\/(?!explain)|^base\/text#|^math\/(units|usd)#/,
  },
  {
    slug: 'math',
    title: 'Compute without a node',
    lead: 'The arithmetic of the exchange, synchronous and in `bigint`. It needs no kit: import it from `heaven-pools/core`.',
    match: /^(math|pool)\//,
  },
  {
    slug: 'errors',
    title: 'Handle errors',
    lead: 'Every code, with what to do, is on the [errors page](../errors.md).',
    match: /^base\/(errors|docs-url)#|^format\/explain-error/,
  },
  {
    slug: 'http',
    title: 'Serve and call over HTTP',
    lead: 'The HTTP interface as a `fetch` handler, as a Node server, and its client. See [self-hosting](../self-hosting.md).',
    match: /^(http|node)\/|^base\/json#/,
    first: ['startServer'],
  },
  {
    slug: 'instructions',
    title: 'Build single instructions',
    lead: 'One builder for each instruction of the program, for transactions that you put together yourself.',
    match: /^program\/instructions\/.*#get|^program\/idl/,
  },
  {
    slug: 'parse-instructions',
    title: 'Parse instructions',
    lead: 'One parser for each instruction of the program. `parseHeavenInstruction` recognizes which one it is.',
    match: /^program\/instructions/,
  },
  {
    slug: 'program',
    title: 'Accounts and addresses of the program',
    lead: 'Decoders and encoders of accounts, derived addresses and constants.',
    match: /^program\/|^solana\//,
  },
  {
    slug: 'testing',
    title: 'Test on the embedded ledger',
    lead: 'A model of the exchange in memory, with sample pools. Nothing leaves your machine.',
    match: /^testing\//,
    first: ['createEmbeddedLedger'],
  },
];

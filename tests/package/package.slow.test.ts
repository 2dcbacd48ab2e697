import { readdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import * as core from '../../src/core.js';
import * as http from '../../src/http/index.js';
import * as main from '../../src/index.js';
import * as node from '../../src/node/index.js';
import * as program from '../../src/program/index.js';
import * as testing from '../../src/testing/index.js';

const root = new URL('../..', import.meta.url).pathname;

const names = (module: object) => Object.keys(module).sort();

describe('the public names', () => {
  test('of the main entry point', () => {
    expect(names(main)).toEqual([
      'HeavenError',
      'MAX_FEE_BRACKETS',
      'MAX_MARKET_CAP_BOUND',
      'MAX_SLOT_FEE_BRACKETS',
      'METADATA_LIMITS',
      'assertSignedTransactionMatches',
      'assertTradable',
      'assertTransactionMatches',
      'buildBuy',
      'buildClaimCreatorTradingFees',
      'buildCreateStandardLiquidityPool',
      'buildProAddLiquidity',
      'buildProBuy',
      'buildProClaimCreatorFees',
      'buildProClaimLpFees',
      'buildProCreate',
      'buildProRemoveLiquidity',
      'buildProSell',
      'buildProSetLpFee',
      'buildProSetMarketCapCreatorFee',
      'buildProSetReflectionFee',
      'buildProSetSlotCreatorFee',
      'buildProToggleDeposit',
      'buildProToggleSwap',
      'buildProToggleWithdraw',
      'buildProTransferLp',
      'buildProUpdateCreatorFeeReceiver',
      'buildSell',
      'buildTrade',
      'computeBuy',
      'computeBuyExactOut',
      'computeDeposit',
      'computeInitialLpTokens',
      'computeMarketCap',
      'computePendingFees',
      'computeSell',
      'computeSellExactOut',
      'computeWithdrawal',
      'createFailoverTransport',
      'createHeavenClient',
      'createLocalClient',
      'createPoolTracker',
      'decodeLiquidityPoolState',
      'decodePoolSnapshot',
      'decodeProtocolConfig',
      'explainError',
      'explainTransactionFailure',
      'fetchPoolSnapshot',
      'findPools',
      'findPoolsAt',
      'formatAmount',
      'formatBps',
      'formatPrice',
      'formatUsd',
      'getLpBalance',
      'getPoolInfo',
      'getPoolState',
      'getProtocolConfigState',
      'getTokenMetadata',
      'getWalletBalances',
      'grindMintAddress',
      'heaven',
      'inspectTransaction',
      'isHeavenError',
      'keepLifetime',
      'listTrades',
      'maximumAfterSlippage',
      'maximumSpend',
      'minimumAfterSlippage',
      'parseAmount',
      'parseBps',
      'parseLogs',
      'parseTransaction',
      'patchTrade',
      'prepareBuy',
      'prepareProBuy',
      'prepareProSell',
      'prepareSell',
      'quoteBest',
      'quoteBuy',
      'quoteBuyExactOut',
      'quoteInitialBuy',
      'quoteMany',
      'quoteProAddLiquidity',
      'quoteProBuy',
      'quoteProBuyExactOut',
      'quoteProRemoveLiquidity',
      'quoteProSell',
      'quoteProSellExactOut',
      'quoteSell',
      'quoteSellExactOut',
      'refreshLifetime',
      'reviewTransaction',
      'sanitizeText',
      'shareReads',
      'shortenAddress',
      'signAndSubmitTransaction',
      'signPrepared',
      'signPreparedWith',
      'simulate',
      'submitTransaction',
      'suggestPriorityFee',
      'toCandles',
      'toFeeSchedule',
      'toHeavenProgramError',
      'toLpShare',
      'toMicroUsd',
      'toNativeAmount',
      'toPosition',
      'toProFeeSettings',
      'toSlotFeeConfiguration',
      'toSpotPrice',
      'toSwapState',
      'toUiAmount',
      'toUsdValue',
      'trackedAccounts',
      'watchNewPools',
      'watchPool',
      'watchPools',
      'watchTrades',
    ]);
  });

  test('of heaven-pools/core, all of them in the main entry point too', () => {
    expect(names(core)).toEqual([
      'HeavenError',
      'assertTradable',
      'computeBuy',
      'computeBuyExactOut',
      'computeDeposit',
      'computeInitialLpTokens',
      'computeMarketCap',
      'computePendingFees',
      'computeSell',
      'computeSellExactOut',
      'computeWithdrawal',
      'decodePoolSnapshot',
      'formatAmount',
      'formatBps',
      'formatPrice',
      'formatUsd',
      'isHeavenError',
      'maximumAfterSlippage',
      'minimumAfterSlippage',
      'parseAmount',
      'parseBps',
      'sanitizeText',
      'shortenAddress',
      'toMicroUsd',
      'toNativeAmount',
      'toSpotPrice',
      'toSwapState',
      'toUiAmount',
      'toUsdValue',
    ]);
    expect(names(main)).toEqual(expect.arrayContaining(names(core)));
  });

  test('of the HTTP adapter, the Node server and the embedded ledger', () => {
    expect(names(http)).toEqual([
      'answerOf',
      'createHandler',
      'createRemoteClient',
      'parseJson',
      'stringifyJson',
    ]);
    expect(names(node)).toEqual([
      'createHandler',
      'createMintSupply',
      'createRemoteClient',
      'signPreparedSync',
      'startServer',
    ]);
    expect(names(testing)).toEqual([
      'SLOT_MS',
      'computeRentExemption',
      'createEmbeddedLedger',
      'createEmptyLedger',
      'createFeeBrackets',
      'createPracticeWallet',
      'createSampleConfig',
      'createSamplePoolFields',
      'createSlotFeeBrackets',
      'createSvmEngine',
      'encodeClock',
      'encodeLookupTable',
      'encodeMint',
      'encodePriceFeed',
      'encodeTokenAccount',
      'registerPracticeWallet',
      'runSampleTrades',
      'setTokenMetadata',
    ]);
  });

  test('of the program layer', () => {
    const instructions = [
      'AddLiquidityProPool',
      'Buy',
      'ClaimProCreatorTradingFees',
      'ClaimProLiquidityProviderTradingFees',
      'ClaimStandardCreatorTradingFees',
      'CreateProLiquidityPool',
      'CreateStandardLiquidityPool',
      'CreatorSetProMarketCapCreatorFee',
      'CreatorSetProMarketCapLpFee',
      'CreatorSetProMarketCapReflectionFee',
      'CreatorSetProSlotCreatorFee',
      'CreatorToggleProDeposit',
      'CreatorToggleProSwap',
      'CreatorToggleProWithdraw',
      'ProBuy',
      'ProSell',
      'RemoveLiquidityProPool',
      'Sell',
      'TransferLpTokens',
      'UpdateCreatorTradingFeeReceiver',
      'UpdateProCreatorTradingFeeReceiver',
    ];
    expect(names(program)).toEqual(
      [
        ...instructions.flatMap((name) => [`get${name}Instruction`, `parse${name}Instruction`]),
        'ASSOCIATED_TOKEN_PROGRAM_ADDRESS',
        'CHAINLINK_STORE_PROGRAM_ADDRESS',
        'COMMUNITY_LOOKUP_TABLE_ADDRESS',
        'CreatorTradingFeeClaimStatus',
        'CreatorTradingFeeDistribution',
        'FeeConfigurationMode',
        'FeeType',
        'HEAVEN_PROGRAM_ADDRESS',
        'LiquidityPoolType',
        'RENT_SYSVAR_ADDRESS',
        'SOL_USD_FEED_ADDRESS',
        'SYSTEM_PROGRAM_ADDRESS',
        'TOKEN_2022_PROGRAM_ADDRESS',
        'TOKEN_METADATA_PROGRAM_ADDRESS',
        'TOKEN_PROGRAM_ADDRESS',
        'WRAPPED_SOL_MINT_ADDRESS',
        'computeRentExemption',
        'decodeEvent',
        'decodeLamportsPerByte',
        'decodeLiquidityPoolState',
        'decodeProtocolConfig',
        'decodeUserLpPosition',
        'encodeLiquidityPoolState',
        'encodeProtocolConfig',
        'encodeUserLpPosition',
        'explainTransactionFailure',
        'findAssociatedTokenAddress',
        'findLpPositionAddress',
        'findPoolAddress',
        'findProPoolAddress',
        'findProtocolConfigAddress',
        'listHeavenProgramErrors',
        'parseHeavenInstruction',
        'parseLogs',
        'toHeavenProgramError',
      ].sort(),
    );
  });
});

describe('in a browser bundle', () => {
  const bundle = async (contents: string) => {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
    });
    const held = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
    );
    return {
      code: outputFiles[0]?.text ?? '',
      foreign: held.filter((input) => input.includes('node_modules')),
    };
  };

  test.each([
    ['computeBuy', `export { computeBuy } from './src/index.ts'`],
    [
      'a quote from raw accounts',
      `export { computeSell, decodePoolSnapshot, toSwapState } from './src/index.ts'`,
    ],
    ['errors', `export { HeavenError, isHeavenError } from './src/index.ts'`],
    ['heaven-pools/core', `export * from './src/core.ts'`],
  ])('%s bundles no code of kit', async (_, contents) => {
    expect((await bundle(contents)).foreign).toEqual([]);
  });

  test.each(['index', 'core', 'program/index', 'testing/index'])(
    '%s bundles nothing of the server',
    async (path) => {
      const { foreign } = await bundle(`export * from './src/${path}.ts'`);
      expect(
        foreign.filter((input) => !/node_modules\/(?:@noble|@solana|@solana-program|zod)\//.test(input)),
      ).toEqual([]);
    },
  );

  test.each(['index', 'core', 'program/index'])(
    'importing %s has no side effects that a bundler must keep',
    async (path) => {
      const { outputFiles } = await build({
        stdin: { contents: `import './src/${path}.ts'`, resolveDir: root, loader: 'ts' },
        bundle: true,
        write: false,
        format: 'esm',
        minify: true,
        packages: 'external',
        plugins: [
          {
            name: 'believe-nothing',
            setup: ({ onResolve, resolve }) => {
              onResolve({ filter: /^\./ }, async ({ path: file, pluginData, ...rest }) =>
                pluginData === 'asked'
                  ? undefined
                  : { ...(await resolve(file, { ...rest, pluginData: 'asked' })), sideEffects: true },
              );
            },
          },
        ],
      });
      const kept = outputFiles[0]?.text
        .replaceAll(/import(?:(?:\{[^}]*\}|\*as [\w$]+ ?)from)?"[^"]*";/g, '')
        .trim();
      expect(kept).toBe('');
    },
  );

  test('a single instruction bundles no other', async () => {
    const { code } = await bundle(`export { getBuyInstruction } from './src/program/index.ts'`);
    expect(code).toContain('66063d1201daebea');
    expect(code).not.toContain('33e685a4017f83ad');
    expect(code).not.toContain('SlotFeeBrackets');
  });

  test('the core needs no Node built-in and no polyfill', async () => {
    // esbuild refuses an import of a Node built-in for the browser; what is left are globals that only Node has.
    const { code } = await bundle(`
      import * as core from './src/index.ts';
      import { createEmbeddedLedger } from './src/testing/index.ts';
      const ledger = await createEmbeddedLedger();
      const client = core.createHeavenClient({ rpc: ledger.rpc });
      const { mint, configVersion, creator } = ledger.pools.creator;
      const quoteResponse = await core.quoteBuy(client, { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
      const built = await core.buildBuy(client, { payer: creator, quoteResponse, encodedUserDefinedEventData: '' });
      globalThis.answer = built.size;
    `);
    const browser: Record<string, unknown> = {
      AbortController,
      atob,
      btoa,
      console,
      crypto,
      clearTimeout,
      fetch,
      isSecureContext: true,
      setTimeout,
      structuredClone,
      TextDecoder,
      TextEncoder,
      URL,
    };
    browser.globalThis = browser;
    const run = new Function(
      ...Object.keys(browser),
      'Buffer',
      'global',
      'process',
      'require',
      'setImmediate',
      `return (async () => {${code}})()`,
    );
    await run(...Object.values(browser), undefined, undefined, undefined, undefined, undefined);
    expect(browser.answer).toBe(829);
  });
});

describe('the layers', () => {
  /** From the bottom up: a file imports from its own layer and those below. */
  const layers = [
    ['errors', 'case', 'nearest-name', 'warnings'],
    ['input', 'math'],
    ['solana'],
    ['format'],
    ['program'],
    ['client'],
    ['pool'],
    ['transaction'],
    ['door'],
    ['data', 'standard', 'pro', 'testing'],
    ['operations', 'route'],
    ['review'],
    ['history'],
    ['submit'],
    ['upstream', 'clients'],
    ['core', 'index'],
    ['http'],
    ['verify'],
    ['node'],
  ];
  const source = new URL('../../src/', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'));
  const layerOf = (path: string) =>
    layers.findIndex((names) => names.includes(path.split('/')[0]!.replace('.ts', '')));

  test.each(files)('%s imports nothing from above', (path) => {
    expect(layerOf(path)).toBeGreaterThanOrEqual(0);
    const { importedFiles } = ts.preProcessFile(readFileSync(new URL(path, source), 'utf8'));
    for (const { fileName } of importedFiles.filter(({ fileName }) => fileName.startsWith('.'))) {
      const target = new URL(fileName, new URL(path, source));
      if (!target.href.startsWith(source.href)) continue;
      const imported = target.href.slice(source.href.length);
      expect(layerOf(imported), `${path} imports ${imported}`).toBeLessThanOrEqual(layerOf(path));
    }
  });
});

test('the package has its metadata', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(manifest).toMatchObject({
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.18' },
    publishConfig: { access: 'public', provenance: true },
  });
  // Nothing runs when it is installed.
  expect(
    Object.keys(manifest.scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name)),
  ).toEqual([]);
  // Whoever packs it gets what is built from these sources; a publication packs it too.
  expect(manifest.scripts.prepack).toBe('npm run --silent build');
  expect(manifest.scripts.prepublishOnly).toBe('node scripts/check-release.mjs');
  expect(Object.keys(manifest.exports)).toEqual([
    '.',
    './core',
    './http',
    './node',
    './program',
    './testing',
    './verify',
    './idl',
    './package.json',
  ]);
  expect(Object.keys(manifest.peerDependencies)).toEqual(['@solana/kit', 'litesvm']);
  expect(manifest.peerDependenciesMeta).toEqual({ litesvm: { optional: true } });
  expect(Object.keys(manifest.dependencies)).toEqual([
    '@noble/curves',
    '@solana-program/compute-budget',
    '@solana-program/system',
    '@solana-program/token',
    'hono',
    'zod',
  ]);
});

test('kit is one for the library, its program clients and whoever installs them', () => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
  const { dependencies, peerDependencies } = read('package.json');
  const clients = Object.keys(dependencies).filter((name) => name.startsWith('@solana-program/'));
  for (const name of clients)
    expect(read(`node_modules/${name}/package.json`).peerDependencies).toEqual({
      '@solana/kit': peerDependencies['@solana/kit'],
    });
  const source = new URL('../../src/', import.meta.url);
  const imported = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => ts.preProcessFile(readFileSync(new URL(path, source), 'utf8')).importedFiles)
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('@solana/'));
  expect([...new Set(imported)]).toEqual(['@solana/kit', '@solana/kit/program-client-core']);
});

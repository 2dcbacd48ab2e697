import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// The page runs on the sources, so that nothing has to be built before. In a project of your own, where `heaven-pools` is
// installed, no configuration is needed.
const src = fileURLToPath(new URL('../../src', import.meta.url));

const of = (...paths: readonly string[]) => new RegExp(`(${paths.join('|')})`);

// Few large files compress better than many small ones, and load faster: what is there before the first quote, what trades share with
// the ledger of practice mode, and the rest of a trade. A module that is not named here gets a file of its own if it is shared.
const FILES = {
  first: of(
    '/src/(client|input|errors)\\.',
    '/src/format/',
    '/src/math/(swap|units|types|slippage|transfer)',
    '/src/stores/(fresh|store|live|pool|quote)',
    '/src/route/(rank|token-market|trade-quoter)',
    '/src/pool/(watch/|tracker/|(decode|quote|quote-amounts|quote-exact-out|snapshot|swap-state|locate|mismatch)\\.)',
    '/src/pool/(assertions|fetch|layout|market-cap)\\.',
    '/src/solana/(rpc/|codec|base58|account-data|addresses|derived|program-derived)',
    '/src/program/(types|accounts|rules|addresses)',
    '/src/data/(find-pools|pool-info)',
    '/dapp/src/(page|trade|trade-card|follow|state|quote|quote-details|quote-words|slippage|balances|pools|pool-facts)\\.ts',
    '/dapp/src/(wallet-menu|wallets|token-picker|token-image|network|connection|messages|format|fee-kinds)\\.ts',
    '@wallet-standard',
    '@solana/(rpc|subscribable|errors|codecs-(core|strings|numbers)|addresses)',
  ),
  trading: of(
    '/src/(review|submit|history)/',
    '/src/route/build',
    '/src/data/(maximum|listed|wallet)',
    '/src/stores/(trades|balances)',
    '/dapp/src/(market|position|candle-chart|pool-charts|charts|fees|ticks|holdings)\\.ts',
    '/dapp/src/(trade-operation|sheet|sheet-view|review|send)\\.ts',
    'transaction-introspection',
  ),
  transactions: of(
    '/src/(standard|pro)/(buy|sell)\\.',
    '/src/build/(trade|assemble|message-format|wrapped|user-acc|compute|tip|quote-resp|refresh)',
    '/src/solana/(message|compute|signature|lighthouse|wire|logs|encode|token-|rent|wallet|lookup|define)',
    '/src/pool/given',
    '/src/program/(instructions|declare|error-codes|errors|events|meaning)',
    '@solana-program|transaction-messages|@solana/(transactions|signers|instructions|codecs-data)',
  ),
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  resolve: {
    alias: [
      { find: /^heaven-pools$/, replacement: `${src}/index.ts` },
      { find: /^heaven-pools\/(\w+)$/, replacement: `${src}/$1/index.ts` },
    ],
  },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: Object.entries(FILES).map(([name, test]) => ({ name, test })),
        },
      },
    },
  },
});

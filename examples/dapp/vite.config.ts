import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// The page runs on the sources, so that nothing has to be built before. In a project of your own, where `heaven-pools` is
// installed, no configuration is needed.
const src = fileURLToPath(new URL('../../src', import.meta.url));

const of = (...paths: readonly string[]) => new RegExp(`(${paths.join('|')})`);

// Few large files compress better than many small ones, and load faster. Each of these also holds what its modules import, unless a file
// above it does: what loads the rest, what the first quote needs, what trades share with practice mode's ledger, and the rest of a trade.
const FILES = {
  start: of('vite/preload-helper', '/dapp/src/(main|theme|dom)\\.ts'),
  first: of('/dapp/src/page\\.ts'),
  transactions: of(
    '/src/(standard|pro)/(buy|sell)\\.',
    '/src/build/(trade|assemble|message-format|wrapped|user-acc|compute|tip|quote-resp|refresh)',
    '/src/solana/(message|compute|signature|lighthouse|wire|logs|encode|token-|rent|wallet|lookup|define)',
    '/src/pool/given',
    '/src/program/(instructions|declare|error-codes|errors|events|meaning)',
    '@solana-program|transaction-messages|@solana/(transactions|signers|instructions|codecs-data)',
  ),
  trading: of('/dapp/src/(holdings|market|trade-operation)\\.ts'),
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
          groups: Object.entries(FILES).map(([name, test]) => ({ name, test })),
        },
      },
    },
  },
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKeyPairFromPrivateKeyBytes, getAddressFromPublicKey } from '@solana/kit';
import { build, type InlineConfig, preview } from 'vite';

import type { TestKey } from './wallet.js';

const DAPP = fileURLToPath(new URL('../../dapp', import.meta.url));

export interface ServedPage {
  readonly url: string;
  readonly folder: string;
  close(): Promise<void>;
}

/** Builds a page as its `vite build` does, by default that of examples/dapp, and serves it on this machine. */
export async function servePage(
  config: InlineConfig = { configFile: join(DAPP, 'vite.config.ts') },
): Promise<ServedPage> {
  const folder = await mkdtemp(join(tmpdir(), 'heaven-dapp-'));
  const common: InlineConfig = { logLevel: 'error', ...config };
  // Vitest says 'test', and kit then brings its longer texts along: a page is built for production.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build({ ...common, build: { target: 'es2022', outDir: folder, emptyOutDir: true } });
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
  const server = await preview({
    ...common,
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0 },
  });
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    folder,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same key in each run. */
export async function testKey(): Promise<TestKey> {
  const PREFIX = '302e020100300506032b657004220420';
  const secret = new Uint8Array(32).fill(7);
  const { publicKey } = await createKeyPairFromPrivateKeyBytes(secret);
  return {
    pkcs8: Buffer.concat([Buffer.from(PREFIX, 'hex'), secret]).toString('base64'),
    publicKey: [...new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))],
    address: await getAddressFromPublicKey(publicKey),
  };
}

import { execFile, spawn } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { build as bundle } from 'esbuild';
import { chromium } from 'playwright-core';
import ts from 'typescript';
import { build as buildPage } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createRemoteClient } from '../../src/http/index.js';
import { buildBuy, createHeavenClient, quoteBuy } from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { findChromium } from '../support/chromium.js';
import { serveLedger } from '../support/node.js';
import { startWorker } from '../support/workerd.js';
import { Editor } from './editor.js';
import { type Consumer, installConsumer, root } from './install.js';
import { buildExample, inBrowser, linesOfExample } from './react.js';

const chromiumPath = findChromium();

let consumer: Consumer;
/** What the sources say that 1.5 SOL buy at least. */
let expected: string;
/** A transaction that buys them, in base64. */
let bought: string;
beforeAll(async () => {
  consumer = await installConsumer();
  const { rpc, pools } = await createEmbeddedLedger();
  const { mint, configVersion, creator: payer } = pools.creator;
  const client = createHeavenClient({ rpc });
  const quote = await quoteBuy(client, { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
  expected = String(quote.minimumOut);
  const trade = { payer, quoteResponse: quote, encodedUserDefinedEventData: '' };
  bought = (await buildBuy(client, trade)).tx;
}, 240_000);
afterAll(() => consumer?.remove());

const manifest = async () => JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const dependedOn = async () => {
  const { dependencies, peerDependencies } = await manifest();
  return [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
};

describe('the package holds', () => {
  /** Everything that belongs there, and nothing else. */
  const patterns = [
    /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|THIRD-PARTY-NOTICES\.md|idl\/heaven\.json)$/,
    /^docs\/[\w-]+\.md$/,
    /^docs\/images\/(?:dapp-light\.png|dapp-review\.png|growth\.svg)$/,
    /^examples\/(?!.*(?:^|\/)(?:dist|node_modules|screenshots|test-results)\/)[\w./-]+\.(?:tsx?|mjs|js|css|html|svg|webp|md|sh|json|toml|capnp)$/,
    /^src\/(?:[\w./-]+\.ts|http\/openapi\.json)$/,
    /^dist\/(?:index|core|http|program|testing|verify|[a-z-]+-[A-Z\d]{8})\.js(?:\.map)?$/,
    /^dist\/(?:node|cli|mint-worker)\.js$/,
    /^dist\/(?:index|core|http|node|program|testing|[\w-]+)\.d\.ts$/,
  ];

  test('what belongs in it and nothing else', () => {
    const paths = consumer.files.map(({ path }) => path);
    expect(paths.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(paths.filter((path) => /package-lock|tsconfig\.tsbuildinfo|\.env|\.key$/.test(path))).toEqual([]);
    // What a pattern is for is there.
    for (const pattern of patterns) expect(paths.some((path) => pattern.test(path))).toBe(true);
    expect(consumer.files.filter(({ size }) => size === 0)).toEqual([]);
  });

  test('everything that its manifest names', async () => {
    const { exports, bin } = await manifest();
    const named = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
    );
    const paths = consumer.files.map(({ path }) => `./${path}`);
    expect(paths).toEqual(expect.arrayContaining([...named, ...Object.values<string>(bin)]));
  });

  test('no more bytes than its budget', () => {
    // As measured, and a tenth more: source and maps are half of it, so that a debugger shows the code.
    expect(consumer.packedSize).toBeLessThan(2_000_000);
    expect(consumer.unpackedSize).toBeLessThan(6_950_000);
  });

  test('only imports that are its dependencies, in code and in types', async () => {
    const allowed = [...(await dependedOn()), 'heaven-pools'];
    const strangers = new Set<string>();
    for (const { path } of consumer.files.filter((file) => /^dist\/.*\.(?:js|d\.ts)$/.test(file.path))) {
      const text = await readFile(join(consumer.folder, 'node_modules/heaven-pools', path), 'utf8');
      for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
        if (fileName.startsWith('.') || fileName.startsWith('node:')) continue;
        if (allowed.some((name) => fileName === name || fileName.startsWith(`${name}/`))) continue;
        strangers.add(`${path}: ${fileName}`);
      }
    }
    expect([...strangers]).toEqual([]);
  });

  test('the license of each bundled package, and of no other', async () => {
    const { metafile } = await bundle({
      absWorkingDir: root,
      entryPoints: ['src/node/cli.ts', 'src/node/index.ts'],
      outdir: 'never-written',
      write: false,
      bundle: true,
      metafile: true,
      format: 'esm',
      platform: 'node',
      external: await dependedOn(),
      logLevel: 'error',
    });
    const folders = Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.keys(inputs))
      .flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []);
    const installed = join(consumer.folder, 'node_modules/heaven-pools');
    const notices = await readFile(join(installed, 'THIRD-PARTY-NOTICES.md'), 'utf8');
    const titles: string[] = [];
    for (const folder of new Set(folders)) {
      const { name, version, license } = JSON.parse(
        await readFile(join(root, folder, 'package.json'), 'utf8'),
      );
      titles.push(`${name} ${version}`);
      const [licence = ''] = (await readdir(join(root, folder))).filter((file) => /^licen[cs]e/i.test(file));
      // Some packages come without the text of their licence. Another's is the same.
      const text =
        licence === ''
          ? `## ${name} ${version}\n\n${license}\n\nIts text is that of `
          : await readFile(join(root, folder, licence), 'utf8');
      expect(notices, name).toContain(text.replaceAll('\r', '').trim());
    }
    expect(titles.length).toBeGreaterThan(10);
    const headings = notices.replace(/^```$[\s\S]*?^```$/gm, '');
    expect([...headings.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(titles.sort());
  });

  /** The text of a file of `dist` and of all that it imports. */
  const loadedBy = async (file: string, seen = new Map<string, string>()) => {
    if (seen.has(file)) return seen;
    const text = await readFile(join(consumer.folder, 'node_modules/heaven-pools/dist', file), 'utf8');
    seen.set(file, text);
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles)
      if (fileName.startsWith('.')) await loadedBy(join(file, '..', fileName), seen);
    return seen;
  };
  const packagesOf = (texts: Iterable<string>) =>
    [...texts].flatMap((text) =>
      ts
        .preProcessFile(text, true, true)
        .importedFiles.map(({ fileName }) => fileName)
        .filter((name) => !name.startsWith('.')),
    );

  test('no package behind the core, and nothing of Node behind what pages load', async () => {
    expect(packagesOf((await loadedBy('core.js')).values())).toEqual([]);
    for (const entry of ['index.js', 'http.js', 'program.js', 'testing.js']) {
      const loaded = await loadedBy(entry);
      expect(packagesOf(loaded.values()), entry).toContain('@solana/kit');
      expect(packagesOf(loaded.values()).filter((name) => name.startsWith('node:'), entry)).toEqual([]);
      for (const [file, text] of loaded) expect(text, file).not.toMatch(/createRequire|__require/);
    }
    expect((await loadedBy('node.js')).get('node.js')).toContain('createRequire');
  });

  test('each class of the library once', async () => {
    const declared = new Set<string>();
    for (const { path } of consumer.files.filter((file) => /^src\/(?!node\/).*\.ts$/.test(file.path)))
      for (const [, name = ''] of (await readFile(join(root, path), 'utf8')).matchAll(
        /^(?:export )?class (\w+)/gm,
      ))
        declared.add(name);
    expect([...declared]).toEqual(expect.arrayContaining(['HeavenError', 'HttpError']));
    const places = new Map<string, string[]>();
    for (const { path } of consumer.files.filter((file) => /^dist\/.*\.js$/.test(file.path))) {
      const text = await readFile(join(consumer.folder, 'node_modules/heaven-pools', path), 'utf8');
      for (const [, statement, expression] of text.matchAll(/^(?:class (\w+)|var (\w+) = class\b)/gm)) {
        const name = statement ?? expression ?? '';
        if (declared.has(name)) places.set(name, [...(places.get(name) ?? []), path]);
      }
    }
    expect([...places.keys()].sort()).toEqual([...declared].sort());
    expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  test('maps that lead to its own sources, and no path of the build machine', async () => {
    const paths = new Set(consumer.files.map(({ path }) => path));
    for (const { path } of consumer.files) {
      const text = await readFile(join(consumer.folder, 'node_modules/heaven-pools', path), 'utf8');
      expect(text.includes(root) || text.includes('file:///'), path).toBe(false);
      if (!path.endsWith('.map')) continue;
      const { sources, sourcesContent, sourceRoot = '' } = JSON.parse(text);
      expect(sourcesContent ?? null, path).toBeNull();
      for (const source of sources) {
        const { pathname } = new URL(sourceRoot + source, `http://package.test/${path}`);
        expect(paths, `${path} names ${source}`).toContain(pathname.slice(1));
      }
    }
  });
});

test('installs itself, seven packages and at most 26 MB beside kit', () => {
  const { besideKit } = consumer;
  expect(besideKit.map(({ name }) => name).sort()).toEqual([
    '@noble/curves',
    '@noble/hashes',
    '@solana-program/compute-budget',
    '@solana-program/system',
    '@solana-program/token',
    'heaven-pools',
    'hono',
    'zod',
  ]);
  expect(besideKit.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThan(26_000_000);
});

describe('a project that installs it gets the same quote', { timeout: 120_000 }, () => {
  test('in plain JavaScript', async () => {
    expect(await consumer.node('plain.mjs')).toBe(expected);
  });

  test('through every entry point', async () => {
    const { version } = await manifest();
    const idl = JSON.parse(await readFile(join(root, 'idl/heaven.json'), 'utf8'));
    expect(JSON.parse(await consumer.node('entry-points.mjs'))).toEqual({
      answers: {
        '.': expected,
        './core': expected,
        './http': expected,
        './node': expected,
        './program': expected,
      },
      isError: [true, true, true, true],
      statusOfTooLong: 413,
      isPool: true,
      instructions: idl.instructions.length,
      version,
    });
  });

  // Node 20.18 knows no require of an ES module; the package is ESM and says so.
  test.runIf('require_module' in process.features)('in CommonJS', async () => {
    expect(await consumer.node('required.cjs')).toBe(expected);
  });

  test('and its command line starts', async () => {
    expect(await consumer.node('node_modules/heaven-pools/dist/cli.js', '--help')).toMatch(
      /^Usage: heaven-pools /,
    );
    const { bin } = await manifest();
    const linked = join(consumer.folder, 'node_modules/.bin', Object.keys(bin)[0]!);
    expect(await readFile(linked, 'utf8')).toMatch(/^#!/);
  });

  test('on its command line, which inspects a transaction with it', async () => {
    const { stdout } = await promisify(execFile)(
      join(consumer.folder, 'node_modules/.bin/heaven-pools'),
      ['inspect', bought],
      { env: { PATH: process.env.PATH ?? '' }, shell: process.platform === 'win32' },
    );
    expect(stdout).toContain(`buy: pay at most 1.5 SOL for at least ${expected} units`);
  });

  test('from its server, with a log and metrics', async () => {
    const server = spawn(
      process.execPath,
      ['node_modules/heaven-pools/dist/cli.js', 'serve', '--port', '0', '--log-level', 'info'],
      { cwd: consumer.folder, env: { PATH: process.env.PATH ?? '' }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const line = await new Promise<string>((resolve, reject) => {
        server.stdout.once('data', (chunk) => resolve(String(chunk).split('\n', 1)[0] ?? ''));
        server.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
      });
      const { url, level } = JSON.parse(line);
      expect(level).toBe(30);
      const { pools } = await createEmbeddedLedger();
      const { mint, configVersion } = pools.creator;
      const quote = await createRemoteClient({ baseUrl: url }).quoteBuy({
        configVersion,
        mint,
        maxSolSpend: '1.5',
        slippageBps: 50,
      });
      expect(String(quote.minimumOut)).toBe(expected);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toContain('heaven_http_requests_total{path="/quote/buy",status="200"} 1');
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      expect(await ended).toBe(0);
    } finally {
      server.removeAllListeners('exit');
      server.kill('SIGKILL');
    }
  });

  test('in a bundle of Vite, in Node', async () => {
    await buildPage({
      root: consumer.folder,
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: { outDir: 'bundle', ssr: 'plain.mjs' },
    });
    // Away from the project: nothing is left to be found in its node_modules.
    await cp(join(consumer.folder, 'bundle/plain.js'), join(consumer.folder, '../alone.mjs'));
    expect(await consumer.node('../alone.mjs')).toBe(expected);
  });

  test.runIf(chromiumPath !== undefined || process.env.CI !== undefined)(
    'in a bundle of Vite, in a browser',
    async () => {
      await buildPage({
        root: consumer.folder,
        configFile: false,
        logLevel: 'silent',
        build: { outDir: 'page', rollupOptions: { input: join(consumer.folder, 'page.html') } },
      });
      const types: Record<string, string> = { html: 'text/html', js: 'text/javascript' };
      const server = createServer(async ({ url = '/' }, response) => {
        try {
          const content = await readFile(join(consumer.folder, 'page', url));
          response.setHeader('content-type', types[url.split('.').pop() ?? ''] ?? 'application/octet-stream');
          response.end(content);
        } catch {
          response.writeHead(404).end();
        }
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const browser = await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox'] });
      try {
        const page = await browser.newPage();
        const complaints: string[] = [];
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('console', (message) => {
          if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
            complaints.push(message.text());
        });
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`);
        await page.waitForFunction(() => document.querySelector('output')?.textContent !== '');
        expect(await page.textContent('output')).toBe(expected);
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
        server.close();
      }
    },
  );

  test.runIf(chromiumPath !== undefined || process.env.CI !== undefined)(
    'on a page of at most 120 lines in React, which connects a wallet and trades',
    async () => {
      expect(await linesOfExample()).toBeLessThanOrEqual(120);
      const complaints = await inBrowser(await buildExample(consumer), chromiumPath!, async (page) => {
        await page.getByRole('button', { name: 'Connect Practice wallet' }).click();
        const review = page.getByRole('button', { name: 'Review' });
        expect(await review.isDisabled()).toBe(true);
        const pay = page.getByLabel('SOL to pay');
        const quote = page.locator('output[aria-busy=false]');
        // Key by key, as a person types: a half-typed amount is not a mistake.
        await pay.pressSequentially('1.5');
        await quote.filter({ hasText: /[1-9]/ }).waitFor();
        expect(await page.getByRole('alert').count()).toBe(0);
        const before = await quote.textContent();
        await review.click();
        await page
          .getByRole('region', { name: 'Review' })
          .filter({ hasText: /Your SOL: −1\.5\d/ })
          .waitFor();
        await page.getByRole('button', { name: 'Confirm' }).click();
        await page
          .getByRole('status')
          .filter({ hasText: /^landed: \w{80,}$/ })
          .waitFor();
        // The pool has moved, and the quote with it.
        await quote.filter({ hasNotText: String(before), hasText: /[1-9]/ }).waitFor();
        await pay.fill('1.5.5');
        await page.getByRole('alert').filter({ hasText: 'Type the amount in digits' }).waitFor();
      });
      expect(complaints).toEqual([]);
    },
  );

  test('in a worker', async () => {
    await bundle({
      absWorkingDir: consumer.folder,
      entryPoints: ['worker.mjs'],
      outfile: 'worker.js',
      bundle: true,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['node:*'],
      alias: { events: 'node:events', 'fs/promises': 'node:fs/promises', path: 'node:path' },
      logLevel: 'error',
    });
    const child = spawn(
      join(root, 'node_modules/.bin/workerd'),
      ['serve', 'workerd.capnp', '--control-fd=3'],
      {
        cwd: consumer.folder,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      },
    );
    try {
      let complaints = '';
      child.stderr?.on('data', (chunk) => {
        complaints += chunk;
      });
      const port = await new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('exit', (code) => reject(new Error(`workerd ended with ${code}: ${complaints}`)));
        let events = '';
        child.stdio[3]?.on('data', (chunk) => {
          events += chunk;
          const line = /^\{"event":"listen".*\}$/m.exec(events)?.[0];
          if (line) resolve(JSON.parse(line).port);
        });
      });
      const response = await fetch(`http://127.0.0.1:${port}/`);
      expect(await response.text()).toBe(expected);
    } finally {
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
    }
  });
});

describe('the shipped examples run where it is installed, without another package', {
  timeout: 120_000,
}, () => {
  const examples = 'node_modules/heaven-pools/examples';

  test.each([
    ['bot/main.ts --trades 2', 'The books balance to the lamport.'],
    ['launch/main.ts --percent 1', 'creator fees'],
    ['pro-pool/main.ts', 'reflection fees'],
    ['http/fetch.mjs', 'the remote client: at least'],
  ])('%s', async (command, lastWords) => {
    const [file, ...options] = `${examples}/${command}`.split(' ');
    const printed = await consumer.node('--import', import.meta.resolve('tsx'), file as string, ...options);
    expect(printed).toContain(lastWords);
  });

  test('worker', async () => {
    const ledger = await createEmbeddedLedger();
    const node = await serveLedger(() => ledger);
    const worker = await startWorker(node.url, join(consumer.folder, 'node_modules/heaven-pools'));
    try {
      const { mint, configVersion } = ledger.pools.creator;
      const quote = await createRemoteClient({ baseUrl: worker.url }).quoteBuy({
        configVersion,
        mint,
        maxSolSpend: '1.5',
        slippageBps: 50,
      });
      expect(String(quote.minimumOut)).toBe(expected);
    } finally {
      await Promise.all([worker.close(), node.close()]);
    }
  });
});

describe('TypeScript', { timeout: 120_000 }, () => {
  const { ModuleKind, ModuleResolutionKind } = ts;
  const ways = {
    node16: { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
    nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
    bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
  } as const;
  const DOM = ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'];

  /** What the compiler says of a program in the project: file, code and message of each diagnostic. */
  function check(way: keyof typeof ways, files: readonly string[], options: ts.CompilerOptions) {
    const program = ts.createProgram(
      files.map((file) => join(consumer.folder, file)),
      {
        ...ways[way],
        target: ts.ScriptTarget.ES2022,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        resolveJsonModule: true,
        skipLibCheck: false,
        noEmit: true,
        typeRoots: [join(consumer.folder, 'node_modules/@types')],
        ...options,
      },
      host,
    );
    return ts.getPreEmitDiagnostics(program).map(({ file, code, messageText }) => ({
      file: file?.fileName.replace(`${consumer.folder}/`, '') ?? '',
      code,
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }));
  }

  /** Reads and parses each file once for all the programs here. */
  const host = ts.createCompilerHost({});
  const parsed = new Map<string, ts.SourceFile | undefined>();
  const { getSourceFile } = host;
  host.getSourceFile = (name, options, ...rest) => {
    const format = typeof options === 'object' ? options.impliedNodeFormat : undefined;
    const key = `${name} ${format}`;
    if (!parsed.has(key)) parsed.set(key, getSourceFile.call(host, name, options, ...rest));
    return parsed.get(key);
  };

  const filesFor = (way: keyof typeof ways, ...more: string[]) => [
    'typed.ts',
    ...more,
    // Node16's own rules know no import attributes.
    ...(way === 'node16' ? [] : ['typed-idl.ts']),
  ];
  const each = Object.keys(ways) as (keyof typeof ways)[];

  test.each(each)('finds all types under %s, library files checked too', (way) => {
    expect(check(way, filesFor(way, 'typed-node.ts'), { lib: DOM, types: ['node'] })).toEqual([]);
  });

  test.each(each)('needs no DOM types under %s that kit does not need itself', (way) => {
    const problems = check(way, filesFor(way, 'typed-node.ts'), {
      lib: ['lib.es2022.d.ts'],
      types: ['node'],
    });
    const ofKit = /^node_modules\/@solana\/[\w-]+\/dist\/types\//;
    expect(problems.filter(({ file }) => !ofKit.test(file))).toEqual([]);
    for (const { message } of problems) {
      expect(message).toMatch(/^Cannot find name '(?:CryptoKey|CryptoKeyPair|AddEventListenerOptions)'\./);
    }
  });

  test("compiles in a page without Node's types, except where others don't", () => {
    const problems = check('bundler', filesFor('bundler'), { lib: DOM, types: [] });
    expect(problems.filter(({ file }) => !/^node_modules\/(?:@solana|undici-types)\//.test(file))).toEqual(
      [],
    );
  });

  test('rejects wrong calls, and infers the intended types of right ones', () => {
    const files = ['inputs', 'results', 'wrong-calls'].map((name) => `types/${name}.test-d.ts`);
    // The test runner itself is not installed there; this is where it has `expectTypeOf` from.
    const paths = { vitest: [join(consumer.folder, 'node_modules/expect-type')] };
    expect(check('bundler', files, { lib: DOM, types: ['node'], paths, skipLibCheck: true })).toEqual([]);
  });

  test('compiles to a program that quotes the same', async () => {
    const source = await readFile(join(consumer.folder, 'typed.ts'), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        module: ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        verbatimModuleSyntax: true,
      },
    });
    await writeFile(join(consumer.folder, 'typed.mjs'), outputText);
    expect(await consumer.node('typed.mjs')).toBe(expected);
  });
});

describe('an editor', { timeout: 120_000 }, () => {
  let editor: Editor;
  beforeAll(() => {
    editor = new Editor(consumer.folder);
  });
  afterAll(() => editor?.dispose());

  const prelude = `
    import * as heaven from 'heaven-pools';
    import * as program from 'heaven-pools/program';
    import { createRemoteClient } from 'heaven-pools/http';
    import { createEmbeddedLedger } from 'heaven-pools/testing';
    import type { Address, TransactionSigner } from '@solana/kit';
    declare const client: heaven.HeavenClient;
    declare const mint: Address;
    declare const kit: { rpc: heaven.HeavenRpc; payer: TransactionSigner };
    const local = heaven.createLocalClient(client);
    const remote = createRemoteClient({ baseUrl: 'https://service.example' });
    const withHeaven = heaven.heaven()(kit);
  `;
  const hover = (code: string) => editor.hover(`${prelude}\n${code}`);

  // name, what is shown
  test.each([
    [
      'createHeavenClient',
      'function createHeavenClient<TRpc extends heaven.HeavenRpc = heaven.HeavenNodeRpc>(config: heaven.ClientConfig<TRpc>): heaven.HeavenClient<TRpc>',
    ],
    [
      'quoteBuy',
      'function quoteBuy(client: heaven.HeavenClient, input: heaven.QuoteBuyInput): Promise<heaven.DetailedBuyQuote>',
    ],
    [
      'quoteSell',
      'function quoteSell(client: heaven.HeavenClient, input: heaven.QuoteSellInput): Promise<heaven.DetailedSellQuote>',
    ],
    [
      'buildBuy',
      'function buildBuy(client: heaven.HeavenClient, input: heaven.BuildBuyInput): Promise<heaven.BuiltTrade>',
    ],
    [
      'buildCreateStandardLiquidityPool',
      'function buildCreateStandardLiquidityPool(client: heaven.HeavenClient, input: heaven.BuildCreateStandardLiquidityPoolInput): Promise<heaven.BuiltLaunch>',
    ],
    [
      'quoteProBuy',
      'function quoteProBuy(client: heaven.HeavenClient, input: heaven.QuoteProBuyInput): Promise<heaven.DetailedBuyQuote>',
    ],
    [
      'buildProToggleSwap',
      'const buildProToggleSwap: (client: heaven.HeavenClient, input: heaven.BuildProToggleInput) => Promise<heaven.BuiltTransaction>',
    ],
    [
      'getPoolInfo',
      'function getPoolInfo(client: heaven.HeavenClient, input: heaven.GetPoolInfoInput): Promise<heaven.PoolInfo>',
    ],
    [
      'findPools',
      'function findPools(client: heaven.HeavenClient, input: heaven.FindPoolsInput): Promise<readonly heaven.FoundPool[]>',
    ],
    [
      'fetchPoolSnapshot',
      'function fetchPoolSnapshot(client: heaven.HeavenClient, input: heaven.PoolLocator & heaven.RequestOptions): Promise<heaven.FetchedPoolSnapshot>',
    ],
    ['computeBuy', 'function computeBuy(state: heaven.SwapState, amountIn: bigint): heaven.SwapResult'],
    ['minimumAfterSlippage', 'function minimumAfterSlippage(amount: bigint, slippageBps: number): bigint'],
    [
      'inspectTransaction',
      'function inspectTransaction(tx: string, options?: heaven.InspectTransactionOptions): Promise<heaven.TransactionInspection>',
    ],
    [
      'simulate',
      'function simulate(client: heaven.HeavenClient, built: heaven.BuiltTransaction, options?: heaven.SimulateOptions): Promise<heaven.Simulation>',
    ],
  ])('shows how %s is called, and what it does', (name, signature) => {
    const shown = hover(`heaven.~${name};`);
    expect(shown.signature).toBe(`(alias) ${signature}`);
    expect(shown.text.length).toBeGreaterThan(30);
    expect(shown.tags).toContain('example');
  });

  test('shows only public names for every public function', () => {
    const names = editor.completions(`${prelude}\nheaven.~`);
    expect(names.length).toBeGreaterThan(60);
    for (const module of ['heaven', 'program']) {
      const all = editor.completions(`${prelude}\n${module}.~`);
      const shown = editor.hovers(`${prelude}\n${all.map((name) => `${module}.~${name};`).join('\n')}`);
      for (const [index, { signature }] of shown.entries()) {
        // No machinery of types, and not a screenful.
        expect(signature, all[index]!).not.toMatch(
          /\b(?:Omit|Pick|Extract|Exclude|TypeOf|Parameters|ReturnType)<|\{\} &|discriminator/,
        );
        expect(signature.length, signature).toBeLessThan(400);
      }
    }
  });

  // code with the cursor, what is shown
  test.each([
    ['const ~quote = await heaven.quoteBuy(client, {} as never);', 'const quote: heaven.DetailedBuyQuote'],
    ['const ~state = await heaven.getPoolState(client, { mint });', 'const state: heaven.LiquidityPoolState'],
    [
      'const ~config = await heaven.getProtocolConfigState(client, { version: 2 });',
      'const config: heaven.ProtocolConfig',
    ],
    [
      "const ~outcomes = await heaven.quoteMany(client, [{ side: 'buy', configVersion: 2, mint, maxSolSpend: '1', slippageBps: 1 }]);",
      'const outcomes: readonly [heaven.QuoteOutcome<heaven.QuoteManyBuy>]',
    ],
    ['const ~input: program.BuyInput = {} as never;', 'const input: program.BuyInput'],
    ['const ~read = program.parseBuyInstruction({} as never);', 'const read: program.ParsedBuyInstruction'],
    [
      'local.~quoteBuy;',
      '(property) quoteBuy: (input: heaven.QuoteBuyInput) => Promise<heaven.DetailedBuyQuote>',
    ],
    [
      'withHeaven.heaven.~buildBuy;',
      '(property) buildBuy: (input: OptionalPayer<heaven.BuildBuyInput>) => Promise<heaven.BuiltTrade>',
    ],
    ['const ~ledger = await createEmbeddedLedger();', 'const ledger: EmbeddedLedger'],
  ])('shows in `%s` what it is', (code, signature) => {
    expect(hover(code).signature).toBe(signature);
  });

  test("shows an account's fields as plain types, not as the program's declarations", () => {
    const { signature } = hover('(await heaven.getPoolState(client, { mint })).~reserve;');
    expect(signature).toContain('readonly tokenA: bigint;');
    expect(signature).not.toMatch(/u64|padding/);
  });

  test.each(['local', 'remote', 'withHeaven.heaven'])('says what a function of %s does', (owner) => {
    const names = editor.completions(`${prelude}\n${owner}.~`);
    expect(names.length).toBeGreaterThan(28);
    for (const name of names) expect(hover(`${owner}.~${name};`).text, name).not.toBe('');
  });

  // call, the fields that are offered
  test.each([
    [
      'quoteBuy',
      'abortSignal configVersion lamports maxPriceImpactBps maxSolSpend mint slippageBps snapshot stalePriceSeconds',
    ],
    [
      'quoteProSell',
      'abortSignal amountIn amountInUi configVersion maxPriceImpactBps mint pool slippageBps snapshot stalePriceSeconds',
    ],
    [
      'buildBuy',
      'abortSignal after before computeUnitLimit computeUnitPrice dontFront encodedUserDefinedEventData lifetime loadedAccountsDataSizeLimit payer quoteResponse snapshot source tip transactionVersion wrapSol',
    ],
    ['quoteInitialBuy', 'abortSignal configVersion initialPurchasePercent slippage slippageBps tokenAmount'],
    ['getPoolState', 'abortSignal mint pool'],
    ['getProtocolConfigState', 'abortSignal version'],
    ['findPools', 'abortSignal all configVersion creator kind mint'],
    [
      'buildProToggleSwap',
      'abortSignal after before computeUnitLimit computeUnitPrice dontFront enabled lifetime loadedAccountsDataSizeLimit payer pool tip transactionVersion',
    ],
  ])('offers the fields of %s and no others', (name, fields) => {
    expect(editor.completions(`${prelude}\nheaven.${name}(client, { ~ });`).join(' ')).toBe(fields);
  });

  test("offers a client's options, and the error codes", () => {
    expect(editor.completions(`${prelude}\nheaven.createHeavenClient({ ~ });`)).toEqual(
      expect.arrayContaining(['commitment', 'deployment', 'rpc', 'rpcSubscriptions', 'rpcUrl', 'timeoutMs']),
    );
    const codes = editor.completions(`${prelude}\nheaven.isHeavenError(undefined, '~');`);
    expect(codes).toContain('invalid-amount');
    expect(codes.length).toBeGreaterThan(40);
  });

  test('goes to the declaration of a name, whichever entry point it comes from', () => {
    for (const code of ['heaven.~quoteBuy;', 'heaven.~computeBuy;', 'program.~getBuyInstruction;']) {
      const [declaration = ''] = editor.definitions(`${prelude}\n${code}`);
      expect(declaration).toMatch(/heaven-pools\/dist\/[\w-]+\.d\.ts$/);
    }
  });
});

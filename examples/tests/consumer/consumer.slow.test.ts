import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import ts from 'typescript';
import { build as buildPage } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buildBuy, createHeavenClient, quoteBuy } from '../../../src/index.js';
import { createEmbeddedLedger } from '../../../src/testing/index.js';
import { findChromium } from '../../../tests/support/chromium.js';
import { inBrowser } from './browser.js';
import { type Consumer, installConsumer, root, runBeside } from './install.js';

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
});
afterAll(() => consumer?.remove());

const manifest = async () => JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const dependedOn = async () => {
  const { dependencies, peerDependencies } = await manifest();
  return [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
};

describe('the package holds', () => {
  test('nothing that merely lies about in a working copy', () => {
    const paths = consumer.files.map(({ path }) => path);
    expect(
      paths.filter((path) =>
        /^(?:tests|bench|tools|docs\/api|(?:docs|examples)\/tests|examples\/dapp)\/|^examples\/.*(?:dist|node_modules)\/|package-lock|\.env|\.key$/.test(
          path,
        ),
      ),
    ).toEqual([]);
    expect(consumer.files.filter(({ size }) => size === 0)).toEqual([]);
  });

  test('no more bytes than its budget', () => {
    // As measured, and a tenth more: source and maps are half of it, so that a debugger shows the code.
    expect(consumer.packedSize).toBeLessThan(1_500_000);
    expect(consumer.unpackedSize).toBeLessThan(6_300_000);
  });

  test('only imports that are its dependencies, in code and in types', async () => {
    const allowed = [...(await dependedOn()), 'heaven-pools'];
    const strangers = new Set<string>();
    for (const { path } of consumer.files.filter((file) => /^dist\/.*\.(?:js|d\.ts)$/.test(file.path))) {
      const text = await readFile(join(consumer.folder, 'node_modules/heaven-pools', path), 'utf8');
      for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
        // `#` is the package's own, by its `imports`.
        if (/^(?:[.#]|node:)/.test(fileName)) continue;
        // The oldest versions that the ranges allow have other types.
        if (path.endsWith('.d.ts')) expect(fileName, path).not.toMatch(/^(?:zod|hono)\b/);
        if (allowed.some((name) => fileName === name || fileName.startsWith(`${name}/`))) continue;
        strangers.add(`${path}: ${fileName}`);
      }
    }
    expect([...strangers]).toEqual([]);
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
        /^(?:export )?(?:abstract )?class (\w+)/gm,
      ))
        declared.add(name);
    expect([...declared]).toEqual(expect.arrayContaining(['HeavenError', 'HttpError']));
    const places = new Map<string, string[]>();
    for (const { path } of consumer.files.filter((file) => /^dist\/.*\.js$/.test(file.path))) {
      const text = await readFile(join(consumer.folder, 'node_modules/heaven-pools', path), 'utf8');
      for (const [, statement, expression] of text.matchAll(
        // The files of Node have no line breaks.
        /(?:^|[;}])(?:class (\w+)|var (\w+) ?= ?class\b)/gm,
      )) {
        const name = statement ?? expression ?? '';
        if (declared.has(name)) places.set(name, [...(places.get(name) ?? []), path]);
      }
    }
    expect([...places.keys()].sort()).toEqual([...declared].sort());
    expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
  });
});

test('installs itself, eight packages and at most 26 MB beside kit', () => {
  const { besideKit } = consumer;
  expect(besideKit).toHaveLength(9);
  expect(besideKit.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThan(26_000_000);
});

describe('a project that installs it gets the same quote', () => {
  const expectSame = async (printed: string) => {
    const { version } = await manifest();
    const idl = JSON.parse(await readFile(join(root, 'src/program/idl.json'), 'utf8'));
    expect(JSON.parse(printed)).toEqual({
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
  };

  test('through every entry point', async () => expectSame(await consumer.node('entry-points.mjs')));

  test.each(['oldest', 'newest'] as const)('beside the %s versions that its ranges allow', async (which) => {
    const { dependencies, peerDependencies } = await manifest();
    const ranges = { ...dependencies, '@solana/kit': peerDependencies['@solana/kit'] };
    const versions = Object.entries<string>(ranges).map(([name, range]) => {
      expect(range, name).toMatch(/^\^\d+\.\d+\.\d+$/);
      return [name, which === 'oldest' ? range.slice(1) : range];
    });
    await expectSame(await runBeside(consumer.tarball, Object.fromEntries(versions)));
  });

  // Node 20.18 knows no require of an ES module; the package is ESM and says so.
  test.runIf('require_module' in process.features)('in CommonJS', async () => {
    expect(await consumer.node('required.cjs')).toBe(expected);
  });

  const runCli = (args: readonly string[], env = {}) =>
    promisify(execFile)(join(consumer.folder, 'node_modules/.bin/heaven-pools'), [...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      shell: process.platform === 'win32',
    });
  test('on its command line, which inspects a transaction with it', async () => {
    const { stdout } = await runCli(['inspect', bought]);
    expect(stdout).toContain(`buy: pay at most 1.5 SOL for at least ${expected} units`);
  });

  test('as a server, which says what a shared rate limit needs beside it', async () => {
    const serve = runCli(['serve'], { RATE_LIMIT: '60', RATE_LIMIT_REDIS_URL: 'redis://127.0.0.1:1' });
    await expect(serve).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm install @redis/client'),
    });
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
      const complaints = await inBrowser(
        join(consumer.folder, 'page'),
        chromiumPath!,
        async (page) => {
          await page.waitForFunction(() => document.querySelector('output')?.textContent !== '');
          expect(await page.textContent('output')).toBe(expected);
        },
        '/page.html',
      );
      expect(complaints).toEqual([]);
    },
  );
});

describe('the shipped examples run where it is installed, without another package', () => {
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
});

describe('TypeScript', () => {
  const { ModuleKind, ModuleResolutionKind } = ts;
  const ways = {
    node16: { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
    nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
    bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
  } as const;
  const DOM = ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'];

  /** What the compiler says of a program in the project: the file and message of each diagnostic. */
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
    return ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, messageText }) =>
          `${file?.fileName.replace(`${consumer.folder}/`, '')}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
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

  // Node16's own rules know no import attributes.
  const ANYWHERE = ['typed.ts', 'typed-idl.ts'];
  const LACKING_DOM =
    /^node_modules\/@solana\/[\w-]+\/dist\/types\/.*: Cannot find name '(?:CryptoKey|CryptoKeyPair|AddEventListenerOptions)'\./;
  const LACKING_NODE = /^node_modules\/(?:@solana|undici-types)\//;

  test.each<[string, keyof typeof ways, ts.CompilerOptions, readonly string[], RegExp]>([
    ['under node16', 'node16', { lib: DOM, types: ['node'] }, ['typed.ts', 'typed-node.ts'], /^$/],
    [
      'under nodenext, without DOM types that kit does not need itself',
      'nodenext',
      { lib: ['lib.es2022.d.ts'], types: ['node'] },
      [...ANYWHERE, 'typed-node.ts'],
      LACKING_DOM,
    ],
    [
      "under bundler, for a page without Node's types, where others find theirs",
      'bundler',
      { lib: DOM, types: [] },
      ANYWHERE,
      LACKING_NODE,
    ],
  ])('finds all types %s, library files checked too', (_, way, options, files, ofOthers) => {
    expect(check(way, files, options).filter((problem) => !ofOthers.test(problem))).toEqual([]);
  });

  test.each(['oldest', 'newest'] as const)(
    'infers the intended types with the %s kit 8, and rejects wrong calls',
    async (which) => {
      const range: string = (await manifest()).peerDependencies['@solana/kit'];
      expect(range).toMatch(/^\^8\./);
      const folder = await mkdtemp(join(tmpdir(), 'heaven-kit-'));
      const kit = `@solana/kit@${which === 'oldest' ? range.slice(1) : range}`;
      const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
      await promisify(execFile)('npm', ['install', '--prefix', folder, ...options, kit]);
      const at = join(folder, 'node_modules/@solana/kit');
      if (which === 'oldest')
        expect(JSON.parse(await readFile(join(at, 'package.json'), 'utf8')).version).toBe(range.slice(1));
      const paths = {
        '@solana/kit': [at],
        '@solana/kit/*': [`${at}/*`],
        // The test runner itself is not installed there; this is where it has `expectTypeOf` from.
        vitest: [join(consumer.folder, 'node_modules/expect-type')],
      };
      const files = ['inputs', 'results', 'wrong-calls'].map((name) => `types/${name}.test-d.ts`);
      expect(
        check('bundler', [...ANYWHERE, 'typed-node.ts', ...files], {
          lib: DOM,
          types: ['node'],
          paths,
          skipLibCheck: true,
        }),
      ).toEqual([]);
      await rm(folder, { recursive: true });
    },
  );
});

describe('leads to its source', () => {
  const packaged = (path: string) => join(consumer.folder, 'node_modules/heaven-pools', path);
  const linesOf = async (path: string) => (await readFile(packaged(path), 'utf8')).split('\n');

  test('an editor, from an import of every entry point', async () => {
    const imports = [
      ['heaven-pools', 'quoteBuy', 'src/operations/standard/quote-buy.ts'],
      ['heaven-pools', 'HeavenError', 'src/base/errors.ts'],
      ['heaven-pools/core', 'computeBuy', 'src/math/swap.ts'],
      ['heaven-pools/http', 'createRemoteClient', 'src/http/remote-client.ts'],
      ['heaven-pools/node', 'startServer', 'src/node/server.ts'],
      ['heaven-pools/program', 'decodeLiquidityPoolState', 'src/program/accounts.ts'],
      ['heaven-pools/testing', 'createEmbeddedLedger', 'src/testing/ledger.ts'],
    ] as const;
    const file = join(consumer.folder, 'edited.ts');
    const server = spawn(process.execPath, [
      join(root, 'node_modules/typescript/lib/tsserver.js'),
      '--disableAutomaticTypingAcquisition',
    ]);
    const ask = (command: string, body: object) =>
      server.stdin.write(`${JSON.stringify({ seq: 0, type: 'request', command, arguments: body })}\n`);
    ask('compilerOptionsForInferredProjects', { options: { module: 'nodenext', types: [] } });
    const fileContent = imports.map(([entry, name]) => `import { ${name} } from '${entry}';`).join('\n');
    ask('open', { file, fileContent });
    for (const index of imports.keys()) ask('definition', { file, line: index + 1, offset: 10 });
    const found: { file: string; start: { line: number } }[] = [];
    for await (const line of createInterface(server.stdout)) {
      if (line.includes('"command":"definition"')) found.push(...JSON.parse(line).body);
      if (found.length === imports.length) break;
    }
    server.kill();
    expect(found.map((one) => one.file)).toEqual(imports.map(([, , source]) => packaged(source)));
    for (const [index, [, name, source]] of imports.entries())
      expect((await linesOf(source))[(found[index]?.start.line ?? 0) - 1]).toMatch(
        new RegExp(`^export .*\\b${name}\\b`),
      );
  });

  test('a debugger, which stops in a line of TypeScript', async () => {
    const source = 'src/operations/standard/quote-buy.ts';
    const wanted = 'const [checked, ignored] = checkInput(client, input, quoteBuyFields);';
    const lineIn = async (path: string) => (await linesOf(path)).findIndex((text) => text.trim() === wanted);
    const built = consumer.files.map(({ path }) => path).filter((path) => /^dist\/.*\.js$/.test(path));
    const lines = await Promise.all(built.map(async (path) => [path, await lineIn(path)] as const));
    const [path, line] = lines.find(([, one]) => one >= 0) ?? expect.unreachable('no built file has it');
    const url = pathToFileURL(packaged(path)).href;
    const stopped = JSON.parse(await consumer.node('debugged.mjs', url, String(line), '2'));
    expect(stopped.lineNumber).toBe(line);
    const map = new SourceMap(JSON.parse(await readFile(packaged(`${path}.map`), 'utf8')));
    expect(map.findEntry(stopped.lineNumber, stopped.columnNumber)).toMatchObject({
      originalSource: `../${source}`,
      originalLine: await lineIn(source),
    });
  });
});

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import ts from 'typescript';
import { describe, expect, test, vi } from 'vitest';
import { Keypair, VersionedTransaction } from 'web3js-3';
import { createHandler } from '../../src/http/index.js';
import * as main from '../../src/index.js';
import { declare } from '../../src/node/commands/serve.js';
import * as node from '../../src/node/index.js';
import { paths } from '../../src/operations/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { importCode } from '../../tests/support/import-code.js';
import { withWallet } from './wallet.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const pages = ['README.md', ...readdirSync(new URL('docs', root)).map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith('.md'),
);

interface Module {
  readonly name: string;
  readonly code: string;
  readonly runs: boolean;
  readonly isJsx?: boolean;
  /** The script of a component, whose variables its template uses. */
  readonly isScript?: boolean;
}

/**
 * The ts and tsx blocks of a page. Each is a module of its own, but for those marked `part`, which are one in their order. All are
 * compiled, and all but those in tsx and those marked `compile-only` are run.
 */
function modulesOf(page: string): readonly Module[] {
  const blocks = [...read(page).matchAll(/^```ts(x?)([^\n]*)\n([\s\S]*?)^```/gm)].map(
    ([, x, mark = '', code = ''], index) => ({
      name: `${page}, block ${index + 1}`,
      mark: x === 'x' ? 'compile-only' : mark.trim(),
      code,
      isJsx: x === 'x',
    }),
  );
  for (const { name, mark } of blocks) {
    if (!['', 'compile-only', 'part'].includes(mark)) throw new Error(`${name} is marked ${mark}.`);
  }
  const parts = blocks.filter(({ mark }) => mark === 'part').map(({ code }) => code);
  const scripts = [...read(page).matchAll(/^```(vue|svelte)\n<script[^>]*>([\s\S]*?)<\/script>/gm)];
  return [
    ...scripts.map(([, framework, code = '']) => ({
      name: `${page}, ${framework}`,
      code: `import '${framework}';${code}`,
      runs: false,
      isScript: true,
    })),
    ...blocks
      .filter(({ mark }) => mark !== 'part')
      .map(({ name, mark, code, isJsx }) => ({ name, code, isJsx, runs: mark !== 'compile-only' })),
    ...(parts.length === 0 ? [] : [{ name: `${page}, its parts`, code: parts.join('\n'), runs: true }]),
  ];
}

const modules = pages.flatMap(modulesOf);

/** Runs code, and returns what it logs. */
async function run(code: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => void lines.push(values.join(' ')));
  try {
    await importCode(code);
  } finally {
    log.mockRestore();
  }
  return lines;
}

/** What the compiler says of each module, under the rules of this project. */
function complaintsOf(checked: readonly Module[]): ReadonlyMap<string, readonly string[]> {
  const path = fileURLToPath(new URL('tsconfig.json', root));
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, ts.sys.readFile).config,
    ts.sys,
    fileURLToPath(root),
  );
  const files = new Map(
    checked.map(({ code, isJsx }, index) => [
      fileURLToPath(new URL(`docs/block-${index}.ts${isJsx === true ? 'x' : ''}`, root)),
      code,
    ]),
  );
  const host = ts.createCompilerHost(options);
  // The Svelte component imports the guide's other file.
  const shared = checked.find(({ code }) => code.includes('export const { mint }'));
  if (shared !== undefined) files.set(fileURLToPath(new URL('docs/heaven.ts', root)), shared.code);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  const program = ts.createProgram(
    [...files.keys()],
    { ...options, noEmit: true, moduleDetection: ts.ModuleDetectionKind.Force },
    host,
  );
  return new Map(
    checked.map(({ name, isScript }, index) => {
      const source = program.getSourceFile([...files.keys()][index] ?? '');
      const all = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      const found = all.filter(({ reportsUnnecessary }) => !(isScript && reportsUnnecessary));
      return [
        name,
        found.map(({ messageText, start = 0, file: where }) => {
          const line = (where?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
          return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
        }),
      ];
    }),
  );
}

describe('the blocks of the pages', () => {
  let complaints: ReadonlyMap<string, readonly string[]> | undefined;
  test.each(modules)('$name compiles', ({ name, code }) => {
    complaints ??= complaintsOf(modules);
    expect(complaints.get(name)).toEqual([]);
    // A sample pool has more fields than a quote takes, which the types of a spread don't show: the quote would warn of them.
    expect(code).not.toMatch(/\.\.\.[\w.]*pools\./);
  });

  test('finds code that does not compile', () => {
    const [said] = complaintsOf([
      { name: 'wrong', code: "import { toUiAmount } from 'heaven-pools';\ntoUiAmount(1, 9);", runs: false },
    ]).values();
    expect(said).toEqual([expect.stringMatching(/^line 2: .*'number' is not assignable .*'bigint'/)]);
  });

  test.each(modules.filter(({ runs }) => runs))('$name runs as it stands', async ({ code }) => {
    const promised = [...code.matchAll(/console\.log\(.*\);\s\/\/ (.*)$/gm)].map(([, value]) => value);
    const needsWallet = code.includes('@wallet-standard/app');
    const lines = await (needsWallet ? withWallet(() => run(code)) : run(code));
    const printed = lines.map((line) => line.replaceAll('\u00a0', ' '));
    expect(printed.length).toBeGreaterThan(0);
    for (const value of promised) expect(printed).toContain(value);
  });
});

test('web3.js 3 signs what a builder returns, and its key pair pays', async () => {
  const ledger = await createEmbeddedLedger();
  const client = main.createHeavenClient({ rpc: ledger.rpc });
  const { mint, configVersion } = ledger.pools.creator;
  const keypair = await Keypair.generate();
  ledger.setBalance(keypair.address, 5_000_000_000n);
  const terms = { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 };
  const quoteResponse = await main.quoteBuy(client, terms);
  const built = await main.buildBuy(client, { payer: keypair, quoteResponse });
  const transaction = VersionedTransaction.deserialize(Buffer.from(built.tx, 'base64'));
  await transaction.sign([keypair]);
  const { status } = await main.submitTransaction(client, transaction.serialize(), built.lifetime);
  expect(status).toBe('landed');
});

test("docs/self-hosting.md has the server's options with their defaults", () => {
  const program = new Command();
  declare(program);
  const options = program.commands[0]?.options.map(({ long, envVar, defaultValue }) => ({
    option: long,
    env: envVar,
    number: typeof defaultValue === 'number' ? String(defaultValue) : undefined,
  }));
  const rows = [
    ...read('docs/self-hosting.md').matchAll(
      /^\| (?:`--[a-z-]+`, )?`(--[a-z-]+)` \| (?:`([A-Z_]+)`)? ?\| ([^|]*) \|/gm,
    ),
  ].map(([, option, env, fallback = '']) => ({ option, env, number: /^\d+$/.exec(fallback.trim())?.[0] }));
  expect(rows.length).toBeGreaterThan(15);
  expect(rows).toEqual(options);
});

describe('what the pages call with curl', () => {
  const blocks = pages.flatMap((page) =>
    [...read(page).matchAll(/^```sh\n(curl[\s\S]*?)^```/gm)].map(([, text = '']) => ({ page, text })),
  );

  test.each(blocks)('is answered ($page)', async ({ text }) => {
    const { rpc, transport } = await createEmbeddedLedger();
    const handler = createHandler({
      client: main.createHeavenClient({ rpc }),
      ledger: { transport },
    });
    const server = await node.startServer({ handler, port: 0, hostname: '127.0.0.1' });
    try {
      expect(text).toContain('http://127.0.0.1:3000/');
      const script = text.replaceAll('http://127.0.0.1:3000', server.url);
      const { stdout } = await promisify(execFile)('bash', ['-c', script]);
      const answer = JSON.parse(stdout);
      expect(Object.keys(answer).length).toBeGreaterThan(0);
      expect(answer.error).toBeUndefined();
    } finally {
      await server.close();
    }
  });
});

test.each(['README.md', 'docs/http.md'])('%s lists each path once', (page) => {
  const firstCells = [...read(page).matchAll(/^\| (`\/[^|]*) \|/gm)].map(([, cell = '']) => cell);
  const listed = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path));
  expect(listed.sort()).toEqual(Object.values(paths).sort());
});

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('links between the pages are valid', () => {
  const others = ['CHANGELOG.md', '.github/CONTRIBUTING.md', '.github/SECURITY.md'];
  const broken = [...pages, ...others].flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([, target = '', anchor]) => {
      const url = new URL(target, new URL(page, root));
      const path = target === '' ? page : url.pathname.slice(root.pathname.length);
      const isThere = existsSync(new URL(path, root));
      const isWhole = anchor === undefined || (isThere && anchorsOf(path).includes(anchor));
      return isThere && isWhole ? [] : [`${page}: ${target}${anchor === undefined ? '' : `#${anchor}`}`];
    }),
  );
  expect(broken).toEqual([]);
});

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { describe, expect, test, vi } from 'vitest';
import { boostDocument, isSearched } from '../../docs/.vitepress/search.js';
import * as http from '../../src/http/index.js';
import { requestNames } from '../../src/http/schemas/requests.js';
import * as main from '../../src/index.js';
import * as node from '../../src/node/index.js';
import { type OperationName, paths } from '../../src/operations.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { importCode } from '../support/import-code.js';
import { withWallet } from '../support/wallet.js';

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
}

/**
 * The ts and tsx blocks of a page. Each is a module of its own, but those marked `part` are one together, in their order. All
 * are compiled, and all but those in tsx and those marked `compile-only` are run.
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
    if (!['', 'part', 'compile-only'].includes(mark)) throw new Error(`${name} is marked ${mark}.`);
  }
  const parts = blocks.filter(({ mark }) => mark === 'part').map(({ code }) => code);
  return [
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

const CLI = fileURLToPath(new URL('src/node/cli.ts', root));
const helps = new Map<string, Promise<string>>();

/** What the program says of one of its commands. */
function helpOf(command: readonly string[]): Promise<string> {
  const key = command.join(' ');
  const help =
    helps.get(key) ??
    promisify(execFile)(process.execPath, ['--import', 'tsx', CLI, ...command, '--help']).then(
      ({ stdout }) => stdout,
    );
  helps.set(key, help);
  return help;
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
      fileURLToPath(new URL(`block-${index}.ts${isJsx === true ? 'x' : ''}`, root)),
      code,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  const program = ts.createProgram(
    [...files.keys()],
    { ...options, noEmit: true, moduleDetection: ts.ModuleDetectionKind.Force },
    host,
  );
  return new Map(
    [...files.keys()].map((file, index) => {
      const source = program.getSourceFile(file);
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      return [
        checked[index]?.name ?? '',
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
  test.each(modules)('$name compiles', { timeout: 120_000 }, ({ name }) => {
    complaints ??= complaintsOf(modules);
    expect(complaints.get(name)).toEqual([]);
  });

  test('finds code that does not compile', { timeout: 120_000 }, () => {
    const [said] = complaintsOf([
      { name: 'wrong', code: "import { toUiAmount } from 'heaven-pools';\ntoUiAmount(1, 9);", runs: false },
    ]).values();
    expect(said).toEqual([expect.stringMatching(/^line 2: .*'number' is not assignable .*'bigint'/)]);
  });

  test.each(modules.filter(({ runs }) => runs))('$name runs as it stands', async ({ code }) => {
    const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, value]) => value);
    const needsWallet = code.includes('@wallet-standard/app');
    const printed = await (needsWallet ? withWallet(() => run(code)) : run(code));
    expect(printed.length).toBeGreaterThan(0);
    for (const value of promised) expect(printed).toContain(value);
  });
});

describe('the sending in docs/wallets.md', () => {
  const parts = read('docs/wallets.md').split('\n## When the user takes too long')[0] as string;
  const code = [...parts.matchAll(/^```ts part\n([\s\S]*?)^```/gm)].map(([, part = '']) => part).join('\n');
  const change = (before: string, after: string) => {
    expect(code).toContain(before);
    return code.replace(before, after);
  };
  /** A node whose first answers to some calls are lost. */
  const losing = (...methods: readonly string[]) =>
    change(
      'const { rpc } = ledger;',
      `const lost = ${JSON.stringify(methods)};
const rpc = new Proxy(ledger.rpc, {
  get: (target, name) => (...args) => {
    const request = target[name](...args);
    const send = async (...options) => {
      const answer = await request.send(...options);
      if (!lost.includes(name)) return answer;
      lost.splice(lost.indexOf(name), 1);
      throw new TypeError('fetch failed');
    };
    return { send };
  },
});`,
    );

  test.each([['getEpochInfo', 'getSignatureStatuses'], ['sendTransaction'], ['getTransaction']])(
    'continues when an answer to %s is lost',
    async (...methods) => {
      const printed = await withWallet(() => run(losing(...methods)));
      expect(printed.at(-1)).toMatch(/^done: \w{80,}$/);
    },
  );

  test('continues with a transaction that has landed before', async () => {
    const answer = 'return output?.signedTransaction;\n';
    const early = `const early = output.signedTransaction;
await ledger.rpc.sendTransaction(btoa(String.fromCharCode(...early)), { encoding: 'base64' }).send();
`;
    const twice = change(answer, `${early}${answer}`);
    expect((await withWallet(() => run(twice))).at(-1)).toMatch(/^done: /);
  });

  test('stops at an expired transaction, and says so', async () => {
    const answer = 'return output?.signedTransaction;\n';
    const late = change(answer, `ledger.setSlot(ledger.slot + 200n);\n${answer}`);
    await expect(withWallet(() => run(late))).rejects.toThrow(/^It expired, and was not executed/);
  });
});

describe('the commands of the pages', () => {
  const commands = pages.flatMap((page) =>
    [...read(page).matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, text = '']) =>
      text
        .split('\n')
        .map((line) => ({ page, line: line.replace(/#.*/, '').trim() }))
        .filter(({ line }) => line !== ''),
    ),
  );
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };

  test('are found', () => expect(commands.length).toBeGreaterThan(5));

  test.each(commands)('$page: $line', async ({ line }) => {
    const [, script] = /^(?:\w+=\S+ )*npm (?:run )?(?!install|create)([\w:]+)/.exec(line) ?? [];
    if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
    const [, command] = /^npx heaven-pools (quote [a-z-]+|\w+)/.exec(line) ?? [];
    if (command === undefined) return;
    const help = await helpOf(command.split(' '));
    expect(help).toContain(`Usage: heaven-pools ${command} `);
    for (const [, option = ''] of line.matchAll(/ (--[\w-]+)/g))
      expect(help).toMatch(new RegExp(` ${option}[ ,]`));
  });

  test("docs/self-hosting.md has the server's options with their defaults", async () => {
    const described = (await helpOf(['serve'])).replace(/\s+/g, ' ');
    const options = [...described.matchAll(/ (--[a-z-]+) <(?:(?! --).)*/g)].map(([text, option = '']) => ({
      option,
      env: /env: ([A-Z_]+)/.exec(text)?.[1],
      number: /default: (\d+)[,)]/.exec(text)?.[1],
    }));
    const rows = [
      ...read('docs/self-hosting.md').matchAll(
        /^\| (?:`--[a-z-]+`, )?`(--[a-z-]+)` \| (?:`([A-Z_]+)`)? ?\| ([^|]*) \|/gm,
      ),
    ].map(([, option, env, fallback = '']) => ({ option, env, number: /^\d+$/.exec(fallback.trim())?.[0] }));
    expect(options.length).toBeGreaterThan(15);
    expect(rows).toEqual(options);
  });
});

describe('what the pages call with curl', () => {
  const blocks = pages.flatMap((page) =>
    [...read(page).matchAll(/^```sh\n(curl[\s\S]*?)^```/gm)].map(([, text = '']) => ({ page, text })),
  );

  test.each(blocks)('is answered ($page)', async ({ text }) => {
    const { rpc, transport } = await createEmbeddedLedger();
    const handler = node.createHandler({
      client: main.createHeavenClient({ rpc }),
      rpc: (payload) => transport({ payload }),
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

describe('the tables of the README', () => {
  const rows = [...read('README.md').matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
    row.split(/ \|(?: |$)/),
  );

  test('have each path with its function', () => {
    const listed = rows
      .filter(([path = '']) => path.startsWith('`/'))
      .map(([path, name]) => [path?.replaceAll('`', ''), name?.replaceAll('`', '')]);
    const served = Object.entries(paths).map(([name, path]) => [path, name]);
    expect(listed.length).toBe(29);
    expect(listed.sort()).toEqual(served.sort());
  });

  test('contain only existing names', () => {
    const exported = new Set([main, http, node].flatMap((module) => Object.keys(module)));
    const named = rows.flatMap((cells) =>
      [...cells.join(' ').matchAll(/`([a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(50);
    for (const name of named) expect([...exported]).toContain(name);
  });
});

describe('docs/getting-started.md', () => {
  const started = read('docs/getting-started.md');

  test('has the first trade of the README', () => {
    const [trade = 'none'] = /```ts\n[\s\S]*?```/.exec(read('README.md')) ?? [];
    expect(trade).toContain('submitTransaction');
    expect(started).toContain(trade);
  });

  test('has its imports', () => {
    const importsOf = (text: string) => text.match(/^\| `heaven-pools.*/gm)?.slice(1);
    expect(importsOf(started)?.length).toBe(5);
    expect(importsOf(started)).toEqual(importsOf(read('README.md')));
  });
});

describe('the site', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };

  test.each(['docs', 'docs:dev'])('npm run %s installs what is missing', (name) => {
    expect(scripts[name]).toMatch(/^npm run --silent docs:api /);
    expect(scripts['predocs:api']).toBe(scripts.pretest);
  });

  test('says where it is, and can be previewed', () => {
    const [, script = 'none'] =
      /docs\/\.vitepress\/dist\b.* npm run (\S+)$/.exec(scripts.postdocs ?? '') ?? [];
    expect(scripts[script]).toBe('vitepress preview docs');
  });

  test('starts with the first trade', () => {
    const [first] = /link: '\/[\w-]+'/.exec(read('docs/.vitepress/config.ts')) ?? [];
    expect(first).toBe("link: '/getting-started'");
    expect(read('docs/index.md')).toContain('link: /getting-started\n');
  });

  test('finds guides first, and ignores figures', () => {
    expect(isSearched('trading.md')).toBe(true);
    expect(isSearched('performance.md')).toBe(false);
    expect(existsSync(new URL('docs/performance.md', root))).toBe(true);
    // As the site has it: by its text, wherever it stands.
    const boost = new Function(`return ${boostDocument}`)() as typeof boostDocument;
    const guide = boost('/heaven-pools/trading.html#fees');
    expect(guide).toBeGreaterThan(boost('/heaven-pools/api/heaven-pools/functions/quoteBuy.html'));
  });

  test('wraps long code in guides, and long types in tables', () => {
    const style = read('docs/.vitepress/theme/style.css');
    expect(style).toMatch(/^\.vp-doc \[class\*="language-"\] code \{\n {2}white-space: pre-wrap;/m);
    expect(style).toMatch(/td code \{\n {2}overflow-wrap: anywhere;/);
  });
});

describe('docs/http.md', () => {
  const named = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const rows = [...read('docs/http.md').matchAll(/^\| (`\/.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | '),
  );

  test('lists each path', () => {
    expect(rows.flatMap(([paths]) => named(paths)).sort()).toEqual(Object.values(paths).sort());
  });

  test.each(rows.flatMap(([paths, request]) => named(paths).map((path) => [path, request] as const)))(
    '%s with its fields',
    (path, request = '') => {
      const [name] = (Object.keys(paths) as OperationName[]).filter((each) => paths[each] === path);
      const names = requestNames(name!);
      // Said once, below the table.
      const common = /^(?:compute_unit_|loaded_accounts_data_size_limit$|transaction_version$)/;
      const fields = Object.keys(names).filter((field) => !common.test(field));
      // A pro pool's trade is described as its standard twin's with a pool.
      const expected = request.includes('standard twin') ? ['pool'] : fields;
      expect(fields).toEqual(expect.arrayContaining(expected));
      expect(named(request)).toEqual(expect.arrayContaining(expected));
    },
  );
});

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('the package has the pictures of the pages, and no others', () => {
  const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };
  const shown = [...pages.filter((page) => page !== 'README.md'), 'examples/dapp/README.md'].flatMap((page) =>
    [...read(page).matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, target = '']) =>
      new URL(target, new URL(page, root)).pathname.slice(root.pathname.length),
    ),
  );
  expect(shown).toContain('docs/images/dapp-review.png');
  expect(shown.filter((path) => !files.includes(path))).toEqual([]);
  const pictures = readdirSync(new URL('docs/images', root)).map((name) => `docs/images/${name}`);
  expect(pictures.filter((path) => !shown.includes(path))).toEqual([]);
});

test('links between the pages are valid', () => {
  const broken = [...pages, 'CHANGELOG.md'].flatMap((page) =>
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

import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { HeavenErrorContexts } from '../../src/base/errors.js';
import { scenes } from '../../tests/support/example-scene.js';
import { ENTRY_POINTS } from '../.vitepress/reference/model.js';

// The docstrings of all public names: what an editor shows, and what the API reference is made of.

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Functions whose example is compiled and not run, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  buildCreateStandardLiquidityPool: 'searches for an address that ends in 777',
  createRemoteClient: 'calls a service',
  createSvmEngine: 'loads a native package, which a bundle can not',
  startServer: 'takes port 3000',
  watchNewPools: 'waits for a pool that nobody creates',
  watchTrades: 'waits for a trade that nobody makes',
};

interface PublicName {
  readonly name: string;
  readonly entry: string;
  readonly symbol: ts.Symbol;
  readonly isFunction: boolean;
  readonly summary: string;
  readonly tags: readonly { readonly name: string; readonly text: string }[];
  /** The declarations as they stand, with the comments on their fields. */
  readonly source: string;
}

interface Example {
  readonly name: string;
  readonly scene: keyof typeof scenes;
  readonly file: string;
  readonly code: string;
  readonly promised: readonly string[];
}

const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);

function programOf(examples: readonly Example[] = []): ts.Program {
  const files = new Map(examples.map(({ file, code }) => [file, code]));
  const settings = { ...options, noUnusedLocals: false, noUnusedParameters: false };
  const host = ts.createCompilerHost(settings);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  const entries = Object.values(ENTRY_POINTS).map((path) => `${root}${path}`);
  return ts.createProgram([...entries, ...files.keys()], settings, host);
}

function publicNames(program: ts.Program): readonly PublicName[] {
  const checker = program.getTypeChecker();
  return Object.entries(ENTRY_POINTS).flatMap(([entry, path]) => {
    const source = program.getSourceFile(`${root}${path}`);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${path} exports nothing`);
    return checker.getExportsOfModule(module).map((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const value = symbol.flags & ts.SymbolFlags.Value;
      return {
        name: exported.name,
        entry,
        symbol,
        isFunction: value !== 0 && checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0,
        summary: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        tags: symbol
          .getJsDocTags(checker)
          .map(({ name, text }) => ({ name, text: ts.displayPartsToString(text) })),
        source: (symbol.declarations ?? [])
          .map((declaration) => {
            const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
            return statement.getFullText();
          })
          .join('\n'),
      };
    });
  });
}

const codeOf = (text: string) => /^```ts\n([\s\S]*?)\n```$/.exec(text.trim())?.[1];

const names = publicNames(programOf());
const once = [...new Map(names.map((one) => [one.symbol, one])).values()];
const functions = once.filter(({ isFunction }) => isFunction);

/** The entry point of each name that has a value. The main one goes first. */
const importable = new Map(
  [...names]
    .reverse()
    .filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Value)
    .map(({ name, entry }) => [name, entry]),
);

/** What a scene holds, and an example may use. */
const SCENE_NAMES = new Set(Object.keys(await scenes.buy()));

function sceneFor(name: string): keyof typeof scenes {
  if (name === 'buildProCreate') return 'create';
  const isPro = /^(build|quote)Pro|LpBalance|LpShare|toProFee|toSlotFee|UserLpPosition/.test(name);
  const isSell = /Sell$/.test(name);
  return isPro ? (isSell ? 'proSell' : 'proBuy') : isSell ? 'sell' : 'buy';
}

/** `getProBuyInstruction` -> `proBuy`. */
const instructionOf = (builder: string): string =>
  builder.replace(
    /^get(\w)(\w*)Instruction$/,
    (_, first: string, rest: string) => first.toLowerCase() + rest,
  );

/** An example as a module: in a function that is given the scene, with what it uses of the package imported. */
function exampleOf({ name, tags }: PublicName): Example | undefined {
  const own = codeOf(tags.find((tag) => tag.name === 'example')?.text ?? '');
  if (own === undefined) return undefined;
  const builder = name.replace(/^parse(\w+)Instruction$/, 'get$1Instruction');
  const made = builder === name ? undefined : functions.find((one) => one.name === builder);
  const given = made && codeOf(made.tags.find((tag) => tag.name === 'example')?.text ?? '');
  const imports = [...own.matchAll(/^import .*;$/gm)].map(([line]) => line);
  const body = own
    .replace(/^import .*;\n/gm, '')
    .replace(/^(?!console\.)(\w+\(.*\)(?:\?\.\w+)?); \/\/ /gm, 'show($1); // ');
  const imported = new Set(imports.flatMap((line) => line.match(/\w+/g) ?? []));
  const words = new Set(`${body}\n${given ?? ''}`.match(/[A-Za-z_]\w*/g));
  const used = [...words].filter((word) => importable.has(word) && !imported.has(word));
  const scene = sceneFor(name);
  return {
    name,
    scene,
    file: `${root}tests/support/example-of-${name}.ts`,
    promised: [...body.matchAll(/^\s*.*(?:console\.log|show)\(.*\); \/\/ (.*)$/gm)].map(
      ([, value = '']) => value,
    ),
    code: [
      ...imports,
      ...used.map((word) => `import { ${word} } from '${importable.get(word)}';`),
      `import type { Scenes } from './example-scene.js';`,
      `export default async function example(scene: Scenes['${scene}'], show: (value: unknown) => void, abortSignal: AbortSignal) {`,
      `const { ${[...words].filter((word) => SCENE_NAMES.has(word) && word !== 'accounts').join(', ')} } = scene;`,
      words.has('accounts') ? `const accounts = scene.accountsOf('${instructionOf(builder)}');` : '',
      '{',
      given === undefined ? '' : given,
      '{',
      body,
      '}',
      '}',
      '}',
    ].join('\n'),
  };
}

const examples = functions.flatMap((one) => exampleOf(one) ?? []);

describe('each public name', () => {
  test('exists', () => {
    expect(once.length).toBeGreaterThan(350);
    expect(functions.length).toBeGreaterThan(130);
  });

  test.each(Object.keys(ENTRY_POINTS))('of %s says what it is', (entry) => {
    const silent = names.filter((one) => one.entry === entry && one.summary.trim() === '');
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('links only to existing names', () => {
    const known = new Set(names.map(({ name }) => name));
    const broken = once.flatMap(({ name, source }) =>
      [...source.matchAll(/\{@link\s+([^}\s]+)[^}]*\}/g)]
        .filter(([, target = '']) => !known.has(target))
        .map(([link]) => `${name}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('each function', () => {
  test('has one example', () => {
    const counts = functions.map(({ name, tags }) => [
      name,
      tags.filter((tag) => tag.name === 'example' && codeOf(tag.text) !== undefined).length,
    ]);
    expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
  });

  test('names only existing codes', () => {
    const contexts = once.find(({ name }) => name === 'HeavenErrorContexts')?.symbol;
    const codes = new Set([...(contexts?.members?.keys() ?? [])].map(String));
    expect(codes).toContain('invalid-input' satisfies keyof HeavenErrorContexts);
    const wrong = functions.flatMap(({ name, tags }) =>
      tags
        .filter((tag) => tag.name === 'throws')
        .flatMap(({ text }) => [...text.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)])
        .filter(([, code = '']) => !codes.has(code))
        .map(([, code]) => `${name}: ${code}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('each example', () => {
  let complaints: ReadonlyMap<string, readonly string[]>;
  let run: Readonly<Record<string, (lines: string[]) => Promise<void>>>;

  beforeAll(async () => {
    const program = programOf(examples);
    complaints = new Map(
      examples.map(({ name, file }) => {
        const source = program.getSourceFile(file);
        return [
          name,
          [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
            ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
          ),
        ];
      }),
    );
    run = await bundled(examples.filter(({ name }) => !(name in NOT_RUN)));
  });

  test.each(examples)('of $name compiles', ({ name }) => {
    expect(complaints.get(name)).toEqual([]);
  });

  test.each(examples.filter(({ name }) => !(name in NOT_RUN)))(
    'of $name runs',
    async ({ name, promised }) => {
      const lines: string[] = [];
      await run[name]?.(lines);
      for (const value of promised) expect(lines).toContain(value);
    },
  );

  test('is run unless exempt for a reason', () => {
    for (const name of Object.keys(NOT_RUN)) expect(examples.map((one) => one.name)).toContain(name);
    expect(examples.flatMap(({ promised }) => promised).length).toBeGreaterThan(15);
  });
});

/** All examples in one bundle, as a user would have them. */
async function bundled(some: readonly Example[]) {
  const contents = new Map(some.map(({ file, code }) => [file, code]));
  const { outputFiles } = await build({
    stdin: {
      contents: [
        `export { scenes } from './tests/support/example-scene.ts';`,
        ...some.map(({ name, file }) => `export { default as ${name} } from ${JSON.stringify(file)};`),
      ].join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: `${root}tsconfig.json`,
    plugins: [
      {
        name: 'examples',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /example-of-/ }, ({ path }) => ({ path }));
          onLoad({ filter: /example-of-/ }, ({ path }) => ({
            contents: contents.get(path) ?? '',
            loader: 'ts',
            resolveDir: `${root}tests/support`,
          }));
        },
      },
    ],
  });
  const module = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`
  );
  return Object.fromEntries(
    some.map(({ name, scene }) => [
      name,
      async (lines: string[]) => {
        // An endless loop ends once it has printed.
        const controller = new AbortController();
        const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
          lines.push(values.join(' '));
          controller.abort();
        });
        const fail = vi.spyOn(console, 'error').mockImplementation((...values) => {
          lines.push(`error: ${values.join(' ')}`);
        });
        vi.stubGlobal('fetch', () => Promise.reject(new Error('An example called a service.')));
        try {
          const show = (value: unknown) => void lines.push(inspect(value));
          await module[name](await module.scenes[scene](), show, controller.signal);
        } finally {
          log.mockRestore();
          fail.mockRestore();
          vi.unstubAllGlobals();
        }
      },
    ]),
  );
}

import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import manifest from '../package.json' with { type: 'json' };

// `exports` and `imports` of package.json name what can be imported, and `paths` of tsconfig.json where its source is. The build, the tests
// and the reference take both from here.

const root = fileURLToPath(new URL('../', import.meta.url));
const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const paths: Readonly<Record<string, readonly [string]>> = config.compilerOptions.paths;

/** What an import of the package's names is read from in the repository, for bundlers. */
export const ALIASES = Object.entries(paths).map(([name, [source]]) => ({
  find: new RegExp(`^${name.replace('*', '(\\w+)')}$`),
  replacement: root + source.replace('./', '').replace('*', '$1'),
}));

const targets: Readonly<Record<string, string | { readonly default: string; readonly types: string }>> = {
  ...manifest.exports,
  ...manifest.imports,
};

/** What is built: by the name that imports it, its file in `dist`, its source, and whether it has types. */
export const ENTRIES = Object.entries(targets).flatMap(([key, target]) => {
  const isTyped = typeof target === 'object';
  const [, file] = (isTyped ? target.default : target).match(/^\.\/dist\/(.+)\.js$/) ?? [];
  if (file === undefined) return [];
  const name = key.replace(/^\./, manifest.name);
  const alias = ALIASES.find(({ find }) => find.test(name));
  if (alias === undefined) throw new Error(`The paths of tsconfig.json lack ${name}.`);
  return [{ name, file, source: name.replace(alias.find, alias.replacement).slice(root.length), isTyped }];
});

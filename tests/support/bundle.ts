import type { BuildOptions } from 'esbuild';

const root = new URL('../../', import.meta.url);

/** How code of the guides is bundled for Node: as users would write it, with the package under its own name
 * and the packages of the docs. */
export const guideBundle = (contents: string) =>
  ({
    stdin: { contents, resolveDir: new URL('docs', root).pathname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: new URL('tsconfig.json', root).pathname,
  }) as const satisfies BuildOptions;

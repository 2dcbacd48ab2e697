import { build } from 'esbuild';

import { guideBundle } from './bundle.js';

let imports = 0;

/** Imports TypeScript as a user would have it: bundled, with the package under its own name. Returns what it exports. */
export async function importCode(code: string): Promise<Readonly<Record<string, unknown>>> {
  const { outputFiles } = await build({
    ...guideBundle(code),
    // web3.js 1 requires Node's own modules.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(${JSON.stringify(import.meta.url)});`,
    },
    // The same code twice is imported twice.
    footer: { js: `// import ${++imports}` },
  });
  const text = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64');
  return await import(`data:text/javascript;base64,${text}`);
}

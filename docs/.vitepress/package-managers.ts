// A guide says `npm install`. The site shows the same commands for each package manager, in tabs.

type Rewrite = readonly [command: RegExp, pnpm: string, yarn: string, bun: string];

const REWRITES: readonly Rewrite[] = [
  [/^npm install (?=\S)/, 'pnpm add ', 'yarn add ', 'bun add '],
  [/^npm (?:install|ci)$/, 'pnpm install', 'yarn install', 'bun install'],
  [/^npm create -y (\S+?)(@\S+)? (\S+) -- /, 'pnpm create $1 $3 ', 'yarn create $1 $3 ', 'bun create $1 $3 '],
  [/^npm run /, 'pnpm run ', 'yarn run ', 'bun run '],
  [/^npx /, 'pnpm exec ', 'yarn ', 'bunx '],
  [/^(?=(?:cd|node|npm pack) )/, '', '', ''],
];

const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;

function rewrite(line: string, manager: number): string | undefined {
  const found = REWRITES.find(([command]) => command.test(line));
  if (found === undefined) return undefined;
  return manager === 0 ? line : line.replace(found[0], found[manager] as string);
}

/** The commands of a block for each package manager; `undefined` if it installs nothing, or does what has no counterpart. */
export function commandsOf(block: string): ReadonlyMap<string, string> | undefined {
  const lines = block.trim().split('\n');
  if (!lines.some((line) => /^npm install \S/.test(line))) return undefined;
  const all = MANAGERS.map((name, index) => [name, lines.map((line) => rewrite(line, index))] as const);
  if (all.some(([, rewritten]) => rewritten.includes(undefined))) return undefined;
  return new Map(all.map(([name, rewritten]) => [name, rewritten.join('\n')]));
}

/** Markdown with tabs in place of the blocks that install packages. */
export const withTabs = (markdown: string): string =>
  markdown.replace(/^```sh\n([\s\S]*?)^```$/gm, (block, text: string) => {
    const commands = commandsOf(text);
    if (commands === undefined) return block;
    const tabs = [...commands].map(([name, lines]) => `\`\`\`sh [${name}]\n${lines}\n\`\`\``);
    return `::: code-group\n${tabs.join('\n')}\n:::`;
  });

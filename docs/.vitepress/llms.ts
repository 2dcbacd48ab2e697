import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Section {
  readonly title: string;
  /** Without their `.md`, from the root of the docs. */
  readonly pages: readonly string[];
}

const titleOf = (markdown: string) => /^# (.*)$/m.exec(markdown)?.[1] ?? '';

/** What a page is about: its first paragraph. */
const aboutOf = (markdown: string) =>
  markdown
    .split(/\n\s*\n/)
    .find((part) => /^(?!```)[A-Z`[]/.test(part))
    ?.replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1') ?? '';

/** Writes llms.txt, its full text, and the pages as Markdown, out of the site's own menus. */
export function writeLlmsFiles(site: {
  readonly title: string;
  readonly description: string;
  readonly base: string;
  readonly from: string;
  readonly to: string;
  readonly guides: readonly Section[];
  readonly reference: Section;
}): void {
  const { title, description, base, from, to, guides, reference } = site;
  const read = (page: string) => readFileSync(join(from, `${page}.md`), 'utf8');
  const sections = [...guides, reference].map((section) => {
    const lines = section.pages.map((page) => {
      copyFileSync(join(from, `${page}.md`), join(to, `${page}.md`));
      const text = read(page);
      return `- [${titleOf(text)}](${base}${page}.md): ${aboutOf(text)}`;
    });
    return `## ${section.title}\n\n${lines.join('\n')}`;
  });
  const head = `# ${title}\n\n> ${description}\n`;
  writeFileSync(join(to, 'llms.txt'), `${head}\n${sections.join('\n\n')}\n`);
  const guideTexts = guides.flatMap(({ pages }) => pages.map(read));
  writeFileSync(join(to, 'llms-full.txt'), `${head}\n${guideTexts.join('\n\n')}`);
}

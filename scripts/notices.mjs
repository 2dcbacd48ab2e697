// `node scripts/notices.mjs METAFILE`: writes THIRD-PARTY-NOTICES.md, which says whose code a build holds and on what terms.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const [metafile] = process.argv.slice(2);
const { outputs } = JSON.parse(await readFile(metafile, 'utf8'));
await rm(metafile);

const folders = new Set(
  Object.values(outputs)
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
);
const packages = await Promise.all(
  [...folders].map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice)\b/i.test(file));
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const text = texts.map((each) => each.replaceAll('\r', '').trim()).join('\n\n');
    return { name, version, license, text };
  }),
);
packages.sort((one, other) => (one.name < other.name ? -1 : 1));

const sections = packages.map(({ name, version, license, text }) => {
  // Some packages ship without the text of their license. Another package's copy is the same.
  const owner =
    text === '' ? packages.find((other) => other.license === license && other.text !== '') : undefined;
  if (text === '' && owner === undefined) throw new Error(`${name} has no license to go with its code`);
  const terms = owner === undefined ? `\`\`\`\n${text}\n\`\`\`` : `Its text is that of ${owner.name}.`;
  return `## ${name} ${version}\n\n${license}\n\n${terms}\n`;
});
const title = '# Third-party notices\n\n`dist` holds code of these packages.\n';
await writeFile('THIRD-PARTY-NOTICES.md', [title, ...sections].join('\n'));

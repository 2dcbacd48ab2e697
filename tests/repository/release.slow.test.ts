import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { npm } from '../support/installed.js';

// The release that docs/maintaining.md describes and the workflow makes, dry: in a copy of the files that it changes.

const root = fileURLToPath(new URL('../..', import.meta.url));

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'heaven-release-'));
  for (const name of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'README.md', 'LICENSE'])
    await cp(join(root, name), join(copy, name));
});
afterAll(() => rm(copy, { recursive: true }));

/** What the check says of a tag in a repository: each thing that is missing, or that nothing is. */
const check = async (tag: string, repository: string): Promise<readonly string[]> => {
  const options = { cwd: copy, env: { ...process.env, GITHUB_REPOSITORY: repository } };
  const script = join(root, 'scripts/check-release.mjs');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, tag], options).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return `${stdout}${stderr}`.trim().split('\n');
};

test('a version can be released once the steps are done, and not before', async () => {
  expect(await check('v9.9.9', 'someone/pools')).toEqual([
    expect.stringMatching(/^the tag is v9\.9\.9, and package\.json says/),
    expect.stringMatching(/^CHANGELOG\.md has no section/),
    expect.stringMatching(/^package\.json names no repository/),
  ]);
  const guide = await readFile(join(root, 'docs/maintaining.md'), 'utf8');
  const settings = (/npm pkg set (repository[^`]+)`/.exec(guide)?.[1] ?? '').replaceAll(
    'OWNER/NAME',
    'someone/pools',
  );
  await npm(copy, 'pkg', 'set', ...settings.split(/\s+/));
  await npm(copy, 'version', '9.9.9', '--no-git-tag-version');
  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8');
  await writeFile(
    join(copy, 'CHANGELOG.md'),
    changelog.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [9.9.9] - 2026-01-31\n'),
  );
  expect(await check('v9.9.9', 'someone/pools')).toEqual(['heaven-pools 9.9.9 can be released']);
  expect(await check('v9.9.8', 'someone/pools')).toEqual([expect.stringMatching(/^the tag is v9\.9\.8/)]);
  expect(await check('v9.9.9', 'another/pools')).toEqual([expect.stringContaining('this is another/pools')]);
  // There is no identity here that a provenance could state.
  const publishing = npm(copy, 'publish', '--dry-run', '--ignore-scripts', '--provenance=false', '--json');
  expect((await publishing).stdout).toContain('"heaven-pools@9.9.9"');
});

test('the workflow checks the tag, and publishes with provenance', async () => {
  const workflow = await readFile(join(root, '.github/workflows/release.yml'), 'utf8');
  const { scripts, publishConfig } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(workflow.indexOf('node scripts/check-release.mjs "$GITHUB_REF_NAME"')).toBeGreaterThan(0);
  expect(workflow).toMatch(/id-token: write[\s\S]*npm publish/);
  expect(publishConfig).toEqual({ access: 'public', provenance: true });
  expect(scripts.prepublishOnly).toBe('node scripts/check-release.mjs');
});

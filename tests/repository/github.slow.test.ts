import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** A YAML file's value; a mistake or a key given twice is an error. */
function parsed(path: string) {
  const document = parseDocument(read(path), { strict: true, uniqueKeys: true });
  expect(document.errors, path).toEqual([]);
  expect(document.warnings, path).toEqual([]);
  return document.toJS();
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly uses?: string;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

describe('the workflows', () => {
  const paths = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);

  test.each(paths)('%s may read and no more, and pins its actions by commit', (path) => {
    const { on, permissions, jobs } = parsed(path);
    expect(on).toBeTypeOf('object');
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values<Job>(jobs)) {
      const uses = [job.uses, ...(job.steps ?? []).map((step) => step.uses)].filter(
        (used) => used !== undefined,
      );
      for (const used of uses) {
        if (used.startsWith('./')) {
          expect(existsSync(join(root, used)), used).toBe(true);
          continue;
        }
        // A tag can be moved to other code; a commit hash can't. The comment says which version it is.
        expect(used).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
        for (const line of read(path)
          .split('\n')
          .filter((text) => text.includes(used)))
          expect(line).toMatch(/ # v\d+\.\d+\.\d+$/);
      }
      for (const { run = '' } of job.steps ?? []) {
        // An expression in a script is code that a name of a branch could write.
        expect(run).not.toContain('${{');
        for (const [file] of run.matchAll(/(?:\.ci|scripts)\/[\w./-]+/g)) {
          expect(existsSync(join(root, file)), file).toBe(true);
        }
      }
    }
  });

  test('CI runs the same as .ci/run', () => {
    const { jobs } = parsed('.github/workflows/ci.yml');
    expect(jobs.all.steps.map(({ run }: Step) => run)).toContain('.ci/run');
    expect(statSync(join(root, '.ci/run')).mode & 0o100).toBe(0o100);
  });

  test('a release is published by its tag, after CI, with provenance and without a token', () => {
    const { on, jobs } = parsed('.github/workflows/release.yml');
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(jobs.ci.uses).toBe('./.github/workflows/ci.yml');
    expect(Object.keys(parsed('.github/workflows/ci.yml').on)).toContain('workflow_call');
    const { needs, permissions, steps } = jobs.publish as Required<Job>;
    expect(needs).toBe('ci');
    expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    const runs = steps.map(({ run }) => run).filter((run) => run !== undefined);
    expect(runs.findIndex((run) => run.includes('check-release'))).toBeLessThan(runs.indexOf('npm publish'));
    expect(read('.github/workflows/release.yml')).not.toMatch(/secrets\.|_TOKEN/);
    expect(JSON.parse(read('package.json')).publishConfig).toEqual({ access: 'public', provenance: true });
  });
});

describe('the issue templates', () => {
  const names = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');

  test.each(names)('%s is a form', (name) => {
    const { name: title, description, body } = parsed(`.github/ISSUE_TEMPLATE/${name}`);
    expect(title).toBeTypeOf('string');
    expect(description).toBeTypeOf('string');
    const ids = new Set<string>();
    for (const field of body) {
      expect(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']).toContain(field.type);
      if (field.type === 'markdown') {
        expect(field.attributes.value).toBeTypeOf('string');
        continue;
      }
      expect(field.attributes.label).toBeTypeOf('string');
      expect(field.id).toMatch(/^[\w-]+$/);
      expect(ids.has(field.id), field.id).toBe(false);
      ids.add(field.id);
      if (field.type === 'dropdown') {
        for (const option of field.attributes.options) expect(option).toBeTypeOf('string');
      }
    }
    expect(ids.size).toBeGreaterThan(0);
  });

  test('the form for a wrong number asks for everything needed to recompute it', () => {
    const { body } = parsed('.github/ISSUE_TEMPLATE/wrong-number.yml');
    const required = body
      .filter(({ validations }: { validations?: { required?: boolean } }) => validations?.required)
      .map(({ id }: { id: string }) => id);
    expect(required).toEqual(expect.arrayContaining(['slot', 'pool', 'quote', 'transaction', 'version']));
  });

  test('there are only forms', () => {
    expect(parsed('.github/ISSUE_TEMPLATE/config.yml')).toEqual({
      blank_issues_enabled: false,
      contact_links: [],
    });
  });
});

describe('CONTRIBUTING.md and SECURITY.md', () => {
  test.each(['CONTRIBUTING.md', 'SECURITY.md'])('%s names only existing files, scripts and pages', (page) => {
    const text = read(page);
    for (const [, path = ''] of text.matchAll(
      /`((?:src|tests|docs|examples|scripts|idl|bench|\.ci)\/[\w./-]*)`/g,
    )) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
    for (const [, path = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
    const { scripts } = JSON.parse(read('package.json'));
    for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toHaveProperty(script);
  });
});

describe('the check before a release', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heaven-release-'));
    for (const name of ['package.json', 'package-lock.json']) await cp(join(root, name), join(folder, name));
    await edit('package.json', (manifest) => {
      manifest.repository = { type: 'git', url: 'git+https://github.com/owner/name.git' };
    });
    await writeFile(
      join(folder, 'CHANGELOG.md'),
      `# Changelog\n\n## [Unreleased]\n\n## [${version}] - 2026-01-31\n\n### Added\n\n- Something.\n`,
    );
  });
  afterEach(() => rm(folder, { recursive: true }));

  const { version } = JSON.parse(read('package.json')) as { version: string };
  const edit = async (name: string, change: (value: Record<string, unknown>) => void) => {
    const value = JSON.parse(await readFile(join(folder, name), 'utf8'));
    change(value);
    await writeFile(join(folder, name), JSON.stringify(value));
  };
  const check = (tag = `v${version}`) =>
    new Promise<{ code: number; printed: string }>((resolve) => {
      const env = { ...process.env, GITHUB_REPOSITORY: 'owner/name' };
      const script = join(root, 'scripts/check-release.mjs');
      execFile(process.execPath, [script, tag], { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), printed: stdout + stderr }),
      );
    });

  test('passes a release that is ready', async () => {
    expect(await check()).toEqual({ code: 0, printed: `heaven-pools ${version} can be released\n` });
  });

  test('rejects another tag', async () => {
    expect(await check('v9.9.9')).toEqual({
      code: 1,
      printed: `the tag is v9.9.9, and package.json says ${version}\n`,
    });
  });

  test('rejects a lockfile of another version', async () => {
    await edit('package-lock.json', (lock) => {
      lock.version = '0.0.1';
    });
    expect(await check()).toEqual({ code: 1, printed: 'package-lock.json is of 0.0.1: run npm install\n' });
  });

  test.each([
    ['no section', '## [Unreleased]\n\n- Something.\n'],
    ['an empty section', `## [Unreleased]\n\n- Something.\n\n## [${version}] - 2026-01-31\n`],
    ['a section without a date', `## [${version}]\n\n- Something.\n`],
  ])('rejects a changelog with %s', async (_, changelog) => {
    await writeFile(join(folder, 'CHANGELOG.md'), changelog);
    const { code, printed } = await check();
    expect(code).toBe(1);
    expect(printed).toContain(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD" with changes`);
  });

  test('rejects a package without a repository, or with another than the publishing one', async () => {
    await edit('package.json', (manifest) => {
      manifest.repository = 'git+https://github.com/other/name.git';
    });
    expect(await check()).toEqual({
      code: 1,
      printed:
        'package.json names the repository git+https://github.com/other/name.git, and this is owner/name\n',
    });
    await edit('package.json', (manifest) => {
      delete manifest.repository;
    });
    expect((await check()).printed).toMatch(/names no repository/);
  });
});

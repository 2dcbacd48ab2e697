// Checks that a release is ready: `node scripts/check-release.mjs [tag]`. Prints each thing that is missing and exits with 1.
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const { version, repository } = manifest;
const tag = process.argv[2];

const problems = [];
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) problems.push(`package.json: ${version} is not a version`);
if (tag !== undefined && tag !== `v${version}`)
  problems.push(`the tag is ${tag}, and package.json says ${version}`);
if (lock.version !== version || lock.packages[''].version !== version)
  problems.push(`package-lock.json is of ${lock.version}: run npm install`);
const section = changelog.split(/^## /m).find((part) => part.startsWith(`[${version}] - `));
if (section === undefined || !/^- /m.test(section) || !/ - \d{4}-\d{2}-\d{2}\n/.test(section))
  problems.push(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD" with changes`);
// npm compares it with what the workflow's identity says, and refuses the provenance when they differ.
const url = typeof repository === 'string' ? repository : repository?.url;
const slug = process.env.GITHUB_REPOSITORY;
if (url === undefined)
  problems.push('package.json names no repository, which provenance needs: see docs/maintaining.md');
else if (slug !== undefined && !new RegExp(`github\\.com/${slug}(\\.git)?$`, 'i').test(url))
  problems.push(`package.json names the repository ${url}, and this is ${slug}`);

for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`heaven-pools ${version} can be released`);
process.exit(problems.length > 0 ? 1 : 0);

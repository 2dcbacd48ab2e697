import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

// Kubernetes accepts the files of examples/deploy: as `kubectl` renders them, if it is here, and by the types of its API.

const FOLDER = new URL('../../examples/deploy/', import.meta.url);
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const asWritten = readFileSync(new URL('kubernetes.yaml', FOLDER), 'utf8');
const rendered = spawnSync('kubectl', ['kustomize', fileURLToPath(FOLDER)], { encoding: 'utf8' });

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
const resourcesIn = (text: string): readonly Resource[] =>
  parseAllDocuments(text).map((document) => document.toJS());
const namesIn = (text: string) =>
  resourcesIn(text)
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .sort();

/** What TypeScript says of resources as values of their types: a literal has no field that its type doesn't know. */
function faultsIn(text: string): readonly string[] {
  const file = fileURLToPath(new URL('resources.ts', import.meta.url));
  const lines = resourcesIn(text).map(
    (resource, index) =>
      `export const resource${index}: import('kubernetes-models/${resource.apiVersion}').I${resource.kind} = ${JSON.stringify(resource)};`,
  );
  const options = {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test.runIf(hasKubectl)('kubectl renders each resource once (needs kubectl)', () => {
  expect(rendered.stderr).toBe('');
  expect(namesIn(rendered.stdout)).toEqual(namesIn(asWritten));
});

test('each resource has the fields that the API knows, with their types, and no other', () => {
  expect(faultsIn(hasKubectl ? rendered.stdout : asWritten)).toEqual([]);
  const wrong = asWritten
    .replace('startupProbe:', 'startProbe:')
    .replace('minReplicas: 2', 'minReplicas: two');
  expect(faultsIn(wrong)).toEqual([
    expect.stringContaining('"startProbe"'),
    expect.stringContaining("'string' is not assignable"),
  ]);
});

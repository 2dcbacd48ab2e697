import { readFileSync } from 'node:fs';
import { type OperationPath, paths } from '../src/operations/index.js';

interface Recorded {
  readonly path: string;
  readonly request: string;
  readonly status: number;
  readonly answer: string;
}

/** A request and its answer, as JSON text that keeps all digits. */
export type Example = readonly [request: string, answer: string];

/** An example of each path of the HTTP interface: the first of the golden answers. */
export function createExamples(): Readonly<Record<OperationPath, Example>> {
  const recorded = JSON.parse(readFileSync('tests/golden/sample.json', 'utf8')) as readonly Recorded[];
  const examples: Record<string, Example> = {};
  for (const { path, request, status, answer } of recorded)
    if (status === 200) examples[path] ??= [request, answer];
  for (const path of Object.values(paths))
    if (examples[path] === undefined)
      throw new Error(
        `${path} has no golden answer: RECORD_GOLDEN=1 npx vitest run --project fast tests/golden`,
      );
  return examples as Record<OperationPath, Example>;
}

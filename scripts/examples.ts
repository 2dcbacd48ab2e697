import { readFileSync } from 'node:fs';

interface Recorded {
  readonly path: string;
  readonly request: string;
  readonly status: number;
  readonly answer: string;
}

/** A request and its answer for each path of the HTTP interface: the first of the golden answers, as JSON text that keeps all digits. */
export function createExamples(): Readonly<Record<string, readonly [request: string, answer: string]>> {
  const recorded = JSON.parse(readFileSync('tests/golden/sample.json', 'utf8')) as readonly Recorded[];
  const examples: Record<string, readonly [string, string]> = {};
  for (const { path, request, status, answer } of recorded)
    if (status === 200) examples[path] ??= [request, answer];
  return examples;
}

import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

import { beforeAll, expect, test } from 'vitest';

import { createEngines } from '../http/engines.js';
import { post } from '../http/support.js';
import { type CostlyBody, costlyBodies, type OpenApi, pathsOf, validBody } from '../support/costly-bodies.js';

// What a hostile body can make the service do. Work is counted in calls of functions, because times differ from run to run;
// `npm run load:bodies` measures them.

const MAX_BYTES = 16_384;
/** The most that a body may cost, in honest quotes. */
const MOST_QUOTES = 20;

const { handler } = await createEngines();
const lines = readFileSync(new URL('../../src/http/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse((JSON.parse(lines) as readonly string[]).join('')) as OpenApi;

const session = new Session();
session.connect();

/** The calls of functions since the last time. */
async function callsSince(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const counts = result.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function callsOf(path: string, bodies: readonly string[]): Promise<number> {
  for (const body of bodies) expect((await post(handler, path, body)).status).toBeLessThan(500);
  return await callsSince();
}

let honestQuote: number;
beforeAll(async () => {
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  // The first request makes what later ones use.
  const body = validBody(document, '/quote/buy');
  await callsOf('/quote/buy', [body]);
  honestQuote = await callsOf('/quote/buy', [body]);
  return () => session.post('Profiler.stopPreciseCoverage');
});

/** The bodies that cost too much. Counts several together, because counting takes longer than they do. */
async function tooCostly(path: string, bodies: readonly CostlyBody[]): Promise<readonly string[]> {
  const calls = await callsOf(
    path,
    bodies.map(({ body }) => body),
  );
  if (calls <= MOST_QUOTES * honestQuote) return [];
  if (bodies.length === 1) return [`${bodies[0]?.kind}: ${(calls / honestQuote).toFixed(1)} quotes`];
  const half = Math.ceil(bodies.length / 2);
  return [...(await tooCostly(path, bodies.slice(0, half))), ...(await tooCostly(path, bodies.slice(half)))];
}

const TOGETHER = 3;

const TIMEOUT_MS = 120_000;

test.each(pathsOf(document))(
  '%s: no body that fits costs more than twenty honest quotes',
  async (path) => {
    expect(honestQuote).toBeGreaterThan(1_000);
    await callsOf(path, [validBody(document, path)]);
    const bodies = costlyBodies(document, path, MAX_BYTES);
    const costly: string[] = [];
    for (let start = 0; start < bodies.length; start += TOGETHER)
      costly.push(...(await tooCostly(path, bodies.slice(start, start + TOGETHER))));
    expect(costly).toEqual([]);
  },
  TIMEOUT_MS,
);

import type { AddressesByLookupTableAddress, Instruction } from '@solana/kit';
import { parse, stringify } from 'lossless-json';
import { afterAll, expect, inject } from 'vitest';

import { createHandler, type Handler, type HandlerConfig } from '../../src/http/index.js';
import { createHeavenClient, type HeavenClient } from '../../src/index.js';
import { startServer } from '../../src/node/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { serveLedger } from '../support/node.js';
import { messageOf } from '../support/transactions.js';
import { startWorker } from '../support/workerd.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the HTTP suite runs on: the handler itself, the Node server over a socket, or workerd. */
    engine: 'handler' | 'node' | 'workerd';
  }
}

export const PROGRAM = HEAVEN_PROGRAM_ADDRESS;

/** What goes over HTTP as the suite asks it, answered by a server at a URL. */
function forwardTo(urlOf: () => Promise<string>): Handler {
  const forward = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers, body, signal } = request;
    const init = { method, headers, signal, ...(body ? { body, duplex: 'half' } : {}) };
    return await fetch(`${await urlOf()}${pathname}${search}`, init as RequestInit);
  };
  return Object.assign(forward, { fetch: forward });
}

const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** The handler behind the Node server, over a real socket. */
function overSocket(handler: Handler): Handler {
  let url: Promise<string> | undefined;
  return forwardTo(() => {
    url ??= startServer({ handler, port: 0, hostname: '127.0.0.1', graceMs: 0 }).then((server) => {
      open.push(server);
      return server.url;
    });
    return url;
  });
}

let worker: Promise<string> | undefined;
let workersLedger: EmbeddedLedger;

/** The example worker, whose node is the ledger of the moment. */
async function workerOver(ledger: EmbeddedLedger): Promise<Handler> {
  workersLedger = ledger;
  worker ??= serveLedger(() => workersLedger).then(async (node) => {
    const running = await startWorker(node.url);
    open.push(node, running);
    return running.url;
  });
  const url = await worker;
  return forwardTo(() => Promise.resolve(url));
}

/** A handler over an embedded ledger, which notes what it would have logged. */
export interface Service {
  readonly ledger: EmbeddedLedger;
  readonly client: HeavenClient;
  readonly handler: Handler;
  readonly reported: { readonly error: unknown; readonly path: string }[];
}

export async function createService(config: Omit<HandlerConfig, 'client'> = {}): Promise<Service> {
  const ledger = await createEmbeddedLedger();
  const client = createHeavenClient({ rpc: ledger.rpc });
  if (inject('engine') !== 'workerd') return { ledger, ...serviceOver(client, config) };
  return { ledger, client, handler: await workerOver(ledger), reported: [] };
}

export function serviceOver(
  client: HeavenClient,
  config: Omit<HandlerConfig, 'client'> = {},
): Omit<Service, 'ledger'> {
  const reported: { error: unknown; path: string }[] = [];
  const handler = createHandler({
    client,
    observe: ({ error, path }) => {
      if (error !== undefined) reported.push({ error, path });
    },
    ...config,
  });
  return { client, handler: inject('engine') === 'node' ? overSocket(handler) : handler, reported };
}

export { type Call, clientOver } from '../support/rpc.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

export async function send(handler: Handler, path: string, init: RequestInit): Promise<Answer> {
  const response = await handler(new Request(`http://service${path}`, init));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Posts a value, or JSON text as it is. */
export const post = (handler: Handler, path: string, body: unknown): Promise<Answer> =>
  send(handler, path, {
    method: 'POST',
    headers: JSON_TYPE,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The text of a successful answer. */
export async function ok(handler: Handler, path: string, body: unknown): Promise<string> {
  const { status, text, headers } = await post(handler, path, body);
  expect({ status, text }).toEqual({ status: 200, text: expect.any(String) });
  expect(headers.get('content-type')).toBe('application/json');
  return text;
}

/** An object of JSON text in which every number still is its text. */
export const readJson = (text: string): Record<string, unknown> => parse(text) as Record<string, unknown>;

/** JSON text of such a value, with each number as it was written. */
export const jsonText = (value: unknown): string => stringify(value) ?? 'null';

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: {
    readonly field?: string;
    readonly fields?: readonly { readonly field: string; readonly message: string }[];
    readonly [name: string]: unknown;
  };
}

/** Traces of the machine behind the interface, which no answer may hold. */
export const LEAKS = [
  /https?:/,
  /node_modules/,
  /\.[cm]?[jt]s\b/,
  /\n\s*at /,
  /127\.0\.0\.1|localhost/,
  /Solana ?Error/i,
];

/** Expects that a text matches none of these. Without `expect`, which takes longer than most answers, if so. */
export function expectNone(text: string, patterns: readonly RegExp[]): void {
  for (const pattern of patterns) if (pattern.test(text)) expect(text).not.toMatch(pattern);
}

/** The error of an answer, having checked what all of them share. */
export function errorOf({ status, headers, text }: Answer): ErrorBody {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(headers.get('content-type')).toBe('application/json');
  const { error, ...others } = JSON.parse(text) as { readonly error: ErrorBody };
  expect(others).toEqual({});
  const { code, message, details = {}, ...rest } = error;
  expect(rest).toEqual({});
  expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(message).toMatch(/\S/);
  expect(details).toBeTypeOf('object');
  expectNone(text, LEAKS);
  return error;
}

/** The JSON paths that an error names. */
export const fieldsOf = ({ details }: ErrorBody): readonly string[] =>
  details?.fields?.map(({ field }) => field) ?? (details?.field === undefined ? [] : [details.field]);

/** The one instruction of a transaction that is the exchange's. */
export function exchangeInstructionOf(tx: unknown, tables: AddressesByLookupTableAddress = {}) {
  const instructions: readonly Instruction[] = messageOf(tx as string, tables).instructions;
  const found = instructions.filter(({ programAddress }) => programAddress === PROGRAM);
  expect(found).toHaveLength(1);
  return found[0]!;
}

/** JSON text of an object whose values are JSON text: no number passes through JavaScript. */
export const objectText = (fields: Readonly<Record<string, string>>): string =>
  `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`;

// ---------------------------------------------------------------- texts

const stringsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

/** What an error repeats of a request. */
const REPEATED = ['value', 'asked', 'found'];

/** The texts of an answer. Not what it repeats of the request: the quoted parts. */
export function textsIn(answer: string): readonly string[] {
  const { error, details } = JSON.parse(answer) as {
    readonly error?: ErrorBody;
    readonly details?: object;
  };
  const ours = Object.entries(error?.details ?? {}).filter(([name]) => !REPEATED.includes(name));
  // It repeats a number as the caller wrote it.
  const { value } = error?.details ?? {};
  const message = value === undefined ? error?.message : error?.message.replaceAll(String(value), '""');
  return [...stringsIn(message), ...stringsIn(ours), ...stringsIn(details)].map((each) =>
    each.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g, 'ADDRESS'),
  );
}

/** Methods of a node, and the option of the client that an operator of the service sets. */
const NOT_FIELDS = /\b(?:get[A-Z]\w+|maxResponseBytes)\b/g;

const NAMES_IN_CODE = [/\b[a-z]+[A-Z]\w*|\w\[\d+\]/];
const RAW_VALUES = [/\b\d+n\b|\.\d{10}|NaN|undefined|\[object/];

/** Texts are in the names of the interface, and their numbers are for people. */
export function assertForCallers(texts: Iterable<string>): void {
  for (const text of new Set(texts)) {
    expectNone(text.replace(NOT_FIELDS, ''), NAMES_IN_CODE);
    expectNone(text, RAW_VALUES);
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createExamples } from '../../scripts/examples.js';
import { createHandler, type Handler } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { type OperationName, type OperationPath, paths } from '../../src/operations/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { furnish } from '../golden/scene.js';

// A client that `@hey-api/openapi-ts` generates from the document: its types compile, and it calls all paths.

type Generated = Readonly<
  Record<string, (call: object) => Promise<{ readonly data?: unknown; readonly error?: unknown }>>
>;

/** What a user of the generated client writes: a quote goes into the request of its transaction as it came. */
const USE = `
import { type BuildBuyRequest, type BuiltTransaction, type BuyQuote, buildBuy, type QuoteBuyRequest, quoteBuy } from './client';

export async function buy(request: QuoteBuyRequest, payer: string): Promise<BuiltTransaction> {
  const { data } = await quoteBuy({ body: request, query: { integers: 'string' }, throwOnError: true });
  const quote: BuyQuote = data;
  const body: BuildBuyRequest = { payer, quote_response: quote, encoded_user_defined_event_data: '' };
  const built = await buildBuy({ body, throwOnError: true });
  return built.data;
}

export async function wrongFields(request: QuoteBuyRequest): Promise<readonly string[]> {
  const { error } = await quoteBuy({ body: request });
  return (error?.error.details?.fields ?? []).map(({ field, message }) => field + ' ' + message);
}
`;

let folder: string;
let handler: Handler;

beforeAll(async () => {
  const ledger = await createEmbeddedLedger();
  await furnish(ledger);
  const mintSigner = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(5));
  handler = createHandler({
    client: createHeavenClient({ rpc: ledger.rpc }),
    mintSigner: async () => mintSigner,
  });
  folder = await mkdtemp(join(tmpdir(), 'heaven-pools-generated-'));
  const document = await handler(new Request('http://service/openapi.json'));
  await writeFile(join(folder, 'openapi.json'), await document.text());
  await createClient({
    input: join(folder, 'openapi.json'),
    output: join(folder, 'client'),
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  await writeFile(join(folder, 'use.ts'), USE);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('its types compile, and a quote fits into the request of its transaction', () => {
  const program = ts.createProgram([join(folder, 'use.ts')], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(problems).toEqual([]);
});

describe('calls', () => {
  const texts = createExamples();

  test.each(Object.entries(paths) as readonly (readonly [OperationName, OperationPath])[])(
    '%s',
    async (name, path) => {
      const [request, answer] = texts[path];
      const client = (await import(join(folder, 'client', 'index.ts'))) as unknown as Generated;
      // As a caller writes integers that JavaScript's numbers round.
      const body = JSON.parse(request.replace(/:(\d{16,})(?=[,}\]])/g, ':"$1"')) as unknown;
      const { data, error } = await client[name]!({
        baseUrl: 'http://service',
        fetch: (sent: Request) => handler(sent),
        body,
      });
      expect(error).toBeUndefined();
      expect(data).toEqual(JSON.parse(answer));
    },
  );
});

import { readFileSync, writeFileSync } from 'node:fs';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';

import { createHandler, type Handler } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { paths } from '../../src/operations/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { post } from '../http/support.js';
import { CAPTURED_NAMES, capturedAccount } from '../mainnet/accounts.js';
import { furnish } from './scene.js';

// What the 29 operations answer, byte for byte: JSON and transactions, as recorded before the library was made smaller. If an answer
// changes on purpose, `RECORD_GOLDEN=1` writes all of them again: read the difference.

interface Recorded {
  readonly path: string;
  readonly request: string;
  readonly status: number;
  readonly answer: string;
}

const isRecording = process.env.RECORD_GOLDEN === '1';
const fileOf = (name: string) => new URL(`${name}.json`, import.meta.url);
const recordedIn = (name: string) => JSON.parse(readFileSync(fileOf(name), 'utf8')) as readonly Recorded[];

async function handlerFor(name: 'sample' | 'mainnet'): Promise<Handler> {
  const ledger = await createEmbeddedLedger();
  await furnish(ledger);
  if (name === 'mainnet')
    for (const { address, owner, data } of CAPTURED_NAMES.map(capturedAccount))
      ledger.setAccount(address, { owner, data });
  const mintSigner = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(5));
  const client = createHeavenClient({ rpc: ledger.rpc });
  return createHandler({ client, mintSigner: async () => mintSigner });
}

async function answerTo(handler: Handler, { path, request }: Pick<Recorded, 'path' | 'request'>) {
  const { status, text } = await post(handler, path, request);
  return { status, answer: text };
}

describe.each(['sample', 'mainnet'] as const)('recorded answers: %s accounts', (name) => {
  const recorded = recordedIn(name);
  let handler: Handler;
  beforeAll(async () => {
    handler = await handlerFor(name);
    if (!isRecording) return;
    const lines: string[] = [];
    for (const { path, request } of recorded)
      lines.push(JSON.stringify({ path, request, ...(await answerTo(handler, { path, request })) }));
    writeFileSync(fileOf(name), `[\n${lines.join(',\n')}\n]\n`);
  });

  test.each(recorded.map((one, index) => [`${index + 1}. ${one.path}`, one] as const))(
    '%s',
    async (_, one) => {
      if (isRecording) return;
      const { status, answer } = one;
      expect(await answerTo(handler, one)).toEqual({ status, answer });
    },
  );
});

test('three requests of each operation are recorded, and builders in both versions', () => {
  const recorded = recordedIn('sample');
  for (const path of Object.values(paths)) {
    const own = recorded.filter((one) => one.path === path && one.status === 200);
    const inVersion = (version: number) =>
      own.filter(({ request }) => request.includes(`"transaction_version":${version}`));
    expect(own.length, path).toBeGreaterThanOrEqual(3);
    if (!path.startsWith('/tx/')) continue;
    expect(inVersion(0).length, path).toBeGreaterThanOrEqual(3);
    expect(inVersion(1).length, path).toBeGreaterThanOrEqual(3);
  }
});

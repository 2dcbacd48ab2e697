import { readFileSync } from 'node:fs';

import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';

import { parseJson } from '../../src/http/index.js';
import { inputFields } from '../../src/http/schemas/inputs.js';
import { decodeRequest } from '../../src/http/schemas/requests.js';
import {
  createHeavenClient,
  createLocalClient,
  fetchPoolSnapshot,
  findPools,
  type HeavenClient,
  quoteMany,
  quoteProAddLiquidity,
} from '../../src/index.js';
import { type OperationName, paths } from '../../src/operations/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { furnish } from '../golden/scene.js';

// An optional field that is null counts as left out, like over HTTP. The requests are those of the golden answers.

let ledger: EmbeddedLedger;
let client: HeavenClient;

beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  await furnish(ledger);
  client = createHeavenClient({ rpc: ledger.rpc });
});

type Fields = Readonly<Record<string, unknown>>;

const recorded = JSON.parse(
  readFileSync(new URL('../golden/sample.json', import.meta.url), 'utf8'),
) as readonly { readonly path: string; readonly request: string; readonly status: number }[];

const nullsFor = (...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, null]));

/** The optional fields that only a local call has. */
function localNulls(name: OperationName): Fields {
  if (/^quote(Pro)?(Buy|Sell)$/.test(name))
    return nullsFor('snapshot', 'stalePriceSeconds', 'maxPriceImpactBps', 'abortSignal');
  if (!name.startsWith('build')) return nullsFor('abortSignal');
  const every = nullsFor('tip', 'dontFront', 'before', 'after', 'lifetime', 'abortSignal');
  return /^build(Pro)?(Buy|Sell)$/.test(name) ? { ...every, ...nullsFor('wrapSol', 'snapshot') } : every;
}

test.each(Object.keys(paths) as OperationName[])('%s treats null as left out', async (name) => {
  const { request } = recorded.find(({ path, status }) => path === paths[name] && status === 200)!;
  const decoded = decodeRequest(name, parseJson(request));
  if (!('value' in decoded)) throw new Error(`The recorded request is not valid: ${request}`);
  // A request names its program, and leaves out what a service adds.
  const { programId, ...given } = decoded.value as unknown as Fields;
  const mintSigner = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(5));
  const input = name === 'buildCreateStandardLiquidityPool' ? { ...given, mintSigner } : given;
  const optional = Object.entries(inputFields[name]().documented).filter(
    ([name, field]) => 'present' in field && (input[name] ?? undefined) === undefined,
  );
  const nulls = { ...nullsFor('programId', ...optional.map(([field]) => field)), ...localNulls(name) };
  const call = createLocalClient(client)[name] as (input: unknown) => Promise<object>;
  const [expected, found] = [await call(input), await call({ ...input, ...nulls })];
  if ('tx' in expected) expect(found).toMatchObject({ tx: expected.tx });
  else expect(found).toEqual(expected);
});

test('so do the functions that are no operation', async () => {
  const { creator, pro } = ledger.pools;
  const standard = { mint: creator.mint, configVersion: creator.configVersion };
  const buy = { ...standard, side: 'buy', maxSolSpend: 1, slippageBps: 50 } as const;
  const { mint, pool, configVersion } = pro;
  const deposit = { mint, pool, configVersion, maxTokenB: 1_000_000n, slippageBps: 50 };
  const find = async (filter: object) =>
    (await findPools(client, { creator: pro.creator, ...filter })).map(({ address }) => address);
  const calls: readonly (readonly [string[], (nulls: Fields) => Promise<unknown>])[] = [
    [['stalePriceSeconds', 'maxPriceImpactBps', 'pool'], (n) => quoteMany(client, [{ ...buy, ...n }])],
    [['maxAccountsPerCall', 'maxConcurrentCalls'], (n) => quoteMany(client, [buy], n)],
    [['maxTokenA'], (n) => quoteProAddLiquidity(client, { ...deposit, ...n })],
    [['pool'], (n) => fetchPoolSnapshot(client, { ...standard, ...n })],
    [['mint', 'kind', 'configVersion', 'all'], find],
  ];
  for (const [fields, call] of calls) expect(await call(nullsFor(...fields))).toEqual(await call({}));
});

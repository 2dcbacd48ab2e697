import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createExamples } from '../../scripts/examples.js';
import { toSnakeCase } from '../../src/base/case.js';
import { paths } from '../../src/operations/index.js';
import { HEAVEN_PROGRAM_ADDRESS, parseBuyInstruction } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { WALLET } from '../../tests/support/addresses.js';
import { HANG_MS } from '../../tests/support/hang.js';
import { serveLedger } from '../../tests/support/node.js';
import { messageOf } from '../../tests/support/transactions.js';

// The example as its README starts it, and the official client, over stdio.

const folder = fileURLToPath(new URL('../mcp', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

interface Client {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  getInstructions(): string;
  listTools(): Promise<{
    readonly tools: readonly {
      readonly name: string;
      readonly description: string;
      readonly inputSchema: object;
      readonly annotations: object;
    }[];
  }>;
  callTool(
    call: object,
    schema: undefined,
    options: { readonly timeout: number },
  ): Promise<{
    readonly isError: boolean;
    readonly content: readonly [{ readonly text: string }];
  }>;
}

let client: Client;

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const modules = join(folder, 'node_modules/@modelcontextprotocol/sdk/dist/esm/client');
  const { Client } = await import(`${modules}/index.js`);
  const { StdioClientTransport } = await import(`${modules}/stdio.js`);
  client = new Client({ name: 'test', version: '0' }) as Client;
  const [program, ...args] = scripts.start.split(' ');
  const command = join(folder, 'node_modules/.bin', program);
  await client.connect(new StdioClientTransport({ command, args, cwd: folder, env }));
}

/** What a tool answers, as an agent that uses JavaScript's JSON reads it. */
async function call(name: string, input: object) {
  const options = { timeout: HANG_MS };
  const { isError, content } = await client.callTool({ name, arguments: input }, undefined, options);
  return { isError, answer: JSON.parse(content[0].text) };
}

const program_id = HEAVEN_PROGRAM_ADDRESS;
const { mint } = (await createEmbeddedLedger()).pools.creator;
const terms = { program_id, mint, slippage_bps: 50 };

test('is short', () => {
  expect(readFileSync(join(folder, 'server.ts'), 'utf8').split('\n').length).toBeLessThanOrEqual(151);
});

describe('on the embedded ledger', () => {
  beforeAll(() => start());
  afterAll(() => client?.close());

  test('has a tool for each documented path except the launch, which only read', async () => {
    const { tools } = await client.listTools();
    const { buildCreateStandardLiquidityPool: _, ...others } = paths;
    const names = Object.keys(others).map(toSnakeCase);
    expect(tools.map(({ name }) => name)).toEqual([...names, 'find_pools', 'inspect_transaction']);
    const examples = createExamples();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(description, name).toMatch(/\.$/);
      expect(annotations, name).toMatchObject({ readOnlyHint: true });
      const path = Object.values(others)[names.indexOf(name)];
      const isValid = ajv.compile(inputSchema);
      if (path !== undefined) expect(isValid(JSON.parse(examples[path]![0])), name).toBe(true);
    }
  });

  test('finds a pool, quotes, builds and inspects, and keeps every digit', async () => {
    const { answer: found } = await call('find_pools', { address: mint });
    const [{ config_version }] = found.pools;
    const { answer: quote } = await call('quote_buy', {
      ...terms,
      config_version,
      max_sol_spend: '3000.1',
    });
    const minimum = BigInt(quote.minimum_out);
    expect(BigInt(Number(minimum))).not.toBe(minimum);

    // 200000 units at this price are 0.1 SOL.
    const fee = { compute_unit_price: 500_000_000 };
    const request = { payer: WALLET, quote_response: quote, encoded_user_defined_event_data: '', ...fee };
    const { answer: built } = await call('build_buy', request);
    const own = messageOf(built.tx).instructions.find(({ programAddress }) => programAddress === program_id);
    expect(parseBuyInstruction(own!).data.params.minimumAmountOut).toBe(minimum);

    const { answer: inspected } = await call('inspect_transaction', { tx: built.tx, owner: WALLET });
    expect(inspected.summary.join()).toContain(
      `at most 3000.1 SOL for at least 67,698,060.143291636 of ${mint}`,
    );
    expect(inspected.warnings).toMatchObject([{ code: 'high-priority-fee' }]);
  });

  test.each([
    ['quote_buy', { ...terms, config_version: 1, max_sol_spend: 1 }, 'pool-mismatch', /Use 2,/],
    ['quote_buy', { ...terms, config_version: 2, max_sol_spend: 'all' }, 'invalid-request', /max_sol_spend/],
    ['find_pools', { address: 'none' }, 'invalid-address', /address/],
    ['find_pools', { mint }, 'invalid-request', /^find_pools takes address, but got mint\.$/],
    ['inspect_transaction', { tx: 'none' }, 'invalid-request', /takes owner and tx, but got tx\.$/],
    ['inspect_transaction', { tx: 'none', owner: WALLET }, 'malformed-data', /base64/],
  ])('%s of %j is a tool error: %s', async (name, input, code, advice) => {
    const { isError, answer } = await call(name, input);
    expect(isError).toBe(true);
    expect(answer.error).toMatchObject({ code, message: expect.stringMatching(advice) });
  });

  test('says how to use it, and rejects an unknown tool', async () => {
    expect(client.getInstructions()).toContain(mint);
    await expect(call('sign', {})).rejects.toThrow('There is no tool sign.');
  });
});

test('reads a node at RPC_URL', async () => {
  const ledger = await createEmbeddedLedger();
  ledger.setSolPrice(123);
  const node = await serveLedger(() => ledger);
  try {
    await start({ RPC_URL: node.url });
    expect(client.getInstructions()).not.toContain(mint);
    const { answer } = await call('quote_buy', { ...terms, config_version: 2, max_sol_spend: 1 });
    expect(answer.details.sol_price_usd).toBe(123);
  } finally {
    await client?.close();
    await node.close();
  }
});

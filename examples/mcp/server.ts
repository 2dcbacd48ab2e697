// A Model Context Protocol server on stdio. An agent reads pools, quotes, builds unsigned transactions and inspects them; a person
// signs elsewhere. The server has no key, and sends nothing.
//
//   RPC_URL=https://… npx tsx server.ts      without RPC_URL: the embedded ledger, with sample pools

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { Address } from '@solana/kit';
import { createHeavenClient, findPoolsAt, inspectTransaction } from 'heaven-pools';
import { answerOf, createHandler, stringifyJson } from 'heaven-pools/http';
import { createEmbeddedLedger } from 'heaven-pools/testing';

const rpcUrl = process.env.RPC_URL;
const ledger = rpcUrl === undefined ? await createEmbeddedLedger() : undefined;
const client = createHeavenClient(ledger ? { rpc: ledger.rpc } : { rpcUrl: rpcUrl ?? '' });
const handler = createHandler({ client });

type Arguments = Readonly<Record<string, unknown>>;
type Call = (input: Arguments, signal: AbortSignal) => Promise<CallToolResult>;
const tools = new Map<string, { readonly tool: Tool; readonly call: Call }>();

const textResult = (text: string, isError = false): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError,
});

function addTool(name: string, description: string, inputSchema: object, call: Call): void {
  // All of them only read: building a transaction changes nothing on the network.
  const annotations = { readOnlyHint: true, openWorldHint: ledger === undefined };
  tools.set(name, {
    tool: { name, description, inputSchema: inputSchema as Tool['inputSchema'], annotations },
    call,
  });
}

// ---------------------------------------------------------------- a tool for each documented path

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } };
}

const at = (path: string) => `http://heaven.invalid${path}`;
const { paths, components } = (await (await handler(new Request(at('/openapi.json')))).json()) as OpenApi;

/** A schema with the schemas that it refers to in place: a tool's schema stands alone. */
function standalone(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(standalone);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...own } = schema as { readonly $ref?: string };
  const referred = $ref === undefined ? {} : components.schemas[$ref.replace(/^.*\//, '')];
  const entries = Object.entries({ ...referred, ...own });
  return Object.fromEntries(entries.map(([name, value]) => [name, standalone(value)]));
}

for (const [path, { post }] of Object.entries(paths)) {
  // The mint of a launch signs too, and the server would have its key.
  if (post === undefined || post.operationId === 'buildCreateStandardLiquidityPool') continue;
  const name = post.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const schema = standalone(post.requestBody.content['application/json'].schema) as object;
  addTool(name, post.summary, schema, async (input, signal) => {
    // MCP's JSON rounds integers over 2^53, so these come and go as strings.
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(input), signal };
    const response = await handler(new Request(at(`${path}?integers=string`), request));
    return textResult(await response.text(), !response.ok);
  });
}

// ---------------------------------------------------------------- what has no path

const text = (description: string) => ({ type: 'string', description });

/** Adds a tool that needs all of its arguments and takes no others. */
function addOwnTool(name: string, description: string, properties: object, call: Call): void {
  const required = Object.keys(properties).sort();
  const schema = { type: 'object', properties, required, additionalProperties: false };
  addTool(name, description, schema, async (input, signal) => {
    const got = Object.keys(input);
    if (`${got.sort()}` === `${required}`) return await call(input, signal);
    const message = `${name} takes ${required.join(' and ')}, but got ${got.join(' and ') || 'nothing'}.`;
    return textResult(stringifyJson({ error: { code: 'invalid-request', message } }), true);
  });
}

addOwnTool(
  'find_pools',
  'The pools of a token, or the pool at an address: kind, config version, mint and pool.',
  { address: text('A mint or a pool.') },
  async (input, abortSignal) => {
    const found = await findPoolsAt(client, input.address as Address, { abortSignal });
    const pools = found.map(({ address: pool, kind, configVersion: config_version, mint }) => {
      return { kind, config_version, mint, pool };
    });
    return textResult(JSON.stringify({ pools }));
  },
);

addOwnTool(
  'inspect_transaction',
  'What a transaction would do, in plain lines, with warnings. Show all of them to whoever signs.',
  { owner: text('The wallet of whoever signs.'), tx: text('The transaction in base64.') },
  async (input, abortSignal) => {
    const options = { client, owner: input.owner as Address, abortSignal };
    const { summary, warnings } = await inspectTransaction(input.tx as string, options);
    return textResult(stringifyJson({ summary, warnings }));
  },
);

// ---------------------------------------------------------------- the server

const mints = Object.values(ledger?.pools ?? {}).map(({ mint }) => mint);
const instructions = `The Heaven exchange, program_id ${client.deployment.programAddress}. Quote, build from the quote as it came, then
inspect_transaction and show its summary and every warning to the person, who signs elsewhere. Quote again after a wait. Integers
in native units (lamports, token units) may be strings: pass them on unchanged. An error has a code, and its message says what to do.
${ledger ? `This is a practice ledger in memory, and no real market. Its tokens: ${mints.join(', ')}` : ''}`;

// `McpServer` would take Zod schemas in place of JSON Schema.
const server = new Server(
  { name: 'heaven-pools', version: '0.1.0' },
  { capabilities: { tools: {} }, instructions },
);
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [...tools.values()].map(({ tool }) => tool),
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
  const found = tools.get(params.name);
  if (found === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
  try {
    return await found.call(params.arguments ?? {}, signal);
  } catch (error) {
    const { code, message, details } = answerOf(error);
    return textResult(stringifyJson({ error: { code, message, details } }), true);
  }
});
await server.connect(new StdioServerTransport());

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createNoopSigner, type Instruction } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buildBuy, createHeavenClient, quoteBuy } from '../../src/index.js';
import * as program from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { addressNamed } from '../support/addresses.js';
import { complaintsOf } from '../support/compile.js';
import { install, link } from '../support/installed.js';
import { lookupTablesIn, messageOf } from '../support/transactions.js';
import { camel, exampleOf, idl } from './committed-idl.js';

// Codama reads src/program/idl.json, and the client that it renders compiles and means what the library means.

const root = fileURLToPath(new URL('../../', import.meta.url));

// Each folder has one set of Codama's packages whose versions fit each other, and the kit that the renderer writes for: 1.2 names
// kit 2's types (`IInstruction`), which kit 3 renamed; 1.7 is the newest that reads these nodes and writes for kit 8.
const RENDERERS = [
  [
    '1.7.1',
    ['@codama/nodes-from-anchor@1.5.3', '@codama/renderers-core@1.3.11', '@codama/visitors-core@1.10.0'],
    undefined,
  ],
  ['1.2.14', ['@codama/nodes-from-anchor@1.1.14', '@codama/visitors-core@1.3.0'], '2.3.0'],
] as const;

const RENDER = `
import { readFileSync } from 'node:fs';
import { rootNodeFromAnchor } from '@codama/nodes-from-anchor';
import { renderVisitor } from '@codama/renderers-js';
import { visit } from '@codama/visitors-core';

const [idl, folder] = process.argv.slice(2);
await visit(rootNodeFromAnchor(JSON.parse(readFileSync(idl, 'utf8'))), renderVisitor(folder));
`;
// biome-ignore lint/suspicious/noExplicitAny: its types are compiled in a test of their own
type Client = Readonly<Record<string, (input?: object) => any>>;

/** An instruction as it goes on chain. The rendered ones hold signers in their accounts too. */
const plain = ({ programAddress, data, accounts = [] }: Instruction) => ({
  programAddress,
  data: Uint8Array.from(data ?? []),
  accounts: accounts.map(({ address, role }) => ({ address, role })),
});

/** Arguments as a rendered builder takes them: with padding, and without the struct around them if no other one uses it. */
function renderedArgs(values: Readonly<Record<string, unknown>>): object {
  const padded = (value: unknown) =>
    typeof value === 'object' ? { ...value, padding: new Uint8Array() } : value;
  const args = Object.entries(values).map(([name, value]) => [name, padded(value)]);
  return { ...Object.fromEntries(args), ...(values.params as object | undefined) };
}

let ledger: EmbeddedLedger;
beforeAll(async () => {
  ledger = await createEmbeddedLedger();
});

describe.each(RENDERERS)('a client rendered by @codama/renderers-js %s', async (version, others, kit) => {
  const ownKit = kit === undefined ? [] : [`@solana/kit@${kit}`];
  const installed = await install(`@codama/renderers-js@${version}`, ...others, ...ownKit);
  if (typeof installed === 'string') {
    test.skip(`(skipped: it could not be installed: ${installed})`);
    return;
  }
  const { folder } = installed;
  const entry = join(folder, 'client/index.ts');
  let client: Client;

  beforeAll(async () => {
    if (kit === undefined) link(folder, '@solana/kit');
    writeFileSync(join(folder, 'render.mjs'), RENDER);
    const args = ['render.mjs', join(root, 'src/program/idl.json'), join(folder, 'client')];
    await promisify(execFile)(process.execPath, args, { cwd: folder });
    client = (await import(entry)) as Client;
  });
  afterAll(() => installed.remove());

  // Codama renders `enum`s, which aren't erasable.
  test('compiles', () => {
    expect(complaintsOf(entry, { erasableSyntaxOnly: false })).toEqual([]);
  });

  test('reads the accounts as the library does', async () => {
    const { pool, protocolConfig, creator } = ledger.pools.pro;
    const position = await program.findLpPositionAddress({ pool, user: creator });
    const decoders = {
      LiquidityPoolState: [pool, program.decodeLiquidityPoolState],
      ProtocolConfig: [protocolConfig, program.decodeProtocolConfig],
      UserLpPosition: [position, program.decodeUserLpPosition],
    } as const;
    for (const [name, [at, decode]] of Object.entries(decoders)) {
      const { data } = ledger.getAccount(at)!;
      // In the ledger many fields are alike; then each byte differs from its neighbours.
      const varied = data.map((byte, index) => (index < 8 ? byte : (index * 37) % 251));
      for (const bytes of [data, varied]) {
        // Besides these it has the discriminator and padding.
        expect(client[`get${name}Decoder`]!().decode(bytes), name).toMatchObject(decode(bytes));
      }
    }
  });

  test.each(idl.instructions)('builds $name as the library does', ({ name, accounts, args }) => {
    const [values] = exampleOf(args);
    const given = accounts
      .filter(({ address }) => address === undefined)
      .map((account) => ({ ...account, name: camel(account.name), address: addressNamed(account.name) }));
    const own = Object.fromEntries(given.map(({ name, address }) => [name, address]));
    const rendered = Object.fromEntries(
      given.map(({ name, address, signer }) => [name, signer ? createNoopSigner(address) : address]),
    );
    const builder = `get${camel(`_${name}`)}Instruction`;
    expect(plain(client[builder]!({ ...rendered, ...renderedArgs(values) }))).toEqual(
      plain((program as unknown as Client)[builder]!({ ...own, ...values })),
    );
  });

  test('derives the accounts of a buy', async () => {
    const { creator: payer, mint, tokenProgram, protocolConfig, configVersion } = ledger.pools.creator;
    const heaven = createHeavenClient({ rpc: ledger.rpc });
    const quoteResponse = await quoteBuy(heaven, { mint, configVersion, maxSolSpend: 1, slippageBps: 50 });
    const { tx } = await buildBuy(heaven, { payer, quoteResponse, encodedUserDefinedEventData: 'memo' });
    const own = messageOf(tx, lookupTablesIn(ledger)).instructions.find(
      ({ programAddress }) => programAddress === idl.address,
    );
    const rendered = await client.getBuyInstructionAsync!({
      user: createNoopSigner(payer),
      tokenAMint: mint,
      tokenAProgram: tokenProgram,
      protocolConfig,
      params: program.parseBuyInstruction(own!).data.params,
    });
    expect(plain(rendered)).toEqual(plain(own!));
  });
});

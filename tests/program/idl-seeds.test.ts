import { readFileSync } from 'node:fs';

import { type Address, getAddressDecoder, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createEmbeddedLedger } from '../../src/testing/index.js';
import { hexOf } from '../support/bytes.js';
import { lookupTablesIn, messageOf } from '../support/transactions.js';
import { type IdlAccount, idl, type Seed } from './committed-idl.js';

// The seeds in src/program/idl.json, read as a stranger's tool reads them, against the accounts that the operations have put into the
// recorded transactions. Nothing here derives an address with the library.

interface Recorded {
  readonly path: string;
  readonly status: number;
  readonly answer: string;
}

type AddressesByName = ReadonlyMap<string, Address>;

/** The instructions of the exchange in the recorded transactions, each with its accounts by their names in the IDL. */
async function recordedInstructions() {
  const lookupTables = lookupTablesIn(await createEmbeddedLedger());
  const golden = readFileSync(new URL('../golden/sample.json', import.meta.url), 'utf8');
  return (JSON.parse(golden) as readonly Recorded[])
    .filter(({ path, status }) => path.startsWith('/tx/') && status === 200)
    .map(({ answer }) => (JSON.parse(answer) as { readonly tx: string }).tx)
    .flatMap((tx) => messageOf(tx, lookupTables).instructions)
    .filter(({ programAddress }) => programAddress === idl.address)
    .map(({ data, accounts = [] }) => {
      const discriminator = hexOf((data ?? new Uint8Array()).slice(0, 8));
      const instruction = idl.instructions.find((one) => hexOf(one.discriminator) === discriminator)!;
      const addresses: AddressesByName = new Map(
        instruction.accounts.map(({ name }, index) => [name, accounts[index]!.address]),
      );
      return { instruction, addresses };
    });
}

function bytesOf(seed: Seed, addresses: AddressesByName): Uint8Array {
  if (seed.kind === 'const') return Uint8Array.from(seed.value);
  const address = addresses.get(seed.path);
  if (address === undefined) throw new Error(`A seed names the account ${seed.path}, which is not listed.`);
  return Uint8Array.from(getAddressEncoder().encode(address));
}

async function derive(pda: NonNullable<IdlAccount['pda']>, addresses: AddressesByName): Promise<Address> {
  const programAddress = pda.program
    ? getAddressDecoder().decode(bytesOf(pda.program, addresses))
    : idl.address;
  const seeds = pda.seeds.map((seed) => bytesOf(seed, addresses));
  const [address] = await getProgramDerivedAddress({ programAddress, seeds });
  return address;
}

/** The derivations of an instruction's accounts, by the accounts' names. */
const derivationsOf = (name: string) =>
  Object.fromEntries(
    idl.instructions
      .find((instruction) => instruction.name === name)!
      .accounts.flatMap((account) => (account.pda ? [[account.name, account.pda]] : [])),
  );

describe('the seeds in the IDL', async () => {
  const recorded = await recordedInstructions();
  const recordedNames = new Set(recorded.map(({ instruction }) => instruction.name));
  const derivedNames = idl.instructions
    .filter(({ accounts }) => accounts.some(({ pda }) => pda))
    .map(({ name }) => name);

  test('belong to every token account and LP position', () => {
    for (const { name, accounts } of idl.instructions)
      for (const account of accounts.filter((one) => /_vault$|_lp_position$/.test(one.name)))
        expect(account.pda, `${name}: ${account.name}`).toBeDefined();
  });

  const found = derivedNames.filter((name) => recordedNames.has(name));
  test.each(found)('lead to the accounts of each recorded %s', async (name) => {
    const own = recorded.filter(({ instruction }) => instruction.name === name);
    for (const { instruction, addresses } of own)
      for (const { name: account, pda } of instruction.accounts)
        if (pda) expect(await derive(pda, addresses), account).toBe(addresses.get(account));
  });

  // No operation changes the receiver of a standard pool: the documented interface has that of a pro pool alone.
  test('are those of a recorded instruction where no operation builds it', () => {
    const unrecorded = derivedNames.filter((name) => !recordedNames.has(name));
    expect(unrecorded).toEqual(['update_creator_trading_fee_receiver']);
    expect(derivationsOf('update_creator_trading_fee_receiver')).toEqual(derivationsOf('buy'));
  });
});

import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Address, getBase64Decoder } from '@solana/kit';

import { checkSource, type ProofSource } from '../check/prove/source.js';
import {
  PROGRAM_NAMES,
  type ProgramName,
  type ProofProgram,
  programOf,
} from '../check/prove/source-programs.js';
import type { Deployment } from '../client.js';
import { HeavenError } from '../errors.js';
import { parseJson, stringifyJson } from '../http/json.js';
import { DEFAULT_RULES } from '../program/rules.js';
import { isValidAddress } from '../solana/addresses.js';
import { base64Bytes } from '../solana/base64.js';
import type { RawAccount } from '../solana/rpc/accounts.js';

// A proof's download as files. File names never come from file contents.

const SOURCE = 'source.json';
const ACCOUNTS = 'accounts.json';
const fileOf = (name: ProgramName) => `${name}.so`;
const FORMAT = 1n;
const MOST_ACCOUNTS = 200;
const MEBIBYTE = 1_024 * 1_024;
const MOST_BYTES = { program: 10 * MEBIBYTE, accounts: 32 * MEBIBYTE, source: MEBIBYTE } as const;

/**
 * Writes a download into a folder, which it creates if missing: `exchange.so`, `chainlink.so` and `metadata.so`, if they are in
 * the download, `accounts.json` with items as `solana account --output json` writes them, and `source.json` with the rest.
 */
export async function saveProofSource(source: ProofSource, directory: string): Promise<void> {
  const { deployment, programs, accounts, pools, reasons, slot, unixTimestamp } = source;
  await mkdir(directory, { recursive: true });
  const described: Record<string, unknown> = {};
  for (const name of PROGRAM_NAMES) {
    const program = programs[name];
    if (program === undefined) continue;
    const { elf, ...facts } = program;
    described[name] = { ...facts, size: elf.length };
    await writeFile(join(directory, fileOf(name)), elf);
  }
  const items = accounts.map(({ address, owner, data, lamports }) => ({
    pubkey: address,
    account: {
      lamports,
      data: [getBase64Decoder().decode(data), 'base64'],
      owner,
      executable: false,
      rentEpoch: 0xffff_ffff_ffff_ffffn,
      space: data.length,
    },
  }));
  await writeFile(join(directory, ACCOUNTS), `${stringifyJson(items)}\n`);
  // Written last, because a folder without it is incomplete.
  const rest = {
    format: FORMAT,
    slot,
    unixTimestamp,
    deployment,
    programs: described,
    pools: pools.map(({ address }) => address),
    reasons,
  };
  await writeFile(join(directory, SOURCE), `${stringifyJson(rest)}\n`);
}

/**
 * Reads what {@link saveProofSource} wrote, and checks it as strictly as a node's answer.
 *
 * @param options `program`: an ELF file to prove instead of the exchange's own.
 * @throws {HeavenError} `invalid-proof-source`, `invalid-program`, and what a download throws for invalid accounts
 */
export async function loadProofSource(
  directory: string,
  { program }: { readonly program?: Uint8Array | undefined } = {},
): Promise<ProofSource> {
  const said = fieldsOf(await readJson(directory, SOURCE, MOST_BYTES.source), SOURCE);
  if (said.format !== FORMAT) throw invalidSource(SOURCE, `it has another format than ${FORMAT}`);
  const deployment = deploymentIn(said);
  const described = fieldsOf(said.programs, SOURCE);
  const programs: Partial<Record<ProgramName, ProofProgram>> = {};
  for (const name of PROGRAM_NAMES) {
    if (Object.hasOwn(described, name) && !(name === 'exchange' && program))
      programs[name] = await readProgram(directory, name, fieldsOf(described[name], SOURCE));
  }
  if (program !== undefined) programs.exchange = await programOf(deployment.programAddress, program);
  const source = await checkSource({
    deployment,
    programs,
    accounts: accountsIn(await readJson(directory, ACCOUNTS, MOST_BYTES.accounts)),
    pools: listOf(said.pools, 'pools').map((one) => addressIn(one, 'pools')),
    reasons: listOf(said.reasons, 'reasons').map(String),
  });
  if (source.slot !== said.slot || source.unixTimestamp !== said.unixTimestamp)
    throw invalidSource(SOURCE, `its slot and time are not those of the clock in ${ACCOUNTS}`);
  return source;
}

const invalidSource = (file: string, reason: string, cause?: unknown) =>
  new HeavenError(
    'invalid-proof-source',
    `The saved download can't be used: ${file}: ${reason}. Download it again.`,
    { file, reason },
    { cause },
  );

async function readBounded(directory: string, file: string, most: number): Promise<Uint8Array> {
  const path = join(directory, file);
  let size: number;
  try {
    size = (await stat(path)).size;
    if (size <= most) return new Uint8Array(await readFile(path));
  } catch (cause) {
    throw invalidSource(file, 'it is missing, or cannot be read', cause);
  }
  throw invalidSource(file, `it has ${size} bytes, and ${most} are the most`);
}

async function readJson(directory: string, file: string, most: number): Promise<unknown> {
  const bytes = await readBounded(directory, file, most);
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw invalidSource(file, 'it is not valid JSON', cause);
  }
}

async function readProgram(
  directory: string,
  name: ProgramName,
  said: Readonly<Record<string, unknown>>,
): Promise<ProofProgram> {
  const file = fileOf(name);
  const elf = await readBounded(directory, file, MOST_BYTES.program);
  const program = await programOf(addressIn(said.address, `programs.${name}.address`), elf);
  if (said.size !== BigInt(elf.length) || said.sha256 !== program.sha256)
    throw invalidSource(file, `it is not the file that ${SOURCE} names: its size or sha256 differs`);
  const { programData, lastDeploySlot, upgradeAuthority } = said;
  if (lastDeploySlot !== undefined && typeof lastDeploySlot !== 'bigint')
    throw invalidSource(SOURCE, `programs.${name}.lastDeploySlot is not a slot`);
  return {
    ...program,
    ...(programData === undefined
      ? {}
      : { programData: addressIn(programData, `programs.${name}.programData`) }),
    ...(lastDeploySlot === undefined ? {} : { lastDeploySlot }),
    ...(upgradeAuthority === undefined
      ? {}
      : { upgradeAuthority: addressIn(upgradeAuthority, `programs.${name}.upgradeAuthority`) }),
  };
}

function accountsIn(items: unknown): readonly RawAccount[] {
  if (!Array.isArray(items) || items.length > MOST_ACCOUNTS)
    throw invalidSource(ACCOUNTS, `it is not a list of at most ${MOST_ACCOUNTS} accounts`);
  return items.map((item, index): RawAccount => {
    const { pubkey, account } = fieldsOf(item, ACCOUNTS);
    const { data, owner, lamports } = fieldsOf(account, ACCOUNTS);
    const [text, encoding] = Array.isArray(data) ? (data as unknown[]) : [];
    const isAccount = isValidAddress(pubkey) && isValidAddress(owner) && typeof lamports === 'bigint';
    if (!isAccount || typeof text !== 'string' || encoding !== 'base64')
      throw invalidSource(ACCOUNTS, `account ${index} has no address, owner, lamports or base64 data`);
    try {
      return { address: pubkey, owner, lamports, data: base64Bytes(text) };
    } catch (cause) {
      throw invalidSource(ACCOUNTS, `the data of account ${index} is not base64`, cause);
    }
  });
}

function deploymentIn({ deployment }: Readonly<Record<string, unknown>>): Deployment {
  const { programAddress, chainlinkProgram, solUsdFeed } = fieldsOf(deployment, SOURCE);
  return {
    programAddress: addressIn(programAddress, 'deployment.programAddress'),
    chainlinkProgram: addressIn(chainlinkProgram, 'deployment.chainlinkProgram'),
    solUsdFeed: addressIn(solUsdFeed, 'deployment.solUsdFeed'),
    rules: DEFAULT_RULES,
  };
}

function addressIn(value: unknown, field: string): Address {
  if (isValidAddress(value)) return value;
  throw invalidSource(SOURCE, `${field} is not an address`);
}

function listOf(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= MOST_ACCOUNTS) return value;
  throw invalidSource(SOURCE, `${field} is not a list of at most ${MOST_ACCOUNTS}`);
}

function fieldsOf(value: unknown, file: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw invalidSource(file, 'it lacks an object where one must be');
}

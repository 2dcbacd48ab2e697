import { type Address, assertIsAddress, getBase64Decoder, getBase64Encoder } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import { HeavenError } from '../base/errors.js';
import { inputError } from '../base/input.js';
import { POOL } from '../pool/layout.js';
import { decodeLiquidityPoolState } from '../program/accounts.js';
import { findPoolAddress, findProtocolConfigAddress } from '../program/addresses.js';
import type { HeavenClient } from '../program/client.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS, CONFIG_VERSIONS } from '../program/constants.js';
import { deploymentOf } from '../program/deployment.js';
import { findPools } from '../reads/find-pools.js';
import { uint32, view } from '../solana/account-data.js';
import { addressAt, assertAddress } from '../solana/addresses.js';
import { startsWith } from '../solana/discriminator.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  UPGRADEABLE_LOADER_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { assertOwned, fetchAccounts, type RawAccount } from '../solana/rpc/accounts.js';
import type { EmbeddedLedger } from '../testing/ledger.js';
import type { LedgerAccount } from '../testing/ledger-state.js';

/** What a verification starts from. All accounts come from one slot. */
export interface VerifySource {
  readonly deployment: Pick<HeavenClient['deployment'], 'programAddress' | 'chainlinkProgram' | 'solUsdFeed'>;
  /** The slot in which the exchange was deployed. */
  readonly deployedSlot?: bigint | undefined;
  /** ELF files. Empty where only the model runs. */
  readonly programs: Readonly<Record<Address, Uint8Array>>;
  readonly accounts: readonly (Required<LedgerAccount> & { readonly address: Address })[];
  readonly pools: readonly Address[];
}

/** The embedded ledger as a source. Only the library's own model can run on it. */
export const sourceOf = (ledger: EmbeddedLedger): VerifySource => ({
  deployment: deploymentOf(),
  programs: {},
  accounts: [...ledger.listAccounts()].map(([address, account]) => ({ address, ...account })),
  pools: Object.values(ledger.pools).map(({ pool }) => pool),
});

const PRO_POOLS = 3;
const LIGHT_MINT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;

/**
 * Downloads the deployed programs, and the accounts of some pools.
 *
 * @param pools Default: one standard pool and some pro pools, which needs a node that answers `getProgramAccounts`.
 * @throws {HeavenError} `account-not-found`, `invalid-account-data`, and the `rpc-…` codes
 */
export async function downloadSource(client: HeavenClient, pools?: readonly string[]): Promise<VerifySource> {
  const { programAddress, chainlinkProgram, solUsdFeed } = client.deployment;
  const programs = await downloadPrograms(client);
  const chosen = [...new Set(pools ?? (await findSome(client)))].map((pool) => {
    assertAddress(pool, 'pools');
    return pool;
  });
  const found = await fetchAccounts(client, chosen, {});
  const behind = found.flatMap((account, index) => {
    const address = chosen[index] as Address;
    assertOwned(account, POOL.name, address, [programAddress]);
    const { tokenA, tokenAVault, tokenBVault } = decodeLiquidityPoolState(account.data, address);
    return [tokenA.mint, tokenAVault, tokenBVault];
  });
  const configOf = (version: number) => findProtocolConfigAddress({ version }, { programAddress });
  const configs = await Promise.all(CONFIG_VERSIONS.map(configOf));
  const vaults = await Promise.all(configs.map(solVaultOf));
  const fixed = [CLOCK_SYSVAR_ADDRESS, RENT_SYSVAR_ADDRESS, solUsdFeed, COMMUNITY_LOOKUP_TABLE_ADDRESS];
  const all = [...new Set([...fixed, ...configs, ...vaults, ...chosen, ...behind])];
  const accounts = (await fetchAccounts(client, all, {})).flatMap((account) =>
    account === undefined ? [] : [{ ...account, lamports: account.lamports ?? 0n }],
  );
  const deployment = { programAddress, chainlinkProgram, solUsdFeed };
  return { deployment, ...programs, accounts, pools: chosen };
}

export interface Token {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** An owner's associated token account. */
export async function tokenAccountOf(owner: Address, { mint, tokenProgram }: Token): Promise<Address> {
  return (await findAssociatedTokenPda({ owner, mint, tokenProgram }))[0];
}

/** The vault that all pools of a config keep their SOL in. */
export const solVaultOf = (protocolConfig: Address): Promise<Address> =>
  tokenAccountOf(protocolConfig, { mint: WRAPPED_SOL_MINT_ADDRESS, tokenProgram: TOKEN_PROGRAM_ADDRESS });

/** Accounts of the loader begin with a tag. A program's has the address of its program data behind it. */
const PROGRAM = { name: 'program', tag: 2, size: 36, dataAddressAt: 4 } as const;
/** Tag, slot and authority, in front of the ELF file. */
const PROGRAM_DATA = { name: 'program data', tag: 3, size: 45, slotAt: 4 } as const;
const ELF = [0x7f, 0x45, 0x4c, 0x46];

/** The exchange and the programs that it or a launch calls. Only the exchange must exist. */
async function downloadPrograms(
  client: HeavenClient,
): Promise<Pick<VerifySource, 'programs' | 'deployedSlot'>> {
  const { programAddress, chainlinkProgram } = client.deployment;
  const programs: Record<Address, Uint8Array> = {};
  let deployedSlot: bigint | undefined;
  for (const program of [programAddress, chainlinkProgram, TOKEN_METADATA_PROGRAM_ADDRESS]) {
    const [account] = await fetchAccounts(client, [program], {});
    if (account === undefined && program !== programAddress) continue;
    const dataAddress = addressAt(loaderDataOf(account, program, PROGRAM), PROGRAM.dataAddressAt);
    const [dataAccount] = await fetchAccounts(client, [dataAddress], {});
    const data = loaderDataOf(dataAccount, dataAddress, PROGRAM_DATA);
    const elf = data.slice(PROGRAM_DATA.size);
    if (!startsWith(elf, ELF)) throw notRunnable(PROGRAM_DATA.name, dataAddress, 'it holds no ELF file');
    programs[program] = elf;
    if (program === programAddress) deployedSlot = view(data).getBigUint64(PROGRAM_DATA.slotAt, true);
  }
  return { programs, deployedSlot };
}

const notRunnable = (account: string, address: Address, reason: string) =>
  new HeavenError(
    'invalid-account-data',
    `The ${account} account ${address} can't be run: ${reason}. Check the program's address and the cluster.`,
    { account, address, reason },
  );

/** The data of an account of the upgradeable loader. */
function loaderDataOf(
  account: RawAccount | undefined,
  address: Address,
  { name, tag, size }: typeof PROGRAM | typeof PROGRAM_DATA,
): Uint8Array {
  if (account === undefined && name === PROGRAM_DATA.name)
    throw notRunnable(name, address, 'it does not exist, so the program is closed');
  assertOwned(account, name, address, [UPGRADEABLE_LOADER_ADDRESS]);
  const { data } = account;
  if (data.length < size)
    throw notRunnable(name, address, `it has ${data.length} bytes, but ${size} are needed`);
  if (uint32(data, 0) !== tag)
    throw notRunnable(
      name,
      address,
      `its tag is ${uint32(data, 0)}, and that of a ${name} account is ${tag}`,
    );
  return data;
}

/** LIGHT's standard pool, and pro pools. A node's list of all standard pools would be too long. */
async function findSome(client: HeavenClient): Promise<readonly Address[]> {
  const standard = await findPoolAddress({ mint: LIGHT_MINT }, client.deployment);
  const pro = await findPools(client, { kind: 'pro' });
  return [standard, ...pro.slice(0, PRO_POOLS).map(({ address }) => address)];
}

/** The source as JSON, for {@link parseSource}. */
export const stringifySource = (source: VerifySource): string =>
  `${JSON.stringify(source, (_, value) => {
    if (typeof value === 'bigint') return String(value);
    return value instanceof Uint8Array ? getBase64Decoder().decode(value) : value;
  })}\n`;

/**
 * Reads what {@link stringifySource} wrote.
 *
 * @throws {HeavenError} `invalid-input`
 */
export function parseSource(text: string): VerifySource {
  try {
    const { deployment, deployedSlot, pools, accounts, programs } = JSON.parse(text);
    for (const one of [...Object.values(deployment), ...pools, ...Object.keys(programs)])
      assertIsAddress(String(one));
    return {
      deployment,
      ...(deployedSlot === undefined ? {} : { deployedSlot: BigInt(deployedSlot) }),
      pools,
      accounts: accounts.map(({ address, owner, lamports, data }: Readonly<Record<string, string>>) => {
        for (const one of [address, owner]) assertIsAddress(String(one));
        return { address, owner, lamports: BigInt(lamports as string), data: bytesOf(data) };
      }),
      programs: Object.fromEntries(Object.entries(programs).map(([address, elf]) => [address, bytesOf(elf)])),
    };
  } catch {
    throw inputError(
      'from',
      "The file is not a download of 'heaven-pools verify --save'. Download it again.",
    );
  }
}

const bytesOf = (base64: unknown): Uint8Array => Uint8Array.from(getBase64Encoder().encode(String(base64)));

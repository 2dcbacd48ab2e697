import type { Address } from '@solana/kit';

import type { AnyHeavenError, HeavenErrorCode, HeavenErrorContexts } from '../base/errors.js';
import { shapeOf, userLpPositionDeclaration } from '../program/account-layouts.js';
import type { Deployment } from '../program/client.js';
import { CONFIG_VERSIONS } from '../program/constants.js';
import { LiquidityPoolType } from '../program/types.js';
import { type AccountShape, faultIn, uint16 } from '../solana/account-data.js';
import { isTokenProgram, SYSTEM_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import type { RawAccount } from '../solana/rpc/accounts.js';
import { isMintData } from '../solana/token-extensions.js';
import type { Named, ReadAccounts } from './explained.js';
import { CONFIG, FEED, POOL } from './layout.js';

// What an address that a caller named really is. It is loaded when a read failed or found nothing, and stands in a file of its own with
// all that it uses: what it shared with the client, a bundler would take out of the client's file. So it must not reach kit.

/** What an account is, in words, and what of it a call may have meant. */
interface Found {
  readonly words: string;
  readonly mint?: Address;
  readonly pool?: Address;
  readonly wallet?: Address;
}

const FIELDS = ['mint', 'address', 'pool', 'wallet'] as const satisfies readonly (keyof Named)[];
type Field = (typeof FIELDS)[number];

/** A token account holds its mint, then its owner. An LP position: the pool behind the discriminator, then the user. */
const TOKEN_ACCOUNT = { size: 165, mint: 0, owner: 32 } as const;
const POSITION = { pool: 8, user: 40 } as const;

/** Anybody can send SOL to any address, which makes an account like a wallet's. */
const isWallet = ({ owner, data }: RawAccount) => owner === SYSTEM_PROGRAM_ADDRESS && data.length === 0;

const has = (shape: AccountShape, { data }: RawAccount) => faultIn(shape, data) === undefined;

async function whatItIs(account: RawAccount, deployment: Deployment, tools: Tools): Promise<Found> {
  const { address, owner, data } = account;
  if (address === deployment.programAddress) return { words: "the exchange's program" };
  if (owner === deployment.programAddress) return partOfExchange(account, tools);
  if (isTokenProgram(owner)) {
    if (isMintData(data)) return { words: "a token's mint", mint: address };
    if (data.length >= TOKEN_ACCOUNT.size) return await tokenAccount(account, deployment, tools);
  }
  if (owner === deployment.chainlinkProgram && has(FEED, account)) return { words: 'a price feed' };
  if (isWallet(account)) return { words: 'a wallet', wallet: address };
  return { words: `an account of the program ${owner}` };
}

function partOfExchange(account: RawAccount, [addressAt]: Tools): Found {
  const { address, data } = account;
  if (has(POOL, account)) {
    const mint = addressAt(data, POOL.tokenAMint);
    const kind = data[POOL.type] === LiquidityPoolType.Pro ? 'a pro pool' : 'the standard pool';
    return { words: `${kind} of the token ${mint}`, mint, pool: address };
  }
  if (has(CONFIG, account))
    return { words: `the protocol config of version ${uint16(data, CONFIG.version)}` };
  if (!has(shapeOf(userLpPositionDeclaration), account)) return { words: 'another account of the exchange' };
  const [pool, wallet] = [addressAt(data, POSITION.pool), addressAt(data, POSITION.user)];
  return { words: `the LP position of ${wallet} in the pool ${pool}`, pool, wallet };
}

/** The configs own the vaults of all pools. */
async function tokenAccount(
  { data }: RawAccount,
  deployment: Deployment,
  [addressAt, deriveProtocolConfigAddress]: Tools,
): Promise<Found> {
  const [mint, wallet] = [addressAt(data, TOKEN_ACCOUNT.mint), addressAt(data, TOKEN_ACCOUNT.owner)];
  const configs = await Promise.all(
    CONFIG_VERSIONS.map((one) => deriveProtocolConfigAddress(one, deployment)),
  );
  const version = configs.indexOf(wallet) + 1;
  const words = `${version > 0 ? `the vault of config version ${version}` : `a token account of ${wallet}`} for the token ${mint}`;
  return mint === WRAPPED_SOL_MINT_ADDRESS ? { words, wallet } : { words, wallet, mint };
}

/** What each field should have, and how to tell that it hasn't. What signs is not told: that can be any address. */
const EXPECTED: Readonly<
  Record<Field, readonly [words: string, isRight: (found: Found, address: Address) => boolean]>
> = {
  pool: ['a pool', ({ pool }, address) => pool === address],
  mint: ['a mint', ({ mint }, address) => mint === address],
  address: ['a mint or a pool', ({ mint, pool }, address) => mint === address || pool === address],
  wallet: ['a wallet', ({ mint, pool }) => mint === undefined && pool === undefined],
};

/** What to pass instead, if the account names it. */
function advice(field: Field, { mint, pool, wallet }: Found): string {
  const meant = { pool, mint, address: pool ?? mint, wallet }[field];
  if (meant !== undefined) return `Pass ${meant}.`;
  return field === 'pool' && mint !== undefined
    ? `findPoolsAt of the SDK lists the pools of ${mint}.`
    : 'Check the address.';
}

/** What {@link explain} needs of the client, which a page has loaded already. */
export type Tools = readonly [
  addressAt: (data: Uint8Array, offset: number) => Address,
  deriveProtocolConfigAddress: (version: number, deployment: Deployment) => Promise<Address>,
];

/** An error of this library: its code, message and context. */
type Fault = readonly [HeavenErrorCode, string, HeavenErrorContexts[HeavenErrorCode]];

/** What is wrong with the network, or with an address that a call names; `undefined` if nothing is. */
async function faultOf(
  deployment: Deployment,
  named: Named,
  read: ReadAccounts,
  tools: Tools,
): Promise<Fault | undefined> {
  const { programAddress } = deployment;
  const given = FIELDS.flatMap((field) =>
    [named[field] ?? []].flat().map((address) => [field, address] as const),
  );
  const [program, ...accounts] = await read([programAddress, ...given.map(([, address]) => address)]);
  if (program === undefined || isWallet(program))
    return [
      'account-not-found',
      `The exchange's program ${programAddress} is not on this network. Use a node of mainnet, or of the network that your own deployment is on.`,
      { account: 'exchange program', address: programAddress },
    ];
  for (const [index, [field, address]] of given.entries()) {
    const account = accounts[index];
    if (account === undefined && field === 'pool')
      return ['pool-not-found', `There is no pool at ${address} on this cluster.`, { pool: address }];
    const found = account && (await whatItIs(account, deployment, tools));
    const [expected, isRight] = EXPECTED[field];
    if (found === undefined || isRight(found, address)) continue;
    const reason = `${found.words}, not ${expected}`;
    return [
      'invalid-account-data',
      `${field} is ${address}, ${reason}. ${advice(field, found)}`,
      { account: expected, address, reason: `it is ${reason}` },
    ];
  }
  return undefined;
}

const EXPLAINED: readonly unknown[] = ['pool-not-found', 'account-not-found', 'invalid-account-data'];

/**
 * Says better why a read failed. The error keeps its code and context, unless the exchange is missing.
 * @param error `undefined` if the read found nothing, which is no failure if all is as it should be.
 */
export async function explain(
  error: unknown,
  ...[deployment, named, read, tools]: Parameters<typeof faultOf>
): Promise<Fault | undefined> {
  const known = error as AnyHeavenError | undefined;
  if (known !== undefined && !EXPLAINED.includes(known.code)) return undefined;
  const fault = await faultOf(deployment, named, read, tools);
  if (known === undefined || fault?.[0] === 'account-not-found') return fault;
  const { code, context } = known;
  if (fault !== undefined) return [code, fault[1], context] as Fault;
  if (code !== 'pool-not-found' || context.mint === undefined) return undefined;
  const { mint, pool } = context;
  const message = `The token ${mint} has no standard pool on this cluster (it would be at ${pool}). A pro pool is named by its own address.`;
  return [code, message, context];
}

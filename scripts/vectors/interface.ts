import type { Address } from '@solana/kit';
import type { Assumption } from '../../src/program/assumptions.js';

import * as program from '../../src/program/index.js';
import {
  type EmbeddedLedger,
  encodeMint,
  type MintFields,
  type SamplePool,
} from '../../src/testing/index.js';
import { camel, exampleOf, fieldsOf, idl } from '../../tests/program/committed-idl.js';
import { STRANGER, WALLET } from '../../tests/support/addresses.js';
import { createScenes, feedOf, snapshotOf, U64_MAX } from './scenes.js';
import { type Case, type Fields, hex, type Vector } from './vector.js';

// Accounts, derived addresses, instructions and events: bytes, without arithmetic.

const { TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } = program;
const PROGRAMS = [program.HEAVEN_PROGRAM_ADDRESS, program.TOKEN_METADATA_PROGRAM_ADDRESS];

/** Another value in each field, so that a field that is read from elsewhere shows. */
const filled = (name: string) => exampleOf(fieldsOf(name))[0];

export function accountVectors(ledger: EmbeddedLedger): Vector[] {
  const { base, local } = createScenes(ledger);
  const transferFee = {
    older: { epoch: 831n, basisPoints: 150, maximum: U64_MAX },
    newer: { epoch: 838n, basisPoints: 10_000, maximum: 7n },
  };
  const account = (
    name: string,
    level: string,
    encode: (fields: never) => Uint8Array,
    decode: (data: Uint8Array) => object,
    ...all: object[]
  ) =>
    vector(
      name,
      level,
      {},
      all.map((fields) => {
        const data = encode(fields as never);
        return { input: { data }, expected: decode(data) };
      }),
    );
  const vector = (name: string, level: string, input: Fields, cases: readonly Case[]): Vector => ({
    id: name,
    check: 'account',
    facts: [`${level} layout of ${name}`],
    input: { account: name, ...input },
    cases,
  });
  const mint = (fields: MintFields, ...epochs: bigint[]) =>
    vector(
      'Mint',
      'M',
      { data: encodeMint(fields) },
      epochs.map((epoch) => {
        const { transferFee: fee, decimals, supply } = snapshotOf({ ...base, mint: fields, epoch }).token;
        return {
          input: { epoch },
          expected: {
            decimals,
            supply,
            transferFee: fee ? { bps: fee.basisPoints, maximum: fee.maximum } : null,
          },
        };
      }),
    );
  const prices = ['82.0175991', '0.00000001', '123456789.87654321'].map((solPrice) => {
    const { updatedAt: timestamp, ...price } = snapshotOf({ ...base, solPrice }).solPrice;
    return { input: { data: feedOf(solPrice) }, expected: { ...price, timestamp } };
  });
  return [
    account(
      'LiquidityPoolState',
      'M',
      program.encodeLiquidityPoolState,
      program.decodeLiquidityPoolState,
      local.state,
      filled('LiquidityPoolState'),
    ),
    account(
      'ProtocolConfig',
      'M',
      program.encodeProtocolConfig,
      program.decodeProtocolConfig,
      base.config,
      filled('ProtocolConfig'),
    ),
    account(
      'UserLpPosition',
      'I',
      program.encodeUserLpPosition,
      program.decodeUserLpPosition,
      filled('UserLpPosition'),
    ),
    vector('Transmissions', 'M', {}, prices),
    mint({ decimals: 6, supply: U64_MAX }, 900n),
    mint({ decimals: 9, supply: 1n, transferFee }, 0n, 837n, 838n),
  ];
}

export async function addressVectors(ledger: EmbeddedLedger): Promise<Vector[]> {
  const { creator, pro, community } = ledger.pools;
  const mints = [creator.mint, community.mint, pro.mint, WALLET];
  const owners = [WALLET, creator.protocolConfig, pro.pool];
  const tokens = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];
  const vector = async <T extends Fields>(
    id: string,
    fact: string,
    input: Fields,
    seeds: readonly T[],
    find: (seeds: T) => Promise<Address>,
    assumptions: Assumption[] = [],
  ): Promise<Vector> => ({
    id,
    check: 'address',
    facts: [fact],
    assumptions,
    input,
    cases: await Promise.all(seeds.map(async (one) => ({ input: one, expected: await find(one) }))),
  });
  const each = <T extends Fields>(list: readonly T[]) =>
    list.flatMap((one) => PROGRAMS.map((programAddress) => ({ ...one, program: programAddress })));
  const of = ({ program: programAddress }: { readonly program: Address }) => ({ programAddress });
  const discriminators = (namespace: string, group: 'instructions' | 'accounts' | 'events'): Vector => ({
    id: `discriminators of ${group}`,
    check: 'discriminator',
    facts: ['I names of instructions, accounts and events'],
    input: { namespace },
    cases: idl[group].map(({ name, discriminator }) => ({ input: { name }, expected: hex(discriminator) })),
  });
  return [
    await vector(
      'protocol configs',
      'M derived addresses of configs',
      { address: 'config' },
      each([1, 2, 3, 258, 65_535].map((version) => ({ version }))),
      ({ version, ...at }) => program.findProtocolConfigAddress({ version }, of(at)),
    ),
    await vector(
      'standard pools',
      'M derived addresses of standard pools',
      { address: 'pool', pool_kind: 'standard' },
      each(mints.map((mint) => ({ mint }))),
      ({ mint, ...at }) => program.findPoolAddress({ mint }, of(at)),
    ),
    await vector(
      'pro pools',
      "D a pro pool's address depends on its creator",
      { address: 'pool', pool_kind: 'pro' },
      each(mints.map((mint) => ({ mint, creator: STRANGER }))),
      ({ mint, creator, ...at }) => program.findProPoolAddress({ mint, creator }, of(at)),
      ['A1'],
    ),
    await vector(
      'LP positions',
      'D seeds of an LP position',
      { address: 'position' },
      each(owners.map((user) => ({ pool: pro.pool, user }))),
      ({ pool, user, ...at }) => program.findLpPositionAddress({ pool, user }, of(at)),
      ['A2'],
    ),
    await vector(
      'associated token accounts, vaults among them',
      'M derived addresses of vaults',
      { address: 'associated' },
      owners.flatMap((owner) =>
        tokens.flatMap((tokenProgram) =>
          [creator.mint, WRAPPED_SOL_MINT_ADDRESS].map((mint) => ({ owner, mint, tokenProgram })),
        ),
      ),
      program.findAssociatedTokenAddress,
    ),
    discriminators('global', 'instructions'),
    discriminators('account', 'accounts'),
    discriminators('event', 'events'),
  ];
}

/** What an instruction's accounts and addresses rest on. */
export function basisOf(name: string): Pick<Vector, 'facts'> & { readonly assumptions: Assumption[] } {
  const assumptions: Assumption[] = [];
  if (name === 'create_pro_liquidity_pool') assumptions.push('A1');
  if (/liquidity_pro_pool|lp_tokens|create_pro|provider/.test(name)) assumptions.push('A2');
  if (/liquidity|claim|pro_buy|pro_sell/.test(name)) assumptions.push('A3');
  const level = name === 'buy' || name === 'sell' ? 'M' : 'I';
  return { facts: [`${level} arguments and accounts of ${name}`], assumptions };
}

const ROLES = ['', 'w', 's', 'ws'];

type Build = (input: object) => program.BuiltInstruction;
const builders = program as unknown as Readonly<Record<string, Build>>;

/** What check.py derives the other accounts from. */
export const inputAbout = ({ kind, mint, tokenProgram, configVersion, pool }: SamplePool) => ({
  token_a_mint: mint,
  token_a_program: tokenProgram,
  config_version: configVersion,
  ...(kind === 'pro' ? { liquidity_pool_state: pool } : {}),
});

export async function instructionVectors(ledger: EmbeddedLedger): Promise<Vector[]> {
  const { creator, pro } = ledger.pools;
  const roles: Fields = {
    user: STRANGER,
    payer: WALLET,
    creator: STRANGER,
    sender: STRANGER,
    receiver: WALLET,
    new_receiver: WALLET,
  };
  const associated = (mint: Address, tokenProgram: Address) =>
    program.findAssociatedTokenAddress({ owner: STRANGER, mint, tokenProgram });
  const accountsIn = async (sample: SamplePool): Promise<Fields> => {
    const { mint, tokenProgram, pool, protocolConfig, tokenAVault, tokenBVault } = sample;
    const position = (user: Address) => program.findLpPositionAddress({ pool, user });
    return {
      ...roles,
      token_a_program: tokenProgram,
      liquidity_pool_state: pool,
      token_a_mint: mint,
      user_token_a_vault: await associated(mint, tokenProgram),
      user_token_b_vault: await associated(WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS),
      token_a_vault: tokenAVault,
      token_b_vault: tokenBVault,
      protocol_config: protocolConfig,
      user_lp_position: await position(STRANGER),
      sender_lp_position: await position(STRANGER),
      receiver_lp_position: await position(WALLET),
    };
  };
  return await Promise.all(
    idl.instructions.map(async ({ name, accounts, args }): Promise<Vector> => {
      const sample = /pro_|lp_tokens/.test(name) ? pro : creator;
      const all = await accountsIn(sample);
      const given = accounts
        .filter((account) => account.name in all && account.address === undefined)
        .map((account) => account.name);
      const [values] = exampleOf(args);
      const built = builders[`get${camel(`_${name}`)}Instruction`]!({
        ...Object.fromEntries(given.map((account) => [camel(account), all[account]])),
        ...values,
      });
      const named = Object.fromEntries(
        given.filter((account) => account in roles).map((account) => [account, roles[account]]),
      );
      const input = { instruction: name, ...inputAbout(sample), ...named, args: values };
      const expected = {
        program: built.programAddress,
        accounts: built.accounts.map(({ address, role }) => [address, ROLES[role]]),
        data: hex(built.data),
      };
      return { id: name, check: 'instruction', ...basisOf(name), cases: [{ input, expected }] };
    }),
  );
}

export function eventVectors(): Vector[] {
  const vector = (id: string, bytes: string): Vector => {
    const data = Uint8Array.from(Buffer.from(bytes, 'hex'));
    const event = program.decodeEvent(data);
    const fact = `${id.startsWith('TradeEvent') ? 'M' : 'I'} fields of ${event?.name}`;
    return {
      id,
      check: 'event',
      facts: [fact],
      cases: [{ input: { data }, expected: { event: event?.name, fields: event?.data } }],
    };
  };
  const bytesOf = (name: string, discriminator: readonly number[]) =>
    hex(discriminator) + exampleOf(fieldsOf(name))[1];
  const trade = idl.events.find(({ name }) => name === 'TradeEvent')!;
  return [
    ...idl.events.map(({ name, discriminator }) => vector(name, bytesOf(name, discriminator))),
    vector('TradeEvent as it once was', bytesOf(trade.name, trade.discriminator).slice(0, 80)),
  ];
}

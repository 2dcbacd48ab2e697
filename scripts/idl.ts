import { getAddressEncoder, getUtf8Encoder } from '@solana/kit';

import { toSnakeCase } from '../src/base/case.js';
import {
  liquidityPoolStateDeclaration,
  protocolConfigDeclaration,
  userLpPositionDeclaration,
} from '../src/program/account-layouts.js';
import { type DerivedAddress, LP_POSITION, PRO_POOL, STANDARD_POOL } from '../src/program/addresses.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../src/program/constants.js';
import { listHeavenProgramErrors } from '../src/program/error-codes.js';
import { getEventDeclarations } from '../src/program/events.js';
import {
  getInstructionDeclarations,
  type InstructionName,
} from '../src/program/instructions/declarations.js';
import type { Schema, StructSchema } from '../src/solana/codec.js';
import type { InstructionAccount } from '../src/solana/define-instruction.js';
import { ASSOCIATED_TOKEN_SEEDS } from '../src/solana/derived-addresses.js';
import { hexBytes } from '../src/solana/discriminator.js';
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '../src/solana/programs.js';
import {
  adminUpdateLiquidityPoolState,
  type IdlEnum,
  type IdlFields,
  type IdlStruct,
  type IdlUnion,
  protocolConfigParams,
} from './administration.js';
import { nameOf } from './type-names.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * The program's interface as an Anchor IDL (specification 0.1.0), written from the same declarations that the builders
 * and parsers use: for explorers and for other languages.
 */
export function createHeavenIdl(): { readonly [key: string]: Json } {
  const types = new Map<string, Json>();

  const defined = (name: string, type: () => Json, extra: { readonly [key: string]: Json } = {}): Json => {
    if (!types.has(name)) {
      types.set(name, null);
      types.set(name, { name, ...extra, type: type() });
    }
    return { defined: { name } };
  };

  const fieldsOf = (fields: IdlFields): Json =>
    Object.entries(fields).map(([name, schema]) => ({ name: toSnakeCase(name), type: typeOf(schema) }));

  const structOf = (schema: StructSchema | IdlStruct, extra?: { readonly [key: string]: Json }): Json =>
    defined(
      nameOf(schema as StructSchema),
      () => ({ kind: 'struct', fields: fieldsOf(schema.fields) }),
      extra,
    );

  const typeOf = (schema: Schema | IdlEnum): Json => {
    if (typeof schema === 'string') return schema;
    if ('vec' in schema) return { vec: typeOf(schema.vec) };
    if ('option' in schema) return { option: typeOf(schema.option) };
    if ('array' in schema) return { array: [typeOf(schema.array), schema.length] };
    if ('padding' in schema) return { array: ['u8', schema.padding] };
    if ('values' in schema) {
      return defined(schema.name, () => ({
        kind: 'enum',
        variants: Object.keys(schema.values).map((name) => ({ name })),
      }));
    }
    return structOf(schema);
  };

  const unionOf = (union: IdlUnion): Json =>
    defined(union.name, () => ({
      kind: 'enum',
      variants: Object.entries(union.variants).map(([name, fields]) => ({
        name: name.charAt(0).toUpperCase() + name.slice(1),
        fields: fieldsOf(fields),
      })),
    }));

  const accountOf = (
    instruction: InstructionName,
    [name, account]: readonly [string, InstructionAccount],
  ): Json => {
    const pda = pdaOf(instruction, name);
    const role = typeof account === 'string' ? account : account.role;
    const address =
      typeof account === 'string' ? undefined : 'address' in account ? account.address : account.default;
    return {
      name: toSnakeCase(name),
      ...(role.startsWith('writable') ? { writable: true } : {}),
      ...(role.endsWith('signer') ? { signer: true } : {}),
      ...(address === undefined ? {} : { address }),
      ...(pda === undefined ? {} : { pda }),
    };
  };

  const instructions = getInstructionDeclarations().map((declaration): Json => {
    const remaining = 'remainingAccounts' in declaration ? Object.entries(declaration.remainingAccounts) : [];
    return {
      name: declaration.name,
      docs: [INSTRUCTIONS[declaration.name]],
      discriminator: [...hexBytes(declaration.discriminator)],
      accounts: [...Object.entries<InstructionAccount>(declaration.accounts), ...remaining].map((account) =>
        accountOf(declaration.name, account),
      ),
      args: fieldsOf(declaration.args),
      ...('returns' in declaration ? { returns: typeOf(declaration.returns) } : {}),
    };
  });

  const layouts = [liquidityPoolStateDeclaration, protocolConfigDeclaration, userLpPositionDeclaration];
  const accounts = layouts.map(
    ({ name, discriminator }): Json => ({ name, discriminator: [...hexBytes(discriminator)] }),
  );
  for (const layout of layouts) {
    const zeroCopy =
      layout === userLpPositionDeclaration ? {} : { serialization: 'bytemuck', repr: { kind: 'c' } };
    structOf(layout, { docs: [ACCOUNTS[layout.name]], ...zeroCopy });
  }

  const events = getEventDeclarations().map((event): Json => {
    structOf({ name: event.name, fields: { ...event.fields, ...event.laterFields } });
    return { name: event.name, discriminator: [...hexBytes(event.discriminator)] };
  });

  structOf(protocolConfigParams);
  unionOf(adminUpdateLiquidityPoolState);

  return {
    address: HEAVEN_PROGRAM_ADDRESS,
    metadata: {
      name: 'heaven',
      version: '0.1.14',
      spec: '0.1.0',
      description: 'The Heaven exchange, as far as its interface is known. Not published by its authors.',
    },
    instructions,
    accounts,
    events,
    errors: listHeavenProgramErrors().map(({ code, name, meaning }) => ({ code, name, msg: meaning })),
    types: [...types.values()],
  };
}

const STANDARD_POOL_INSTRUCTIONS: readonly InstructionName[] = [
  'buy',
  'sell',
  'create_standard_liquidity_pool',
  'claim_standard_creator_trading_fees',
  'update_creator_trading_fee_receiver',
];

/**
 * How an account derives from the other accounts of its instruction. Two derivations are beyond an IDL: a protocol config's version
 * is big-endian in the seeds, while arguments and fields are little-endian; and the creator, a seed of a pro pool, is a
 * field of that same pool, except where the user is about to create it.
 */
function pdaOf(instruction: InstructionName, account: string): Json | undefined {
  switch (account) {
    case 'liquidityPoolState':
      if (STANDARD_POOL_INSTRUCTIONS.includes(instruction)) return heavenPda(STANDARD_POOL);
      if (instruction === 'create_pro_liquidity_pool') return heavenPda(PRO_POOL, { creator: 'user' });
      return undefined;
    case 'userLpPosition':
      return heavenPda(LP_POSITION);
    case 'senderLpPosition':
      return heavenPda(LP_POSITION, { user: 'sender' });
    case 'receiverLpPosition':
      return heavenPda(LP_POSITION, { user: 'receiver' });
    case 'userTokenAVault':
      return tokenAccountPda('user', 'A', 'tokenAProgram');
    case 'tokenAVault':
      return tokenAccountPda('protocolConfig', 'A', 'tokenAProgram');
    case 'userTokenBVault':
      return tokenAccountPda('user', 'B', wrappedSolProgramOf(instruction));
    case 'tokenBVault':
      return tokenAccountPda('protocolConfig', 'B', wrappedSolProgramOf(instruction));
    default:
      return undefined;
  }
}

/** What a creation calls `token_program`, the others call `token_b_program`. */
const wrappedSolProgramOf = (instruction: InstructionName): string =>
  instruction.startsWith('create_') ? 'tokenProgram' : 'tokenBProgram';

/** @param renamed The seeds whose account has another name in this instruction. */
function heavenPda(
  { prefix, addresses }: DerivedAddress,
  renamed: Readonly<Record<string, string>> = {},
): Json {
  const text = [...getUtf8Encoder().encode(prefix)];
  return {
    seeds: [{ kind: 'const', value: text }, ...addresses.map((name) => accountSeed(renamed[name] ?? name))],
  };
}

function tokenAccountPda(owner: string, token: 'A' | 'B', tokenProgram: string): Json {
  const accounts = { owner, tokenProgram, mint: `token${token}Mint` };
  return {
    seeds: ASSOCIATED_TOKEN_SEEDS.map((name) => accountSeed(accounts[name])),
    program: { kind: 'const', value: [...getAddressEncoder().encode(ASSOCIATED_TOKEN_PROGRAM_ADDRESS)] },
  };
}

const accountSeed = (account: string): Json => ({ kind: 'account', path: toSnakeCase(account) });

// Its sentences. They are here because only the document needs them in a bundle.

const INSTRUCTIONS: Readonly<Record<InstructionName, string>> = {
  buy: 'Buys token A of a standard pool with wrapped SOL.',
  sell: 'Sells token A to a standard pool for wrapped SOL.',
  pro_buy: 'Buys token A of a pro pool with wrapped SOL.',
  pro_sell: 'Sells token A to a pro pool for wrapped SOL.',
  add_liquidity_pro_pool: "Deposits token A and SOL at the pool's ratio for LP tokens.",
  remove_liquidity_pro_pool: 'Burns LP tokens for their share of token A and SOL.',
  transfer_lp_tokens: 'Moves LP tokens of a pro pool to another user.',
  create_standard_liquidity_pool:
    'Creates a standard pool from the whole supply of a new token, with an optional initial purchase.',
  create_pro_liquidity_pool: 'Creates a pro pool of an existing token and SOL.',
  creator_set_pro_market_cap_creator_fee: "Sets a pro pool's creator fee by market cap.",
  creator_set_pro_market_cap_lp_fee: "Sets a pro pool's liquidity provider fee by market cap.",
  creator_set_pro_market_cap_reflection_fee: "Sets a pro pool's reflection fee by market cap.",
  creator_set_pro_slot_creator_fee: "Sets a pro pool's creator fee by slots since the launch.",
  creator_toggle_pro_deposit: 'Switches deposits into a pro pool on or off.',
  creator_toggle_pro_swap: 'Switches swapping in a pro pool on or off.',
  creator_toggle_pro_withdraw: 'Switches withdrawals from a pro pool on or off.',
  claim_pro_creator_trading_fees:
    "Claims a pro pool's creator fees as wrapped SOL; an amount of 0 claims all.",
  claim_standard_creator_trading_fees:
    "Claims a standard pool's creator fees as wrapped SOL; an amount of 0 claims all.",
  claim_pro_liquidity_provider_trading_fees: "Claims a position's liquidity provider fees as wrapped SOL.",
  update_creator_trading_fee_receiver: "Gives a standard pool's creator fees to another wallet; both sign.",
  update_pro_creator_trading_fee_receiver: "Gives a pro pool's creator fees to another wallet; both sign.",
};

const ACCOUNTS = {
  LiquidityPoolState: 'A pool, standard or pro.',
  ProtocolConfig: 'The settings that all pools of a config version share.',
  UserLpPosition: "A user's liquidity in a pro pool.",
} as const;

import { toSnakeCase } from '../src/case.js';
import {
  liquidityPoolStateDeclaration,
  protocolConfigDeclaration,
  userLpPositionDeclaration,
} from '../src/program/accounts.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../src/program/constants.js';
import { listHeavenProgramErrors } from '../src/program/error-codes.js';
import { getEventDeclarations } from '../src/program/events.js';
import { getInstructionDeclarations } from '../src/program/instructions/declarations.js';
import { adminUpdateLiquidityPoolStateSchema, protocolConfigParamsSchema } from '../src/program/types.js';
import type { Schema, StructSchema } from '../src/solana/codec.js';
import type { AccountDeclaration } from '../src/solana/define-instruction.js';
import { hexBytes } from '../src/solana/discriminator.js';

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

  const fieldsOf = (fields: StructSchema['fields']): Json =>
    Object.entries(fields).map(([name, schema]) => ({ name: toSnakeCase(name), type: typeOf(schema) }));

  const structOf = (schema: StructSchema, extra?: { readonly [key: string]: Json }): Json =>
    defined(schema.name, () => ({ kind: 'struct', fields: fieldsOf(schema.fields) }), extra);

  const typeOf = (schema: Schema): Json => {
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
    if ('variants' in schema) {
      return defined(schema.name, () => ({
        kind: 'enum',
        variants: Object.entries(schema.variants).map(([name, fields]) => ({
          name: name.charAt(0).toUpperCase() + name.slice(1),
          fields: fieldsOf(fields),
        })),
      }));
    }
    return structOf(schema);
  };

  const accountOf = ([name, account]: readonly [string, AccountDeclaration]): Json => {
    const role = typeof account === 'string' ? account : account.role;
    const address =
      typeof account === 'string' ? undefined : 'address' in account ? account.address : account.default;
    return {
      name: toSnakeCase(name),
      ...(role.startsWith('writable') ? { writable: true } : {}),
      ...(role.endsWith('signer') ? { signer: true } : {}),
      ...(address === undefined ? {} : { address }),
    };
  };

  const instructions = getInstructionDeclarations().map((declaration): Json => {
    const remaining = 'remainingAccounts' in declaration ? Object.entries(declaration.remainingAccounts) : [];
    return {
      name: declaration.name,
      docs: [INSTRUCTIONS[declaration.name]],
      discriminator: [...hexBytes(declaration.discriminator)],
      accounts: [...Object.entries<AccountDeclaration>(declaration.accounts), ...remaining].map(accountOf),
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

  typeOf(protocolConfigParamsSchema);
  typeOf(adminUpdateLiquidityPoolStateSchema);

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

// Its sentences. They are here because only the document needs them in a bundle.

const INSTRUCTIONS: Readonly<Record<ReturnType<typeof getInstructionDeclarations>[number]['name'], string>> =
  {
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

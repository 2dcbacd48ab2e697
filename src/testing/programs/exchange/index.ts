import { type AccountMeta, type Address, isSignerRole, isWritableRole } from '@solana/kit';

import { toSnakeCase } from '../../../base/case.js';
import { decodeProtocolConfig } from '../../../program/accounts.js';
import {
  findLpPositionAddress,
  findPoolAddress,
  findProPoolAddress,
  findProtocolConfigAddress,
} from '../../../program/addresses.js';
import { CHAINLINK_STORE_PROGRAM_ADDRESS, SOL_USD_FEED_ADDRESS } from '../../../program/constants.js';
import {
  findInstructionDeclaration,
  type InstructionName,
} from '../../../program/instructions/declarations.js';
import { type HeavenInstruction, parseHeavenInstruction } from '../../../program/instructions/index.js';
import { LiquidityPoolType } from '../../../program/types.js';
import type { InstructionDeclaration } from '../../../solana/define-instruction.js';
import { custom } from '../../failure.js';
import type { Call, Program } from '../../runtime.js';
import { anchor, assertSeeds, follow } from './anchor.js';
import { claimCreatorFees, claimLpFees, updateReceiver } from './claim.js';
import { createProPool, createStandardPool } from './create.js';
import { Exchange, type ExchangeConfig, type InstructionOf } from './exchange.js';
import { deposit, transferLpTokens, withdraw } from './liquidity.js';
import { setAllowed, setFees, setSlotFees } from './settings.js';
import { swap } from './swap.js';

const HANDLERS: {
  readonly [TName in InstructionName]: (
    exchange: Exchange,
    instruction: InstructionOf<TName>,
  ) => void | Promise<void>;
} = {
  buy: swap,
  pro_buy: swap,
  sell: swap,
  pro_sell: swap,
  add_liquidity_pro_pool: deposit,
  remove_liquidity_pro_pool: withdraw,
  transfer_lp_tokens: transferLpTokens,
  create_standard_liquidity_pool: createStandardPool,
  create_pro_liquidity_pool: createProPool,
  claim_standard_creator_trading_fees: claimCreatorFees,
  claim_pro_creator_trading_fees: claimCreatorFees,
  claim_pro_liquidity_provider_trading_fees: claimLpFees,
  update_creator_trading_fee_receiver: updateReceiver,
  update_pro_creator_trading_fee_receiver: updateReceiver,
  creator_toggle_pro_swap: (exchange, toggle) => setAllowed(exchange, toggle, 'swap'),
  creator_toggle_pro_deposit: (exchange, toggle) => setAllowed(exchange, toggle, 'depositLiquidity'),
  creator_toggle_pro_withdraw: (exchange, toggle) => setAllowed(exchange, toggle, 'removeLiquidity'),
  creator_set_pro_market_cap_creator_fee: (exchange, set) => setFees(exchange, set, 'creatorTradingFee'),
  creator_set_pro_market_cap_lp_fee: (exchange, set) => setFees(exchange, set, 'liquidityProviderTradingFee'),
  creator_set_pro_market_cap_reflection_fee: (exchange, set) =>
    setFees(exchange, set, 'reflectionTradingFee'),
  creator_set_pro_slot_creator_fee: setSlotFees,
};

/**
 * A model of the exchange's program as this library understands it, with the library's own arithmetic. It shows that
 * quote, transaction and accounts fit together; `heaven-pools verify` shows whether the program on a cluster does the same.
 */
export function exchangeProgram(config: ExchangeConfig): Program {
  return {
    // A pro pool creator's settings and transfers of LP tokens take fewer units.
    units: ({ data }) =>
      /^(creator_|transfer_lp)/.test(findInstructionDeclaration(data)?.name ?? '') ? 15_000 : 70_000,
    run: async (context, call) => {
      const exchange = new Exchange(context, config);
      const instruction = parse(call, config.programAddress);
      const { name } = instruction;
      context.log(`Program log: Instruction: ${pascalCase(name)}`);
      const declaration = findInstructionDeclaration(call.data) as InstructionDeclaration;
      assertRoles(instruction, declaration);
      await assertDerived(exchange, instruction);
      if (declaration.remainingAccounts !== undefined) assertPrice(instruction);
      const script = config.behavior.scripted?.[name];
      if (script !== undefined) return follow(script);
      const handler = HANDLERS[name] as (on: Exchange, given: HeavenInstruction) => void | Promise<void>;
      await handler(exchange, instruction);
    },
  };
}

function parse(call: Call, programAddress: Address): HeavenInstruction {
  if (findInstructionDeclaration(call.data) === undefined) throw anchor(101);
  try {
    return parseHeavenInstruction(call, { programAddress });
  } catch {
    throw anchor(102);
  }
}

/** Checks who signs, and then what is writable: for the published interface, the user never is ([level I](/protocol)). */
function assertRoles({ accounts }: HeavenInstruction, declaration: InstructionDeclaration): void {
  const must = (what: string) =>
    Object.entries(accounts).filter(([name]) => String(declaration.accounts[name]).includes(what));
  for (const [name, { role }] of must('signer'))
    if (!isSignerRole(role)) throw anchor(3010, toSnakeCase(name));
  for (const [name, { role }] of must('writable'))
    if (!isWritableRole(role) && name !== 'user') throw anchor(2000, toSnakeCase(name));
}

function assertPrice(instruction: HeavenInstruction): void {
  const { chainlinkProgram, chainlinkFeed } = accountsOf(instruction);
  if (chainlinkProgram?.address !== CHAINLINK_STORE_PROGRAM_ADDRESS) throw anchor(6037);
  if (chainlinkFeed?.address !== SOL_USD_FEED_ADDRESS) throw anchor(6036);
}

/** Checks the constraints on derived addresses, in the order of the accounts. */
async function assertDerived(exchange: Exchange, instruction: HeavenInstruction): Promise<void> {
  const { config } = exchange;
  const { programAddress } = config;
  const accounts = accountsOf(instruction);
  const pool = instruction.accounts.liquidityPoolState.address;
  await assertPool(exchange, instruction, pool);
  if (accounts.protocolConfig) {
    const { address } = accounts.protocolConfig;
    const { version } = decodeProtocolConfig(exchange.owned(address, 'protocol_config').data);
    assertSeeds('protocol_config', address, await findProtocolConfigAddress({ version }, { programAddress }));
  }
  for (const [name, owner] of [
    ['userLpPosition', accounts.user],
    ['senderLpPosition', accounts.sender],
    ['receiverLpPosition', accounts.receiver],
  ] as const) {
    const position = accounts[name];
    if (position === undefined || owner === undefined) continue;
    const expected = await findLpPositionAddress({ pool, user: owner.address }, { programAddress });
    assertSeeds(toSnakeCase(name), position.address, expected);
  }
}

/** Checks that the pool is at its address, or that the address is free for a new one, and that the accounts belong to it. */
async function assertPool(exchange: Exchange, instruction: HeavenInstruction, pool: Address): Promise<void> {
  const { name } = instruction;
  if (name === 'create_standard_liquidity_pool' || name === 'create_pro_liquidity_pool') {
    const { tokenAMint, user } = instruction.accounts;
    const creator = name === 'create_pro_liquidity_pool' ? user.address : undefined;
    assertSeeds('liquidity_pool_state', pool, await findPool(exchange, tokenAMint.address, creator));
    if (exchange.context.get(pool) !== undefined) throw custom(0, `Allocate: account ${pool} already in use`);
    return;
  }
  const { info, tokenA, tokenAVault, tokenBVault } = exchange.pool(pool);
  const creator = info.type === LiquidityPoolType.Pro ? info.creator : undefined;
  assertSeeds('liquidity_pool_state', pool, await findPool(exchange, tokenA.mint, creator));
  const accounts = accountsOf(instruction);
  for (const [account, expected] of Object.entries({ tokenAMint: tokenA.mint, tokenAVault, tokenBVault })) {
    const given = accounts[account];
    if (given !== undefined && given.address !== expected) throw anchor(2012, toSnakeCase(account));
  }
}

/** The address of a standard pool, or of the creator's pro pool. */
function findPool({ config }: Exchange, mint: Address, creator: Address | undefined): Promise<Address> {
  const { programAddress } = config;
  if (creator === undefined) return findPoolAddress({ mint }, { programAddress });
  return findProPoolAddress({ mint, creator }, { programAddress });
}

/** The accounts of any instruction by name. */
const accountsOf = ({ accounts }: HeavenInstruction): Readonly<Record<string, AccountMeta | undefined>> =>
  accounts;

const pascalCase = (name: string) =>
  name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

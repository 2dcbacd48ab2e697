import { type Address, createNoopSigner, getBase64Decoder, mergeBytes } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { getTransferCheckedInstruction, getTransferInstruction, type Token } from '@solana-program/token';

import { computePendingFees, FEE_PER_LP_TOKEN_UNIT } from '../../../math/liquidity.js';
import { CONFIG } from '../../../pool/layout.js';
import {
  decodeLiquidityPoolState,
  decodeUserLpPosition,
  encodeLiquidityPoolState,
  encodeUserLpPosition,
  type LiquidityPoolState,
  type UserLpPosition,
} from '../../../program/accounts.js';
import { getEventDeclarations, type HeavenEvent } from '../../../program/events.js';
import type { InstructionName } from '../../../program/instructions/declarations.js';
import type { HeavenInstruction } from '../../../program/instructions/index.js';
import { LiquidityPoolType } from '../../../program/types.js';
import { view } from '../../../solana/account-data.js';
import { writeValue } from '../../../solana/codec.js';
import { hexBytes } from '../../../solana/discriminator.js';
import { isTokenProgram, WRAPPED_SOL_MINT_ADDRESS } from '../../../solana/programs.js';
import { Failure } from '../../failure.js';
import type { Account, Context } from '../../runtime.js';
import { runToken, TokenAccounts } from '../token.js';
import { anchor } from './anchor.js';
import type { ExchangeBehavior } from './behavior.js';
import type { SlotTrade, SlotTrades } from './slot-trades.js';

export type InstructionOf<TName extends InstructionName> = Extract<HeavenInstruction, { name: TName }>;

/** The type of pool that an instruction is for, by its name. */
export const poolTypeOf = (name: InstructionName): LiquidityPoolType =>
  name.split('_').includes('pro') ? LiquidityPoolType.Pro : LiquidityPoolType.Standard;

/** Accounts of an instruction by name. */
export type Named<TAccount extends string> = { readonly [TName in TAccount]: { readonly address: Address } };

export interface ExchangeConfig {
  readonly programAddress: Address;
  readonly behavior: ExchangeBehavior;
  /** The swaps of earlier transactions. */
  readonly trades: SlotTrades;
  /** The swaps of this transaction. */
  readonly made: SlotTrade[];
}

export class Exchange {
  readonly context: Context;
  readonly config: ExchangeConfig;

  constructor(context: Context, config: ExchangeConfig) {
    this.context = context;
    this.config = config;
  }

  /** An account that the exchange owns. `name`: the program's name for it. */
  owned(address: Address, name: string): Account {
    const account = this.context.get(address);
    if (account === undefined) throw anchor(3012, name);
    if (account.owner !== this.config.programAddress) throw anchor(3007, name);
    return account;
  }

  /** A pool. `type`: the required type, if any. */
  pool(address: Address, type?: number): LiquidityPoolState {
    const { data } = this.owned(address, 'liquidity_pool_state');
    let pool: LiquidityPoolState;
    try {
      pool = decodeLiquidityPoolState(data, address);
    } catch {
      throw anchor(3002, 'liquidity_pool_state');
    }
    if (type !== undefined && pool.info.type !== type) throw anchor(2003, 'liquidity_pool_state');
    return pool;
  }

  writePool(address: Address, state: LiquidityPoolState): void {
    this.context.need(address).data = encodeLiquidityPoolState(state);
  }

  /** A user's position in a pool, or an empty one if there is none. */
  position(at: Address, pool: Address, user: Address): UserLpPosition {
    return this.context.get(at) === undefined
      ? { pool, user, lpTokenBalance: 0n, rewardDebt: 0n, pendingFees: 0n, bump: 255 }
      : decodeUserLpPosition(this.owned(at, 'user_lp_position').data);
  }

  /** Changes a position by this many LP tokens, and brings its fees up to date. */
  writePosition(
    at: Address,
    payer: Address,
    position: UserLpPosition,
    { reserve }: LiquidityPoolState,
    lpTokens: bigint,
    pendingFees: bigint = this.pendingFees(position, reserve),
  ): void {
    const lpTokenBalance = position.lpTokenBalance + lpTokens;
    const data = encodeUserLpPosition({
      ...position,
      lpTokenBalance,
      pendingFees,
      rewardDebt: (lpTokenBalance * reserve.accumulatedFeePerLpToken) / FEE_PER_LP_TOKEN_UNIT,
    });
    const account = this.context.get(at);
    if (account === undefined) this.context.allocate(payer, at, this.config.programAddress, data);
    else account.data = data;
  }

  pendingFees(position: UserLpPosition, { accumulatedFeePerLpToken }: LiquidityPoolState['reserve']): bigint {
    return computePendingFees(position, accumulatedFeePerLpToken);
  }

  /** Checks a user's token account as Anchor's constraints do. */
  assertUserToken(
    side: 'a' | 'b',
    accounts: Named<'user' | 'tokenAMint'> & Partial<Named<'userTokenAVault' | 'userTokenBVault'>>,
  ): void {
    const name = `user_token_${side}_vault`;
    const [account, mint] =
      side === 'a'
        ? [accounts.userTokenAVault, accounts.tokenAMint.address]
        : [accounts.userTokenBVault, WRAPPED_SOL_MINT_ADDRESS];
    if (account === undefined || this.context.get(account.address) === undefined) throw anchor(3012, name);
    const token = this.#token(account.address);
    if (token.mint !== mint) throw anchor(2014, name);
    if (token.owner !== accounts.user.address) throw anchor(2015, name);
  }

  #token(address: Address): Token {
    const { owner } = this.context.get(address) ?? {};
    if (!isTokenProgram(owner)) throw new Failure('InvalidAccountData');
    return new TokenAccounts(this.context, owner as Address).token(address);
  }

  /** Calls the token program to transfer tokens. */
  transfer(from: Address, to: Address, authority: Address, amount: bigint): void {
    const { context } = this;
    const { mint } = this.#token(from);
    const programAddress = context.need(from).owner;
    const fields = { source: from, destination: to, authority: createNoopSigner(authority), amount };
    const { decimals } = new TokenAccounts(context, programAddress).mint(mint);
    const call =
      mint === WRAPPED_SOL_MINT_ADDRESS
        ? getTransferInstruction(fields, { programAddress })
        : getTransferCheckedInstruction({ ...fields, mint, decimals }, { programAddress });
    context.invoke(call, () => runToken(context, call));
    if (mint !== WRAPPED_SOL_MINT_ADDRESS) return;
    this.#countLiquidSol(from, -amount);
    this.#countLiquidSol(to, amount);
  }

  /** Pays SOL into a wrapped SOL vault: one System transfer, as in recorded launches ([level M](/protocol#initial-purchase)). */
  payIn(payer: Address, vault: Address, amount: bigint): void {
    if (amount === 0n) return;
    const { context } = this;
    const call = getTransferSolInstruction({ source: createNoopSigner(payer), destination: vault, amount });
    context.invoke(call, () => context.transferSol(payer, vault, amount));
    const token = this.#token(vault);
    const tokens = new TokenAccounts(context, context.need(vault).owner);
    context.as({ programAddress: tokens.program }, () =>
      tokens.writeToken(vault, { ...token, amount: token.amount + amount }),
    );
    this.#countLiquidSol(vault, amount);
  }

  /** If this is a config's vault, counts what comes into it, or leaves it: only SOL that is not staked ([A13](/protocol#assumptions)). */
  #countLiquidSol(vault: Address, lamports: bigint): void {
    const config = this.context.get(this.#token(vault).owner);
    if (config?.owner !== this.config.programAddress) return;
    const data = Uint8Array.from(config.data);
    const liquid = view(data).getBigUint64(CONFIG.unstakedWsolReserve, true) + lamports;
    if (liquid < 0n) throw anchor(6012);
    view(data).setBigUint64(CONFIG.unstakedWsolReserve, liquid, true);
    config.data = data;
  }

  emit<TName extends EventName>(name: TName, event: EventData<TName>): void {
    this.context.log(eventLog(name, event));
  }

  emitText(liquidityPoolId: Address, instructionName: InstructionName, base64Data: string): void {
    if (base64Data !== '') this.emit('UserDefinedEvent', { liquidityPoolId, instructionName, base64Data });
  }
}

type EventName = HeavenEvent['name'];
/** An event with the fields of its latest version. */
type EventData<TName extends EventName> = Required<Extract<HeavenEvent, { readonly name: TName }>['data']>;

export function eventLog<TName extends EventName>(name: TName, event: EventData<TName>): string {
  const bytes = getEventDeclarations()
    .filter((declaration) => declaration.name === name)
    .flatMap(({ discriminator, fields, laterFields }) => [
      hexBytes(discriminator),
      writeValue({ fields: { ...fields, ...laterFields } }, event),
    ]);
  return `Program data: ${getBase64Decoder().decode(mergeBytes(bytes))}`;
}

import type { Address } from '@solana/kit';

import { inSol } from '../math/units.js';
import type { ParsedInstruction } from '../solana/define-instruction.js';
import type { getInstructionDeclarations, InstructionName } from './instructions/declarations.js';

// What each instruction means: its description and its effects. A missing or misspelt name of an account or argument does not
// compile.

type Declaration = ReturnType<typeof getInstructionDeclarations>[number];

type DeclarationOf<TName extends InstructionName> = Extract<Declaration, { readonly name: TName }>;
type AccountName<TName extends InstructionName> = keyof DeclarationOf<TName>['accounts'] & string;
type DataOf<TName extends InstructionName> = ParsedInstruction<DeclarationOf<TName>>['data'];
type ArgsOf<TName extends InstructionName> =
  DataOf<TName> extends { readonly params: infer TParams }
    ? Omit<DataOf<TName>, 'params'> & TParams
    : DataOf<TName>;
type ArgName<TName extends InstructionName, TType> = keyof {
  [TArg in keyof ArgsOf<TName> as ArgsOf<TName>[TArg] extends TType ? TArg : never]: true;
} &
  string;

/** What is paid: lamports, LP tokens of the pool, or the token whose mint is this account. */
type Asset<TAccount extends string> = 'SOL' | 'LP' | (TAccount & `${string}Mint`);

/** Who allows it by signing: the `user`, unless it says otherwise. */
type By<TAccount extends string> = 'user' extends TAccount
  ? { readonly by?: TAccount }
  : { readonly by: TAccount };

export type Rented = 'pool' | 'lp-position' | 'token-account';

/** One thing that an instruction does, by the names of its accounts, its amounts and its switches. */
export type Deed<
  TAccount extends string = string,
  TAmount extends string = string,
  TSwitch extends string = string,
> =
  | ({
      /** The argument that limits the amount; the rent of new accounts; `unknown` if the program decides. */
      readonly takes: TAmount | readonly Rented[] | 'all' | 'unknown';
      readonly from: TAccount;
      readonly of: Asset<TAccount>;
      readonly reason: 'transfer' | 'rent' | 'trade' | 'deposit' | 'withdrawal' | 'creation';
    } & By<TAccount>)
  | ({
      /** The argument that states the exact amount; `unknown` if the program decides. */
      readonly pays: TAmount | 'unknown';
      readonly to: TAccount;
      readonly of: Asset<TAccount>;
      readonly isAllIfZero?: true;
    } & By<TAccount>)
  | ({
      readonly paysAtLeast: TAmount;
      readonly to: TAccount;
      readonly of: Asset<TAccount>;
    } & By<TAccount>)
  | {
      readonly creates: 'pool' | 'lp-position';
      readonly at: TAccount;
      readonly owner: TAccount;
      /** It may be there already. */
      readonly isIdempotent?: true;
    }
  | { readonly gives: 'CreatorFeeReceiver'; readonly of: TAccount; readonly to: TAccount }
  | {
      readonly sets: TAccount;
      /** The switch that allows withdrawals of liquidity. */
      readonly withdrawals?: TSwitch;
      /** It matters only if it forbids withdrawals: the pool is new. */
      readonly isNew?: true;
    };

interface Meaning<TName extends InstructionName> {
  /** The description after the instruction's name. */
  readonly inWords: (
    accounts: { readonly [TAccount in AccountName<TName>]: Address },
    args: ArgsOf<TName>,
  ) => string;
  readonly does: readonly Deed<AccountName<TName>, ArgName<TName, bigint>, ArgName<TName, boolean>>[];
}

type Meanings = { readonly [TName in InstructionName]: Meaning<TName> };

const BUY: Meaning<'buy' | 'pro_buy'> = {
  inWords: ({ tokenAMint }, { maxSolSpend, minimumAmountOut }) =>
    `pay at most ${inSol(maxSolSpend)} for at least ${minimumAmountOut} units of ${tokenAMint}`,
  does: [
    { takes: 'maxSolSpend', from: 'userTokenBVault', of: 'tokenBMint', reason: 'trade' },
    { paysAtLeast: 'minimumAmountOut', to: 'userTokenAVault', of: 'tokenAMint' },
  ],
};

const SELL: Meaning<'sell' | 'pro_sell'> = {
  inWords: ({ tokenAMint }, { amountIn, minimumAmountOut }) =>
    `sell ${amountIn} units of ${tokenAMint} for at least ${inSol(minimumAmountOut)}`,
  does: [
    { takes: 'amountIn', from: 'userTokenAVault', of: 'tokenAMint', reason: 'trade' },
    { paysAtLeast: 'minimumAmountOut', to: 'userTokenBVault', of: 'tokenBMint' },
  ],
};

const CLAIM_CREATOR_FEES: Meaning<'claim_pro_creator_trading_fees' | 'claim_standard_creator_trading_fees'> =
  {
    inWords: ({ liquidityPoolState }, { amount }) =>
      `claim ${amount === 0n ? 'all' : inSol(amount)} of the creator fees of ${liquidityPoolState}`,
    does: [
      { pays: 'amount', to: 'userTokenBVault', of: 'tokenBMint', isAllIfZero: true },
      // The instruction also names an account for the token. Whether the program ever pays into it is unknown.
      { pays: 'unknown', to: 'userTokenAVault', of: 'tokenAMint' },
    ],
  };

const UPDATE_RECEIVER: Meaning<
  'update_creator_trading_fee_receiver' | 'update_pro_creator_trading_fee_receiver'
> = {
  inWords: ({ liquidityPoolState, newReceiver }) =>
    `give the creator fees of ${liquidityPoolState} to ${newReceiver}`,
  does: [{ gives: 'CreatorFeeReceiver', of: 'liquidityPoolState', to: 'newReceiver' }],
};

const SET_FEE: Meaning<
  | 'creator_set_pro_market_cap_creator_fee'
  | 'creator_set_pro_market_cap_lp_fee'
  | 'creator_set_pro_market_cap_reflection_fee'
  | 'creator_set_pro_slot_creator_fee'
> = {
  inWords: ({ liquidityPoolState }) => `in ${liquidityPoolState}`,
  does: [{ sets: 'liquidityPoolState' }],
};

const onOrOff = (
  { liquidityPoolState }: { readonly liquidityPoolState: Address },
  { enabled }: { readonly enabled: boolean },
): string => `${enabled ? 'on' : 'off'} in ${liquidityPoolState}`;

const MEANINGS: Meanings = {
  buy: BUY,
  pro_buy: BUY,
  sell: SELL,
  pro_sell: SELL,
  add_liquidity_pro_pool: {
    inWords: ({ tokenAMint, liquidityPoolState }, { maxTokenA, maxTokenB, minLpTokens }) =>
      `deposit at most ${maxTokenA} units of ${tokenAMint} and ${inSol(maxTokenB)} for at least ${minLpTokens} LP tokens of ${liquidityPoolState}`,
    does: [
      { takes: 'maxTokenA', from: 'userTokenAVault', of: 'tokenAMint', reason: 'deposit' },
      { takes: 'maxTokenB', from: 'userTokenBVault', of: 'tokenBMint', reason: 'deposit' },
      { creates: 'lp-position', at: 'userLpPosition', owner: 'user', isIdempotent: true },
      { takes: ['lp-position'], from: 'payer', of: 'SOL', by: 'payer', reason: 'rent' },
      { paysAtLeast: 'minLpTokens', to: 'userLpPosition', of: 'LP' },
    ],
  },
  remove_liquidity_pro_pool: {
    inWords: ({ tokenAMint, liquidityPoolState }, { lpTokensToBurn, minTokenA, minTokenB }) =>
      `burn ${lpTokensToBurn} LP tokens of ${liquidityPoolState} for at least ${minTokenA} units of ${tokenAMint} and ${inSol(minTokenB)}`,
    does: [
      { takes: 'lpTokensToBurn', from: 'userLpPosition', of: 'LP', reason: 'withdrawal' },
      { paysAtLeast: 'minTokenA', to: 'userTokenAVault', of: 'tokenAMint' },
      { paysAtLeast: 'minTokenB', to: 'userTokenBVault', of: 'tokenBMint' },
    ],
  },
  transfer_lp_tokens: {
    inWords: ({ liquidityPoolState, receiver }, { amount }) =>
      `move ${amount} LP tokens of ${liquidityPoolState} to ${receiver}`,
    does: [
      { takes: 'amount', from: 'senderLpPosition', of: 'LP', by: 'sender', reason: 'transfer' },
      { pays: 'amount', to: 'receiverLpPosition', of: 'LP', by: 'sender' },
      { creates: 'lp-position', at: 'receiverLpPosition', owner: 'receiver', isIdempotent: true },
      { takes: ['lp-position'], from: 'payer', of: 'SOL', by: 'payer', reason: 'rent' },
    ],
  },
  create_standard_liquidity_pool: {
    inWords: ({ liquidityPoolState, tokenAMint }, { initialPurchaseAmount, maxSolSpend }) =>
      `create the pool ${liquidityPoolState} of ${tokenAMint} and buy ${initialPurchaseAmount} units of ${tokenAMint} for at most ${inSol(maxSolSpend)}`,
    does: [
      { creates: 'pool', at: 'liquidityPoolState', owner: 'user' },
      // Seeding moves the whole supply.
      { takes: 'all', from: 'userTokenAVault', of: 'tokenAMint', reason: 'creation' },
      { takes: 'maxSolSpend', from: 'payer', of: 'SOL', by: 'payer', reason: 'trade' },
      { takes: ['pool', 'token-account'], from: 'payer', of: 'SOL', by: 'payer', reason: 'rent' },
      // The fee that the protocol config sets, and accounts that only the program knows of.
      { takes: 'unknown', from: 'payer', of: 'SOL', by: 'payer', reason: 'creation' },
      { pays: 'initialPurchaseAmount', to: 'userTokenAVault', of: 'tokenAMint' },
    ],
  },
  create_pro_liquidity_pool: {
    inWords: ({ liquidityPoolState, tokenAMint }, { initialTokenAAmount, initialTokenBAmount }) =>
      `create the pool ${liquidityPoolState} with ${initialTokenAAmount} units of ${tokenAMint} and ${inSol(initialTokenBAmount)}`,
    does: [
      { creates: 'pool', at: 'liquidityPoolState', owner: 'user' },
      { creates: 'lp-position', at: 'userLpPosition', owner: 'user' },
      { takes: 'initialTokenAAmount', from: 'userTokenAVault', of: 'tokenAMint', reason: 'creation' },
      { takes: 'initialTokenBAmount', from: 'payer', of: 'SOL', by: 'payer', reason: 'creation' },
      {
        takes: ['pool', 'token-account', 'lp-position'],
        from: 'payer',
        of: 'SOL',
        by: 'payer',
        reason: 'rent',
      },
      { takes: 'unknown', from: 'payer', of: 'SOL', by: 'payer', reason: 'creation' },
      { pays: 'unknown', to: 'userLpPosition', of: 'LP' },
      { sets: 'liquidityPoolState', withdrawals: 'enableWithdrawLiquidity', isNew: true },
    ],
  },
  creator_set_pro_market_cap_creator_fee: SET_FEE,
  creator_set_pro_market_cap_lp_fee: SET_FEE,
  creator_set_pro_market_cap_reflection_fee: SET_FEE,
  creator_set_pro_slot_creator_fee: SET_FEE,
  creator_toggle_pro_deposit: { inWords: onOrOff, does: [{ sets: 'liquidityPoolState' }] },
  creator_toggle_pro_swap: { inWords: onOrOff, does: [{ sets: 'liquidityPoolState' }] },
  creator_toggle_pro_withdraw: {
    inWords: onOrOff,
    does: [{ sets: 'liquidityPoolState', withdrawals: 'enabled' }],
  },
  claim_pro_creator_trading_fees: CLAIM_CREATOR_FEES,
  claim_standard_creator_trading_fees: CLAIM_CREATOR_FEES,
  claim_pro_liquidity_provider_trading_fees: {
    inWords: ({ liquidityPoolState }) => `claim the liquidity provider fees of ${liquidityPoolState}`,
    does: [
      { pays: 'unknown', to: 'userTokenBVault', of: 'tokenBMint' },
      { pays: 'unknown', to: 'userTokenAVault', of: 'tokenAMint' },
    ],
  },
  update_creator_trading_fee_receiver: UPDATE_RECEIVER,
  update_pro_creator_trading_fee_receiver: UPDATE_RECEIVER,
};

/** An instruction of the exchange with the addresses of its accounts, and its arguments in one record. */
export type PlainInstruction<TName extends InstructionName = InstructionName> = {
  [TOne in TName]: {
    readonly name: TOne;
    readonly accounts: Parameters<Meanings[TOne]['inWords']>[0];
    readonly args: Parameters<Meanings[TOne]['inWords']>[1];
  };
}[TName];

/** What an instruction does, in words that follow its name. */
export const meaningInWords = <TName extends InstructionName>({
  name,
  accounts,
  args,
}: PlainInstruction<TName>): string => MEANINGS[name].inWords(accounts, args);

/** What an instruction does, in order. */
export const deedsOf = (name: InstructionName): readonly Deed[] => MEANINGS[name].does;

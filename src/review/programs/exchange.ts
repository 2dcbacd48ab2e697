import type { Address } from '@solana/kit';
import { inSol } from '../../math/units.js';
import { POOL_SIZE, USER_LP_POSITION_SIZE } from '../../program/account-layouts.js';
import type { InstructionConfig } from '../../program/deployment.js';
import type { getInstructionDeclarations, InstructionName } from '../../program/instructions/declarations.js';
import { parseHeavenInstruction } from '../../program/instructions/index.js';
import type { ParsedInstruction } from '../../solana/define-instruction.js';
import { creation, credit, debit, type InstructionEffect } from '../effects.js';
import { at, type Prose, say, unitsOf } from '../prose.js';
import { addressesOf, type PlainInstruction, type Step } from '../step.js';
import { TOKEN_2022_ACCOUNT_SIZE } from './associated-token.js';

export function exchangeStep(instruction: PlainInstruction, config: InstructionConfig): Step {
  const { name, accounts: metas, data } = parseHeavenInstruction(instruction, config);
  const accounts = addressesOf(metas) as Readonly<Record<string, Address>>;
  const { params, ...others } = { params: {}, ...data };
  const args = { ...others, ...params };
  // The types lose which arguments belong to which name. The parser has just checked it.
  const [inWords, ...effects] = meaningOf({ name, accounts, args } as unknown as Plain);
  return {
    program: 'exchange',
    name,
    accounts,
    data: args,
    inWords: say`Exchange: ${name}: ${inWords}`,
    effects,
  };
}

type DeclarationOf<TName extends InstructionName> = Extract<
  ReturnType<typeof getInstructionDeclarations>[number],
  { readonly name: TName }
>;
type DataOf<TName extends InstructionName> = ParsedInstruction<DeclarationOf<TName>>['data'];
type ArgsOf<TName extends InstructionName> =
  DataOf<TName> extends { readonly params: infer TParams }
    ? Omit<DataOf<TName>, 'params'> & TParams
    : DataOf<TName>;

/** What an instruction means: its description after its name, and what it does, in order. */
type Meaning<TName extends InstructionName> = (
  accounts: { readonly [TAccount in keyof DeclarationOf<TName>['accounts'] & string]: Address },
  args: ArgsOf<TName>,
) => readonly [inWords: Prose, ...effects: readonly InstructionEffect[]];

/** An instruction with the addresses of its accounts, and its arguments in one record. */
type Plain<TName extends InstructionName = InstructionName> = {
  [TOne in TName]: {
    readonly name: TOne;
    readonly accounts: Parameters<Meaning<TOne>>[0];
    readonly args: Parameters<Meaning<TOne>>[1];
  };
}[TName];

/** The side of each instruction that trades. */
export const TRADE_SIDES: { readonly [name: string]: 'buy' | 'sell' } = {
  buy: 'buy',
  pro_buy: 'buy',
  sell: 'sell',
  pro_sell: 'sell',
} satisfies Partial<Record<InstructionName, 'buy' | 'sell'>>;

const meaningOf = <TName extends InstructionName>({ name, accounts, args }: Plain<TName>) =>
  MEANINGS[name](accounts, args);

// ---------------------------------------------------------------- what the program's instructions have in common

const SIZES = {
  pool: POOL_SIZE,
  'lp-position': USER_LP_POSITION_SIZE,
  'token-account': TOKEN_2022_ACCOUNT_SIZE,
} as const;

const rent = (payer: Address, ...accounts: readonly (keyof typeof SIZES)[]): InstructionEffect =>
  debit('SOL', payer, 'unknown', payer, 'rent', { accountSizes: accounts.map((account) => SIZES[account]) });

/** The fee that the protocol config sets, and accounts that only the program knows of. */
const creationFee = (payer: Address): InstructionEffect => debit('SOL', payer, 'unknown', payer, 'creation');

const setting = (account: Address, disablesWithdrawals = false): InstructionEffect => ({
  kind: 'setting',
  account,
  disablesWithdrawals,
});

// ---------------------------------------------------------------- each instruction

const buy: Meaning<'buy' | 'pro_buy'> = (
  { user, tokenAMint, tokenBMint, userTokenAVault, userTokenBVault },
  { maxSolSpend: maxLamports, minimumAmountOut },
) => [
  say`pay at most ${inSol(maxLamports)} for at least ${unitsOf(minimumAmountOut, tokenAMint)}`,
  debit('token', userTokenBVault, maxLamports, user, 'trade', { mint: tokenBMint }),
  credit('token', userTokenAVault, 'unknown', minimumAmountOut, user, tokenAMint),
];

const sell: Meaning<'sell' | 'pro_sell'> = (
  { user, tokenAMint, tokenBMint, userTokenAVault, userTokenBVault },
  { amountIn, minimumAmountOut },
) => [
  say`sell ${unitsOf(amountIn, tokenAMint)} for at least ${inSol(minimumAmountOut)}`,
  debit('token', userTokenAVault, amountIn, user, 'trade', { mint: tokenAMint }),
  credit('token', userTokenBVault, 'unknown', minimumAmountOut, user, tokenBMint),
];

const claimCreatorFees: Meaning<'claim_pro_creator_trading_fees' | 'claim_standard_creator_trading_fees'> = (
  { user, liquidityPoolState, tokenAMint, tokenBMint, userTokenAVault, userTokenBVault },
  { amount },
) => [
  say`claim ${amount === 0n ? 'all' : inSol(amount)} of the creator fees of ${at(liquidityPoolState)}`,
  credit('token', userTokenBVault, amount === 0n ? 'unknown' : amount, amount, user, tokenBMint),
  // The instruction also names an account for the token. Whether the program ever pays into it is unknown.
  credit('token', userTokenAVault, 'unknown', 0n, user, tokenAMint),
];

const updateReceiver: Meaning<
  'update_creator_trading_fee_receiver' | 'update_pro_creator_trading_fee_receiver'
> = ({ liquidityPoolState: account, newReceiver: newAuthority }) => [
  say`give the creator fees of ${at(account)} to ${at(newAuthority)}`,
  { kind: 'authority', account, authority: 'CreatorFeeReceiver', newAuthority },
];

type Meant = ReturnType<Meaning<InstructionName>>;

const setFee = (what: string, pool: Address): Meant => [say`set the ${what} of ${at(pool)}`, setting(pool)];

const turn = (what: string, isOn: boolean, pool: Address, disablesWithdrawals = false): Meant => [
  say`turn ${what} ${isOn ? 'on' : 'off'} in ${at(pool)}`,
  setting(pool, disablesWithdrawals),
];

const MEANINGS: { readonly [TName in InstructionName]: Meaning<TName> } = {
  buy,
  pro_buy: buy,
  sell,
  pro_sell: sell,
  add_liquidity_pro_pool: (
    { user, payer, liquidityPoolState, tokenAMint, tokenBMint, ...own },
    { maxTokenA, maxTokenB, minLpTokens },
  ) => [
    say`deposit at most ${unitsOf(maxTokenA, tokenAMint)} and ${inSol(maxTokenB)} for at least ${minLpTokens} LP tokens of ${at(liquidityPoolState)}`,
    debit('token', own.userTokenAVault, maxTokenA, user, 'deposit', { mint: tokenAMint }),
    debit('token', own.userTokenBVault, maxTokenB, user, 'deposit', { mint: tokenBMint }),
    creation(own.userLpPosition, 'lp-position', user, true),
    rent(payer, 'lp-position'),
    credit('LP', own.userLpPosition, 'unknown', minLpTokens, user),
  ],
  remove_liquidity_pro_pool: (
    { user, liquidityPoolState, tokenAMint, tokenBMint, ...own },
    { lpTokensToBurn, minTokenA, minTokenB },
  ) => [
    say`burn ${lpTokensToBurn} LP tokens of ${at(liquidityPoolState)} for at least ${unitsOf(minTokenA, tokenAMint)} and ${inSol(minTokenB)}`,
    debit('LP', own.userLpPosition, lpTokensToBurn, user, 'withdrawal'),
    credit('token', own.userTokenAVault, 'unknown', minTokenA, user, tokenAMint),
    credit('token', own.userTokenBVault, 'unknown', minTokenB, user, tokenBMint),
  ],
  transfer_lp_tokens: (
    { sender, receiver, payer, liquidityPoolState, senderLpPosition, receiverLpPosition },
    { amount },
  ) => [
    say`move ${amount} LP tokens of ${at(liquidityPoolState)} to ${at(receiver)}`,
    debit('LP', senderLpPosition, amount, sender, 'transfer'),
    credit('LP', receiverLpPosition, amount, amount, sender),
    creation(receiverLpPosition, 'lp-position', receiver, true),
    rent(payer, 'lp-position'),
  ],
  create_standard_liquidity_pool: (
    { user, payer, liquidityPoolState, tokenAMint, userTokenAVault },
    { initialPurchaseAmount, maxSolSpend: maxLamports },
  ) => [
    say`create the pool ${at(liquidityPoolState)} of ${at(tokenAMint)} and buy ${unitsOf(initialPurchaseAmount, tokenAMint)} for at most ${inSol(maxLamports)}`,
    creation(liquidityPoolState, 'pool', user),
    // The creation moves the whole supply into the pool's vault.
    debit('token', userTokenAVault, 'all', user, 'creation', { mint: tokenAMint }),
    debit('SOL', payer, maxLamports, payer, 'trade'),
    rent(payer, 'pool', 'token-account'),
    creationFee(payer),
    credit('token', userTokenAVault, initialPurchaseAmount, initialPurchaseAmount, user, tokenAMint),
  ],
  create_pro_liquidity_pool: (
    { user, payer, liquidityPoolState, tokenAMint, userTokenAVault, userLpPosition },
    { initialTokenAAmount, initialTokenBAmount, enableWithdrawLiquidity },
  ) => [
    say`create the pool ${at(liquidityPoolState)} with ${unitsOf(initialTokenAAmount, tokenAMint)} and ${inSol(initialTokenBAmount)}`,
    creation(liquidityPoolState, 'pool', user),
    creation(userLpPosition, 'lp-position', user),
    debit('token', userTokenAVault, initialTokenAAmount, user, 'creation', { mint: tokenAMint }),
    debit('SOL', payer, initialTokenBAmount, payer, 'creation'),
    rent(payer, 'pool', 'token-account', 'lp-position'),
    creationFee(payer),
    credit('LP', userLpPosition, 'unknown', 0n, user),
    ...(enableWithdrawLiquidity ? [] : [setting(liquidityPoolState, true)]),
  ],
  creator_set_pro_market_cap_creator_fee: ({ liquidityPoolState }) =>
    setFee('creator fee', liquidityPoolState),
  creator_set_pro_market_cap_lp_fee: ({ liquidityPoolState }) =>
    setFee('liquidity provider fee', liquidityPoolState),
  creator_set_pro_market_cap_reflection_fee: ({ liquidityPoolState }) =>
    setFee('reflection fee', liquidityPoolState),
  creator_set_pro_slot_creator_fee: ({ liquidityPoolState }) =>
    setFee('creator fee of the first slots', liquidityPoolState),
  creator_toggle_pro_deposit: ({ liquidityPoolState }, { enabled }) =>
    turn('deposits', enabled, liquidityPoolState),
  creator_toggle_pro_swap: ({ liquidityPoolState }, { enabled }) =>
    turn('swaps', enabled, liquidityPoolState),
  creator_toggle_pro_withdraw: ({ liquidityPoolState }, { enabled }) =>
    turn('withdrawals', enabled, liquidityPoolState, !enabled),
  claim_pro_creator_trading_fees: claimCreatorFees,
  claim_standard_creator_trading_fees: claimCreatorFees,
  claim_pro_liquidity_provider_trading_fees: ({
    user,
    liquidityPoolState,
    tokenAMint,
    tokenBMint,
    ...own
  }) => [
    say`claim the liquidity provider fees of ${at(liquidityPoolState)}`,
    credit('token', own.userTokenBVault, 'unknown', 0n, user, tokenBMint),
    credit('token', own.userTokenAVault, 'unknown', 0n, user, tokenAMint),
  ],
  update_creator_trading_fee_receiver: updateReceiver,
  update_pro_creator_trading_fee_receiver: updateReceiver,
};

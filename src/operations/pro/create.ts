import type { Address } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import { warnIf, withWarnings } from '../../base/warnings.js';
import { type CheckedInput, checkInput, fieldsOf } from '../../input/check-input.js';
import { flag, optional, positive, strict, wallet } from '../../input/fields.js';
import { standardPool } from '../../input/quotes.js';
import {
  eventData,
  feeBrackets,
  lookupTable as lookupTableField,
  slotSchedule,
  transaction,
  transactionLocals,
} from '../../input/transactions.js';
import { computeInitialLpTokens } from '../../math/liquidity.js';
import { inUnits } from '../../math/units.js';
import { assertCreationAllowed, configFrom, timeFrom } from '../../pool/check.js';
import { decodeMint } from '../../pool/decode.js';
import { inWords } from '../../pool/doubts.js';
import { explaining } from '../../pool/explained.js';
import { assertTransferable, hasUnpassedHook, mintDoubts } from '../../pool/token-limits.js';
import {
  deriveLpPositionAddress,
  deriveProPoolAddress,
  deriveProtocolConfigAddress,
} from '../../program/addresses.js';
import { unverified } from '../../program/assumptions.js';
import type { HeavenClient } from '../../program/client.js';
import { createProLiquidityPool } from '../../program/instructions/declarations.js';
import type { FeeBracket } from '../../program/types.js';
import type { AddressInput } from '../../solana/addresses.js';
import { buildInstruction } from '../../solana/define-instruction.js';
import { deriveAssociatedTokenAddress, deriveWrappedSolAddress } from '../../solana/derived-addresses.js';
import { lookupTablesAt, uselessTables } from '../../solana/lookup-table.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../solana/programs.js';
import { assertOwned, fetchAccounts, ifCreated } from '../../solana/rpc/accounts.js';
import type { TransactionWallet } from '../../solana/wallet.js';
import { buildTransaction, lookupTableOf, type TransactionOptions } from '../../transaction/assemble.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { compressWith } from '../../transaction/compress.js';
import type { EventDataOptions } from '../../transaction/event-data.js';
import { priceAccounts, tokenAccountBalance } from '../../transaction/user-accounts.js';
import {
  assertBracketFees,
  assertBrackets,
  assertSlotConfiguration,
  assertSlotFees,
  endingBrackets,
  type SlotFeeConfiguration,
  toFeeBracketsParams,
  toSlotFeeBracketsParams,
} from './brackets.js';

/** The compute budget of a pool's creation. Ours: the interface names none. */
export const CREATE_COMPUTE_BUDGET = { limit: 400_000, price: 20_000_000n } as const;

/** What a pro pool allows. */
export interface ProPoolFeatures {
  /** Buying and selling. Default true. */
  readonly enableSwap?: boolean | null | undefined;
  /** Whether anybody may deposit. Default true. */
  readonly enableDepositLiquidity?: boolean | null | undefined;
  /** Whether anybody may withdraw. Default true. */
  readonly enableWithdrawLiquidity?: boolean | null | undefined;
  /**
   * Whether the creator may change the creator fee later, by market cap ({@link buildProSetMarketCapCreatorFee}) and by slot
   * ({@link buildProSetSlotCreatorFee}). The LP and reflection fees can be changed either way. Default true.
   */
  readonly enableUpdateCreatorTradingFee?: boolean | null | undefined;
  /** Whether a wallet may buy and sell in one slot. Default false. */
  readonly enableSameSlotTrading?: boolean | null | undefined;
  /** Whether trades of one slot window get the worse of two prices. Default false. */
  readonly enableSandwichResistantMode?: boolean | null | undefined;
}

const FEATURE_DEFAULTS = {
  enableSameSlotTrading: false,
  enableSandwichResistantMode: false,
  enableDepositLiquidity: true,
  enableWithdrawLiquidity: true,
  enableSwap: true,
  enableUpdateCreatorTradingFee: true,
} as const;

const MARKET_CAP_FEES = ['creatorTradingFee', 'reflectionTradingFee', 'liquidityProviderTradingFee'] as const;

/** A pro pool to create. */
export interface BuildProCreateInput extends TransactionOptions, EventDataOptions {
  /** Signs and pays, including the pool's SOL. */
  readonly payer: TransactionWallet;
  /** Owns the token A that seeds the pool, signs, and gets the creator's privileges and the first LP tokens. */
  readonly creator: TransactionWallet;
  /** The config version of pro pools: 3. */
  readonly configVersion: number;
  /** The token: an existing fungible token. */
  readonly mint: AddressInput;
  /** Native units of token A to seed the pool with, from the creator's associated token account. */
  readonly initialTokenAAmount: bigint;
  /** Lamports to seed the pool with. */
  readonly initialTokenBAmount: bigint;
  /** A lookup table that holds the creation's fixed addresses. Version 0 needs one; version 1 has no use for it. */
  readonly lutAddress?: AddressInput | null | undefined;
  /** What the pool allows. */
  readonly features?: ProPoolFeatures | null | undefined;
  /** Up to 4 brackets by market cap. Left out or empty: no creator fee. */
  readonly creatorTradingFee?: readonly FeeBracket[] | null | undefined;
  /** Creator fees by slots since the launch. They take precedence over those by market cap. Default: none. */
  readonly creatorSlotTradingFee?: SlotFeeConfiguration | null | undefined;
  /**
   * Up to 4 brackets by market cap. Left out or empty: no such fee, whatever the config says ([assumption
   * A12](/protocol#assumptions)).
   */
  readonly reflectionTradingFee?: readonly FeeBracket[] | null | undefined;
  /** The same for the liquidity providers' fee. */
  readonly liquidityProviderTradingFee?: readonly FeeBracket[] | null | undefined;
}

/** A built creation. */
export interface BuiltProCreate extends BuiltTransaction {
  /** The address of the new pool ([assumption A1](/protocol#assumptions)). */
  readonly pool: Address;
  /** The LP tokens that the creator will get ([assumption A8](/protocol#assumptions)). */
  readonly lpTokens: bigint;
}

export const buildProCreateFields = /* @__PURE__ */ fieldsOf<BuildProCreateInput>()(() => ({
  documented: {
    ...transaction(),
    ...standardPool(),
    ...eventData(),
    ...lookupTableField(),
    creator: wallet(),
    initialTokenAAmount: positive(),
    initialTokenBAmount: positive(),
    features: optional(
      strict({
        enableSwap: optional(flag()),
        enableDepositLiquidity: optional(flag()),
        enableWithdrawLiquidity: optional(flag()),
        enableUpdateCreatorTradingFee: optional(flag()),
        enableSameSlotTrading: optional(flag()),
        enableSandwichResistantMode: optional(flag()),
      }),
    ),
    creatorTradingFee: optional(feeBrackets()),
    creatorSlotTradingFee: optional(strict(slotSchedule())),
    reflectionTradingFee: optional(feeBrackets()),
    liquidityProviderTradingFee: optional(feeBrackets()),
  },
  local: transactionLocals(),
}));

/**
 * Builds the unsigned transaction that creates a pro pool of an existing token and SOL. Two calls to the node, made at the
 * same time.
 *
 * @param input `computeUnitLimit` defaults to 400000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `unsupported-mint`, `token-not-transferable`, `unusable-account`, `invalid-fees`,
 * `zero-amount`, `invalid-amount`, `invalid-input`, `invalid-address`, `pool-exists`, `pool-mismatch`,
 * `operation-disabled`, `account-not-found`, `transaction-too-large`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx, pool } = await buildProCreate(client, {
 *   payer,
 *   creator: payer,
 *   configVersion: 3,
 *   mint,
 *   initialTokenAAmount: 400_000_000_000_000n,
 *   initialTokenBAmount: 400_000_000_000n,
 *   lutAddress,
 *   creatorTradingFee: [{ marketCapUpperBound: MAX_MARKET_CAP_BOUND, buyFeeBps: 100, sellFeeBps: 100 }],
 * });
 * ```
 */
export async function buildProCreate(
  client: HeavenClient,
  input: BuildProCreateInput,
): Promise<BuiltProCreate> {
  const [checked, ignored] = checkInput(client, input, buildProCreateFields);
  const { payer, creator, configVersion, mint, initialTokenAAmount, initialTokenBAmount } = checked;
  const owner = creator.address;
  const lookupTable = lookupTableOf(checked);
  assertFees(checked);
  if (mint === WRAPPED_SOL_MINT_ADDRESS) throw unsupportedMint(mint, 'wrapped SOL is token B of every pool');
  const located = await locateCreation(client, checked, owner);
  const { protocolConfig, pool } = located;
  const lpTokens = computeInitialLpTokens(initialTokenAAmount, initialTokenBAmount);
  const built = await buildTransaction(client, checked, {
    budget: CREATE_COMPUTE_BUDGET,
    read: () =>
      readCreation(client, checked, owner, { ...located, lookupTable }).catch(
        explaining(client, { mint: checked.mint }, checked),
      ),
    compose: async ({ tokenAccount, tokenProgram, tables, warnings }) => {
      const [tokenAVault, tokenBVault, userLpPosition] = await Promise.all([
        deriveAssociatedTokenAddress({ owner: protocolConfig, mint, tokenProgram }),
        deriveWrappedSolAddress(protocolConfig),
        deriveLpPositionAddress({ pool, user: owner }, client.deployment),
      ]);
      const create = buildInstruction(createProLiquidityPool, client.deployment, {
        user: creator,
        payer,
        tokenAMint: mint,
        userTokenAVault: tokenAccount,
        tokenAVault,
        tokenBVault,
        liquidityPoolState: pool,
        protocolConfig,
        tokenAProgram: tokenProgram,
        userLpPosition,
        ...priceAccounts(client),
        protocolConfigVersion: configVersion,
        params: {
          encodedUserDefinedEventData: checked.encodedUserDefinedEventData ?? '',
          initialTokenAAmount,
          initialTokenBAmount,
          creatorTradingFee: toFeeBracketsParams(checked.creatorTradingFee),
          reflectionTradingFee: toFeeBracketsParams(checked.reflectionTradingFee),
          liquidityProviderTradingFee: toFeeBracketsParams(checked.liquidityProviderTradingFee),
          creatorSlotTradingFee: checked.creatorSlotTradingFee
            ? toSlotFeeBracketsParams(checked.creatorSlotTradingFee)
            : null,
          ...featuresOf(checked.features ?? {}),
        },
      });
      const useless = uselessTables(tables, [protocolConfig, tokenBVault]);
      return {
        instructions: [create],
        compress: compressWith(tables.lookupTables),
        warnings: [...warnings, ...useless],
        advice:
          (tables.added.length > 0 ? useless[0]?.message : undefined) ??
          'Leave out the slot schedule or brackets and set them once the pool exists.',
        result: { pool, lpTokens },
      };
    },
  });
  return withWarnings(built, [...unverified(client, 'A1', 'A2', 'A8'), ...ignored]);
}

/** The mint's token program is not known yet, so the accounts of both are read. */
async function locateCreation(
  { deployment }: HeavenClient,
  { configVersion, mint }: CheckedInput<typeof buildProCreateFields>,
  creator: Address,
) {
  const [protocolConfig, pool, classicAccount, token2022Account] = await Promise.all([
    deriveProtocolConfigAddress(configVersion, deployment),
    deriveProPoolAddress({ mint, creator }, deployment),
    deriveAssociatedTokenAddress({ owner: creator, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }),
    deriveAssociatedTokenAddress({ owner: creator, mint, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS }),
  ]);
  return { protocolConfig, pool, classicAccount, token2022Account };
}

/** Reads everything that a creation depends on in one call, and rejects a creation that would fail. */
async function readCreation(
  client: HeavenClient,
  input: CheckedInput<typeof buildProCreateFields>,
  creator: Address,
  located: Awaited<ReturnType<typeof locateCreation>> & { readonly lookupTable: Address | undefined },
) {
  const { mint, initialTokenAAmount, abortSignal } = input;
  const { protocolConfig, pool, classicAccount, token2022Account, lookupTable } = located;
  const { programAddress } = client.deployment;
  const addresses = [protocolConfig, mint, CLOCK_SYSVAR_ADDRESS, pool, classicAccount, token2022Account];
  const [configAccount, mintAccount, clock, existing, classic, token2022, table] = await fetchAccounts(
    client,
    lookupTable === undefined ? addresses : [...addresses, lookupTable],
    { abortSignal },
  );
  const config = configFrom(configAccount, protocolConfig, programAddress, 'pro');
  assertCreationAllowed(config);
  assertCreatorFees(input, config.maxCreatorTradingFee);
  if (ifCreated(existing) !== undefined) {
    throw new HeavenError(
      'pool-exists',
      `${creator} already has a pro pool of this token: ${pool}. Use that pool, or name another creator.`,
      { pool },
    );
  }
  const { slot, epoch } = timeFrom(clock);
  assertOwned(mintAccount, 'Mint', mint, [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS]);
  const { owner: tokenProgram, data } = mintAccount;
  const token = decodeMint(data, epoch);
  const { decimals, supply, transferFee } = token;
  if (decimals === 0 && supply <= 1n)
    throw unsupportedMint(mint, 'it has one unit and no decimals, as an NFT has');
  assertTransferable(token, mint);
  if (hasUnpassedHook(token))
    throw unsupportedMint(
      mint,
      "each transfer calls a program, and the exchange's instructions have no place for its accounts",
    );
  const [tokenAccount, account] =
    tokenProgram === TOKEN_PROGRAM_ADDRESS ? [classicAccount, classic] : [token2022Account, token2022];
  const expected = { owner: creator, mint, tokenProgram, field: 'creator' };
  if (ifCreated(account) === undefined) {
    throw new HeavenError(
      'unusable-account',
      `The creator ${creator} holds none of the token ${mint}, which the pool needs initialTokenAAmount of: its associated token account ${tokenAccount} does not exist. Name the wallet that holds the tokens as creator, or send them to the creator first.`,
      { account: 'token account', field: 'creator', address: tokenAccount, reason: 'it does not exist' },
    );
  }
  const balance = tokenAccountBalance(account, tokenAccount, expected);
  const warnings = [
    ...warnIf(
      balance < initialTokenAAmount,
      'insufficient-balance',
      `The token account ${tokenAccount} holds ${inUnits(balance)}, but initialTokenAAmount is ${initialTokenAAmount}.`,
    ),
    ...warnIf(
      transferFee !== undefined,
      'transfer-fee',
      `The token withholds ${transferFee?.basisPoints} basis points of every transfer: less than initialTokenAAmount reaches the pool.`,
    ),
    ...(await inWords(mintDoubts({ token, slot, epoch }, true))),
    ...MARKET_CAP_FEES.flatMap((field) => endingBrackets(input[field], field)),
  ];
  return { tokenAccount, tokenProgram, tables: lookupTablesAt(slot, lookupTable, table), warnings };
}

/** The features of a pool. */
function featuresOf(features: ProPoolFeatures) {
  const chosen: Record<keyof typeof FEATURE_DEFAULTS, boolean> = { ...FEATURE_DEFAULTS };
  for (const name of Object.keys(FEATURE_DEFAULTS) as (keyof typeof FEATURE_DEFAULTS)[])
    chosen[name] = features[name] ?? chosen[name];
  return chosen;
}

/** Rejects fees that contradict themselves. */
function assertFees(input: CheckedInput<typeof buildProCreateFields>): void {
  for (const field of MARKET_CAP_FEES) assertBrackets(input[field] ?? [], field);
  if (input.creatorSlotTradingFee)
    assertSlotConfiguration(input.creatorSlotTradingFee, 'creatorSlotTradingFee.');
}

/** Rejects creator fees above the config's highest. */
function assertCreatorFees(input: CheckedInput<typeof buildProCreateFields>, maxBps: number): void {
  assertBracketFees(input.creatorTradingFee ?? [], 'creatorTradingFee', maxBps);
  if (input.creatorSlotTradingFee)
    assertSlotFees(input.creatorSlotTradingFee, 'creatorSlotTradingFee.', maxBps);
}

const unsupportedMint = (mint: Address, reason: string) =>
  new HeavenError('unsupported-mint', `${mint} can't be token A of a pool: ${reason}.`, { mint, reason });

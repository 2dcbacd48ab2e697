import type { Address, TransactionSigner } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import { warnIf, withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address, flag } from '../../input/fields.js';
import { feeBrackets, transaction, transactionLocals } from '../../input/transactions.js';
import { configFrom } from '../../pool/check.js';
import { assertCreator, type FetchedPoolState, fetchPoolState } from '../../pool/read.js';
import { deriveProtocolConfigAddress } from '../../program/addresses.js';
import type { HeavenClient } from '../../program/client.js';
import type {
  creatorSetProMarketCapCreatorFee,
  creatorSetProMarketCapLpFee,
  creatorSetProMarketCapReflectionFee,
  creatorToggleProDeposit,
  creatorToggleProSwap,
  creatorToggleProWithdraw,
} from '../../program/instructions/declarations.js';
import type { FeeBracket, LiquidityPoolAllowlist } from '../../program/types.js';
import type { AddressInput } from '../../solana/addresses.js';
import { buildInstruction } from '../../solana/define-instruction.js';
import { fetchAccounts } from '../../solana/rpc/accounts.js';
import type { TransactionWallet } from '../../solana/wallet.js';
import {
  buildTransaction,
  type Composed,
  type Paying,
  type TransactionOptions,
} from '../../transaction/assemble.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { assertBrackets, endingBrackets, toFeeBrackets } from './brackets.js';

/** The compute budget of a setting. Ours: the interface names none. */
export const SETTING_COMPUTE_BUDGET = { limit: 60_000, price: 20_000_000n } as const;

/** The config version of pro pools ([level D](/protocol)). */
const PRO_CONFIG_VERSION = 3;

/** What every operation of a pro pool's creator takes. */
export interface CreatorOperationOptions extends TransactionOptions {
  /** The address of the pro pool. */
  readonly pool: AddressInput;
  /** The pool's creator: signs and pays. */
  readonly payer: TransactionWallet;
}

/** A feature of a pro pool to switch on or off. */
export interface BuildProToggleInput extends CreatorOperationOptions {
  /** Whether to switch it on. */
  readonly enabled: boolean;
}

/** A pro pool's new fee by market cap, which replaces the current one. */
export interface BuildProSetFeeInput extends CreatorOperationOptions {
  /**
   * Up to 4 brackets with ascending bounds, the last one 9223372036854775807. An empty list means no fee. If the last bound
   * is lower, its fees also apply above it, and a warning says so. The bounds are market caps in millionths of a USD
   * ([assumption A5](/protocol#assumptions)).
   */
  readonly brackets: readonly FeeBracket[];
}

/** The fields of {@link CreatorOperationOptions} that a request may have. */
export const creatorFields = () => ({ ...transaction(), pool: address() });

export const toggleFields = /* @__PURE__ */ fieldsOf<BuildProToggleInput>()(() => ({
  documented: { ...creatorFields(), enabled: flag() },
  local: transactionLocals(),
}));

export const setFeeFields = /* @__PURE__ */ fieldsOf<BuildProSetFeeInput>()(() => ({
  documented: { ...creatorFields(), brackets: feeBrackets() },
  local: transactionLocals(),
}));

/** {@link CreatorOperationOptions}, checked. */
type CheckedOptions = Paying & CreatorOperationOptions & { readonly pool: Address };

/** The accounts of an instruction that only the pool's creator may send. */
interface CreatorAccounts {
  readonly liquidityPoolState: Address;
  readonly creator: TransactionSigner;
}

/**
 * Builds a transaction that only the pool's creator may send.
 *
 * @param compose Called with the pool once it is known to be the payer's.
 * @param more Accounts to read in the same call as the pool.
 */
async function buildCreatorOperation(
  client: HeavenClient,
  input: CheckedOptions,
  compose: (pool: FetchedPoolState, accounts: CreatorAccounts) => Composed | Promise<Composed>,
  more: readonly Address[] = [],
): Promise<BuiltTransaction> {
  const { pool, payer, abortSignal } = input;
  return await buildTransaction(client, input, {
    budget: SETTING_COMPUTE_BUDGET,
    read: () => fetchPoolState(client, 'pro', { pool, abortSignal }, more),
    compose: async (fetched, creator) => {
      assertCreator(fetched.state, creator);
      return await compose(fetched, { liquidityPoolState: pool, creator: payer });
    },
  });
}

/** Builds the switching of one of a pro pool's features. */
export async function buildToggle(
  client: HeavenClient,
  input: BuildProToggleInput,
  feature: keyof LiquidityPoolAllowlist,
  instruction: typeof creatorToggleProDeposit | typeof creatorToggleProSwap | typeof creatorToggleProWithdraw,
): Promise<BuiltTransaction> {
  const [checked, ignored] = checkInput(client, input, toggleFields);
  const { enabled } = checked;
  return await buildCreatorOperation(client, checked, ({ state }, accounts) => ({
    instructions: [buildInstruction(instruction, client.deployment, { ...accounts, enabled })],
    warnings: [
      ...warnIf(
        (state.allowlist[feature] !== 0) === enabled,
        'no-change',
        `This is ${enabled ? 'on' : 'off'} already.`,
      ),
      ...warnIf(
        feature === 'removeLiquidity' && !enabled,
        'withdrawals-locked',
        'While withdrawals are off, the funds of every liquidity provider of this pool are locked.',
      ),
      ...ignored,
    ],
  }));
}

type FeeInstruction =
  | typeof creatorSetProMarketCapCreatorFee
  | typeof creatorSetProMarketCapLpFee
  | typeof creatorSetProMarketCapReflectionFee;

/** The setting of a fee by market cap, from checked brackets. */
export const settingOf = (
  { deployment }: HeavenClient,
  { brackets }: Pick<BuildProSetFeeInput, 'brackets'>,
  instruction: FeeInstruction,
  accounts: CreatorAccounts,
): Composed => ({
  instructions: [buildInstruction(instruction, deployment, { ...accounts, fees: toFeeBrackets(brackets) })],
  warnings: endingBrackets(brackets, 'brackets'),
});

/** Builds the setting of a fee by market cap that the config does not limit. */
export async function buildSetFee(
  client: HeavenClient,
  input: BuildProSetFeeInput,
  instruction: FeeInstruction,
): Promise<BuiltTransaction> {
  const [checked, ignored] = checkInput(client, input, setFeeFields);
  assertBrackets(checked.brackets, 'brackets');
  const built = await buildCreatorOperation(client, checked, (_, accounts) =>
    settingOf(client, checked, instruction, accounts),
  );
  return withWarnings(built, ignored);
}

/**
 * Builds the setting of a creator fee, which the pool's config limits. The config that a pro pool most likely has is read along
 * with the pool; another one costs a second call.
 *
 * @param assertAllowed Rejects fees above the config's highest.
 */
export async function buildSetCreatorFee(
  client: HeavenClient,
  input: CheckedOptions,
  assertAllowed: (maxBps: number) => void,
  compose: (accounts: CreatorAccounts) => Composed,
): Promise<BuiltTransaction> {
  const { abortSignal } = input;
  const likely = await deriveProtocolConfigAddress(PRO_CONFIG_VERSION, client.deployment);
  const composeChecked = async (
    { state, addresses, more }: FetchedPoolState,
    accounts: CreatorAccounts,
  ): Promise<Composed> => {
    const { pool, protocolConfig, programAddress } = addresses;
    if (state.allowlist.updateCreatorTradingFee === 0) {
      throw new HeavenError(
        'operation-disabled',
        "This pool was created with its creator fee fixed: it can't be changed.",
        { operation: 'set-creator-fee', pool },
      );
    }
    const [config] =
      protocolConfig === likely ? more : await fetchAccounts(client, [protocolConfig], { abortSignal });
    assertAllowed(configFrom(config, protocolConfig, programAddress).maxCreatorTradingFee);
    return compose(accounts);
  };
  return await buildCreatorOperation(client, input, composeChecked, [likely]);
}

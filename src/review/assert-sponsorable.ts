import {
  type Address,
  bytesEqual,
  getAddressEncoder,
  getBase64Encoder,
  type ReadonlyUint8Array,
  type Transaction,
} from '@solana/kit';
import { assertCall, assertPositiveU64, invalidInput } from '../base/input.js';
import { withoutFullStop } from '../base/text.js';
import type { BuilderName } from '../operations/index.js';
import type { HeavenClient } from '../program/client.js';
import type { InstructionConfig } from '../program/deployment.js';
import type { InstructionName } from '../program/instructions/declarations.js';
import { type AddressInput, addressIn } from '../solana/addresses.js';
import type { LookupTables } from '../solana/lookup-table.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { wireTextOf } from '../solana/wire-text.js';
import { assertRentPayer, type RentPayer } from '../transaction/wrapped-sol.js';
import { difference, notSponsorable } from './explain.js';
import { inspectTransaction } from './inspect.js';
import type { InspectedInstruction, InspectionWarning, TransactionInspection } from './inspection.js';
import { stepOf } from './read-step.js';
import type { StepProgram } from './step.js';

/** What a sponsor pays for, and how much. */
export interface AssertSponsorableOptions extends RequestOptions {
  /** The address of your key. It pays the fees. */
  readonly sponsor: AddressInput;
  /** The most lamports that this transaction may take from the sponsor: fees, priority fee and rent together. */
  readonly maxLamports: bigint;
  /** The builders whose transactions you pay for, such as `['buildBuy', 'buildSell']`. */
  readonly functions: readonly BuilderName[];
  /** Reads what rent costs, and the lookup tables that you don't pass. */
  readonly client: HeavenClient;
  /** Whether the sponsor may open the accounts that the operation uses: `feePayer`, as builders take it. Default `payer`: it may not. */
  readonly rentPayer?: RentPayer | null | undefined;
  /** Contents of lookup tables, from a source that you trust. */
  readonly lookupTables?: LookupTables | undefined;
}

/** A transaction that a sponsor may sign. */
export interface SponsorableTransaction {
  /** The checked transaction: a copy that nobody else holds. Sign this, and not what you were sent. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The most that it takes from the sponsor, in lamports. Rent counts even if the account exists. */
  readonly lamports: bigint;
}

/**
 * Rejects a transaction that a sponsor should not sign, for a service that pays the fees of its users. It passes if
 *
 * - the sponsor pays the fees, opens accounts only with `rentPayer: 'feePayer'`, and stands nowhere else: in no other account, no
 *   instruction's data, and as no other signer;
 * - it takes at most `maxLamports` from the sponsor, and nothing else;
 * - each instruction of the exchange is one of `functions`, and each other one is what builders put beside these: the compute budget,
 *   token accounts, wrapped SOL, a transfer of another's SOL such as a tip, memos and wallets' assertions;
 * - an account that the sponsor opens is one that the operation uses, and isn't closed again in the same transaction;
 * - everything is understood, no account is hidden, no signature is invalid, and it has no durable nonce.
 *
 * The other signatures may be missing. It doesn't say whether the transaction would succeed: simulate it, since one that fails costs its
 * fee too.
 *
 * @param tx What the user sent: base64, bytes, or kit's transaction. It is copied before anything else happens.
 * @throws {HeavenError} `transaction-mismatch`, whose `kind` says what is wrong: `payer` (somebody else pays the fees), `rights` (the
 * sponsor stands where it shouldn't, or a signature is invalid), `account`, `amount` (it takes too much) or `instruction`;
 * `malformed-data` for what is not a transaction; `invalid-input`, `invalid-address`, `invalid-account-data` and the `rpc-…` codes
 * @example
 * ```ts
 * import { generateKeyPairSigner } from '@solana/kit';
 *
 * const { address: sponsor } = await generateKeyPairSigner(); // your key's
 * const { tx } = await buildBuy(client, { ...input, feePayer: sponsor }); // the user's
 * const terms = { sponsor, maxLamports: 10_000_000n, functions: ['buildBuy'], client } as const;
 * const { bytes, lamports } = await assertSponsorable(tx, terms);
 * console.log(bytes.length, lamports);
 * ```
 */
export async function assertSponsorable(
  tx: string | ReadonlyUint8Array | Pick<Transaction, 'messageBytes' | 'signatures'>,
  options: AssertSponsorableOptions,
): Promise<SponsorableTransaction> {
  assertCall(
    options?.client,
    options,
    { sponsor: 1, maxLamports: 1, functions: 1, client: 1, rentPayer: 1, lookupTables: 1, abortSignal: 1 },
    'options',
  );
  const { client, maxLamports, functions, rentPayer, lookupTables, abortSignal } = options;
  const sponsor = addressIn(options.sponsor, 'sponsor');
  assertPositiveU64(maxLamports, 'maxLamports');
  const allowed = instructionsFor(functions);
  if (rentPayer) assertRentPayer(rentPayer, 'rentPayer');
  // One immutable string, taken before anything is awaited: what is checked is what is returned.
  const text = wireTextOf(tx, 'tx');
  const inspection = await inspectTransaction(text, { client, owner: sponsor, lookupTables, abortSignal });
  const opensAccounts = rentPayer === 'feePayer';
  assertSafe(inspection, sponsor);
  assertInstructions(inspection, { sponsor, allowed, opensAccounts, config: client.deployment });
  const lamports = costIn(inspection, sponsor, maxLamports);
  return { bytes: Uint8Array.from(getBase64Encoder().encode(text)), lamports };
}

/** The exchange's instruction in the transaction of each builder. */
const INSTRUCTIONS: Readonly<Record<BuilderName, InstructionName>> = {
  buildBuy: 'buy',
  buildSell: 'sell',
  buildClaimCreatorTradingFees: 'claim_standard_creator_trading_fees',
  buildCreateStandardLiquidityPool: 'create_standard_liquidity_pool',
  buildProBuy: 'pro_buy',
  buildProSell: 'pro_sell',
  buildProCreate: 'create_pro_liquidity_pool',
  buildProAddLiquidity: 'add_liquidity_pro_pool',
  buildProRemoveLiquidity: 'remove_liquidity_pro_pool',
  buildProClaimCreatorFees: 'claim_pro_creator_trading_fees',
  buildProClaimLpFees: 'claim_pro_liquidity_provider_trading_fees',
  buildProToggleSwap: 'creator_toggle_pro_swap',
  buildProToggleDeposit: 'creator_toggle_pro_deposit',
  buildProToggleWithdraw: 'creator_toggle_pro_withdraw',
  buildProSetReflectionFee: 'creator_set_pro_market_cap_reflection_fee',
  buildProSetLpFee: 'creator_set_pro_market_cap_lp_fee',
  buildProSetMarketCapCreatorFee: 'creator_set_pro_market_cap_creator_fee',
  buildProSetSlotCreatorFee: 'creator_set_pro_slot_creator_fee',
  buildProUpdateCreatorFeeReceiver: 'update_pro_creator_trading_fee_receiver',
  buildProTransferLp: 'transfer_lp_tokens',
};

const TOKEN_STEPS = ['SyncNative', 'InitializeAccount3', 'CloseAccount'];

/** What builders put beside the exchange's instruction, by program. */
const BESIDE: Readonly<Partial<Record<StepProgram, readonly string[]>>> = {
  'associated-token': ['CreateAssociatedToken', 'CreateAssociatedTokenIdempotent'],
  system: ['TransferSol', 'CreateAccountWithSeed'],
  token: TOKEN_STEPS,
  'token-2022': TOKEN_STEPS,
};

/** What a launch has besides: it makes the mint, which must be new, and gives up its rights. */
const IN_LAUNCH: typeof BESIDE = {
  system: ['Allocate'],
  'token-metadata': ['Create'],
  token: ['MintTo', 'SetAuthority'],
  'token-2022': ['MintTo', 'SetAuthority'],
};

/** Programs whose instructions are harmless to those whom they don't name. */
const HARMLESS: readonly (StepProgram | undefined)[] = ['compute-budget', 'memo', 'lighthouse'];

/** Warnings of an inspection after which nobody should sign for somebody else. */
const UNSAFE: Readonly<Partial<Record<InspectionWarning['code'], 'instruction' | 'account' | 'rights'>>> = {
  'bound-to-fail': 'instruction',
  'unresolved-lookup-table': 'account',
  'account-loaded-twice': 'account',
  'invalid-signature': 'rights',
};

function instructionsFor(functions: readonly BuilderName[]): ReadonlySet<string> {
  if (!Array.isArray(functions) || functions.length === 0)
    throw invalidInput('functions', functions, "a list of one builder or more, such as ['buildBuy']");
  const names = functions.map((name: unknown, index) => {
    if (typeof name === 'string' && Object.hasOwn(INSTRUCTIONS, name)) return name as BuilderName;
    throw invalidInput(`functions[${index}]`, name, "the name of a builder, such as 'buildBuy'");
  });
  return new Set(names.map((name) => INSTRUCTIONS[name]));
}

/** What concerns the transaction as a whole. */
function assertSafe({ feePayer, warnings }: TransactionInspection, sponsor: Address): void {
  if (feePayer !== sponsor) {
    const message = `${feePayer} pays its fees, not ${sponsor}`;
    throw notSponsorable(difference('payer', message, { asked: sponsor, found: feePayer }));
  }
  for (const { code, message, instruction } of warnings) {
    const kind = UNSAFE[code];
    const where = instruction === undefined ? {} : { instruction };
    if (kind !== undefined) throw notSponsorable(difference(kind, withoutFullStop(message), where));
  }
}

interface Terms {
  readonly sponsor: Address;
  /** The exchange's instructions that are paid for. */
  readonly allowed: ReadonlySet<string>;
  readonly opensAccounts: boolean;
  readonly config: InstructionConfig;
}

function assertInstructions({ instructions }: TransactionInspection, terms: Terms): void {
  const { sponsor, allowed, opensAccounts } = terms;
  const operations = instructions.filter(({ program }) => program === 'exchange');
  if (operations.length === 0)
    throw notSponsorable(difference('instruction', 'it has no instruction of the exchange'));
  const isLaunch = operations.some(({ name }) => name === INSTRUCTIONS.buildCreateStandardLiquidityPool);
  const isKnown = ({ program, name = '' }: InspectedInstruction) => {
    if (program === undefined) return false;
    if (program === 'exchange') return allowed.has(name);
    const named = [...(BESIDE[program] ?? []), ...((isLaunch ? IN_LAUNCH[program] : undefined) ?? [])];
    return HARMLESS.includes(program) || named.includes(name);
  };
  const used = new Set(operations.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
  const closed = new Set(
    instructions.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.kind === 'close' ? effect.account : [])),
    ),
  );
  for (const [instruction, each] of instructions.entries()) {
    const refusal = (kind: 'instruction' | 'rights' | 'account', why: string, found: unknown) =>
      notSponsorable(difference(kind, `${why}: ${each.description}`, { instruction, found }));
    if (!isKnown(each)) throw refusal('instruction', 'no builder in functions does this', each.name);
    const may = `pay the fees${opensAccounts ? ' and open accounts' : ''}`;
    if (!isOnlyOpener(each, terms)) throw refusal('rights', `${sponsor} may only ${may}`, sponsor);
    for (const effect of each.effects) {
      if (effect.kind !== 'debit' || effect.account !== sponsor) continue;
      const { destination } = effect;
      if (destination !== undefined && (!used.has(destination) || closed.has(destination)))
        throw refusal('account', 'the operation does not leave this account behind', destination);
    }
  }
}

/** Whether an instruction names the sponsor only as who opens an account, if it may. */
function isOnlyOpener(instruction: InspectedInstruction, { sponsor, opensAccounts, config }: Terms): boolean {
  const { accounts, data, effects } = instruction;
  const key = getAddressEncoder().encode(sponsor);
  if (data.some((_, at) => bytesEqual(data.subarray(at, at + key.length), key))) return false;
  const named = accounts.filter(({ address }) => address === sponsor).length;
  if (named === 0) return true;
  return (
    opensAccounts &&
    named === 1 &&
    stepOf(instruction, config)?.accounts.payer === sponsor &&
    effects.every(
      (effect) => effect.kind !== 'debit' || effect.account !== sponsor || effect.reason === 'rent',
    )
  );
}

/** The most that a transaction takes from the sponsor, which is SOL alone. */
function costIn({ debits }: TransactionInspection, sponsor: Address, maxLamports: bigint): bigint {
  const other = debits.find(({ account, asset }) => account !== sponsor || asset !== 'SOL');
  const amount = debits[0]?.amount;
  if (other === undefined && typeof amount === 'bigint' && amount <= maxLamports) return amount;
  const message =
    other === undefined
      ? `it takes ${typeof amount === 'bigint' ? `up to ${amount}` : 'unknown'} lamports from ${sponsor}, and maxLamports is ${maxLamports}`
      : `it takes from ${other.account} too`;
  throw notSponsorable(
    difference('amount', message, { asked: maxLamports, found: other?.account ?? amount }),
  );
}

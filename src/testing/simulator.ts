import {
  type Address,
  type Base64EncodedWireTransaction,
  createAddressWithSeed,
  decompileTransactionMessage,
  getAddressEncoder,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  isNone,
  isSignerRole,
  isWritableRole,
  mergeBytes,
  none,
  some,
} from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';
import { parseSystemInstruction, SystemInstruction } from '@solana-program/system';
import {
  AccountState,
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  AuthorityType,
  getMintDecoder,
  getMintEncoder,
  getTokenDecoder,
  getTokenEncoder,
  type Mint,
  parseAssociatedTokenInstruction,
  parseTokenInstruction,
  type Token,
  TokenInstruction,
} from '@solana-program/token';

import { isHeavenError } from '../errors.js';
import {
  computeDeposit,
  computeInitialLpTokens,
  computePendingFees,
  computeWithdrawal,
  type Deposit,
} from '../math/liquidity.js';
import { computeBuy, computeBuyExactOut, computeSell } from '../math/swap.js';
import { transferFeeOf } from '../math/transfer-fee.js';
import type { SwapResult, SwapState } from '../math/types.js';
import { claimObstacle } from '../pool/creator-fees.js';
import { decodeClock, decodeMint, decodePoolSnapshot, type PoolSnapshot } from '../pool/decode.js';
import { MINT, TRANSFER_FEE_EXTENSION } from '../pool/layout.js';
import { swapStateOf } from '../pool/swap-state.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  decodeUserLpPosition,
  encodeLiquidityPoolState,
  encodeProtocolConfig,
  encodeUserLpPosition,
  type LiquidityPoolState,
  liquidityPoolStateDeclaration,
  type ProtocolConfig,
  type UserLpPosition,
} from '../program/accounts.js';
import {
  findAssociatedTokenAddress,
  findLpPositionAddress,
  findPoolAddress,
  findProPoolAddress,
  findProtocolConfigAddress,
} from '../program/addresses.js';
import {
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  CLOCK_SYSVAR_ADDRESS,
  LOOKUP_TABLE_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../program/constants.js';
import { getHeavenProgramError } from '../program/errors.js';
import {
  type CreateLiquidityPoolEvent,
  type CreateStandardLiquidityPoolEvent,
  createLiquidityPoolEventDeclaration,
  createStandardLiquidityPoolEventDeclaration,
  type TradeEvent,
  tradeEventDeclaration,
  type UserDefinedEvent,
  userDefinedEventDeclaration,
} from '../program/events.js';
import {
  getInstructionDeclarations,
  type HeavenInstruction,
  parseHeavenInstruction,
} from '../program/instructions.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  LiquidityPoolType,
} from '../program/types.js';
import { view } from '../solana/account-data.js';
import { encoderFor } from '../solana/codec.js';
import { hexBytes, startsWith } from '../solana/define-instruction.js';
import { type LookupTables, lookupTableAddresses } from '../solana/lookup-table.js';
import { findMetadataAddress, parseCreateToken } from '../solana/token-metadata.js';
import type { LedgerAccount } from './ledger.js';
import {
  areFeesValid,
  areSlotFeesValid,
  newProPool,
  newStandardPool,
  storedBrackets,
  storedSlotBrackets,
} from './new-pool.js';
import { isForbiddenRoundTrip, type SlotTrade, type SlotTrades } from './same-slot-trading.js';
import { encodeMetadata, encodeNewMint, METADATA_FEE } from './token-metadata.js';

/**
 * What an instruction does when a test says so: nothing (it succeeds), or a failure with a custom error number or one of
 * the runtime's names.
 */
export type ScriptedOutcome = 'success' | { readonly custom: number } | { readonly runtime: string };

/**
 * How the emulated exchange behaves where it is not to be as this library understands the program. Each entry replaces one
 * thing; what is left out stays as assumed.
 */
export interface ExchangeBehaviour {
  /** A1: where the program expects a pro pool. */
  readonly findProPoolAddress?: typeof findProPoolAddress;
  /** A2: where the program expects an LP position. */
  readonly findLpPositionAddress?: typeof findLpPositionAddress;
  /** A3: whether the program reads the price accounts behind the list of this instruction (`pro_buy`, …). */
  readonly readsPrice?: (instruction: string) => boolean;
  /** A5, A6, A7: reserves and rates of a trade. */
  readonly swapStateOf?: (snapshot: PoolSnapshot, options: { readonly slot: bigint }) => SwapState;
  /** A4: what a buy gives. */
  readonly computeBuy?: typeof computeBuy;
  readonly computeSell?: typeof computeSell;
  /** A8: what a deposit takes and gives. */
  readonly computeDeposit?: (...input: Parameters<typeof computeDeposit>) => Deposit;
  /** A8: how many LP tokens a unit of `accumulatedFeePerLpToken` is for. Default 1e9. */
  readonly feePerLpTokenUnit?: bigint;
  /**
   * Scripts instructions in place of the model: of the exchange by their name, such as
   * `create_standard_liquidity_pool`, and of other programs by the program's address.
   */
  readonly scripted?: { readonly [instructionOrProgram: string]: ScriptedOutcome };
}

/** An account after a simulation. */
export type SimulatedAccounts = ReadonlyMap<Address, Required<LedgerAccount> | undefined>;

/** What became of a transaction, in the form in which a node says it. */
export interface SimulatedTransaction {
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  /** Lamports. */
  readonly fee: bigint;
  /** The accounts as they would be. Of a failed transaction, only its fee is paid. */
  readonly accounts: SimulatedAccounts;
}

/** What became of a transaction, and the swaps that it made: none if it failed. */
export interface SimulatorOutcome extends SimulatedTransaction {
  readonly trades: readonly SlotTrade[];
}

/** The cluster around a transaction. */
export interface SimulatorCluster {
  readonly programAddress: Address;
  readonly slot: bigint;
  /** The swaps of the slot so far. */
  readonly trades: Pick<SlotTrades, 'has'>;
  getAccount(address: Address): LedgerAccount | undefined;
  rentExemption(size: number): bigint;
}

/** Flat costs, near what these take on mainnet. */
const UNITS = {
  budget: 150,
  system: 150,
  token: 3_000,
  tokenAccount: 22_000,
  metadata: 46_000,
  /** What a pro pool's creator sets, and transfers of LP tokens. */
  setting: 15_000,
  exchange: 70_000,
} as const;
const BUILT_IN: readonly Address[] = [SYSTEM_PROGRAM_ADDRESS, COMPUTE_BUDGET_PROGRAM_ADDRESS];
const LAMPORTS_PER_SIGNATURE = 5_000n;
const MOST_UNITS = 1_400_000;
const DEFAULT_UNITS = 200_000;
const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];

const MINT_SIZE = 82;
/** The accounts that sign where an instruction has them. */
const SIGNING = ['user', 'creator', 'sender', 'payer', 'newReceiver'];
/** Which authorities of a mint can be set. */
const AUTHORITIES: Readonly<Record<number, 'mintAuthority' | 'freezeAuthority' | undefined>> = {
  [AuthorityType.MintTokens]: 'mintAuthority',
  [AuthorityType.FreezeAccount]: 'freezeAuthority',
};

type Of<TName extends HeavenInstruction['name']> = Extract<HeavenInstruction, { name: TName }>;

/** A trade, and what it was computed from. */
interface Traded {
  readonly snapshot: PoolSnapshot;
  readonly trade: SwapResult;
  readonly side: 'buy' | 'sell';
}

/** USD per SOL. */
const priceOf = ({ solPrice }: PoolSnapshot) => Number(solPrice.answer) / 10 ** solPrice.decimals;

/** An instruction's failure: the error as a node words it, and what the program logs before. */
class Failure extends Error {
  readonly reason: unknown;
  readonly logs: readonly string[];

  constructor(reason: unknown, logs: readonly string[] = []) {
    super('failed');
    this.reason = reason;
    this.logs = logs;
  }
}

/** A transaction that does not get as far as its instructions. */
class Refusal extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super('refused');
    this.reason = reason;
  }
}

const custom = (code: number, ...logs: string[]) => new Failure({ Custom: code }, logs);

/** A failure of the exchange as Anchor logs it. */
function anchor(code: number, account?: string, ...more: string[]): Failure {
  const known = getHeavenProgramError(code);
  const name = known?.name ?? 'Unknown';
  const what = account === undefined ? 'occurred' : `caused by account: ${account}`;
  return custom(
    code,
    `Program log: AnchorError ${what}. Error Code: ${name}. Error Number: ${code}. Error Message: ${known?.meaning ?? name}`,
    ...more,
  );
}

/** Anchor's ConstraintSeeds, with the given and the expected address. */
function assertSeeds(account: string, given: Address, expected: Address): void {
  if (given === expected) return;
  throw anchor(
    2006,
    account,
    'Program log: Left:',
    `Program log: ${given}`,
    'Program log: Right:',
    `Program log: ${expected}`,
  );
}

/**
 * Runs a transaction on the accounts of a cluster and says what would become of it. Nothing is written.
 *
 * The exchange's program is not published: this is a model of it by this library's own understanding, with the library's
 * own arithmetic. It shows that quote, transaction and accounts fit together. What it can't show is that the program
 * on a live cluster does the same; that is what `checkDeployment` is for. It models every
 * instruction of the exchange that the builders use, and what they use of other programs. All else fails with
 * `UnsupportedProgramId` and a log line that says so. Signatures are not looked at.
 */
export async function simulateOn(
  cluster: SimulatorCluster,
  tx: Base64EncodedWireTransaction,
  behaviour: ExchangeBehaviour = {},
): Promise<SimulatorOutcome> {
  const run = new Run(cluster, behaviour);
  return await run.transaction(tx);
}

interface Account {
  owner: Address;
  data: Uint8Array;
  lamports: bigint;
}

/** Whether an account is more than an address that lamports may have been sent to. */
const isInUse = (account: Account | undefined): boolean =>
  account !== undefined && (account.data.length > 0 || account.owner !== SYSTEM_PROGRAM_ADDRESS);

class Run {
  readonly #cluster: SimulatorCluster;
  readonly #behaviour: ExchangeBehaviour;
  #accounts = new Map<Address, Account>();
  readonly #logs: string[] = [];
  readonly #trades: SlotTrade[] = [];

  constructor(cluster: SimulatorCluster, behaviour: ExchangeBehaviour) {
    this.#cluster = cluster;
    this.#behaviour = behaviour;
  }

  async transaction(tx: Base64EncodedWireTransaction): Promise<SimulatorOutcome> {
    const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(tx));
    const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
    let unitsConsumed = 0;
    let fee = 0n;
    const done = (err: unknown): SimulatorOutcome => ({
      err,
      trades: err === null ? this.#trades : [],
      logs: this.#logs,
      unitsConsumed: BigInt(unitsConsumed),
      fee,
      accounts: this.#accounts,
    });
    try {
      const tables = 'addressTableLookups' in compiled ? (compiled.addressTableLookups ?? []) : [];
      const message = this.#decompile(
        compiled,
        this.#tables(tables.map(({ lookupTableAddress }) => lookupTableAddress)),
      );
      const instructions = message.instructions as readonly Instruction[];
      const payer = message.feePayer.address;
      const { limit } = budgetOf(instructions);
      fee = feeOf(Object.keys(signatures).length, instructions);
      this.#payFee(payer, fee);
      const afterFee = this.#copy();
      for (const [index, instruction] of instructions.entries()) {
        const { programAddress } = instruction;
        const isBuiltIn = BUILT_IN.includes(programAddress);
        this.#log(`Program ${programAddress} invoke [1]`);
        const left = limit - unitsConsumed;
        const units = unitsOf(programAddress, instruction, this.#cluster.programAddress);
        try {
          if (units > left) throw new Failure('ComputationalBudgetExceeded');
          await this.#instruction(instruction);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          unitsConsumed += Math.min(units, left);
          for (const line of error.logs) this.#log(line);
          if (!isBuiltIn)
            this.#log(`Program ${programAddress} consumed ${Math.min(units, left)} of ${left} compute units`);
          const said =
            typeof error.reason === 'object' && error.reason !== null && 'Custom' in error.reason
              ? `custom program error: 0x${Number(error.reason.Custom).toString(16)}`
              : String(error.reason);
          this.#log(`Program ${programAddress} failed: ${said}`);
          this.#accounts = afterFee;
          return done({ InstructionError: [index, error.reason] });
        }
        unitsConsumed += units;
        if (!isBuiltIn) this.#log(`Program ${programAddress} consumed ${units} of ${left} compute units`);
        this.#log(`Program ${programAddress} success`);
      }
      const poor = this.#withoutRent();
      if (poor !== undefined) {
        const keys = compiled.staticAccounts;
        this.#accounts = afterFee;
        return done({ InsufficientFundsForRent: { account_index: Math.max(keys.indexOf(poor), 0) } });
      }
      return done(null);
    } catch (error) {
      if (error instanceof Refusal) {
        this.#accounts.clear();
        return done(error.reason);
      }
      throw error;
    }
  }

  #decompile(
    compiled: ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>,
    tables: LookupTables,
  ) {
    try {
      return decompileTransactionMessage(compiled as never, { addressesByLookupTableAddress: tables });
    } catch {
      throw new Refusal(
        Object.keys(tables).length > 0 ? 'InvalidAddressLookupTableIndex' : 'SanitizeFailure',
      );
    }
  }

  #tables(addresses: readonly Address[]): LookupTables {
    return Object.fromEntries(
      addresses.map((address) => {
        const account = this.#cluster.getAccount(address);
        if (account === undefined) throw new Refusal('AddressLookupTableNotFound');
        if (account.owner !== LOOKUP_TABLE_PROGRAM_ADDRESS)
          throw new Refusal('InvalidAddressLookupTableOwner');
        try {
          return [address, lookupTableAddresses({ address, ...account }, address, this.#cluster.slot)];
        } catch {
          throw new Refusal('InvalidAddressLookupTableData');
        }
      }),
    );
  }

  #payFee(payer: Address, fee: bigint): void {
    const account = this.#get(payer);
    if (account === undefined) throw new Refusal('AccountNotFound');
    if (account.owner !== SYSTEM_PROGRAM_ADDRESS) throw new Refusal('InvalidAccountForFee');
    if (account.lamports < fee) throw new Refusal('InsufficientFundsForFee');
    account.lamports -= fee;
  }

  /** An account that ends with less than its rent exemption, and did not before. */
  #withoutRent(): Address | undefined {
    for (const [address, { lamports, data }] of this.#accounts) {
      const least = this.#cluster.rentExemption(data.length);
      if (lamports === 0n || lamports >= least) continue;
      const before = this.#cluster.getAccount(address);
      if (before === undefined || this.#lamportsOf(before) >= least) return address;
    }
    return undefined;
  }

  #lamportsOf = (account: LedgerAccount) =>
    account.lamports ?? this.#cluster.rentExemption(account.data.length);

  #copy = () => new Map([...this.#accounts].map(([address, account]) => [address, { ...account }] as const));

  #log(line: string): void {
    this.#logs.push(line);
  }

  /** An account that may be changed in place. */
  #get(address: Address): Account | undefined {
    const held = this.#accounts.get(address);
    if (held !== undefined) return held.lamports === 0n && held.data.length === 0 ? undefined : held;
    const account = this.#cluster.getAccount(address);
    if (account === undefined) return undefined;
    const copy = { owner: account.owner, data: account.data, lamports: this.#lamportsOf(account) };
    this.#accounts.set(address, copy);
    return copy;
  }

  #create(address: Address, account: Account): Account {
    this.#accounts.set(address, account);
    return account;
  }

  async #instruction(instruction: Instruction): Promise<void> {
    const { programAddress } = instruction;
    const { scripted = {} } = this.#behaviour;
    const script = Object.hasOwn(scripted, programAddress) ? scripted[programAddress] : undefined;
    if (script !== undefined) return follow(script);
    switch (programAddress) {
      case COMPUTE_BUDGET_PROGRAM_ADDRESS:
        return;
      case SYSTEM_PROGRAM_ADDRESS:
        return await this.#system(instruction);
      case ASSOCIATED_TOKEN_PROGRAM_ADDRESS:
        return await this.#associatedToken(instruction);
      case TOKEN_PROGRAM_ADDRESS:
      case TOKEN_2022_PROGRAM_ADDRESS:
        return this.#token(instruction);
      case TOKEN_METADATA_PROGRAM_ADDRESS:
        return await this.#createToken(instruction);
      case this.#cluster.programAddress:
        return await this.#exchange(instruction);
    }
    throw notEmulated(`the program ${programAddress}`);
  }

  // ---------------------------------------------------------------- system

  async #system(instruction: Instruction): Promise<void> {
    const parsed = parse(() => parseSystemInstruction(instruction as never));
    if (parsed.instructionType === SystemInstruction.TransferSol) {
      const { source, destination } = parsed.accounts;
      assertSigner(source.role);
      this.#moveLamports(source.address, destination.address, parsed.data.amount);
      return;
    }
    if (parsed.instructionType === SystemInstruction.CreateAccountWithSeed) {
      const { payer, newAccount } = parsed.accounts;
      const { base, seed, programAddress, amount, space } = parsed.data;
      assertSigner(payer.role);
      const expected = await createAddressWithSeed({ baseAddress: base, seed, programAddress });
      if (expected !== newAccount.address) throw custom(5, 'Create: address does not match derived address');
      if (this.#get(newAccount.address) !== undefined)
        throw custom(0, 'Create Account: account already in use');
      this.#moveLamports(payer.address, newAccount.address, amount);
      this.#create(newAccount.address, {
        owner: programAddress,
        data: new Uint8Array(Number(space)),
        lamports: amount,
      });
      return;
    }
    if (parsed.instructionType === SystemInstruction.Allocate) {
      const { address, role } = parsed.accounts.newAccount;
      assertSigner(role);
      const account = this.#get(address);
      if (isInUse(account)) throw custom(0, `Allocate: account ${address} already in use`);
      const data = new Uint8Array(Number(parsed.data.space));
      this.#create(address, { owner: SYSTEM_PROGRAM_ADDRESS, lamports: account?.lamports ?? 0n, data });
      return;
    }
    throw notEmulated(`${SystemInstruction[parsed.instructionType]} of the system program`);
  }

  #moveLamports(from: Address, to: Address, amount: bigint): void {
    const source = this.#get(from);
    const held = source?.lamports ?? 0n;
    if (held < amount) throw custom(1, `Transfer: insufficient lamports ${held}, need ${amount}`);
    if (source !== undefined) source.lamports -= amount;
    const destination =
      this.#get(to) ??
      this.#create(to, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array(), lamports: 0n });
    destination.lamports += amount;
  }

  // ---------------------------------------------------------------- tokens

  async #associatedToken(instruction: Instruction): Promise<void> {
    const parsed = parse(() => parseAssociatedTokenInstruction(instruction as never));
    if (instruction.data?.[0] !== 1) throw notEmulated('this instruction of the associated token program');
    const { payer, ata, owner, mint, tokenProgram } = parsed.accounts as Readonly<
      Record<'payer' | 'ata' | 'owner' | 'mint' | 'tokenProgram', { address: Address; role: number }>
    >;
    const expected = await findAssociatedTokenAddress({
      owner: owner.address,
      mint: mint.address,
      tokenProgram: tokenProgram.address,
    });
    if (expected !== ata.address) {
      throw new Failure('InvalidSeeds', [
        'Program log: Error: Associated address does not match seed derivation',
      ]);
    }
    this.#openTokenAccount(ata.address, owner.address, mint.address, tokenProgram.address, payer);
  }

  /** A token account at its address, made if it is not there. */
  #openTokenAccount(
    address: Address,
    owner: Address,
    mint: Address,
    tokenProgram: Address,
    payer: { readonly address: Address; readonly role: number },
  ): void {
    const existing = this.#get(address);
    if (existing !== undefined && existing.owner !== SYSTEM_PROGRAM_ADDRESS) {
      const token = this.#tokenOf(address);
      if (token.owner !== owner || token.mint !== mint) throw new Failure('IllegalOwner');
      return;
    }
    assertSigner(payer.role);
    const size = this.#tokenAccountSize(mint, tokenProgram);
    this.#allocate(payer.address, address, tokenProgram, new Uint8Array(size));
    this.#initialize(address, mint, owner);
  }

  /** Makes an account of these bytes, and has the payer pay what is missing of its rent. */
  #allocate(payer: Address, address: Address, owner: Address, data: Uint8Array): void {
    const rent = this.#cluster.rentExemption(data.length);
    const given = this.#get(address)?.lamports ?? 0n;
    if (given < rent) this.#moveLamports(payer, address, rent - given);
    this.#create(address, { owner, data, lamports: given > rent ? given : rent });
  }

  #tokenAccountSize(mint: Address, program: Address): number {
    if (mint !== WRAPPED_SOL_MINT_ADDRESS) {
      const account = this.#get(mint);
      if (account === undefined || account.owner !== program) throw new Failure('IncorrectProgramId');
    }
    if (program === TOKEN_PROGRAM_ADDRESS) return 165;
    // The account type, the immutable owner, and what a token with transfer fees withholds.
    return 165 + 1 + 4 + (this.#hasTransferFees(mint) ? 4 + 8 : 0);
  }

  #hasTransferFees(mint: Address): boolean {
    const data = this.#get(mint)?.data ?? new Uint8Array();
    return (
      data.length > MINT.extensions &&
      view(data).getUint16(MINT.extensions, true) === TRANSFER_FEE_EXTENSION.type
    );
  }

  #initialize(address: Address, mint: Address, owner: Address): void {
    const account = this.#get(address) as Account;
    const isNative = mint === WRAPPED_SOL_MINT_ADDRESS;
    const rent = this.#cluster.rentExemption(account.data.length);
    if (isNative && account.lamports < rent)
      throw custom(0, 'Program log: Error: Lamport balance below rent-exempt threshold');
    this.#writeToken(address, {
      mint,
      owner,
      amount: isNative ? account.lamports - rent : 0n,
      delegate: none(),
      state: AccountState.Initialized,
      isNative: isNative ? some(rent) : none(),
      delegatedAmount: 0n,
      closeAuthority: none(),
    });
  }

  #tokenOf(address: Address): Token {
    const account = this.#get(address);
    if (account === undefined || !TOKEN_PROGRAMS.includes(account.owner))
      throw new Failure('InvalidAccountData');
    if (account.data.length < 165 || account.data[108] === 0) throw new Failure('UninitializedAccount');
    return getTokenDecoder().decode(account.data.subarray(0, 165));
  }

  #writeToken(address: Address, token: Token): void {
    const account = this.#get(address) as Account;
    const data = Uint8Array.from(account.data);
    data.set(getTokenEncoder().encode(token) as Uint8Array);
    if (data.length > 165) data[165] = 2;
    account.data = data;
  }

  #token(instruction: Instruction): void {
    const parsed = parse(() => parseTokenInstruction(instruction as never));
    const { programAddress } = instruction;
    const ours = (address: Address) => {
      if (this.#get(address)?.owner !== programAddress) throw new Failure('IncorrectProgramId');
      return this.#tokenOf(address);
    };
    switch (parsed.instructionType) {
      case TokenInstruction.SyncNative: {
        const { address } = parsed.accounts.account;
        const token = ours(address);
        if (token.isNative.__option === 'None')
          throw custom(19, 'Program log: Error: Instruction does not support non-native tokens');
        const { lamports } = this.#get(address) as Account;
        this.#writeToken(address, { ...token, amount: lamports - token.isNative.value });
        return;
      }
      case TokenInstruction.InitializeAccount3: {
        const { account, mint } = parsed.accounts;
        if (this.#get(account.address)?.owner !== programAddress) throw new Failure('IncorrectProgramId');
        this.#initialize(account.address, mint.address, parsed.data.owner);
        return;
      }
      case TokenInstruction.CloseAccount: {
        const { account, destination, owner } = parsed.accounts;
        const token = ours(account.address);
        assertSigner(owner.role);
        if (token.owner !== owner.address) throw custom(4, 'Program log: Error: owner does not match');
        if (token.isNative.__option === 'None' && token.amount > 0n)
          throw custom(
            11,
            'Program log: Error: Non-native account can only be closed if its balance is zero',
          );
        const closed = this.#get(account.address) as Account;
        this.#moveLamports(account.address, destination.address, closed.lamports);
        this.#create(account.address, {
          owner: SYSTEM_PROGRAM_ADDRESS,
          data: new Uint8Array(),
          lamports: 0n,
        });
        return;
      }
      case TokenInstruction.Transfer:
      case TokenInstruction.TransferChecked: {
        const { source, destination, authority } = parsed.accounts;
        ours(source.address);
        assertSigner(authority.role);
        this.#moveTokens(source.address, destination.address, authority.address, parsed.data.amount);
        return;
      }
      case TokenInstruction.MintTo: {
        const { mint, token, mintAuthority } = parsed.accounts;
        const { amount } = parsed.data;
        const account = ours(token.address);
        const state = this.#mintOf(mint.address, programAddress);
        assertSigner(mintAuthority.role);
        assertAuthority(state.mintAuthority, mintAuthority.address);
        if (account.mint !== mint.address)
          throw custom(3, 'Program log: Error: Account not associated with this Mint');
        this.#writeMint(mint.address, { ...state, supply: state.supply + amount });
        this.#writeToken(token.address, { ...account, amount: account.amount + amount });
        return;
      }
      case TokenInstruction.SetAuthority: {
        const { owned, owner } = parsed.accounts;
        const { authorityType, newAuthority } = parsed.data;
        const field = AUTHORITIES[authorityType];
        if (field === undefined) break;
        const state = this.#mintOf(owned.address, programAddress);
        assertSigner(owner.role);
        assertAuthority(state[field], owner.address);
        this.#writeMint(owned.address, { ...state, [field]: newAuthority });
        return;
      }
    }
    throw notEmulated(`${TokenInstruction[parsed.instructionType]} of the token program`);
  }

  #mintOf(address: Address, tokenProgram: Address): Mint {
    const account = this.#get(address);
    if (account?.owner !== tokenProgram) throw new Failure('IncorrectProgramId');
    return getMintDecoder().decode(account.data.subarray(0, MINT_SIZE));
  }

  #writeMint(address: Address, mint: Mint): void {
    const account = this.#get(address) as Account;
    const data = Uint8Array.from(account.data);
    data.set(
      getMintEncoder().encode({
        ...mint,
        mintAuthority: mint.mintAuthority,
        freezeAuthority: mint.freezeAuthority,
      }) as Uint8Array,
    );
    account.data = data;
  }

  /**
   * Metaplex's `Create` of a fungible token: the mint, if there is none, and its metadata. Of a mint that exists it only
   * asks for the mint authority, whatever extensions the mint has: a permanent delegate, for one.
   */
  async #createToken(instruction: Instruction): Promise<void> {
    const parsed = parse(() => parseCreateToken(instruction));
    const tokenProgram = instruction.accounts?.[8]?.address;
    const { metadata, mint, authority, payer } = parsed?.accounts ?? {};
    if (!parsed || !metadata || !mint || !authority || !payer || !tokenProgram)
      throw notEmulated('this instruction of the metadata program');
    for (const { role } of [authority, payer]) assertSigner(role);
    if (metadata.address !== (await findMetadataAddress(mint.address)))
      throw custom(5, 'Program log: Derived key invalid');
    if (isInUse(this.#get(metadata.address)))
      throw custom(0, `Allocate: account ${metadata.address} already in use`);
    const { decimals, ...about } = parsed.data;
    if (isInUse(this.#get(mint.address))) {
      const { mintAuthority } = this.#mintOf(mint.address, tokenProgram);
      if (isNone(mintAuthority) || mintAuthority.value !== authority.address)
        throw custom(10, 'Program log: Mint authority provided does not match the authority on the mint');
    } else {
      assertSigner(mint.role);
      const data = encodeNewMint(authority.address, metadata.address, decimals ?? 0);
      const size = tokenProgram === TOKEN_2022_PROGRAM_ADDRESS ? data.length : MINT_SIZE;
      this.#allocate(payer.address, mint.address, tokenProgram, data.slice(0, size));
    }
    this.#allocate(
      payer.address,
      metadata.address,
      TOKEN_METADATA_PROGRAM_ADDRESS,
      encodeMetadata({ ...about, mint: mint.address, updateAuthority: authority.address }),
    );
    this.#moveLamports(payer.address, metadata.address, METADATA_FEE);
  }

  /** Moves tokens as the token program does, what a transfer fee withholds included. */
  #moveTokens(from: Address, to: Address, authority: Address, amount: bigint): void {
    const source = this.#tokenOf(from);
    const destination = this.#tokenOf(to);
    if (source.state === AccountState.Frozen || destination.state === AccountState.Frozen)
      throw custom(17, 'Program log: Error: Account is frozen');
    if (source.mint !== destination.mint)
      throw custom(3, 'Program log: Error: Account not associated with this Mint');
    if (source.owner !== authority) throw custom(4, 'Program log: Error: owner does not match');
    if (source.amount < amount) throw custom(1, 'Program log: Error: insufficient funds');
    const withheld = this.#withheld(source.mint, amount);
    this.#writeToken(from, { ...source, amount: source.amount - amount });
    const received = this.#tokenOf(to);
    this.#writeToken(to, { ...received, amount: received.amount + amount - withheld });
    if (source.mint === WRAPPED_SOL_MINT_ADDRESS) {
      (this.#get(from) as Account).lamports -= amount;
      (this.#get(to) as Account).lamports += amount;
    }
  }

  #withheld(mint: Address, amount: bigint): bigint {
    const account = this.#get(mint);
    if (mint === WRAPPED_SOL_MINT_ADDRESS || account === undefined) return 0n;
    return transferFeeOf(amount, decodeMint(account.data, this.#clock().epoch).transferFee);
  }

  #clock = () => decodeClock(this.#get(CLOCK_SYSVAR_ADDRESS)?.data ?? new Uint8Array());

  // ---------------------------------------------------------------- the exchange

  async #exchange(instruction: Instruction): Promise<void> {
    const { programAddress } = this.#cluster;
    if ((instruction.data?.length ?? 0) < 8) throw anchor(100);
    let parsed: HeavenInstruction;
    try {
      parsed = parseHeavenInstruction(instruction, { programAddress });
    } catch (error) {
      if (!isHeavenError(error, 'instruction-mismatch')) throw error;
      const { reason } = error.context;
      throw anchor(
        /discriminator/.test(reason)
          ? 101
          : /argument/.test(reason)
            ? 102
            : /of \d+ accounts/.test(reason)
              ? 3005
              : 2012,
      );
    }
    this.#log(`Program log: Instruction: ${pascalCase(parsed.name)}`);
    for (const [name, meta] of Object.entries(parsed.accounts)) {
      if (SIGNING.includes(name) && !isSignerRole(meta.role)) throw anchor(3010, snakeCase(name));
      if (name === 'liquidityPoolState' && !isWritableRole(meta.role)) throw anchor(2000, snakeCase(name));
    }
    await this.#assertDerived(parsed);
    this.#assertPrice(parsed);
    const script = this.#behaviour.scripted?.[parsed.name];
    if (script !== undefined) return follow(script);
    switch (parsed.name) {
      case 'buy':
      case 'pro_buy':
        return this.#swap(parsed, 'buy', parsed.data.params.maxSolSpend);
      case 'sell':
      case 'pro_sell':
        return this.#swap(parsed, 'sell', parsed.data.params.amountIn);
      case 'add_liquidity_pro_pool':
        return this.#deposit(parsed);
      case 'remove_liquidity_pro_pool':
        return this.#withdraw(parsed);
      case 'transfer_lp_tokens':
        return this.#transferLp(parsed);
      case 'create_standard_liquidity_pool':
        return await this.#createStandardPool(parsed);
      case 'create_pro_liquidity_pool':
        return await this.#createProPool(parsed);
      case 'claim_standard_creator_trading_fees':
        return this.#claimCreatorFees(parsed, LiquidityPoolType.Standard);
      case 'claim_pro_creator_trading_fees':
        return this.#claimCreatorFees(parsed, LiquidityPoolType.Pro);
      case 'claim_pro_liquidity_provider_trading_fees':
        return this.#claimLpFees(parsed);
      case 'update_creator_trading_fee_receiver':
        return this.#updateReceiver(parsed, LiquidityPoolType.Standard);
      case 'update_pro_creator_trading_fee_receiver':
        return this.#updateReceiver(parsed, LiquidityPoolType.Pro);
      case 'creator_toggle_pro_swap':
        return this.#setAllowed(parsed, 'swap');
      case 'creator_toggle_pro_deposit':
        return this.#setAllowed(parsed, 'depositLiquidity');
      case 'creator_toggle_pro_withdraw':
        return this.#setAllowed(parsed, 'removeLiquidity');
      case 'creator_set_pro_market_cap_creator_fee':
        return this.#setFees(parsed, 'creatorTradingFee');
      case 'creator_set_pro_market_cap_lp_fee':
        return this.#setFees(parsed, 'liquidityProviderTradingFee');
      case 'creator_set_pro_market_cap_reflection_fee':
        return this.#setFees(parsed, 'reflectionTradingFee');
      case 'creator_set_pro_slot_creator_fee':
        return this.#setSlotFees(parsed);
    }
  }

  /** The constraints on derived addresses, in the order of the accounts. */
  async #assertDerived({ name, accounts, data }: HeavenInstruction): Promise<void> {
    const program = { programAddress: this.#cluster.programAddress };
    const { findProPoolAddress: findPro = findProPoolAddress } = this.#behaviour;
    const { findLpPositionAddress: findPosition = findLpPositionAddress } = this.#behaviour;
    const given: Readonly<Record<string, { readonly address: Address } | undefined>> = accounts;
    const at = (account: string) => given[account]?.address as Address;
    const isCreation = 'protocolConfigVersion' in data;
    const pool = at('liquidityPoolState');
    if (isCreation) {
      const isPro = name === 'create_pro_liquidity_pool';
      const mint = at('tokenAMint');
      assertSeeds(
        'liquidity_pool_state',
        pool,
        await (isPro ? findPro({ mint, creator: at('user') }, program) : findPoolAddress({ mint }, program)),
      );
      if (this.#get(pool) !== undefined) throw custom(0, `Allocate: account ${pool} already in use`);
    } else {
      const state = this.#pool(pool);
      const { mint } = state.tokenA;
      const isPro = state.info.type === LiquidityPoolType.Pro;
      assertSeeds(
        'liquidity_pool_state',
        pool,
        await (isPro
          ? findPro({ mint, creator: state.info.creator }, program)
          : findPoolAddress({ mint }, program)),
      );
      if (given.tokenAMint && at('tokenAMint') !== mint) throw anchor(2012, 'token_a_mint');
      if (given.tokenAVault && at('tokenAVault') !== state.tokenAVault) throw anchor(2012, 'token_a_vault');
      if (given.tokenBVault && at('tokenBVault') !== state.tokenBVault) throw anchor(2012, 'token_b_vault');
    }
    if (given.protocolConfig) {
      const config = this.#owned(at('protocolConfig'), 'protocol_config');
      const { version } = decodeProtocolConfig(config.data);
      assertSeeds(
        'protocol_config',
        at('protocolConfig'),
        await findProtocolConfigAddress({ version }, program),
      );
    }
    for (const [position, user] of [
      ['userLpPosition', 'user'],
      ['senderLpPosition', 'sender'],
      ['receiverLpPosition', 'receiver'],
    ] as const) {
      if (given[position] === undefined) continue;
      assertSeeds(snakeCase(position), at(position), await findPosition({ pool, user: at(user) }, program));
    }
  }

  #assertPrice({ name, accounts }: HeavenInstruction): void {
    const { chainlinkProgram, chainlinkFeed } = accounts as Readonly<Record<string, { address: Address }>>;
    const isDeclared = /buy|sell|claim|create_(standard|pro)/.test(name);
    if (!isDeclared || !(this.#behaviour.readsPrice?.(name) ?? true)) return;
    if (chainlinkProgram?.address !== CHAINLINK_STORE_PROGRAM_ADDRESS) throw anchor(6037);
    if (chainlinkFeed?.address !== SOL_USD_FEED_ADDRESS) throw anchor(6036);
  }

  #owned(address: Address, name: string): Account {
    const account = this.#get(address);
    if (account === undefined) throw anchor(3012, name);
    if (account.owner !== this.#cluster.programAddress) throw anchor(3007, name);
    return account;
  }

  #pool(address: Address): LiquidityPoolState {
    const { data } = this.#owned(address, 'liquidity_pool_state');
    try {
      return decodeLiquidityPoolState(data, address);
    } catch {
      throw anchor(3002, 'liquidity_pool_state');
    }
  }

  /** A user's token account, as Anchor's constraints want it. */
  #userToken(name: string, address: Address, mint: Address, owner: Address): Token {
    if (this.#get(address) === undefined) throw anchor(3012, name);
    const token = this.#tokenOf(address);
    if (token.mint !== mint) throw anchor(2014, name);
    if (token.owner !== owner) throw anchor(2015, name);
    return token;
  }

  #swap(
    { name, accounts, data }: Of<'buy' | 'sell' | 'pro_buy' | 'pro_sell'>,
    side: 'buy' | 'sell',
    amountIn: bigint,
  ): void {
    if (this.#trades.length > 0) throw anchor(6053);
    const address = accounts.liquidityPoolState.address;
    const pool = this.#pool(address);
    const kind = name.startsWith('pro_') ? LiquidityPoolType.Pro : LiquidityPoolType.Standard;
    if (pool.info.type !== kind) throw anchor(2003, 'liquidity_pool_state');
    if (pool.allowlist.swap === 0) throw anchor(6018);
    const clock = this.#clock();
    if (clock.unixTimestamp < pool.info.openAt) throw anchor(6019);
    const user = accounts.user.address;
    const made: SlotTrade = { pool: address, user, side };
    // The code is a choice: of the published ones, only OnlySingleSwapAllowed is about how often a wallet may swap.
    if (isForbiddenRoundTrip(pool, made, this.#cluster.trades)) throw anchor(6053);
    this.#trades.push(made);
    const mint = accounts.tokenAMint.address;
    const [tokenA, tokenB] = [accounts.userTokenAVault.address, accounts.userTokenBVault.address];
    this.#userToken('user_token_a_vault', tokenA, mint, user);
    this.#userToken('user_token_b_vault', tokenB, WRAPPED_SOL_MINT_ADDRESS, user);

    const { snapshot, state } = this.#swapState(address, accounts.protocolConfig.address, mint);
    const compute =
      side === 'buy'
        ? (this.#behaviour.computeBuy ?? computeBuy)
        : (this.#behaviour.computeSell ?? computeSell);
    const trade = arithmetic(() => compute(state, amountIn));
    if (trade.amountOut < data.params.minimumAmountOut) throw anchor(6013);

    const vaults = [accounts.tokenAVault.address, accounts.tokenBVault.address] as const;
    const authority = accounts.protocolConfig.address;
    if (side === 'buy') {
      this.#cpi(tokenB, vaults[1], user, amountIn);
      this.#cpi(vaults[0], tokenA, authority, trade.amountOut + trade.transferFee);
    } else {
      this.#cpi(tokenA, vaults[0], user, amountIn);
      this.#cpi(vaults[1], tokenB, authority, trade.amountOut);
    }
    this.#settleTrade(address, pool, { snapshot, trade, side });
    this.#emitText(address, name, data.params.encodedUserDefinedEventData);
    this.#emitTrade(this.#pool(address), pool, { snapshot, trade, side });
  }

  /** What a trade's price depends on, as it stands. */
  #swapState(address: Address, protocolConfig: Address, mint: Address) {
    const snapshot = decodePoolSnapshot({
      pool: this.#owned(address, 'liquidity_pool_state').data,
      protocolConfig: this.#owned(protocolConfig, 'protocol_config').data,
      mint: (this.#get(mint) as Account).data,
      priceFeed: this.#get(SOL_USD_FEED_ADDRESS)?.data ?? new Uint8Array(),
      clock: (this.#get(CLOCK_SYSVAR_ADDRESS) as Account).data,
    });
    const { slot } = this.#clock();
    return { snapshot, state: (this.#behaviour.swapStateOf ?? swapStateOf)(snapshot, { slot }) };
  }

  /** Writes a pool as a trade leaves it. */
  #settleTrade(address: Address, pool: LiquidityPoolState, { snapshot, trade, side }: Traded): void {
    const clock = this.#clock();
    const { reserve } = pool;
    const window = BigInt(reserve.leaderSlotWindow || 1);
    const isNewWindow =
      pool.featureFlags.sandwichResistantMode !== 0 && clock.slot / window !== reserve.snapshotSlot / window;
    const lpSupply = pool.lpToken.supply.total;
    const unit = this.#behaviour.feePerLpTokenUnit ?? 1_000_000_000n;
    const { fees } = trade;
    const gross = side === 'buy' ? trade.amountIn : reserve.tokenB - trade.reserveBAfter;
    this.#writePool(address, {
      ...pool,
      reserve: {
        ...reserve,
        tokenA: trade.reserveAAfter,
        tokenB: trade.reserveBAfter,
        ...(isNewWindow
          ? { snapshotSlot: clock.slot, snapshotA: reserve.tokenA, snapshotB: reserve.tokenB }
          : {}),
        accumulatedFeePerLpToken:
          reserve.accumulatedFeePerLpToken +
          (lpSupply > 0n ? (fees.liquidityProvider * unit) / lpSupply : 0n),
      },
      protocolTradingFees: pool.protocolTradingFees + fees.protocol,
      creatorTradingFees: pool.creatorTradingFees + fees.creator,
      liquidityProviderTradingFees: pool.liquidityProviderTradingFees + fees.liquidityProvider,
      creatorTradingFeeProtocolFees: pool.creatorTradingFeeProtocolFees + fees.creatorProtocol,
      reflectionTradingFees: pool.reflectionTradingFees + fees.reflection,
      tradingVolumeUsd: pool.tradingVolumeUsd + (Number(gross) / 1e9) * priceOf(snapshot),
    });
  }

  #emitText(address: Address, name: HeavenInstruction['name'], text: string): void {
    if (text === '') return;
    this.#emit<UserDefinedEvent>(userDefinedEventDeclaration, {
      liquidityPoolId: address,
      instructionName: name,
      base64Data: text,
    });
  }

  #emitTrade(after: LiquidityPoolState, before: LiquidityPoolState, { snapshot, trade, side }: Traded): void {
    const { reserve } = before;
    this.#emit<TradeEvent>(
      {
        ...tradeEventDeclaration,
        fields: { ...tradeEventDeclaration.fields, ...tradeEventDeclaration.laterFields },
      },
      {
        baseReserve: trade.reserveAAfter,
        quoteReserve: trade.reserveBAfter,
        totalCreatorTradingFees: after.creatorTradingFees,
        totalFeePaid: trade.totalFee,
        priceSolUsd: priceOf(snapshot),
        baseIn: side === 'buy' ? 0n : trade.amountIn,
        baseOut: side === 'buy' ? reserve.tokenA - trade.reserveAAfter : 0n,
        quoteIn: side === 'buy' ? trade.amountIn : 0n,
        quoteOut: side === 'buy' ? 0n : reserve.tokenB - trade.reserveBAfter,
      },
    );
  }

  #deposit({ accounts, data }: Of<'add_liquidity_pro_pool'>): void {
    const { pool, address, position, lp } = this.#liquidity(accounts);
    if (pool.allowlist.depositLiquidity === 0) throw anchor(6016);
    const { maxTokenA, maxTokenB, minLpTokens } = data.params;
    const deposit = arithmetic(() =>
      (this.#behaviour.computeDeposit ?? computeDeposit)(lp, { maxTokenA, maxTokenB }),
    );
    if (deposit.lpTokens < minLpTokens) throw anchor(6013);
    const user = accounts.user.address;
    this.#cpi(accounts.userTokenAVault.address, accounts.tokenAVault.address, user, deposit.tokenA);
    this.#cpi(accounts.userTokenBVault.address, accounts.tokenBVault.address, user, deposit.tokenB);
    this.#writeLiquidity(accounts, address, pool, position, deposit.tokenA, deposit.tokenB, deposit.lpTokens);
  }

  #withdraw({ accounts, data }: Of<'remove_liquidity_pro_pool'>): void {
    const { pool, address, position, lp } = this.#liquidity(accounts);
    if (pool.allowlist.removeLiquidity === 0) throw anchor(6017);
    const { lpTokensToBurn, minTokenA, minTokenB } = data.params;
    if (position.lpTokenBalance < lpTokensToBurn) throw anchor(6015);
    const { tokenA, tokenB } = arithmetic(() => computeWithdrawal(lp, lpTokensToBurn));
    if (tokenA < minTokenA) throw anchor(6025);
    if (tokenB < minTokenB) throw anchor(6024);
    const authority = accounts.protocolConfig.address;
    this.#cpi(accounts.tokenAVault.address, accounts.userTokenAVault.address, authority, tokenA);
    this.#cpi(accounts.tokenBVault.address, accounts.userTokenBVault.address, authority, tokenB);
    this.#writeLiquidity(accounts, address, pool, position, -tokenA, -tokenB, -lpTokensToBurn);
  }

  #liquidity(accounts: Of<'add_liquidity_pro_pool'>['accounts']) {
    const address = accounts.liquidityPoolState.address;
    const pool = this.#pool(address);
    const user = accounts.user.address;
    const mint = accounts.tokenAMint.address;
    this.#userToken('user_token_a_vault', accounts.userTokenAVault.address, mint, user);
    this.#userToken('user_token_b_vault', accounts.userTokenBVault.address, WRAPPED_SOL_MINT_ADDRESS, user);
    const position = this.#position(accounts.userLpPosition.address, address, user);
    const { tokenA: reserveA, tokenB: reserveB } = pool.reserve;
    return { pool, address, position, lp: { reserveA, reserveB, lpSupply: pool.lpToken.supply.total } };
  }

  #writeLiquidity(
    accounts: Of<'add_liquidity_pro_pool'>['accounts'],
    address: Address,
    pool: LiquidityPoolState,
    position: UserLpPosition,
    tokenA: bigint,
    tokenB: bigint,
    lpTokens: bigint,
  ): void {
    const { reserve, lpToken } = pool;
    const { supply } = lpToken;
    this.#writePool(address, {
      ...pool,
      reserve: { ...reserve, tokenA: reserve.tokenA + tokenA, tokenB: reserve.tokenB + tokenB },
      lpToken: {
        ...lpToken,
        supply: { ...supply, total: supply.total + lpTokens, unlocked: supply.unlocked + lpTokens },
      },
    });
    this.#writePosition(accounts.userLpPosition.address, accounts.payer.address, position, pool, lpTokens);
  }

  #position(at: Address, pool: Address, user: Address): UserLpPosition {
    return this.#get(at) === undefined
      ? { pool, user, lpTokenBalance: 0n, rewardDebt: 0n, pendingFees: 0n, bump: 255 }
      : decodeUserLpPosition(this.#owned(at, 'user_lp_position').data);
  }

  /** Writes a position with so many LP tokens more or less, its fees settled up to now. */
  #writePosition(
    at: Address,
    payer: Address,
    position: UserLpPosition,
    { reserve }: LiquidityPoolState,
    lpTokens: bigint,
    pendingFees: bigint = computePendingFees(position, reserve.accumulatedFeePerLpToken),
  ): void {
    const lpTokenBalance = position.lpTokenBalance + lpTokens;
    const unit = this.#behaviour.feePerLpTokenUnit ?? 1_000_000_000n;
    const data = encodeUserLpPosition({
      ...position,
      lpTokenBalance,
      pendingFees,
      rewardDebt: (lpTokenBalance * reserve.accumulatedFeePerLpToken) / unit,
    });
    const account = this.#get(at);
    if (account === undefined) this.#allocate(payer, at, this.#cluster.programAddress, data);
    else account.data = data;
  }

  #transferLp({ accounts, data: { amount } }: Of<'transfer_lp_tokens'>): void {
    const address = accounts.liquidityPoolState.address;
    const pool = this.#poolOf(address, LiquidityPoolType.Pro);
    if (amount === 0n) throw anchor(6032);
    this.#owned(accounts.senderLpPosition.address, 'sender_lp_position');
    const payer = accounts.payer.address;
    const sender = this.#position(accounts.senderLpPosition.address, address, accounts.sender.address);
    if (sender.lpTokenBalance < amount) throw anchor(6012);
    this.#writePosition(accounts.senderLpPosition.address, payer, sender, pool, -amount);
    const receiver = this.#position(accounts.receiverLpPosition.address, address, accounts.receiver.address);
    this.#writePosition(accounts.receiverLpPosition.address, payer, receiver, pool, amount);
  }

  // ---------------------------------------------------------------- pools that are created

  #openConfig(
    { accounts, data }: Of<'create_standard_liquidity_pool' | 'create_pro_liquidity_pool'>,
    type: number,
  ) {
    const account = this.#owned(accounts.protocolConfig.address, 'protocol_config');
    const config = decodeProtocolConfig(account.data);
    if (config.version !== data.protocolConfigVersion) throw anchor(6038);
    if (config.allowCreatePool === 0) throw anchor(6006);
    if (config.supportedPoolType !== type) throw anchor(6048);
    if (config.createPoolFee > 0n) throw notEmulated('a fee for creating pools');
    account.data = encodeProtocolConfig({ ...config, poolCount: config.poolCount + 1n });
    return config;
  }

  /** Writes a new pool, opens its vault, and moves the creator's tokens and the payer's SOL into the vaults. */
  #seed(
    { accounts }: Of<'create_standard_liquidity_pool' | 'create_pro_liquidity_pool'>,
    state: LiquidityPoolState,
    tokenB: bigint,
  ): void {
    const { payer, protocolConfig, user } = accounts;
    const vault = accounts.tokenAVault.address;
    const mint = accounts.tokenAMint.address;
    if (vault !== state.tokenAVault) throw anchor(2012, 'token_a_vault');
    if (accounts.tokenBVault.address !== state.tokenBVault) throw anchor(2012, 'token_b_vault');
    const size = liquidityPoolStateDeclaration.size;
    this.#allocate(payer.address, state.key, this.#cluster.programAddress, new Uint8Array(size));
    this.#writePool(state.key, state);
    this.#openTokenAccount(vault, protocolConfig.address, mint, accounts.tokenAProgram.address, payer);
    this.#cpi(accounts.userTokenAVault.address, vault, user.address, state.reserve.initialA);
    this.#payIn(payer.address, state.tokenBVault, tokenB);
  }

  /** SOL into a vault of wrapped SOL. */
  #payIn(payer: Address, vault: Address, amount: bigint): void {
    if (amount === 0n) return;
    const token = this.#tokenOf(vault);
    this.#moveLamports(payer, vault, amount);
    this.#writeToken(vault, { ...token, amount: token.amount + amount });
  }

  async #createStandardPool(instruction: Of<'create_standard_liquidity_pool'>): Promise<void> {
    const { name, accounts, data } = instruction;
    const { initialPurchaseAmount, maxSolSpend, encodedUserDefinedEventData } = data.params;
    const config = this.#openConfig(instruction, LiquidityPoolType.Standard);
    const user = accounts.user.address;
    const mint = accounts.tokenAMint.address;
    const token = this.#mintOf(mint, accounts.tokenAProgram.address);
    if (token.freezeAuthority.__option === 'Some') throw anchor(6042);
    if (token.mintAuthority.__option === 'Some') throw anchor(6043);
    if (token.supply !== config.initialTokenAAmount) throw anchor(6045);
    this.#userToken('user_token_a_vault', accounts.userTokenAVault.address, mint, user);
    const address = accounts.liquidityPoolState.address;
    const state = await newStandardPool({
      ...this.#newPool(instruction, config),
      decimals: token.decimals,
    });
    this.#seed(instruction, state, 0n);
    this.#emitText(address, name, encodedUserDefinedEventData);
    this.#emit<CreateStandardLiquidityPoolEvent>(createStandardLiquidityPoolEventDeclaration, {
      poolId: address,
      payer: accounts.payer.address,
      creator: user,
      mint,
      configVersion: config.version,
      initialTokenReserve: state.reserve.initialA,
      initialVirtualWsolReserve: state.reserve.initialB,
    });
    if (initialPurchaseAmount === 0n) return;
    const { snapshot, state: prices } = this.#swapState(address, accounts.protocolConfig.address, mint);
    const least = arithmetic(() => computeBuyExactOut(prices, initialPurchaseAmount));
    // The least that buys the tokens may buy some units more: the purchase is of exactly so many as are named.
    const trade: SwapResult = {
      ...least,
      amountOut: initialPurchaseAmount,
      reserveAAfter: state.reserve.tokenA - initialPurchaseAmount,
    };
    if (trade.amountIn > maxSolSpend) throw anchor(6013);
    this.#payIn(accounts.payer.address, accounts.tokenBVault.address, trade.amountIn);
    const authority = accounts.protocolConfig.address;
    this.#cpi(accounts.tokenAVault.address, accounts.userTokenAVault.address, authority, trade.amountOut);
    const traded = { snapshot, trade, side: 'buy' } as const;
    this.#settleTrade(address, state, traded);
    this.#emitTrade(this.#pool(address), state, traded);
  }

  async #createProPool(instruction: Of<'create_pro_liquidity_pool'>): Promise<void> {
    const { name, accounts, data } = instruction;
    const { params } = data;
    const config = this.#openConfig(instruction, LiquidityPoolType.Pro);
    const { initialTokenAAmount: tokenA, initialTokenBAmount: tokenB } = params;
    if (tokenA === 0n || tokenB === 0n) throw anchor(6032);
    const { maxCreatorTradingFee: most } = config;
    const areValid =
      areFeesValid(params.creatorTradingFee, most) &&
      areFeesValid(params.reflectionTradingFee) &&
      areFeesValid(params.liquidityProviderTradingFee) &&
      areSlotFeesValid(params.creatorSlotTradingFee, most);
    if (!areValid) throw anchor(6035);
    const user = accounts.user.address;
    const mint = accounts.tokenAMint.address;
    const token = this.#mintOf(mint, accounts.tokenAProgram.address);
    this.#userToken('user_token_a_vault', accounts.userTokenAVault.address, mint, user);
    const withheld = this.#withheld(mint, tokenA);
    const received = tokenA - withheld;
    const lpTokens = arithmetic(() => computeInitialLpTokens(received, tokenB));
    const address = accounts.liquidityPoolState.address;
    const { marketCapBasedFees, slotOffsetBasedFees } = config;
    const pool = await newProPool({
      ...this.#newPool(instruction, config),
      decimals: token.decimals,
      tokenA: received,
      tokenB,
      lpTokens,
      fees: {
        creatorTradingFee: storedBrackets(params.creatorTradingFee),
        reflectionTradingFee:
          params.reflectionTradingFee === null
            ? marketCapBasedFees.reflectionTradingFee
            : storedBrackets(params.reflectionTradingFee),
        liquidityProviderTradingFee:
          params.liquidityProviderTradingFee === null
            ? marketCapBasedFees.liquidityProviderTradingFee
            : storedBrackets(params.liquidityProviderTradingFee),
      },
      slotFees:
        params.creatorSlotTradingFee === null
          ? slotOffsetBasedFees.creatorTradingFee
          : storedSlotBrackets(params.creatorSlotTradingFee),
      features: params,
    });
    // What leaves the creator's account; of a token with a transfer fee, less arrives.
    this.#seed(instruction, { ...pool, reserve: { ...pool.reserve, initialA: tokenA } }, tokenB);
    this.#writePool(address, pool);
    const at = accounts.userLpPosition.address;
    this.#writePosition(at, accounts.payer.address, this.#position(at, address, user), pool, lpTokens);
    this.#emitText(address, name, params.encodedUserDefinedEventData);
    this.#emit<CreateLiquidityPoolEvent>(createLiquidityPoolEventDeclaration, {
      liquidityPoolId: address,
      user,
      baseTokenInputTransferFeeAmount: withheld,
      quoteTokenInputTransferFeeAmount: 0n,
      baseTokenInputAmount: tokenA,
      quoteTokenInputAmount: tokenB,
      lpTokenOutputAmount: lpTokens,
      lockedLp: false,
    });
  }

  /** What the pools of both kinds are made of. */
  #newPool(
    { accounts }: Of<'create_standard_liquidity_pool' | 'create_pro_liquidity_pool'>,
    config: ProtocolConfig,
  ) {
    return {
      address: accounts.liquidityPoolState.address,
      mint: accounts.tokenAMint.address,
      tokenProgram: accounts.tokenAProgram.address,
      creator: accounts.user.address,
      programAddress: this.#cluster.programAddress,
      clock: this.#clock(),
      config,
    };
  }

  // ---------------------------------------------------------------- what creators do

  #poolOf(address: Address, type: number): LiquidityPoolState {
    const pool = this.#pool(address);
    if (pool.info.type !== type) throw anchor(2003, 'liquidity_pool_state');
    return pool;
  }

  /** A pro pool, changed by its creator. */
  #change(
    { accounts }: Of<'creator_toggle_pro_swap'>,
    change: (pool: LiquidityPoolState) => Partial<LiquidityPoolState>,
  ): void {
    const address = accounts.liquidityPoolState.address;
    const pool = this.#poolOf(address, LiquidityPoolType.Pro);
    if (accounts.creator.address !== pool.info.creator) throw anchor(6004);
    this.#writePool(address, { ...pool, ...change(pool) });
  }

  #setAllowed(
    instruction: Of<'creator_toggle_pro_swap' | 'creator_toggle_pro_deposit' | 'creator_toggle_pro_withdraw'>,
    what: 'swap' | 'depositLiquidity' | 'removeLiquidity',
  ): void {
    this.#change(instruction as Of<'creator_toggle_pro_swap'>, ({ allowlist }) => ({
      allowlist: { ...allowlist, [what]: instruction.data.enabled ? 1 : 0 },
    }));
  }

  #setFees(
    instruction: Of<
      | 'creator_set_pro_market_cap_creator_fee'
      | 'creator_set_pro_market_cap_lp_fee'
      | 'creator_set_pro_market_cap_reflection_fee'
    >,
    which: 'creatorTradingFee' | 'liquidityProviderTradingFee' | 'reflectionTradingFee',
  ): void {
    const { accounts, data } = instruction;
    this.#change({ accounts } as Of<'creator_toggle_pro_swap'>, ({ marketCapBasedFees, allowlist }) => {
      if (which === 'creatorTradingFee' && allowlist.updateCreatorTradingFee === 0) throw anchor(6039);
      if (!areFeesValid(data.fees)) throw anchor(6035);
      return { marketCapBasedFees: { ...marketCapBasedFees, [which]: data.fees } };
    });
  }

  #setSlotFees({ accounts, data }: Of<'creator_set_pro_slot_creator_fee'>): void {
    this.#change({ accounts } as Of<'creator_toggle_pro_swap'>, ({ slotOffsetBasedFees, allowlist }) => {
      if (allowlist.updateCreatorTradingFee === 0) throw anchor(6039);
      if (!areSlotFeesValid(data.fees)) throw anchor(6035);
      return { slotOffsetBasedFees: { ...slotOffsetBasedFees, creatorTradingFee: data.fees } };
    });
  }

  #claimCreatorFees(
    { accounts, data }: Of<'claim_standard_creator_trading_fees' | 'claim_pro_creator_trading_fees'>,
    type: number,
  ): void {
    const address = accounts.liquidityPoolState.address;
    const pool = this.#poolOf(address, type);
    const user = accounts.user.address;
    if (user !== pool.creatorTradingFeeReceiver) throw anchor(6004);
    if (claimObstacle(pool) !== undefined) throw anchor(6040);
    const amount = data.amount === 0n ? pool.creatorTradingFees : data.amount;
    if (amount === 0n) throw anchor(6032);
    if (amount > pool.creatorTradingFees) throw anchor(6012);
    this.#payOut(accounts, amount);
    const isCreator = user === pool.info.creator;
    this.#writePool(address, {
      ...pool,
      creatorTradingFees: pool.creatorTradingFees - amount,
      creatorTradingFeesClaimedByCreator: pool.creatorTradingFeesClaimedByCreator + (isCreator ? amount : 0n),
      creatorTradingFeesClaimedByOthers: pool.creatorTradingFeesClaimedByOthers + (isCreator ? 0n : amount),
    });
  }

  #claimLpFees({ accounts }: Of<'claim_pro_liquidity_provider_trading_fees'>): void {
    const address = accounts.liquidityPoolState.address;
    const pool = this.#poolOf(address, LiquidityPoolType.Pro);
    const user = accounts.user.address;
    const at = accounts.userLpPosition.address;
    this.#owned(at, 'user_lp_position');
    const position = this.#position(at, address, user);
    const amount = computePendingFees(position, pool.reserve.accumulatedFeePerLpToken);
    if (amount === 0n) throw anchor(6032);
    this.#payOut(accounts, amount);
    this.#writePosition(at, user, position, pool, 0n, 0n);
    const left = pool.liquidityProviderTradingFees - amount;
    this.#writePool(address, { ...pool, liquidityProviderTradingFees: left > 0n ? left : 0n });
  }

  /** Claimed SOL, wrapped, from the vault to the user. */
  #payOut(
    accounts: Pick<
      Of<'claim_pro_creator_trading_fees'>['accounts'],
      'user' | 'userTokenBVault' | 'tokenBVault' | 'protocolConfig'
    >,
    amount: bigint,
  ): void {
    const to = accounts.userTokenBVault.address;
    this.#userToken('user_token_b_vault', to, WRAPPED_SOL_MINT_ADDRESS, accounts.user.address);
    this.#cpi(accounts.tokenBVault.address, to, accounts.protocolConfig.address, amount);
  }

  #updateReceiver(
    { accounts }: Of<'update_creator_trading_fee_receiver' | 'update_pro_creator_trading_fee_receiver'>,
    type: number,
  ): void {
    const address = accounts.liquidityPoolState.address;
    const pool = this.#poolOf(address, type);
    if (accounts.user.address !== pool.info.creator) throw anchor(6004);
    const isAllowed =
      pool.creatorTradingFeeClaimStatus === CreatorTradingFeeClaimStatus.Processed &&
      pool.creatorTradingFeeDistribution === CreatorTradingFeeDistribution.Creator;
    if (!isAllowed) throw anchor(6040);
    this.#writePool(address, { ...pool, creatorTradingFeeReceiver: accounts.newReceiver.address });
  }

  /** A transfer that the exchange makes itself. */
  #cpi(from: Address, to: Address, authority: Address, amount: bigint): void {
    const program = this.#get(from)?.owner;
    try {
      this.#moveTokens(from, to, authority, amount);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const code = (error.reason as { readonly Custom?: number }).Custom;
      throw new Failure(error.reason, [
        `Program ${program} invoke [2]`,
        ...error.logs,
        `Program ${program} failed: ${code === undefined ? String(error.reason) : `custom program error: 0x${code.toString(16)}`}`,
      ]);
    }
  }

  #writePool(address: Address, state: LiquidityPoolState): void {
    (this.#get(address) as Account).data = encodeLiquidityPoolState(state);
  }

  #emit<TEvent>(
    declaration: { readonly discriminator: string } & Parameters<typeof encoderFor>[0],
    event: Required<TEvent>,
  ): void {
    const bytes = mergeBytes([
      hexBytes(declaration.discriminator),
      encoderFor(declaration).encode(event) as Uint8Array,
    ]);
    this.#log(`Program data: ${getBase64Decoder().decode(bytes)}`);
  }
}

/** Turns the arithmetic's refusals into the program's numbers. */
function arithmetic<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (isHeavenError(error, 'zero-amount') || isHeavenError(error, 'output-is-zero')) throw anchor(6032);
    if (isHeavenError(error, 'fees-exceed-amount')) throw anchor(6023);
    if (isHeavenError(error, 'insufficient-liquidity')) throw anchor(6012);
    throw error;
  }
}

function follow(outcome: ScriptedOutcome): void {
  if (outcome === 'success') return;
  throw 'custom' in outcome ? anchor(outcome.custom) : new Failure(outcome.runtime);
}

const notEmulated = (what: string) =>
  new Failure('UnsupportedProgramId', [
    `Program log: Not emulated: the embedded ledger does not run ${what}.`,
  ]);

function assertAuthority(authority: Mint['mintAuthority'], given: Address): void {
  if (authority.__option === 'None')
    throw custom(5, 'Program log: Error: the total supply of this token is fixed');
  if (authority.value !== given) throw custom(4, 'Program log: Error: owner does not match');
}

function assertSigner(role: number): void {
  if (!isSignerRole(role)) throw new Failure('MissingRequiredSignature');
}

function parse<T>(parser: () => T): T {
  try {
    return parser();
  } catch {
    throw new Failure('InvalidInstructionData');
  }
}

function unitsOf(program: Address, { data }: Instruction, exchange: Address): number {
  if (program === COMPUTE_BUDGET_PROGRAM_ADDRESS) return UNITS.budget;
  if (program === SYSTEM_PROGRAM_ADDRESS) return UNITS.system;
  if (program === ASSOCIATED_TOKEN_PROGRAM_ADDRESS) return UNITS.tokenAccount;
  if (program === TOKEN_METADATA_PROGRAM_ADDRESS) return UNITS.metadata;
  if (program !== exchange || data === undefined) return UNITS.token;
  return SETTINGS.some((discriminator) => startsWith(data, discriminator)) ? UNITS.setting : UNITS.exchange;
}

/** How the instructions begin that move neither tokens nor SOL. */
const SETTINGS = getInstructionDeclarations()
  .filter(({ name }) => /^(creator_|transfer_lp)/.test(name))
  .map(({ discriminator }) => hexBytes(discriminator));

/** What a transaction costs its payer, in lamports. */
export function feeOf(signatures: number, instructions: readonly Instruction[]): bigint {
  const { limit, price } = budgetOf(instructions);
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures) + (BigInt(limit) * price + 999_999n) / 1_000_000n;
}

/** The compute units that a transaction may use, and what it pays for each in micro-lamports. */
function budgetOf(instructions: readonly Instruction[]): { readonly limit: number; readonly price: bigint } {
  let limit: number | undefined;
  let price = 0n;
  let others = 0;
  for (const { programAddress, data = new Uint8Array() } of instructions) {
    if (programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS) others += 1;
    else if (data[0] === 2) limit = view(Uint8Array.from(data)).getUint32(1, true);
    else if (data[0] === 3) price = view(Uint8Array.from(data)).getBigUint64(1, true);
  }
  return { limit: Math.min(limit ?? others * DEFAULT_UNITS, MOST_UNITS), price };
}

/** The block hash of a transaction, and how many accounts it names. */
export function messageOf(tx: Base64EncodedWireTransaction): {
  readonly blockhash: string;
  readonly accountCount: number;
} {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(tx));
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const tables = 'addressTableLookups' in compiled ? (compiled.addressTableLookups ?? []) : [];
  const looked = tables.reduce(
    (count, { writableIndexes, readonlyIndexes }) => count + writableIndexes.length + readonlyIndexes.length,
    0,
  );
  return {
    blockhash: compiled.lifetimeToken as string,
    accountCount: compiled.staticAccounts.length + looked,
  };
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascalCase = (name: string) =>
  name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The slot of one of the embedded ledger's block hashes. */
export function slotOfBlockhash(blockhash: string): bigint | undefined {
  const bytes = getAddressEncoder().encode(blockhash as Address) as Uint8Array;
  return bytes.slice(8).every((byte) => byte === 7) ? view(bytes).getBigUint64(0) : undefined;
}

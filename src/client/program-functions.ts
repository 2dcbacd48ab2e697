import {
  type Address,
  type ClientWithPayer,
  type ClientWithRpc,
  type ClientWithTransactionPlanning,
  type ClientWithTransactionSending,
  type Codec,
  createCodec,
  type GetAccountInfoApi,
  type GetMultipleAccountsApi,
  type ReadonlyUint8Array,
} from '@solana/kit';
import {
  addSelfFetchFunctions,
  addSelfPlanAndSendFunctions,
  type SelfFetchFunctions,
  type SelfPlanAndSendFunctions,
} from '@solana/kit/program-client-core';
import { toCamelCase } from '../base/case.js';

import {
  liquidityPoolStateDeclaration,
  protocolConfigDeclaration,
  userLpPositionDeclaration,
} from '../program/account-layouts.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  decodeUserLpPosition,
  encodeLiquidityPoolState,
  encodeProtocolConfig,
  encodeUserLpPosition,
  type LiquidityPoolState,
  type ProtocolConfig,
  type UserLpPosition,
} from '../program/accounts.js';
import {
  findLpPositionAddress,
  findPoolAddress,
  findProPoolAddress,
  findProtocolConfigAddress,
} from '../program/addresses.js';
import type { AnyInstruction } from '../program/declare.js';
import type { Deployment } from '../program/deployment.js';
import { getInstructionDeclarations } from '../program/instructions/declarations.js';
import type * as program from '../program/instructions/index.js';
import {
  getAddLiquidityProPoolInstruction,
  getBuyInstruction,
  getClaimProCreatorTradingFeesInstruction,
  getClaimProLiquidityProviderTradingFeesInstruction,
  getClaimStandardCreatorTradingFeesInstruction,
  getCreateProLiquidityPoolInstruction,
  getCreateStandardLiquidityPoolInstruction,
  getCreatorSetProMarketCapCreatorFeeInstruction,
  getCreatorSetProMarketCapLpFeeInstruction,
  getCreatorSetProMarketCapReflectionFeeInstruction,
  getCreatorSetProSlotCreatorFeeInstruction,
  getCreatorToggleProDepositInstruction,
  getCreatorToggleProSwapInstruction,
  getCreatorToggleProWithdrawInstruction,
  getProBuyInstruction,
  getProSellInstruction,
  getRemoveLiquidityProPoolInstruction,
  getSellInstruction,
  getTransferLpTokensInstruction,
  getUpdateCreatorTradingFeeReceiverInstruction,
  getUpdateProCreatorTradingFeeReceiverInstruction,
  type HeavenInstruction,
  parseHeavenInstruction,
} from '../program/instructions/index.js';
import type { BuiltInstruction } from '../solana/define-instruction.js';
import { wrongOwner } from '../solana/rpc/accounts.js';

// The program itself, in the shape that Codama gives the plugin of a program: instructions, accounts, pdas.

/** The instructions by name. Together with {@link payingBuilders}: one that the program layer exports and that is missing doesn't compile. */
const builders = {
  buy: getBuyInstruction,
  sell: getSellInstruction,
  proBuy: getProBuyInstruction,
  proSell: getProSellInstruction,
  creatorSetProMarketCapCreatorFee: getCreatorSetProMarketCapCreatorFeeInstruction,
  creatorSetProMarketCapLpFee: getCreatorSetProMarketCapLpFeeInstruction,
  creatorSetProMarketCapReflectionFee: getCreatorSetProMarketCapReflectionFeeInstruction,
  creatorSetProSlotCreatorFee: getCreatorSetProSlotCreatorFeeInstruction,
  creatorToggleProDeposit: getCreatorToggleProDepositInstruction,
  creatorToggleProSwap: getCreatorToggleProSwapInstruction,
  creatorToggleProWithdraw: getCreatorToggleProWithdrawInstruction,
  claimProCreatorTradingFees: getClaimProCreatorTradingFeesInstruction,
  claimStandardCreatorTradingFees: getClaimStandardCreatorTradingFeesInstruction,
  claimProLiquidityProviderTradingFees: getClaimProLiquidityProviderTradingFeesInstruction,
  updateCreatorTradingFeeReceiver: getUpdateCreatorTradingFeeReceiverInstruction,
  updateProCreatorTradingFeeReceiver: getUpdateProCreatorTradingFeeReceiverInstruction,
} as const;

/** The instructions that a `payer` pays for: by default, the kit client's. */
const payingBuilders = {
  addLiquidityProPool: getAddLiquidityProPoolInstruction,
  removeLiquidityProPool: getRemoveLiquidityProPoolInstruction,
  transferLpTokens: getTransferLpTokensInstruction,
  createStandardLiquidityPool: getCreateStandardLiquidityPoolInstruction,
  createProLiquidityPool: getCreateProLiquidityPoolInstruction,
} as const satisfies Omit<Named<typeof program>, keyof typeof builders>;

type Builders = typeof builders & typeof payingBuilders;

/** The builders of a module by the names of their instructions. */
type Named<TModule> = {
  [TName in keyof TModule as TName extends `get${infer TInstruction}Instruction`
    ? Uncapitalize<TInstruction>
    : never]: TModule[TName];
};

/** An input with an optional `payer`. */
export type OptionalPayer<TInput extends { readonly payer: unknown }> = Omit<TInput, 'payer'> & {
  /** Default: the kit client's payer. */
  readonly payer?: TInput['payer'] | undefined;
};

type InputFor<TClient, TInput> = TClient extends ClientWithPayer
  ? TInput extends { readonly payer: unknown }
    ? OptionalPayer<TInput>
    : TInput
  : TInput;

type Sending = ClientWithTransactionPlanning & ClientWithTransactionSending;
type Reading = ClientWithRpc<GetAccountInfoApi & GetMultipleAccountsApi>;

/** An instruction. If the kit client can plan and send transactions, it plans and sends itself. */
type Sendable<TClient> = BuiltInstruction & (TClient extends Sending ? SelfPlanAndSendFunctions : unknown);

/** The decoder and encoder of an account, and functions that fetch it with the kit client. */
type FetchedCodec<TAccount extends object> = Codec<TAccount> & SelfFetchFunctions<TAccount, TAccount>;

/** What {@link heaven} adds of the program itself, as kit's program plugins do. */
export interface ProgramFunctions<TClient> {
  /** Builds single instructions, at the client's deployment. */
  readonly instructions: {
    readonly [TName in keyof Builders]: (
      input: InputFor<TClient, Parameters<Builders[TName]>[0]>,
    ) => Sendable<TClient>;
  };
  /** Decodes and fetches the program's accounts. Errors of the node are kit's. */
  readonly accounts: {
    readonly liquidityPoolState: FetchedCodec<LiquidityPoolState>;
    readonly protocolConfig: FetchedCodec<ProtocolConfig>;
    readonly userLpPosition: FetchedCodec<UserLpPosition>;
  };
  /** Derives addresses, at the client's deployment. */
  readonly pdas: {
    /** See {@link findPoolAddress}. */
    readonly pool: (seeds: Parameters<typeof findPoolAddress>[0]) => Promise<Address>;
    /** See {@link findProPoolAddress}. */
    readonly proPool: (seeds: Parameters<typeof findProPoolAddress>[0]) => Promise<Address>;
    /** See {@link findProtocolConfigAddress}. */
    readonly protocolConfig: (seeds: Parameters<typeof findProtocolConfigAddress>[0]) => Promise<Address>;
    /** See {@link findLpPositionAddress}. */
    readonly lpPosition: (seeds: Parameters<typeof findLpPositionAddress>[0]) => Promise<Address>;
  };
  /** Parses an instruction of the exchange. See {@link parseHeavenInstruction}. */
  readonly parseInstruction: (instruction: AnyInstruction) => HeavenInstruction;
}

/** An input with the kit client's payer, if it names none. The payer is read only then. */
export function withPayer<TInput>(input: TInput, kitClient: object): TInput {
  if (typeof input !== 'object' || input === null || !('payer' in kitClient)) return input;
  const { payer = kitClient.payer }: { readonly payer?: unknown } = input;
  return { ...input, payer };
}

/** Binds the program's instructions, accounts and addresses to a kit client and a deployment. */
export function programFunctions<TClient extends Reading>(
  kitClient: TClient,
  deployment: Deployment,
): ProgramFunctions<TClient> {
  const instructions = Object.fromEntries([
    ...Object.entries(builders).map(([name, build]) => [
      name,
      (input: never) => sendable(build(atDeployment(name, input, deployment), deployment), kitClient),
    ]),
    ...Object.entries(payingBuilders).map(([name, build]) => [
      name,
      (input: never) =>
        sendable(build(atDeployment(name, withPayer(input, kitClient), deployment), deployment), kitClient),
    ]),
  ]);
  return {
    instructions,
    accounts: {
      liquidityPoolState: fetchedWith(kitClient, deployment, {
        ...liquidityPoolStateDeclaration,
        decode: decodeLiquidityPoolState,
        encode: encodeLiquidityPoolState,
      }),
      protocolConfig: fetchedWith(kitClient, deployment, {
        ...protocolConfigDeclaration,
        decode: decodeProtocolConfig,
        encode: encodeProtocolConfig,
      }),
      userLpPosition: fetchedWith(kitClient, deployment, {
        ...userLpPositionDeclaration,
        decode: decodeUserLpPosition,
        encode: encodeUserLpPosition,
      }),
    },
    pdas: {
      pool: (seeds) => findPoolAddress(seeds, deployment),
      proPool: (seeds) => findProPoolAddress(seeds, deployment),
      protocolConfig: (seeds) => findProtocolConfigAddress(seeds, deployment),
      lpPosition: (seeds) => findLpPositionAddress(seeds, deployment),
    },
    parseInstruction: (instruction) => parseHeavenInstruction(instruction, deployment),
  };
}

/** The instructions that read the price feed. */
let priced: ReadonlySet<string> | undefined;

/** An input with the price feed of the deployment, if the instruction reads it. */
function atDeployment<TInput>(
  name: string,
  input: TInput,
  { chainlinkProgram, solUsdFeed }: Deployment,
): TInput {
  priced ??= new Set(
    getInstructionDeclarations().flatMap((declared) =>
      'remainingAccounts' in declared ? [toCamelCase(declared.name)] : [],
    ),
  );
  return priced.has(name) ? { chainlinkProgram, chainlinkFeed: solUsdFeed, ...input } : input;
}

const canSend = (kitClient: object): kitClient is Sending =>
  'planTransaction' in kitClient && 'sendTransaction' in kitClient;

const sendable = (instruction: BuiltInstruction, kitClient: object): BuiltInstruction =>
  canSend(kitClient) ? addSelfPlanAndSendFunctions(kitClient, instruction) : instruction;

interface AccountCodec<TAccount> {
  readonly name: string;
  readonly size: number;
  readonly decode: (data: Uint8Array) => TAccount;
  readonly encode: (account: TAccount) => Uint8Array;
}

/** kit's functions that fetch an account. They accept any owner, so it is checked here. */
function fetchedWith<TAccount extends object>(
  kitClient: Reading,
  { programAddress }: Deployment,
  { name, size, decode, encode }: AccountCodec<TAccount>,
): FetchedCodec<TAccount> {
  const codec: Codec<TAccount> = createCodec({
    fixedSize: size,
    read: (bytes: ReadonlyUint8Array, offset: number) => [decode(bytes.slice(offset)), offset + size],
    write: (account: TAccount, bytes: Uint8Array, offset: number) => {
      bytes.set(encode(account), offset);
      return offset + size;
    },
  });
  const ofProgram = <TFound extends { readonly address: Address; readonly programAddress?: Address }>(
    found: TFound,
  ): TFound => {
    const { address, programAddress: owner } = found;
    if (owner !== undefined && owner !== programAddress)
      throw wrongOwner(name, address, owner, [programAddress]);
    return found;
  };
  const fetched = addSelfFetchFunctions<Codec<TAccount>>(kitClient, codec);
  return {
    ...fetched,
    fetch: async (address, config) => ofProgram(await fetched.fetch(address, config)),
    fetchMaybe: async (address, config) => ofProgram(await fetched.fetchMaybe(address, config)),
    fetchAll: async (addresses, config) => (await fetched.fetchAll(addresses, config)).map(ofProgram),
    fetchAllMaybe: async (addresses, config) =>
      (await fetched.fetchAllMaybe(addresses, config)).map(ofProgram),
  };
}

import {
  type AccountNotificationsApi,
  type Commitment,
  createSolanaRpcFromTransport,
  type GetAccountInfoApi,
  type GetEpochInfoApi,
  type GetGenesisHashApi,
  type GetLatestBlockhashApi,
  type GetMultipleAccountsApi,
  type GetProgramAccountsApi,
  type GetRecentPrioritizationFeesApi,
  type GetSignatureStatusesApi,
  type GetSignaturesForAddressApi,
  type GetTokenAccountsByOwnerApi,
  type GetTransactionApi,
  type IsBlockhashValidApi,
  type LogsNotificationsApi,
  type Rpc,
  type RpcSubscriptions,
  type SendTransactionApi,
  type SimulateTransactionApi,
} from '@solana/kit';

import {
  assertFields,
  assertHas,
  assertMilliseconds,
  assertObject,
  inputError,
  invalidInput,
} from '../base/input.js';
import { assertCommitment } from '../solana/commitment.js';
import { throwingErrors } from '../solana/rpc/errors.js';
import { createHttpTransport, rpcUrlOf } from '../solana/rpc/http-transport.js';
import { type Deployment, type DeploymentConfig, deploymentOf } from './deployment.js';

export type { Deployment, DeploymentConfig };

type ReadingApi = GetAccountInfoApi &
  GetLatestBlockhashApi &
  GetMultipleAccountsApi &
  GetProgramAccountsApi &
  GetRecentPrioritizationFeesApi &
  GetTokenAccountsByOwnerApi &
  SimulateTransactionApi;

/** The RPC methods that reads and builders use. Any kit RPC works. */
export type HeavenRpc = Rpc<ReadingApi>;

/** A {@link HeavenRpc} that works with {@link submitTransaction} too. Any kit RPC works. */
export interface HeavenSubmitRpc
  extends Rpc<
    ReadingApi &
      GetEpochInfoApi &
      GetSignatureStatusesApi &
      GetTransactionApi &
      IsBlockhashValidApi &
      SendTransactionApi
  > {}

/** A {@link HeavenRpc} that works with {@link listTrades} too. Any kit RPC works. */
export interface HeavenHistoryRpc extends Rpc<ReadingApi & GetSignaturesForAddressApi & GetTransactionApi> {}

/** The RPC of a client made with `rpcUrl`. It works with every function of this library. `getGenesisHash` tells clusters apart. */
export interface HeavenNodeRpc extends HeavenSubmitRpc, HeavenHistoryRpc, Rpc<GetGenesisHashApi> {}

/** The subscriptions that {@link watchPool} and {@link watchTrades} use. Any kit subscription client works. */
export type HeavenRpcSubscriptions = RpcSubscriptions<AccountNotificationsApi & LogsNotificationsApi>;

/** The first argument of every function that calls the cluster: plain data, made by {@link createHeavenClient}. */
export interface HeavenClient<TRpc extends HeavenRpc = HeavenRpc> {
  /** With an `rpcUrl`, a {@link HeavenNodeRpc}; otherwise the one given. */
  readonly rpc: TRpc;
  readonly rpcSubscriptions?: HeavenRpcSubscriptions | undefined;
  readonly deployment: Deployment;
  readonly commitment: Commitment;
  /** How long one request to the node may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The assumptions of {@link ClientConfig}'s `verified` that the deployed program confirmed. */
  readonly confirmed?: readonly string[] | undefined;
}

/** The parsed output of `heaven-pools verify --json`. */
export interface Verification {
  /** The exchange program that it ran. */
  readonly program: string;
  /** Of the program's ELF file, in hex: the result is about these bytes alone. A run of the embedded model has none. */
  readonly sha256: string;
  /** By number in the [register](/protocol#assumptions). */
  readonly assumptions: { readonly [number: string]: 'confirmed' | 'contradicted' | 'untested' };
}

/** What {@link createHeavenClient} takes: a node and, on clusters other than mainnet, the exchange's addresses. */
export type ClientConfig<TRpc extends HeavenRpc = HeavenRpc> = (
  | {
      /** An RPC made with kit. The client can't limit the length of its answers: its transport reads them. */
      readonly rpc: TRpc;
      readonly rpcUrl?: undefined;
      readonly maxResponseBytes?: undefined;
    }
  | {
      /** The node's address, `http:` or `https:`. */
      readonly rpcUrl: string;
      readonly rpc?: undefined;
      /** The most bytes in an answer, decompressed; more throws `rpc-invalid-response`. Default 16777216 (16 MiB). */
      readonly maxResponseBytes?: number;
    }
) & {
  /** For {@link watchPool} and {@link watchTrades}: made with kit's `createSolanaRpcSubscriptions('wss://…')`. */
  readonly rpcSubscriptions?: HeavenRpcSubscriptions | undefined;
  readonly deployment?: DeploymentConfig;
  /** Default `confirmed`. Where Alpenglow runs, as on mainnet, `finalized` is the same block. */
  readonly commitment?: Commitment;
  /** How long one request to the node may take. Default 30000 milliseconds. */
  readonly timeoutMs?: number;
  /** Ends the warning `unverified-assumption` for what was confirmed. Once the program has changed, it hides warnings that are due. */
  readonly verified?: Verification | undefined;
};

/**
 * Creates a client: which node to read from, and where the exchange is. It holds no connection and no state.
 * @throws {HeavenError} `invalid-input`, `invalid-address`
 * @example
 * ```ts
 * const client = createHeavenClient({ rpcUrl: 'https://api.mainnet-beta.solana.com' });
 * ```
 */
export function createHeavenClient<TRpc extends HeavenRpc = HeavenNodeRpc>(
  config: ClientConfig<TRpc>,
): HeavenClient<TRpc> {
  const given = Object(config) as Partial<Record<string, unknown>>;
  const { rpcSubscriptions } = given;
  const rpc = given.rpc ?? undefined;
  const rpcUrl = given.rpcUrl ?? undefined;
  if ((rpc === undefined) === (rpcUrl === undefined)) {
    const isLost = rpcUrl === undefined && 'rpc' in given;
    throw inputError(
      isLost ? 'rpc' : 'rpcUrl',
      `${isLost ? `rpc is ${given.rpc}: await createEmbeddedLedger(), or pass` : 'Pass an rpc or'} an rpcUrl such as 'https://…'.`,
    );
  }
  assertFields(config, 'config', {
    rpc: 1,
    rpcUrl: 1,
    maxResponseBytes: 1,
    rpcSubscriptions: 1,
    deployment: 1,
    commitment: 1,
    timeoutMs: 1,
    verified: 1,
  });
  const { commitment = 'confirmed' } = config;
  assertCommitment(commitment);
  if (rpc !== undefined && config.maxResponseBytes !== undefined) {
    throw inputError('maxResponseBytes', 'maxResponseBytes needs an rpcUrl.');
  }
  assertMadeByKit(rpc, 'rpc', "createSolanaRpc('https://…')");
  assertMadeByKit(rpcSubscriptions, 'rpcSubscriptions', "createSolanaRpcSubscriptions('wss://…')");
  const deployment = deploymentOf(config.deployment);
  const timeoutMs = config.timeoutMs ?? 30_000;
  assertMilliseconds('timeoutMs', timeoutMs);
  // Frozen, it survives the proxies that Vue and Svelte put around a page's state.
  return Object.freeze({
    // Without an rpc, TRpc is its default.
    rpc: config.rpc ?? (rpcOf(rpcUrlOf(config.rpcUrl, 'rpcUrl'), config) as HeavenRpc as TRpc),
    rpcSubscriptions: config.rpcSubscriptions,
    deployment,
    commitment,
    timeoutMs,
    confirmed: config.verified && confirmedBy(config.verified, deployment),
  });
}

function confirmedBy(verified: Verification, { programAddress }: Deployment): readonly string[] {
  assertHas(verified, 'assumptions', 'verified', "the parsed output of 'heaven-pools verify --json'");
  const { program, sha256, assumptions } = verified;
  if (program !== programAddress)
    throw invalidInput('verified.program', program, `${programAddress}, the client's program`);
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    throw invalidInput(
      'verified.sha256',
      sha256,
      "the program's SHA-256, as 'heaven-pools verify --rpc' prints",
    );
  assertObject(assumptions, 'verified.assumptions');
  for (const [number, verdict] of Object.entries(assumptions)) {
    const verdicts: readonly string[] = ['confirmed', 'contradicted', 'untested'];
    if (!verdicts.includes(verdict))
      throw invalidInput(`verified.assumptions.${number}`, verdict, verdicts.join(', '));
  }
  return Object.keys(assumptions).filter((number) => assumptions[number] === 'confirmed');
}

/** The RPC of a node: kit's, over a transport that bounds what it answers. */
const rpcOf = (url: string, limits: { readonly maxResponseBytes?: number | undefined }): HeavenNodeRpc =>
  createSolanaRpcFromTransport(throwingErrors(createHttpTransport(url, limits))) as unknown as HeavenNodeRpc;

/** Rejects a URL where a kit object belongs. It is not repeated: it may hold a key. */
function assertMadeByKit(value: unknown, field: string, advice: string): void {
  if (value === undefined || Object(value) === value) return;
  throw inputError(field, `${field} must be made with kit: ${advice}.`);
}

import {
  createReactiveActionStore,
  createRpcMessage,
  type PendingRpcRequest,
  type RpcTransport,
} from '@solana/kit';

import { createSolanaError, MALFORMED_ERROR, PREFLIGHT_FAILURE } from './solana-error.js';

// The methods that this library calls, as kit's `createSolanaRpcFromTransport` makes them. Written by hand: kit's bundles
// its error messages and the tables of all other methods, more than the rest of a client.

/** What a method's answer has where, as paths with `*` for the index in a list, and what its last parameter is for. */
interface Method {
  /** Where the config is among the parameters, if the method takes one with a commitment. */
  readonly config?: number;
  /** What the commitment is called in it, unless `commitment`. */
  readonly commitmentName?: string;
  /** Integers that kit's types call a `number`. All others become a `bigint`. */
  readonly numbers?: () => readonly string[];
}

/** kit's default. */
const COMMITMENT = 'confirmed';

/** The numbers in a token account, and in extensions, that the node has parsed (`encoding: 'jsonParsed'`). */
const inTokenAccount = (path: string): readonly string[] =>
  [
    'tokenAmount.decimals',
    'tokenAmount.uiAmount',
    'rentExemptReserve.decimals',
    'rentExemptReserve.uiAmount',
    'delegatedAmount.decimals',
    'delegatedAmount.uiAmount',
    'extensions.*.state.olderTransferFee.transferFeeBasisPoints',
    'extensions.*.state.newerTransferFee.transferFeeBasisPoints',
    'extensions.*.state.preUpdateAverageRate',
    'extensions.*.state.currentRate',
  ].map((name) => `${path}.data.parsed.info.${name}`);

/** The numbers in any account that the node has parsed. */
const inAccount = (path: string): readonly string[] => [
  ...inTokenAccount(path),
  ...[
    // Mints
    'decimals',
    // Multisigs
    'numRequiredSigners',
    'numValidSigners',
    // Lookup tables
    'lastExtendedSlotStartIndex',
    // Config and stake accounts
    'slashPenalty',
    'warmupCooldownRate',
    'stake.delegation.warmupCooldownRate',
    // Rent
    'exemptionThreshold',
    'burnPercent',
    // Vote accounts
    'blockRevenueCommissionBps',
    'commission',
    'inflationRewardsCommissionBps',
    'votes.*.confirmationCount',
    'votes.*.latency',
  ].map((name) => `${path}.data.parsed.info.${name}`),
];

const INSTRUCTION_NUMBERS = ['accounts.*', 'programIdIndex', 'stackHeight'];

/** The numbers in what a transaction did. */
const inOutcome = (path: string): readonly string[] => [
  ...['index', ...INSTRUCTION_NUMBERS.map((name) => `instructions.*.${name}`)].map(
    (name) => `${path}.innerInstructions.*.${name}`,
  ),
  ...['preTokenBalances', 'postTokenBalances'].flatMap((balances) =>
    ['accountIndex', 'uiTokenAmount.decimals', 'uiTokenAmount.uiAmount'].map(
      (name) => `${path}.${balances}.*.${name}`,
    ),
  ),
];

const METHODS = {
  getAccountInfo: { config: 1, numbers: () => inAccount('value') },
  getEpochInfo: { config: 0 },
  getGenesisHash: {},
  getLatestBlockhash: { config: 0 },
  getMultipleAccounts: { config: 1, numbers: () => inAccount('value.*') },
  getProgramAccounts: {
    config: 1,
    numbers: () => [...inAccount('value.*.account'), ...inAccount('*.account')],
  },
  getRecentPrioritizationFees: {},
  getSignaturesForAddress: { config: 1 },
  getSignatureStatuses: {},
  getTokenAccountsByOwner: { config: 2, numbers: () => inTokenAccount('value.*.account') },
  isBlockhashValid: { config: 1 },
  getTransaction: {
    config: 1,
    numbers: () => [
      'version',
      'meta.rewards.*.commission',
      ...inOutcome('meta'),
      ...[
        ...['writableIndexes', 'readonlyIndexes'].map((name) => `addressTableLookups.*.${name}.*`),
        ...['numReadonlySignedAccounts', 'numReadonlyUnsignedAccounts', 'numRequiredSignatures'].map(
          (name) => `header.${name}`,
        ),
        ...INSTRUCTION_NUMBERS.map((name) => `instructions.*.${name}`),
        ...['computeUnitLimit', 'heapSize', 'loadedAccountsDataSizeLimit'].map(
          (name) => `transactionConfig.${name}`,
        ),
      ].map((name) => `transaction.message.${name}`),
    ],
  },
  sendTransaction: { config: 1, commitmentName: 'preflightCommitment' },
  simulateTransaction: {
    config: 1,
    numbers: () => ['value.loadedAccountsDataSize', ...inAccount('value.accounts.*'), ...inOutcome('value')],
  },
} satisfies Readonly<Record<string, Method>>;

/** A method of an RPC, without its types. */
type RpcMethod = (...params: readonly unknown[]) => PendingRpcRequest<unknown>;

/** An RPC of {@link METHODS} over a transport. */
export function createHttpRpc(transport: RpcTransport): Readonly<Record<keyof typeof METHODS, RpcMethod>> {
  const methods = Object.entries<Method>(METHODS).map(([methodName, { config, commitmentName, numbers }]) => {
    let paths: ReadonlySet<string> | undefined;
    const method: RpcMethod = (...given) => {
      const params = config === undefined ? given : withCommitment(given, config, commitmentName);
      const execute = async (signal?: AbortSignal) => {
        const payload = createRpcMessage({ methodName, params });
        const answer = await transport({ payload, ...(signal === undefined ? {} : { signal }) });
        paths ??= new Set(numbers?.());
        return withBigints(resultOf(answer as object), '', paths);
      };
      return {
        reactiveStore: () => createReactiveActionStore(execute),
        send: async (options) => await execute(options?.abortSignal),
      };
    };
    return [methodName, method] as const;
  });
  return Object.fromEntries(methods) as Readonly<Record<keyof typeof METHODS, RpcMethod>>;
}

/** The parameters with a commitment. Without one, a node assumes `finalized`. */
function withCommitment(params: readonly unknown[], index: number, name = 'commitment'): readonly unknown[] {
  const config = params[index];
  if (config !== undefined && (typeof config !== 'object' || config === null)) return params;
  const all = [...params];
  all[index] = { [name]: COMMITMENT, ...config };
  return all;
}

/**
 * The result in an answer, or the node's error. JSON-RPC's codes are negative and the positive ones are kit's own, which no node may use.
 * Of the error's data only what a failed preflight says of the transaction is taken over.
 */
function resultOf(answer: object): unknown {
  if (!('error' in answer)) return (answer as { readonly result?: unknown }).result;
  const { code, message, data } = Object(answer.error) as Readonly<Record<string, unknown>>;
  if (!Number.isInteger(code) || Number(code) >= 0 || typeof message !== 'string') {
    const problem = 'The JSON-RPC error has no negative code or no message.';
    throw createSolanaError(MALFORMED_ERROR, problem, { message: problem });
  }
  const { err, logs } = Object(data) as Readonly<Record<string, unknown>>;
  throw createSolanaError(Number(code), `JSON-RPC error ${String(code)}`, {
    ...(code === PREFLIGHT_FAILURE ? { err, logs } : {}),
    // Whoever shows it cleans it.
    __serverMessage: message.slice(0, 200),
  });
}

/** The value with each integer as kit's types have it: a `number` at these paths, else a `bigint`. */
function withBigints(value: unknown, path: string, numbers: ReadonlySet<string>): unknown {
  if (typeof value === 'bigint' || Number.isInteger(value))
    return numbers.has(path) ? Number(value) : BigInt(value as bigint | number);
  if (typeof value !== 'object' || value === null) return value;
  const before = path === '' ? '' : `${path}.`;
  if (Array.isArray(value)) return value.map((item) => withBigints(item, `${before}*`, numbers));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withBigints(item, before + name, numbers)]),
  );
}

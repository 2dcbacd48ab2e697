// What the examples share: their options, the connection, keys, sending, and amounts as people read them.
import { readFile } from 'node:fs/promises';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import {
  type Address,
  type Commitment,
  createDefaultRpcTransport,
  createKeyPairSignerFromBytes,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpcFromTransport,
  createSolanaRpcSubscriptions,
  generateKeyPairSigner,
  isAddress,
  type KeyPairSigner,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
  signTransaction,
} from '@solana/kit';
import {
  type BuiltTransaction,
  createHeavenClient,
  explainTransactionFailure,
  getWalletBalances,
  type HeavenClient,
  type HeavenSubmitRpc,
  inspectTransaction,
  isHeavenError,
  type LandedSubmission,
  type Simulation,
  simulate,
  submitTransaction,
  type TokenBalance,
  toUiAmount,
} from 'heaven-pools';
import { createEmbeddedLedger, type EmbeddedLedger } from 'heaven-pools/testing';

// ---------------------------------------------------------------- the command line

/** A mistake on the command line. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

const CLUSTER_OPTIONS = {
  rpc: { type: 'string' },
  ws: { type: 'string' },
  commitment: { type: 'string' },
  keypair: { type: 'string' },
  wallet: { type: 'string' },
  send: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

export const CLUSTER_HELP = `
  --rpc URL        a cluster in place of the embedded ledger
  --ws URL         its websocket (default: that of --rpc)
  --commitment WORD finalized, say (default: confirmed, the same block where Alpenglow runs)
  --keypair PATH   a key file, 64 numbers in JSON: the wallet that signs
  --wallet ADDRESS a wallet to look at without its key
  --send           sign and send. On a cluster nothing is sent without it
  -h, --help       this text`;

/** The options of the command line, or `undefined` after --help. */
export function readOptions<const TOptions extends Options>(help: string, options: TOptions) {
  try {
    const all: TOptions & typeof CLUSTER_OPTIONS = { ...options, ...CLUSTER_OPTIONS };
    const { values } = parseArgs({ options: all });
    if (!(values as { readonly help?: boolean }).help) return values;
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0] ?? '');
  }
  console.log(`${help.trim()}\n${CLUSTER_HELP}`);
  return undefined;
}

export function wholeNumber(name: string, text: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, and not ${text}`);
}

export function addressOf(name: string, text: string): Address {
  if (isAddress(text)) return text;
  throw new UsageError(`--${name} must be an address, and ${text} is none`);
}

/** Runs an example. Prints an error as one line. The exit code is 2 for a wrong command line, and 1 for other errors. */
export async function run(main: () => Promise<void>): Promise<void> {
  // When the reader closes the pipe, as `head` does, the example ends.
  process.stdout.on('error', () => process.exit());
  try {
    await main();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? `${error.message}. Try --help.` : inWords(error));
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** An error as people read it. The library's own messages say what to do; kit's are explained if a transaction failed. */
export function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isHeavenError(error)) return `${error.message} (${error.code})`;
  if (error instanceof TypeError && error.message === 'fetch failed') return 'The node can not be reached.';
  return (error.name === 'SolanaError' && explainTransactionFailure(error)?.message) || error.message;
}

// ---------------------------------------------------------------- the connection

export interface Cluster {
  readonly client: HeavenClient<HeavenSubmitRpc>;
  readonly rpc: Rpc<SolanaRpcApi>;
  /** The embedded ledger, unless the example runs on a cluster. */
  readonly ledger: EmbeddedLedger | undefined;
  /** The wallet whose transactions are built. */
  readonly wallet: Address;
  /** The wallet's key, if it is known. */
  readonly signer: KeyPairSigner | undefined;
  /** Whether transactions are sent, or only looked at. */
  readonly isSending: boolean;
  /** How many calls were made to the node so far. */
  readonly calls: () => number;
}

/** Connects to the cluster, or creates an embedded ledger with a wallet of 100 SOL. */
export async function connect(options: {
  readonly rpc?: string | undefined;
  readonly ws?: string | undefined;
  readonly commitment?: string | undefined;
  readonly keypair?: string | undefined;
  readonly wallet?: string | undefined;
  readonly send?: boolean | undefined;
  /** A transport in front of the embedded ledger. */
  readonly through?: ((transport: RpcTransport, ledger: EmbeddedLedger) => RpcTransport) | undefined;
}): Promise<Cluster> {
  const { through } = options;
  const { rpc: url, ws, keypair, wallet, send } = options;
  if (url === undefined && (ws ?? keypair ?? wallet ?? send) !== undefined)
    throw new UsageError('--ws, --keypair, --wallet and --send go with --rpc');
  if (keypair !== undefined && wallet !== undefined)
    throw new UsageError('Give --keypair or --wallet, not both');
  if (send && keypair === undefined) throw new UsageError('--send needs --keypair');
  for (const [name, value, protocols] of [
    ['rpc', url, ['http:', 'https:']],
    ['ws', ws, ['ws:', 'wss:']],
  ] as const) {
    // The URL is not repeated: many hold a key.
    if (value !== undefined && !(URL.canParse(value) && protocols.includes(new URL(value).protocol as never)))
      throw new UsageError(`--${name} must be a URL that begins with ${protocols.join('// or ')}//`);
  }
  const signer = keypair === undefined ? undefined : await readKeyPair(keypair);
  const owner = wallet === undefined ? undefined : addressOf('wallet', wallet);

  const ledger = url === undefined ? await createEmbeddedLedger() : undefined;
  const transport =
    ledger === undefined
      ? createDefaultRpcTransport({ url: url as string })
      : (through?.(ledger.transport, ledger) ?? ledger.transport);
  let calls = 0;
  const counting = (async (request: Parameters<RpcTransport>[0]) => {
    calls += 1;
    return await transport(request);
  }) as RpcTransport;
  const rpc = createSolanaRpcFromTransport(counting) as Rpc<SolanaRpcApi>;
  const rpcSubscriptions =
    ledger?.rpcSubscriptions ?? createSolanaRpcSubscriptions(ws ?? (url as string).replace(/^http/, 'ws'));
  const own = signer ?? (ledger && (await keyOf(1)));
  ledger?.setBalance((own as KeyPairSigner).address, 100_000_000_000n);
  return {
    client: createHeavenClient({ rpc, rpcSubscriptions, commitment: options.commitment as Commitment }),
    rpc,
    ledger,
    // Without a named wallet, use one that belongs to nobody: it is enough to build and inspect transactions.
    wallet: own?.address ?? owner ?? (await generateKeyPairSigner()).address,
    signer: own,
    isSending: ledger !== undefined || send === true,
    calls: () => calls,
  };
}

/** A key of the embedded ledger, the same in each run. Never keep money under such a key. */
export async function keyOf(number: number): Promise<KeyPairSigner> {
  const seed = new Uint8Array(32);
  new DataView(seed.buffer).setUint32(0, number);
  return await createKeyPairSignerFromPrivateKeyBytes(seed);
}

export async function readKeyPair(path: string): Promise<KeyPairSigner> {
  try {
    const numbers: unknown = JSON.parse(await readFile(path, 'utf8'));
    const isKey = Array.isArray(numbers) && numbers.length === 64 && numbers.every((n) => (n & 0xff) === n);
    if (isKey) return await createKeyPairSignerFromBytes(Uint8Array.from(numbers));
  } catch {
    // Reported below, without the file's content.
  }
  throw new UsageError('--keypair must be a file with a key: 64 numbers in JSON, as solana-keygen writes it');
}

// ---------------------------------------------------------------- transactions

/**
 * Signs a transaction, submits it, and waits until it has landed.
 *
 * @throws an error in words if it doesn't land
 */
export async function send(
  { client }: Cluster,
  built: BuiltTransaction,
  signers: readonly KeyPairSigner[],
): Promise<LandedSubmission> {
  const transaction = await signTransaction(
    signers.map(({ keyPair }) => keyPair),
    built.transaction,
  );
  const result = await submitTransaction(client, transaction, built.lifetime);
  if (result.status === 'landed') return result;
  throw new Error(
    result.status === 'failed'
      ? result.error.message
      : `The transaction expired before it landed, and no longer can: ${result.signature}`,
  );
}

/**
 * Prints what a transaction would do, in words and, simulated on the current chain, to the balances. Known addresses have
 * names; the others are shortened, which is not enough to check where money goes.
 */
export async function preview(
  { client, wallet }: Cluster,
  built: BuiltTransaction,
  names: Readonly<Record<Address, string>> = {},
): Promise<Simulation> {
  const { summary } = await inspectTransaction(built.tx, { client, owner: wallet });
  for (const line of summary) console.log(`    ${withNames(line, { [wallet]: 'your wallet', ...names })}`);
  const simulation = await simulate(client, built);
  if (simulation.ok) {
    console.log(
      `    it would succeed: ${signed(simulation.sol.change, 9)} SOL, ${simulation.computeUnits} compute units`,
    );
  } else {
    console.log(`    it would fail: ${simulation.error.message}`);
  }
  return simulation;
}

/** What a wallet holds: lamports, and units of a token, with the rent of its account. */
export async function balancesOf(client: HeavenClient, wallet: Address, mint: Address) {
  const { sol, tokens } = await getWalletBalances(client, { wallet, mints: [mint] });
  // One for each mint asked for.
  const [{ amount, decimals, accounts }] = tokens as readonly [TokenBalance];
  return { sol: sol.lamports, tokens: amount, decimals, rent: accounts[0]?.lamports ?? 0n };
}

// ---------------------------------------------------------------- amounts and addresses

/** A sentence with names in place of addresses, and other addresses cut short. */
export const withNames = (text: string, names: Readonly<Record<Address, string>>): string =>
  text.replace(
    /[1-9A-HJ-NP-Za-km-z]{32,44}/g,
    (address) => names[address as Address] ?? `${address.slice(0, 4)}…${address.slice(-4)}`,
  );

/** An amount in UI units, all its digits, thousands apart: 1,234.500000000. */
export function ui(amount: bigint, decimals: number): string {
  const [whole = '', fraction = ''] = toUiAmount(amount < 0n ? -amount : amount, decimals).split('.');
  const digits = decimals === 0 ? '' : `.${fraction.padEnd(decimals, '0')}`;
  return `${amount < 0n ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${digits}`;
}

export const signed = (amount: bigint, decimals: number) =>
  `${amount > 0n ? '+' : ''}${ui(amount, decimals)}`;

export const sol = (lamports: bigint) => `${ui(lamports, 9)} SOL`;

/** Basis points as a percentage. */
export const percent = (bps: number) => `${(bps / 100).toFixed(2)} %`;

/** Colours, on a terminal that wants them. */
const hasColours = process.stdout.isTTY === true && !process.env.NO_COLOR;
export const green = (text: string) => (hasColours ? `\u001b[32m${text}\u001b[39m` : text);
export const red = (text: string) => (hasColours ? `\u001b[31m${text}\u001b[39m` : text);
export const bold = (text: string) => (hasColours ? `\u001b[1m${text}\u001b[22m` : text);

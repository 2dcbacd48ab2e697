import {
  type Address,
  type Base64EncodedWireTransaction,
  compileTransaction,
  decompileTransactionMessage,
  generateKeyPairSigner,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  getTransactionMessageComputeUnitLimit,
  type Instruction,
  isTransactionWithinSizeLimit,
  isWritableRole,
  type KeyPairSigner,
  partiallySignTransaction,
  type ReadonlyUint8Array,
  setTransactionMessageComputeUnitLimit,
  type Transaction,
} from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';
import { assertHas, assertNames, assertWhole, given, inputError, invalidInput } from '../base/input.js';
import { createHeavenClient, type HeavenRpc } from '../program/client.js';
import { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { MAX_COMPUTE_UNITS } from '../solana/limits.js';
import {
  knownTables,
  loadTransaction,
  readWireTransaction,
  type WireTransaction,
} from '../solana/message.js';
import { accountsFrom, fetchAccounts, type RawAccount } from '../solana/rpc/accounts.js';
import { readTokenAccount } from '../solana/token-account.js';
import { assertWebCrypto } from '../solana/web-crypto.js';
import {
  absenceGuard,
  systemGuard,
  tokenGuardAfter,
  tokenGuardBefore,
  walletGuard,
} from './practice-wallet-guards.js';

/** Turns the instructions of a transaction into those that the wallet signs. */
export type PracticeWalletGuards = (instructions: readonly Instruction[]) => readonly Instruction[];

/** How a {@link PracticeWallet} behaves. */
export interface PracticeWalletConfig {
  /** Its key. Default: a new one. */
  readonly signer?: KeyPairSigner | undefined;
  /**
   * What it adds: nothing; Lighthouse assertions before and after, like Phantom; two after, like Solflare; or your own list
   * of instructions. Default `none`.
   */
  readonly guards?: 'none' | 'phantom' | 'solflare' | PracticeWalletGuards | undefined;
  /**
   * The node that it simulates with, such as `ledger.rpc`: its assertions then demand the transaction's resulting balances.
   * It also reads lookup tables. Without it, assertions cover the wallet alone.
   */
  readonly rpc?: HeavenRpc | undefined;
  /** The compute units that it adds to the limit if it adds assertions. Default 0. */
  readonly addedComputeUnits?: number | undefined;
}

/** A wallet for tests, which signs without asking. */
export interface PracticeWallet {
  readonly address: Address;
  /** Takes a transaction as a Wallet Standard wallet does. Returns it signed, and changed if it adds assertions. */
  signTransaction(transaction: ReadonlyUint8Array): Promise<Uint8Array<ArrayBuffer>>;
}

const GUARDS = ['none', 'phantom', 'solflare'];

type Message = ReturnType<typeof decompileTransactionMessage>;

/** Real wallets allow some tolerance, because prices move until the transaction lands. */
const TOLERANCE_PERCENT = 2n;
/** Phantom guards one or two token accounts. */
const MAX_TOKEN_ACCOUNTS = 2;

/**
 * Creates a wallet that changes what it signs as real ones do, to test that a page, or a service that signs afterwards,
 * copes with it. Its assertions have the bytes seen from Phantom on mainnet, and it re-sorts the accounts. If somebody else
 * has already signed, or there is no room for assertions, it signs the transaction unchanged. Works with versions 0 and 1.
 *
 * The embedded ledger doesn't evaluate assertions: a transaction that lands there may fail at one on mainnet.
 *
 * @throws {HeavenError} `invalid-input` for a transaction that it can't sign; the `rpc-…` codes if it has a node
 * @example
 * ```ts
 * import { getTransactionEncoder } from '@solana/kit';
 *
 * const ledger = await createEmbeddedLedger();
 * const wallet = await createPracticeWallet({ guards: 'phantom', rpc: ledger.rpc });
 * ledger.setBalance(wallet.address, 5_000_000_000n);
 * const client = createHeavenClient({ rpc: ledger.rpc });
 * const { mint, configVersion } = ledger.pools.creator;
 * const quote = await quoteBuy(client, { configVersion, mint, maxSolSpend: 1, slippageBps: 50 });
 * const built = await buildBuy(client, { payer: wallet.address, quoteResponse: quote });
 * const signed = await wallet.signTransaction(getTransactionEncoder().encode(built.transaction));
 * const { added } = await assertSignedTransactionMatches(signed, built);
 * console.log(added.length); // 4
 * ```
 */
export async function createPracticeWallet(config: PracticeWalletConfig = {}): Promise<PracticeWallet> {
  assertNames(config, 'config', {
    signer: given((value, field) => assertHas(value, 'keyPair', field, "kit's key pair signer")),
    guards: given((value, field) => {
      if (typeof value !== 'function' && !GUARDS.includes(value as string))
        throw invalidInput(field, value, `one of ${GUARDS.join(', ')}, or a function`);
    }),
    rpc: given((rpc) => createHeavenClient({ rpc: rpc as HeavenRpc })),
    addedComputeUnits: 1,
  });
  assertWebCrypto();
  const signer = config.signer ?? (await generateKeyPairSigner());
  const { address } = signer;
  assertWhole('addedComputeUnits', config.addedComputeUnits ?? 0, [0, MAX_COMPUTE_UNITS]);
  return {
    address,
    signTransaction: async (bytes) => {
      const given = getTransactionDecoder().decode(bytes);
      if (!Object.hasOwn(given.signatures, address))
        throw inputError('transaction', `transaction needs no signature of ${address}.`);
      const isSigned = Object.values(given.signatures).some((signature) => signature !== null);
      const isKept = (config.guards ?? 'none') === 'none' || isSigned;
      const transaction = isKept ? given : await guarded(given, address, config);
      const signed = await partiallySignTransaction([signer.keyPair], transaction);
      return Uint8Array.from(getTransactionEncoder().encode(signed));
    },
  };
}

/** The transaction recompiled with assertions, or unchanged if they don't fit. */
async function guarded(
  given: Transaction,
  wallet: Address,
  { guards, rpc, addedComputeUnits = 0 }: PracticeWalletConfig,
): Promise<Transaction> {
  const tx = getBase64Decoder().decode(getTransactionEncoder().encode(given)) as Base64EncodedWireTransaction;
  const wire = readWireTransaction(tx);
  const client = rpc && createHeavenClient({ rpc });
  const tables = await knownTables(wire, {}, client, {});
  if ([...tables.values()].some(({ addresses }) => addresses === undefined))
    throw inputError(
      'rpc',
      "The transaction has lookup tables. Give the wallet a ledger's rpc to read them.",
    );
  const message = decompileTransactionMessage(
    getCompiledTransactionMessageDecoder().decode(given.messageBytes),
    {
      addressesByLookupTableAddress: Object.fromEntries(
        [...tables].map(([table, { addresses = [] }]) => [table, [...addresses]]),
      ),
    },
  );
  const instructions: readonly Instruction[] = message.instructions;
  let changed: readonly Instruction[];
  if (typeof guards === 'function') changed = guards(instructions);
  else {
    const outcome = rpc ? await outcomeOf(rpc, tx, wire, wallet) : { minimum: 0n, created: [], tokens: [] };
    const { before, after } =
      guards === 'solflare' ? asSolflare(wallet, outcome) : asPhantom(wallet, outcome);
    const budget = instructions.findIndex(isNotBudget);
    changed = [...instructions.slice(0, budget), ...before, ...instructions.slice(budget), ...after];
  }
  const limit = getTransactionMessageComputeUnitLimit(message);
  const withGuards = { ...message, instructions: changed } as Message;
  const raised =
    addedComputeUnits === 0 || limit === undefined
      ? withGuards
      : setTransactionMessageComputeUnitLimit(limit + addedComputeUnits, withGuards);
  const compiled = compileTransaction(raised as Parameters<typeof compileTransaction>[0]);
  return isTransactionWithinSizeLimit(compiled) ? compiled : given;
}

const isNotBudget = ({ programAddress }: Instruction): boolean =>
  programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS;

/** The result of a transaction in the wallet's simulation. */
interface Outcome {
  /** The lamports that the wallet must have left. */
  readonly minimum: bigint;
  /** The wallet's associated token accounts that don't exist yet. */
  readonly created: readonly Address[];
  /** The wallet's token accounts after the transaction. */
  readonly tokens: readonly {
    readonly address: Address;
    readonly minimum: bigint;
    readonly wasThere: boolean;
  }[];
}

interface Guards {
  readonly before: readonly Instruction[];
  readonly after: readonly Instruction[];
}

const asPhantom = (wallet: Address, { minimum, created, tokens }: Outcome): Guards => ({
  before: [
    systemGuard(wallet),
    ...created.map(absenceGuard),
    ...tokens.filter(({ wasThere }) => wasThere).map(({ address }) => tokenGuardBefore(address)),
  ],
  after: [
    walletGuard(wallet, minimum),
    ...tokens.map((token) => tokenGuardAfter(token.address, token.minimum)),
  ],
});

const asSolflare = (wallet: Address, { minimum, tokens: [token] }: Outcome): Guards => ({
  before: [],
  after: [
    walletGuard(wallet, minimum),
    token === undefined ? systemGuard(wallet) : tokenGuardAfter(token.address, token.minimum),
  ],
});

async function outcomeOf(
  rpc: HeavenRpc,
  tx: Base64EncodedWireTransaction,
  wire: WireTransaction,
  wallet: Address,
): Promise<Outcome> {
  const { accounts } = loadTransaction(wire, new Map());
  const writable = accounts.flatMap(({ address, role }) =>
    address !== undefined && address !== wallet && isWritableRole(role) ? [address] : [],
  );
  const asked = [wallet, ...writable];
  const [before, after] = await Promise.all([
    fetchAccounts(createHeavenClient({ rpc }), asked, {}),
    accountsAfter(rpc, tx, asked),
  ]);
  const tokens: Outcome['tokens'][number][] = [];
  for (const [index, address] of asked.entries()) {
    const account = after[index];
    const token = account && readTokenAccount(account);
    if (!token || token.owner !== wallet || tokens.length === MAX_TOKEN_ACCOUNTS) continue;
    const { mint, owner, amount } = token;
    const isAssociated =
      address === (await findAssociatedTokenAddress({ owner, mint, tokenProgram: account.owner }));
    if (isAssociated)
      tokens.push({ address, minimum: lessTolerance(amount), wasThere: Boolean(before[index]) });
  }
  return {
    minimum: lessTolerance(after[0]?.lamports ?? 0n),
    created: tokens.filter(({ wasThere }) => !wasThere).map(({ address }) => address),
    tokens,
  };
}

const lessTolerance = (amount: bigint): bigint => amount - (amount * TOLERANCE_PERCENT) / 100n;

/** The resulting accounts. None if the transaction fails: the wallet then guards only itself. */
async function accountsAfter(
  rpc: HeavenRpc,
  tx: Base64EncodedWireTransaction,
  addresses: readonly Address[],
): Promise<readonly (RawAccount | undefined)[]> {
  const { value } = await rpc
    .simulateTransaction(tx, {
      accounts: { addresses: [...addresses], encoding: 'base64' },
      encoding: 'base64',
      sigVerify: false,
    })
    .send();
  if (value.err !== null) return [];
  return accountsFrom('simulateTransaction', value.accounts, addresses);
}

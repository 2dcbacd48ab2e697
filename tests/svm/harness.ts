import {
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  lamports,
  signTransaction,
  type Transaction,
  type V1TransactionConfig,
} from '@solana/kit';
import {
  AccountState,
  getCreateAssociatedTokenIdempotentInstruction,
  getTokenDecoder,
  getTokenEncoder,
} from '@solana-program/token';
import { FailedTransactionMetadata, LiteSVM, Rent, type TransactionMetadata } from 'litesvm';
import { onTestFinished } from 'vitest';

import { type BuiltTransaction, createHeavenClient } from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import {
  createEmbeddedLedger,
  createSamplePoolFields,
  type EmbeddedLedger,
  encodeTokenAccount,
  type SamplePool,
} from '../../src/testing/index.js';
import { CLOCK_SYSVAR_ADDRESS, LOOKUP_TABLE_PROGRAM_ADDRESS } from '../support/addresses.js';
import { decodedOf } from '../support/transactions.js';
import { signedWith } from '../support/transfer.js';
import { noopProgram, vaultProgram } from './programs.js';
import { createVault, VAULT_PROGRAM_ADDRESS } from './vault.js';

/**
 * Standard pools by their token: a Token-2022 mint, one with the transfer fee extension, and a classic one. A token
 * account has 165 bytes; under Token-2022 the associated token program adds the account type (1) and the immutable
 * owner (4 of header, no content), and the transfer fee extension the withheld amount (4 of header, 8). The rent is
 * 5080 lamports a byte, as on mainnet, with 128 bytes on top.
 */
const TOKEN_2022 = { tokenProgram: TOKEN_2022_PROGRAM_ADDRESS, decimals: 9 } as const;
export const POOLS = {
  community: { ...TOKEN_2022, accountSize: 170n, accountRent: 1_513_840n },
  creator: { ...TOKEN_2022, accountSize: 182n, accountRent: 1_574_800n },
  classic: { tokenProgram: TOKEN_PROGRAM_ADDRESS, decimals: 6, accountSize: 165n, accountRent: 1_488_440n },
} as const;
export type PoolName = keyof typeof POOLS;
export const POOL_NAMES = Object.keys(POOLS) as PoolName[];

/** What a wrapped SOL account sets aside. */
export const WRAPPED_SOL_RENT = 1_488_440n;
/** 10 SOL. */
const WALLET_LAMPORTS = 10_000_000_000n;
const BANK_LAMPORTS = 1_000_000_000_000n;
const PLENTY = 1_000_000_000_000_000_000n;

/** What a transaction costs: 5000 lamports a signature, and the priority fee in micro-lamports a unit, rounded up. */
export const feeOf = ({ signatures = 1n, limit = 200_000n, price = 40_000_000n } = {}): bigint =>
  signatures * 5_000n + (limit * price + 999_999n) / 1_000_000n;

/** Whose accounts a test may leave on a machine. */
const OWNERS = [
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  LOOKUP_TABLE_PROGRAM_ADDRESS,
];
const accountsOn = (svm: LiteSVM) =>
  OWNERS.flatMap((owner) => svm.getProgramAccounts(owner)).map(({ address }) => address);

function startMachine() {
  const svm = new LiteSVM().withNativeMints();
  svm.addProgram(HEAVEN_PROGRAM_ADDRESS, noopProgram());
  svm.addProgram(VAULT_PROGRAM_ADDRESS, vaultProgram());
  return { svm, own: new Set(accountsOn(svm)) };
}

/** Machines as at their start, whose tests are over: starting one takes longer than most tests. */
const idle: ReturnType<typeof startMachine>[] = [];

/** A machine for this test alone. */
function takeMachine(): LiteSVM {
  const machine = idle.pop() ?? startMachine();
  const { svm, own } = machine;
  onTestFinished(() => {
    const gone = { data: new Uint8Array(), lamports: lamports(0n), space: 0n, executable: false };
    for (const address of accountsOn(svm))
      if (!own.has(address)) svm.setAccount({ ...gone, address, programAddress: SYSTEM_PROGRAM_ADDRESS });
    idle.push(machine);
  });
  return svm;
}

/**
 * A virtual machine and the embedded ledger with the same pool on them, and a wallet with 10 SOL. The owner of what is traded is the
 * wallet, or a vault with 10 SOL of its own.
 */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** An extension of Token-2022 as a mint has it: its number and its content. */
export type Extension = readonly [type: number, content: readonly number[]];

/** A mint's own 82 bytes, and extensions. */
export const mintWith = (mint: Uint8Array, ...extensions: readonly Extension[]) =>
  Uint8Array.from([
    ...[...mint.subarray(0, 82), ...new Array<number>(83).fill(0), 1],
    ...extensions.flatMap(([type, content]) => [type, 0, content.length, 0, ...content]),
  ]);

/** @param options `extensions`: those that the token's mint has on the machine, unknown to the ledger. */
export async function createWorld(
  name: PoolName,
  {
    lamportsPerByte = 5_080n,
    hasVault = false,
    extensions,
  }: { lamportsPerByte?: bigint; hasVault?: boolean; extensions?: readonly Extension[] } = {},
) {
  const svm = takeMachine();
  // By itself it would charge 6960 lamports a byte.
  svm.setRent(new Rent(lamportsPerByte, 1, 50));
  const ledger = await createEmbeddedLedger({ lamportsPerByte });
  const pool = name === 'classic' ? await addClassicPool(ledger) : ledger.pools[name];
  const { mint, tokenProgram } = pool;

  /** Writes an account on both. Default: with the lamports that make it rent-exempt. */
  const place = (address: Address, owner: Address, data: Uint8Array, balance?: bigint) => {
    const space = BigInt(data.length);
    const held = balance ?? svm.minimumBalanceForRentExemption(space);
    ledger.setAccount(address, { owner, data, lamports: held });
    const account = { address, programAddress: owner, data, space, executable: false };
    svm.setAccount({ ...account, lamports: lamports(held) });
  };
  for (const address of [CLOCK_SYSVAR_ADDRESS, SOL_USD_FEED_ADDRESS, mint, pool.pool, pool.protocolConfig]) {
    const account = ledger.getAccount(address);
    if (account === undefined) throw new Error(`The ledger has no ${address}`);
    place(address, account.owner, account.data, account.lamports);
  }
  if (extensions) {
    const { data, ...account } = existing(svm, mint);
    svm.setAccount({ ...account, data: mintWith(data, ...extensions) });
  }

  const seed = crypto.getRandomValues(new Uint8Array(32));
  const wallet = await createKeyPairSignerFromPrivateKeyBytes(seed);
  const banker = await generateKeyPairSigner();
  const vault = hasVault ? await createVault() : undefined;
  const owner = vault?.signer ?? wallet;
  for (const address of new Set([wallet.address, owner.address]))
    svm.airdrop(address, lamports(WALLET_LAMPORTS));
  svm.airdrop(banker.address, lamports(BANK_LAMPORTS));

  const associatedOf = async (owner: Address) => ({
    tokenAccount: await findAssociatedTokenAddress({ owner, mint, tokenProgram }),
    wrappedSolAccount: await findAssociatedTokenAddress({ owner, mint: WRAPPED_SOL_MINT_ADDRESS }),
  });
  const { tokenAccount, wrappedSolAccount } = await associatedOf(owner.address);
  const bank = { signer: banker, ...(await associatedOf(banker.address)) };

  const lifetime = () => ({ blockhash: svm.latestBlockhash(), lastValidBlockHeight: ledger.slot + 150n });
  /** Composes instructions, in version 1 with a config, signs with all signers attached, and sends. */
  type Config = V1TransactionConfig;
  const runBy = async (feePayer: KeyPairSigner, instructions: readonly Instruction[], config?: Config) => {
    const executed = vault?.through(instructions) ?? instructions;
    return sendSigned(decodedOf(await signedWith(feePayer, executed, { lifetime: lifetime(), config })));
  };
  const sendSigned = (transaction: Transaction) => {
    const result = succeeded(svm.sendTransaction(transaction));
    // Another block hash, so that the same transaction may follow.
    svm.expireBlockhash();
    return result;
  };

  // The token program itself makes the first token account, with the extensions that its mint asks for. The others are
  // copies with another owner and amount.
  const opened = { payer: banker, ata: bank.tokenAccount, owner: banker.address, mint, tokenProgram };
  await runBy(banker, [getCreateAssociatedTokenIdempotentInstruction(opened)]);
  const template = existing(svm, bank.tokenAccount).data;
  const placeTokens = (address: Address, owner: Address, amount: bigint) => {
    const data = Uint8Array.from(template);
    data.set(
      getTokenEncoder().encode({
        ...getTokenDecoder().decode(template),
        owner,
        amount,
        state: AccountState.Initialized,
      }),
    );
    place(address, tokenProgram, data);
  };
  const placeWrappedSol = (address: Address, owner: Address, amount: bigint) => {
    const nativeReserve = svm.minimumBalanceForRentExemption(165n);
    const fields = { mint: WRAPPED_SOL_MINT_ADDRESS, owner, amount, nativeReserve };
    place(address, TOKEN_PROGRAM_ADDRESS, encodeTokenAccount(fields), nativeReserve + amount);
  };
  placeTokens(bank.tokenAccount, banker.address, PLENTY);
  placeWrappedSol(bank.wrappedSolAccount, banker.address, PLENTY);
  placeTokens(pool.tokenAVault, pool.protocolConfig, PLENTY);
  placeWrappedSol(pool.tokenBVault, pool.protocolConfig, 0n);

  return {
    name,
    svm,
    ledger,
    client: createHeavenClient({ rpc: ledger.rpc }),
    pool,
    wallet,
    /** Who trades: the wallet, or the vault, whose instructions `runBy` passes to its program. */
    owner,
    /** The wallet's private key. */
    seed,
    /** Somebody else, with plenty of SOL, tokens and wrapped SOL. */
    bank,
    /** The owner's associated accounts. Neither exists at first. */
    tokenAccount,
    wrappedSolAccount,
    /** The machine's block hash, for the builders. */
    lifetime,
    /** The owner's SOL, and the balance of each of its token accounts. */
    holdings: () => ({ sol: svm.getBalance(owner.address) ?? 0n, tokens: tokensOf(svm, owner.address) }),
    /** The balance of a token account. */
    balance: (account: Address) => getTokenDecoder().decode(existing(svm, account).data).amount,
    place,
    /** Puts tokens into a token account of the owner. Default: the associated one. */
    giveTokens: (amount: bigint, account = tokenAccount) => placeTokens(account, owner.address, amount),
    /** Puts wrapped SOL into an account of the owner. Default: the associated one. */
    giveWrappedSol: (amount: bigint, account = wrappedSolAccount) =>
      placeWrappedSol(account, owner.address, amount),
    /** Signs with the wallet and sends. */
    send: async ({ transaction }: BuiltTransaction) =>
      sendSigned(await signTransaction([wallet.keyPair], transaction)),
    /** Sends it unchanged. */
    sendSigned,
    runBy,
    /** Composes instructions with the wallet as fee payer, in version 1 with a config, signs with all signers attached, and sends. */
    run: (instructions: readonly Instruction[], config?: Config) => runBy(wallet, instructions, config),
  };
}

/** A standard pool whose token is one of the classic Token program, with 6 decimals. */
async function addClassicPool(ledger: EmbeddedLedger): Promise<SamplePool> {
  const { community } = await createSamplePoolFields();
  const { address: mint } = await generateKeyPairSigner();
  const token = { decimals: 6, supply: 1_000_000_000_000_000n };
  const reserve = { tokenA: 400_000_000_000_000n, tokenB: 100_000_000_000n };
  const initial = { initialA: 1_000_000_000_000_000n, initialB: 40_000_000_000n };
  const classic = { mint, tokenProgram: TOKEN_PROGRAM_ADDRESS, token, reserve: { ...reserve, ...initial } };
  return await ledger.addPool({ ...community, ...classic });
}

/** The result of a transaction that went through; else an error with what the machine says of it. */
function succeeded(result: TransactionMetadata | FailedTransactionMetadata): TransactionMetadata {
  if (!(result instanceof FailedTransactionMetadata)) return result;
  // `err()` is an object or the bare number of an enum; only the text names both.
  const [, reason] = /err: (.*?), meta: /s.exec(result.toString()) ?? [];
  throw new Error([`The transaction failed: ${reason}`, ...result.meta().logs()].join('\n  '));
}

/** The programs that a transaction's instructions called, in order, and in place of the vault's program those that it called. */
export function programsOf(result: TransactionMetadata): readonly string[] {
  const called: string[] = [];
  let isVault = false;
  for (const line of result.logs()) {
    const [, program = '', depth] = /^Program (\w+) invoke \[([12])\]$/.exec(line) ?? [];
    if (depth === '1') isVault = program === VAULT_PROGRAM_ADDRESS;
    if (depth === (isVault ? '2' : '1')) called.push(program);
  }
  return called;
}

/** An account that must be there. */
export function existing(svm: LiteSVM, address: Address) {
  const account = svm.getAccount(address);
  if (!account.exists) throw new Error(`There is no account ${address}`);
  return account;
}

function tokensOf(svm: LiteSVM, owner: Address): Record<Address, bigint> {
  const programs = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];
  const tokens = programs
    .flatMap((program) => svm.getProgramAccounts(program))
    .filter(({ data }) => data.length >= 165)
    .map(({ address, data }) => ({ address, ...getTokenDecoder().decode(data) }))
    .filter((token) => token.owner === owner);
  return Object.fromEntries(tokens.map(({ address, amount }) => [address, amount]));
}

import {
  type Address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';

import { allInstructions, type BuiltTransaction } from '../../build/assemble.js';
import { createClient, type HeavenClient } from '../../client.js';
import { readTokenAccount, tokenAccountOf } from '../../solana/token-account.js';
import type { Ledger } from '../../testing/ledger.js';
import type { LedgerAccount } from '../../testing/ledger-state.js';
import { unsignedTransaction } from '../../testing/wire.js';
import { CannotObserve } from './journal.js';

/** 1,000,000 SOL: no scenario runs out of it. */
const WEALTH = 1_000_000_000_000_000n;

/** An account at some time, or `undefined` if there is none. */
export type State = Readonly<Required<LedgerAccount>> | undefined;

/** A transaction that has run, and the accounts that it names before and after it. */
export interface Ran {
  readonly ok: boolean;
  /** The custom error code of the instruction that failed. */
  readonly code?: number;
  /** What failed, in the runtime's own words. */
  readonly reason?: string;
  /** The program of the instruction that failed. */
  readonly failedIn?: Address;
  readonly logs: readonly string[];
  /** Lamports, whether it succeeded or not. */
  readonly fee: bigint;
  /** Every account that it names. */
  readonly addresses: readonly Address[];
  before(address: Address): State;
  after(address: Address): State;
}

/** A fresh ledger, and wallets whose keys the proof holds itself. */
export interface Stage {
  readonly ledger: Ledger;
  readonly client: HeavenClient;
  /** A new wallet. Default: 1,000,000 SOL. */
  createWallet(lamports?: bigint): Promise<KeyPairSigner>;
  /** Opens the wallet's associated account of a token, if there is none, and sets what it holds. */
  giveTokens(
    wallet: KeyPairSigner,
    token: { readonly mint: Address; readonly tokenProgram: Address },
    amount: bigint,
  ): Promise<Address>;
  /** Signs with the wallets and runs it, whatever comes of it. */
  run(built: BuiltTransaction | readonly Instruction[], ...wallets: readonly KeyPairSigner[]): Promise<Ran>;
  /**
   * The same for what only prepares a scene.
   * @throws {CannotObserve} if it fails
   */
  prepare(
    built: BuiltTransaction | readonly Instruction[],
    ...wallets: readonly KeyPairSigner[]
  ): Promise<Ran>;
}

/** Sets a stage on a fresh ledger. */
export function createStage(ledger: Ledger): Stage {
  const client = createClient({ rpc: ledger.rpc });
  const compose = async (feePayer: Address, instructions: readonly Instruction[]) => {
    const { value: lifetime } = await ledger.rpc.getLatestBlockhash().send();
    return unsignedTransaction(0, feePayer, lifetime.blockhash, instructions);
  };
  const run: Stage['run'] = async (built, ...wallets) => {
    const [payer] = wallets;
    if (payer === undefined) throw new TypeError('A transaction needs a wallet');
    const isBuilt = 'transaction' in built;
    const transaction = isBuilt ? built.transaction : await compose(payer.address, built);
    const signed = await signTransaction(
      wallets.map(({ keyPair }) => keyPair),
      transaction,
    );
    const instructions = isBuilt ? allInstructions(built) : built;
    const addresses = new Set([
      payer.address,
      ...instructions.flatMap(({ accounts = [] }) => accounts.map(({ address }) => address)),
    ]);
    const states = () =>
      new Map([...addresses].map((address) => [address, ledger.getAccount(address) as State]));
    const before = states();
    const { err, logs, fee } = await ledger.execute(getBase64EncodedWireTransaction(signed));
    const after = states();
    return {
      ok: err === null,
      ...failureOf(err, instructions),
      logs,
      fee,
      addresses: [...addresses],
      before: (address) => before.get(address),
      after: (address) => after.get(address),
    };
  };
  const prepare: Stage['prepare'] = async (built, ...wallets) => {
    const ran = await run(built, ...wallets);
    if (!ran.ok) throw new CannotObserve(`a transaction that prepares the scene fails with ${ran.reason}`);
    return ran;
  };
  return {
    ledger,
    client,
    createWallet: async (lamports = WEALTH) => {
      const wallet = await generateKeyPairSigner();
      ledger.setBalance(wallet.address, lamports);
      return wallet;
    },
    giveTokens: async (wallet, { mint, tokenProgram }, amount) => {
      const { address, create } = await tokenAccountOf({
        payer: wallet,
        owner: wallet.address,
        mint,
        tokenProgram,
      });
      await prepare([create], wallet);
      setTokens(ledger, address, amount);
      return address;
    },
    run,
    prepare,
  };
}

/** Where a token account of either token program holds its amount, and whether it is wrapped SOL. */
const OFFSETS = { amount: 64, isNative: 109 } as const;

/**
 * Sets what a token account holds: of wrapped SOL, its lamports too.
 * @throws {CannotObserve} if there is none
 */
export function setTokens(ledger: Ledger, address: Address, amount: bigint): void {
  const account = ledger.getAccount(address);
  if (account === undefined) throw new CannotObserve(`there is no token account ${address}`);
  const data = Uint8Array.from(account.data);
  const fields = new DataView(data.buffer);
  const more = amount - fields.getBigUint64(OFFSETS.amount, true);
  fields.setBigUint64(OFFSETS.amount, amount, true);
  const isNative = fields.getUint32(OFFSETS.isNative, true) !== 0;
  const { lamports = 0n } = account;
  ledger.setAccount(
    address,
    isNative ? { ...account, data, lamports: lamports + more } : { ...account, data },
  );
}

/** What a token account holds: 0 where there is none, or none of the mint that is asked for. */
export function tokensIn(state: State, address: Address, mint?: Address): bigint {
  const held = state && readTokenAccount({ address, ...state });
  return held === undefined || (mint !== undefined && held.mint !== mint) ? 0n : held.amount;
}

/** How many more tokens an account holds after a transaction than before it. */
export const tokensGained = ({ before, after }: Ran, address: Address, mint?: Address): bigint =>
  tokensIn(after(address), address, mint) - tokensIn(before(address), address, mint);

/** How many more lamports an account has after a transaction than before it. */
export const lamportsGained = ({ before, after }: Ran, address: Address): bigint =>
  (after(address)?.lamports ?? 0n) - (before(address)?.lamports ?? 0n);

/** The error of a transaction, as a node states it. */
function failureOf(
  err: unknown,
  instructions: readonly Instruction[],
): Pick<Ran, 'code' | 'reason' | 'failedIn'> {
  if (err === null) return {};
  const reason =
    typeof err === 'string'
      ? err
      : JSON.stringify(err, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  const [index, detail] =
    (err as { readonly InstructionError?: readonly [number | bigint, unknown] }).InstructionError ?? [];
  const code = (detail as { readonly Custom?: number | bigint } | undefined)?.Custom;
  const failedIn = instructions[Number(index)]?.programAddress;
  return {
    reason,
    ...(code === undefined ? {} : { code: Number(code) }),
    ...(failedIn === undefined ? {} : { failedIn }),
  };
}

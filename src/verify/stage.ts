import { type Address, generateKeyPairSigner, getBase64EncodedWireTransaction } from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { inputError } from '../base/input.js';
import { stringifyJson } from '../base/json.js';
import { decodeClock } from '../pool/decode.js';
import { decodeLiquidityPoolState, decodeUserLpPosition } from '../program/accounts.js';
import { createHeavenClient, type HeavenClient } from '../program/client.js';
import { toHeavenProgramError } from '../program/error-codes.js';
import { CLOCK_SYSVAR_ADDRESS, RENT_SYSVAR_ADDRESS } from '../solana/programs.js';
import { decodeLamportsPerByte } from '../solana/rent.js';
import { readTokenAccount } from '../solana/token-account.js';
import { walletAt } from '../solana/wallet.js';
import type { TransactionEngine } from '../testing/engine.js';
import { createEmptyLedger, type Ledger } from '../testing/ledger.js';
import type { LedgerAccount } from '../testing/ledger-state.js';
import { createSvmEngine } from '../testing/svm-engine.js';
import { unsignedTransaction } from '../testing/wire.js';
import { changes, type Figures, type Plan } from './plan.js';
import { type Token, tokenAccountOf, type VerifySource } from './source.js';

/** Opens a fresh ledger with the source's accounts. Each row runs on its own. */
export type OpenLedger = () => Promise<Ledger>;

/**
 * Ledgers that run the downloaded programs in LiteSVM.
 *
 * @throws {HeavenError} `missing-package`, `invalid-input`
 */
export async function openPrograms(source: VerifySource): Promise<OpenLedger> {
  const { programAddress } = source.deployment;
  if (source.programs[programAddress] === undefined)
    throw inputError('from', `The download has no program ${programAddress}. Download it again.`);
  const engine = await createSvmEngine({ programs: source.programs });
  return async () => ledgerOf(source, engine);
}

/** A fresh ledger. Default: the library's own model runs its transactions, which proves nothing about the programs. */
export function ledgerOf({ deployment, accounts }: VerifySource, engine?: TransactionEngine): Ledger {
  const dataAt = (address: Address) =>
    accounts.find((account) => account.address === address)?.data ?? new Uint8Array();
  const ledger = createEmptyLedger({
    programAddress: deployment.programAddress,
    lamportsPerByte: decodeLamportsPerByte(dataAt(RENT_SYSVAR_ADDRESS)),
    clock: decodeClock(dataAt(CLOCK_SYSVAR_ADDRESS)),
    ...(engine && { engine }),
  });
  for (const { address, owner, data, lamports } of accounts)
    ledger.setAccount(address, { owner, data: data.slice(), lamports });
  return ledger;
}

/** Why a transaction failed: the program's error, or the runtime's own words. */
export interface Failed {
  readonly code?: number;
  readonly reason: string;
}

/** What a transaction did. Nothing, if it failed. */
export interface Ran {
  readonly did: Figures;
  readonly failed?: Failed;
}

/** A ledger, and wallets on it. Nobody holds their keys: signatures are not checked. */
export interface Stage {
  readonly client: HeavenClient;
  /** To plant what a row needs. */
  readonly ledger: Ledger;
  /** Gives a wallet a lot of SOL. Default: a new one. */
  wallet(address?: Address): Promise<Address>;
  /** Opens a wallet's associated token account, and sets what it holds. */
  giveTokens(owner: Address, token: Token, amount: bigint): Promise<Address>;
  run(plan: Plan): Promise<Ran>;
  /**
   * Runs a transaction that a row only builds on.
   *
   * @throws {CannotRun} if it fails
   */
  prepare(what: string, plan: Plan): Promise<void>;
  /** Runs a transaction, and undoes what it did. */
  rehearse(plan: Plan): Promise<Failed | undefined>;
}

/** What a row needs is not there. That says nothing about the program. */
export class CannotRun extends Error {}

/** 1,000,000 SOL. */
const WEALTH = 1_000_000_000_000_000n;
const TOKEN_AMOUNT_AT = 64;

export async function createStage(open: OpenLedger, { deployment }: VerifySource): Promise<Stage> {
  const ledger = await open();
  const run: Stage['run'] = async (plan) => {
    const before = new Map(ledger.listAccounts());
    const { err, fee } = await ledger.execute(plan.built.tx);
    if (err !== null) return { did: {}, failed: failureOf(err) };
    return { did: figuresOf(plan, { before, after: new Map(ledger.listAccounts()), fee }) };
  };
  return {
    client: createHeavenClient({ rpc: ledger.rpc, deployment }),
    ledger,
    run,
    prepare: async (what, plan) => {
      const { failed } = await run(plan);
      if (failed !== undefined) throw new CannotRun(`it needs ${what}, which fails: ${failed.reason}`);
    },
    rehearse: async (plan) => {
      const before = new Map(ledger.listAccounts());
      const { failed } = await run(plan);
      for (const address of new Set([...before.keys(), ...new Map(ledger.listAccounts()).keys()]))
        ledger.setAccount(address, before.get(address));
      return failed;
    },
    wallet: async (address) => {
      const wallet = address ?? (await generateKeyPairSigner()).address;
      ledger.setBalance(wallet, WEALTH);
      return wallet;
    },
    giveTokens: async (owner, token, amount) => {
      const { mint, tokenProgram } = token;
      const ata = await tokenAccountOf(owner, token);
      const input = { payer: walletAt(owner), ata, owner, mint, tokenProgram };
      const create = getCreateAssociatedTokenIdempotentInstruction(input);
      const { value: lifetime } = await ledger.rpc.getLatestBlockhash().send();
      const opening = unsignedTransaction(0, owner, lifetime.blockhash, [create]);
      const { err } = await ledger.execute(getBase64EncodedWireTransaction(opening));
      const account = ledger.getAccount(ata);
      if (err !== null || account === undefined)
        throw new CannotRun(`the token account can't be opened: ${failureOf(err).reason}`);
      const data = Uint8Array.from(account.data);
      new DataView(data.buffer).setBigUint64(TOKEN_AMOUNT_AT, amount, true);
      ledger.setAccount(ata, { ...account, data });
      return ata;
    },
  };
}

type Accounts = ReadonlyMap<Address, Required<LedgerAccount>>;

/** What changed, under the names of the plan. */
function figuresOf(
  { built, pool, at = {}, said, alternatives = [], isExact }: Plan,
  { before, after, fee }: { readonly before: Accounts; readonly after: Accounts; readonly fee: bigint },
): Figures {
  const opened = [...after].filter(([address]) => !before.has(address));
  const costs = opened.reduce((sum, [, { lamports }]) => sum + lamports, fee);
  const gained = (address: Address) =>
    amountIn(after, address) -
    amountIn(before, address) +
    (address === built.requiredSigners[0] ? costs : 0n);
  const inPool = pool === undefined ? {} : changes(poolIn(before, pool), poolIn(after, pool));
  const figures = [said, ...alternatives.map((each) => each.said)].filter((one) => typeof one === 'object');
  const asked = figures.flatMap((one) => Object.keys(one)).filter((name) => !(name in at));
  return {
    ...Object.fromEntries(Object.entries(at).map(([name, address]) => [name, gained(address)])),
    ...(isExact ? inPool : Object.fromEntries(asked.map((name) => [name, inPool[name] ?? 0n]))),
  };
}

const poolIn = (accounts: Accounts, address: Address) => {
  const account = accounts.get(address);
  return account && decodeLiquidityPoolState(account.data, address);
};

/** Lamports of a wallet, tokens of a token account, LP tokens of a position. */
function amountIn(accounts: Accounts, address: Address): bigint {
  const account = accounts.get(address);
  if (account === undefined) return 0n;
  const token = readTokenAccount({ address, ...account });
  if (token !== undefined) return token.amount;
  return account.data.length === 0
    ? account.lamports
    : decodeUserLpPosition(account.data, address).lpTokenBalance;
}

function failureOf(err: unknown): Failed {
  const [, detail = err] =
    (err as { readonly InstructionError?: readonly [unknown, unknown] } | null)?.InstructionError ?? [];
  const custom = (detail as { readonly Custom?: number | bigint } | null)?.Custom;
  if (custom === undefined) return { reason: typeof detail === 'string' ? detail : stringifyJson(detail) };
  const code = Number(custom);
  return { code, reason: toHeavenProgramError(code)?.name ?? 'an error of another program' };
}

import { type Address, getBase64Encoder } from '@solana/kit';
import type { FetchedPoolSnapshot } from 'heaven-pools';
import {
  computeRentExemption,
  decodeLamportsPerByte,
  findAssociatedTokenAddress,
  RENT_SYSVAR_ADDRESS,
} from 'heaven-pools/program';

import { type Connection, TIMEOUT_MS } from './connection.js';
import { formatSol } from './format.js';
import { Problem } from './messages.js';
import type { Side } from './quote.js';

export interface Balances {
  readonly sol: bigint;
  readonly token: bigint;
  readonly hasTokenAccount: boolean;
  /** What the cluster charges in rent. */
  readonly lamportsPerByte: bigint;
}

/** What a wallet holds of SOL and of the pool's token, and the rent of the cluster, in one call. */
export async function fetchBalances(
  { rpc, client }: Connection,
  owner: Address,
  { addresses: { mint, tokenProgram } }: FetchedPoolSnapshot,
): Promise<Balances> {
  const account = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
  const { value } = await rpc
    .getMultipleAccounts([owner, account, RENT_SYSVAR_ADDRESS], {
      encoding: 'base64',
      commitment: client.commitment,
    })
    .send({ abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
  const [wallet, tokens, rent] = value;
  const data = tokens?.owner === tokenProgram ? bytesOf(tokens.data[0]) : undefined;
  const hasTokenAccount = data !== undefined && data.length >= 165;
  const AMOUNT = 64;
  return {
    sol: wallet?.lamports ?? 0n,
    token: hasTokenAccount ? new DataView(data.buffer).getBigUint64(AMOUNT, true) : 0n,
    hasTokenAccount,
    lamportsPerByte: decodeLamportsPerByte(bytesOf(rent?.data[0] ?? '')),
  };
}

const bytesOf = (base64: string) => Uint8Array.from(getBase64Encoder().encode(base64));

/** The documented priority fee of a trade (200000 units at 40000000 micro-lamports) and one signature. */
const NETWORK_FEE = 8_000_000n + 5_000n;
/** The bytes of the account that SOL is wrapped in, whose rent comes back at the end of the transaction. */
const WRAPPING_SIZE = 165;
/** The bytes of the largest token account that a trade makes. */
const TOKEN_ACCOUNT_SIZE = 195;
/** What a wallet must keep to stay is the rent of an account without data. */
const WALLET_SIZE = 0;

/** What a trade costs besides what it spends, in lamports. */
export function costsOf(side: Side, { hasTokenAccount, lamportsPerByte }: Balances) {
  const rent = (size: number) => computeRentExemption(size, lamportsPerByte);
  return {
    network: NETWORK_FEE,
    /** Comes back at the end of the transaction. */
    wrapping: rent(WRAPPING_SIZE),
    /** Stays in the token account until it is closed. At most. */
    tokenAccount: side === 'buy' && !hasTokenAccount ? rent(TOKEN_ACCOUNT_SIZE) : 0n,
    /** Must stay in the wallet. */
    wallet: rent(WALLET_SIZE),
  };
}

/** The SOL that a trade needs besides what it spends. */
export const sideCosts = (side: Side, balances: Balances): bigint =>
  Object.values(costsOf(side, balances)).reduce((sum, cost) => sum + cost);

/**
 * What "Max" fills in. A buy leaves what it takes to sell again: the network fee of that, and the wrapping rent, which comes
 * back from the buy.
 */
export function mostOf(side: Side, balances: Balances): bigint {
  if (side === 'sell') return balances.token;
  const most = balances.sol - sideCosts(side, balances) - NETWORK_FEE;
  return most > 0n ? most : 0n;
}

/** Less in the wallet than a trade needs. */
export class NotEnough extends Problem {
  readonly asset: 'SOL' | 'token';

  constructor(asset: 'SOL' | 'token', message: string) {
    super('amount', message);
    this.asset = asset;
  }
}

/** Refuses more than there is. It names one maximum: the one that "Max" fills in. */
export function assertAffordable(
  side: Side,
  amountIn: bigint,
  balances: Balances,
  formatted: (amount: bigint) => string,
) {
  const most = mostOf(side, balances);
  if (side === 'sell' && amountIn > balances.token)
    throw new NotEnough(
      'token',
      `You have ${formatted(balances.token)}.${most > 0n ? ' Type less, or press Max.' : ''}`,
    );
  const costs = sideCosts(side, balances);
  const needed = costs + (side === 'buy' ? amountIn : 0n);
  if (balances.sol >= needed) return;
  throw new NotEnough(
    'SOL',
    side === 'buy' && most > 0n
      ? `You have ${formatSol(balances.sol)}, and fees and rent need some of it. You can spend up to ${formatSol(most)}.`
      : `You have ${formatSol(balances.sol)}, and fees and rent alone need about ${formatSol(costs)}. Add SOL to your wallet.`,
  );
}

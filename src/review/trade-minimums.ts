import type { Address } from '@solana/kit';
import { isHeavenError } from '../base/errors.js';
import { computeBuy, computeSell } from '../math/swap.js';
import { inSol } from '../math/units.js';
import { type SnapshotAddresses, snapshotAddresses } from '../pool/addresses.js';
import { snapshotFrom } from '../pool/check.js';
import { tradableStateOf } from '../pool/quote.js';
import { deriveProtocolConfigAddress } from '../program/addresses.js';
import type { HeavenClient } from '../program/client.js';
import { CONFIG_VERSIONS } from '../program/constants.js';
import type { RawAccount } from '../solana/rpc/accounts.js';
import type { InspectionWarning } from './inspection.js';
import { TRADE_SIDES } from './programs/exchange.js';
import { amountInWords } from './prose.js';
import type { Step } from './step.js';

// Whether the minimums of a transaction's trades protect anything: only a quote or a person says how much they should.

/** A trade in a transaction, and the accounts to compute it from. */
export interface Trade {
  readonly instruction: number;
  readonly side: 'buy' | 'sell';
  readonly pool: Address;
  readonly mint: Address;
  readonly protocolConfig: Address;
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
}

/** A trade whose pool can be read. */
interface LocatedTrade {
  readonly trade: Trade;
  readonly configVersion: number;
  readonly addresses: SnapshotAddresses;
}

/** The trades of a transaction that count, of all its steps. */
export const tradesIn = (
  steps: readonly (Step | undefined)[],
  counts: (instruction: number) => boolean,
): readonly Trade[] =>
  steps.flatMap((step, instruction) => {
    const side = step?.program === 'exchange' ? TRADE_SIDES[step.name] : undefined;
    if (step === undefined || side === undefined || !counts(instruction)) return [];
    const { liquidityPoolState, tokenAMint, protocolConfig } = step.accounts as Record<string, Address>;
    const {
      maxSolSpend: lamports,
      amountIn = lamports,
      minimumAmountOut,
    } = step.data as Record<string, bigint>;
    return [
      {
        ...{ instruction, side, pool: liquidityPoolState, mint: tokenAMint, protocolConfig },
        ...{ amountIn, minimumOut: minimumAmountOut },
      } as Trade,
    ];
  });

/** Where to read the pools of trades that have a minimum. Those of a config that is not known are left out. */
export async function locateTrades(
  trades: readonly Trade[],
  { deployment }: HeavenClient,
): Promise<readonly LocatedTrade[]> {
  const withMinimum = trades.filter(({ minimumOut }) => minimumOut > 0n);
  if (withMinimum.length === 0) return [];
  const configs = await Promise.all(
    CONFIG_VERSIONS.map((version) => deriveProtocolConfigAddress(version, deployment)),
  );
  const located = withMinimum.map(async (trade) => {
    const configVersion = CONFIG_VERSIONS[configs.indexOf(trade.protocolConfig)];
    if (configVersion === undefined) return [];
    const candidates = { ...trade, configVersions: [configVersion] };
    return [{ trade, configVersion, addresses: await snapshotAddresses(deployment, candidates) }];
  });
  return (await Promise.all(located)).flat();
}

/** Warns of minimums that protect nothing or, as far as the pools could be read, less than half. */
export const minimumWarnings = (
  trades: readonly Trade[],
  located: readonly LocatedTrade[],
  read: ReadonlyMap<Address, RawAccount>,
  decimals: ReadonlyMap<string, number>,
  client: HeavenClient | undefined,
): readonly InspectionWarning[] =>
  trades.flatMap((trade) => {
    const { side, mint, amountIn, minimumOut, instruction } = trade;
    const warn = (code: InspectionWarning['code'], message: string) => [{ code, message, instruction }];
    const tokens = (amount: bigint) => amountInWords(amount, mint, decimals.get(mint));
    const [inInput, inOutput] = side === 'buy' ? [inSol, tokens] : [tokens, inSol];
    if (minimumOut === 0n)
      return warn(
        'minimum-too-low',
        `The ${side} has no minimum: for ${inInput(amountIn)} it may give nothing. Take a quote with a minimum, from a source you trust.`,
      );
    if (client === undefined) return [];
    const outcome = outcomeOf(
      located.find((each) => each.trade === trade),
      read,
      client,
    );
    if ('reason' in outcome)
      return warn(
        'unchecked-minimum',
        `What the ${side} gives now can't be computed, so nothing shows what its minimum of ${inOutput(minimumOut)} protects: ${outcome.reason}`,
      );
    const { amountOut } = outcome;
    if (minimumOut * 2n >= amountOut) return [];
    return warn(
      'minimum-too-low',
      `The ${side} gives ${inOutput(amountOut)} now, and its minimum is ${inOutput(minimumOut)}: less than half of that is protected. Take a fresh quote, from a source you trust.`,
    );
  });

/** What a trade gives at the state that was read, or why that is not known. */
function outcomeOf(
  located: LocatedTrade | undefined,
  read: ReadonlyMap<Address, RawAccount>,
  { deployment }: HeavenClient,
): { readonly amountOut: bigint } | { readonly reason: string } {
  if (located === undefined) return { reason: 'its config is not one of the known ones.' };
  const { trade, configVersion, addresses } = located;
  const accounts = addresses.map((address) => read.get(address));
  try {
    const candidates = { pool: trade.pool, configVersions: [configVersion] };
    const state = tradableStateOf(snapshotFrom(accounts, addresses, candidates, deployment));
    return (trade.side === 'buy' ? computeBuy : computeSell)(state, trade.amountIn);
  } catch (error) {
    if (!isHeavenError(error)) throw error;
    return { reason: error.message };
  }
}

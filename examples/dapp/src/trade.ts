// A trade, from its quote to its receipt.
import type { Address } from '@solana/kit';

import { readBalances } from './follow.js';
import { explain } from './messages.js';
import { onChange, onLeave, state } from './state.js';
import { focusAmount, read, setPreparing, showTradeProblem } from './trade-card.js';
import { versionFor } from './wallets.js';

let running = new AbortController();
/** The code for the steps after a quote, loaded when a trade is likely. */
let steps: typeof import('./trade-operation.js') | undefined;

/** Builds and reviews the typed trade, and opens the sheet with it. */
export async function reviewTrade(notice?: string): Promise<void> {
  const { connection, pool, wallet, account } = state;
  if (connection === undefined || pool === undefined || wallet === undefined || account === undefined) return;
  running.abort();
  running = new AbortController();
  const { signal } = running;
  showTradeProblem(undefined);
  setPreparing('Preparing…');
  try {
    // The balances may have changed elsewhere.
    await readBalances();
    if (signal.aborted) return;
    const reading = read();
    if (reading.is !== 'ready') {
      if ('problem' in reading) throw reading.problem;
      return;
    }
    const { quote } = reading;
    steps ??= await import('./trade-operation.js');
    const { buildTrade, NO_LIFETIME, openSheet, tradeOperation } = steps;
    const built = await buildTrade(connection.client, {
      quote: quote.quote,
      snapshot: quote.snapshot,
      payer: account.address as Address,
      lifetime: NO_LIFETIME,
      transactionVersion: versionFor(wallet),
      // Leaves the wallet's own wrapped SOL alone.
      wrapSol: 'temporary',
      abortSignal: signal,
    });
    const before = state.balances;
    const context = { connection, wallet, account, quote, pool, before, rebuild: reviewTrade };
    await openSheet(tradeOperation(context), built, signal, notice);
  } catch (error) {
    if (signal.aborted) return;
    const { field, message } = explain(error);
    steps?.closeSheet();
    // A field's problem is shown at the field.
    if (field === 'amount') focusAmount();
    else showTradeProblem(message, true);
  } finally {
    if (running.signal === signal) setPreparing(undefined);
  }
}

export function startTrade(): void {
  onChange(() => steps?.renderMoved());
  onLeave(() => {
    running.abort();
    setPreparing(undefined);
    steps?.closeSheet();
  });
}

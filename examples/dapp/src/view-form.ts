// What the forms of the launch view and the pools view share: fields, their problems, their button, and opening the sheet with a transaction.
import { type Address, isAddress } from '@solana/kit';
import { type BuiltTransaction, parseAmount } from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';

import type { Connection } from './connection.js';
import { byId, setBusy, show, showFieldProblem } from './dom.js';
import { formatSol } from './format.js';
import { explain, Problem } from './messages.js';
import { closeSheet, NO_LIFETIME, type Operation, openSheet } from './sheet.js';
import type { ReceiptView, ReviewView } from './sheet-view.js';
import { state } from './state.js';
import { openWalletMenu } from './wallet-menu.js';
import { versionFor } from './wallets.js';

// Fields

/** A problem with a field. */
export class FieldProblem extends Problem {
  readonly input: string;

  constructor(input: string, message: string) {
    super(undefined, message);
    this.input = input;
  }
}

export const inputAt = (id: string) => byId<HTMLInputElement>(id);
export const valueAt = (id: string): string => inputAt(id).value.trim();

/** The amount in a field, in native units. */
export function amountAt(id: string, decimals: number): bigint {
  let amount: bigint;
  try {
    amount = parseAmount(valueAt(id), decimals);
  } catch (error) {
    throw new FieldProblem(id, explain(error).message);
  }
  if (amount === 0n) throw new FieldProblem(id, 'Type an amount over 0.');
  return amount;
}

/** The address in a field. */
export function addressAt(id: string, of: string): Address {
  const address = valueAt(id);
  if (isAddress(address)) return address;
  throw new FieldProblem(id, `Type the address of ${of}. It has 32 to 44 letters and digits.`);
}

/** Fills a view from its template when it is first opened. */
export function fillView(view: string): void {
  const template = byId(view).querySelector('template');
  template?.replaceWith(template.content);
}

/** Hears the buttons for a part of something: `data-NAME` has the percentage. */
export function onShare(name: string, act: (percent: bigint) => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(`[data-${name}]`))
    button.addEventListener('click', () => act(BigInt(button.dataset[name] ?? '0')));
}

/** Says on a form's button what it opens, or what it does meanwhile. */
export function renderButton(form: string, doing: string | undefined): void {
  const button = byId<HTMLButtonElement>(`${form}-build`);
  button.dataset.label = state.account === undefined ? 'Connect wallet' : (button.dataset.review ?? '');
  setBusy(button, doing);
}

/** Shows a problem at its field, or at the end of the form, and goes there. */
export function showProblem(form: string, error: unknown, takesFocus = true): void {
  const isOfField = error instanceof FieldProblem;
  const { message } = explain(error);
  if (isOfField) showFieldProblem(error.input, message);
  else show(byId(`${form}-problem`), message);
  if (takesFocus) byId(isOfField ? error.input : `${form}-problem`).focus();
}

export function clearProblems(form: string): void {
  for (const { id } of byId(`${form}-form`).querySelectorAll<HTMLElement>('[aria-invalid]'))
    showFieldProblem(id, undefined);
  show(byId(`${form}-problem`), undefined);
}

const TYPING_MS = 150;

/** Runs work after a pause in typing. Each call cancels the previous one. */
export function afterTyping(): (run?: (signal: AbortSignal) => Promise<void>, ms?: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();
  return (run, ms = TYPING_MS) => {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    const { signal } = running;
    if (run !== undefined) timer = setTimeout(() => void run(signal), ms);
  };
}

// Transactions

/** A transaction that a form makes, in words. */
export interface Plan
  extends Pick<ReviewView, 'title' | 'headline' | 'facts'>,
    Pick<Operation, 'noun' | 'done' | 'token'>,
    Partial<Pick<ReviewView, 'confirm' | 'warnings'>>,
    Partial<Pick<Operation, 'known' | 'recipients' | 'canSendChanged' | 'lastSigner' | 'onSending'>> {
  /** Shown once it has landed, with `facts` where it has none of its own. */
  readonly receipt: Pick<ReceiptView, 'title'> & Partial<Pick<ReceiptView, 'headline' | 'facts' | 'open'>>;
}

/** The options that all of the library's builders take. */
export interface BuildOptions {
  readonly payer: Address;
  readonly transactionVersion: 0 | 1;
  readonly lifetime: typeof NO_LIFETIME;
  readonly abortSignal: AbortSignal;
}

export interface Draft {
  readonly plan: Plan;
  readonly built: BuiltTransaction;
}

/** The callbacks of a form. */
export interface FormHost {
  onBusy(isBusy: boolean): void;
  onLanded(): void | Promise<void>;
  /** The wallet's balances may have changed. */
  onSpent(): void;
}

/** The lookup table that keeps a transaction with many accounts under version 0's size limit. */
export const lookupTableOf = ({ model }: Connection, config: 'community' | 'pro'): Address =>
  model?.ledger.lookupTables[config] ?? COMMUNITY_LOOKUP_TABLE_ADDRESS;

let making = new AbortController();

/** Cancels the form's build. */
export const stopMaking = () => making.abort();

/** Builds and simulates a form's transaction, and opens the sheet with it. Asks for a wallet first if none is connected. */
export async function make(
  form: string,
  host: FormHost,
  draft: (connection: Connection, options: BuildOptions) => Promise<Draft>,
): Promise<void> {
  const { connection, wallet, account } = state;
  if (wallet === undefined || account === undefined) return void openWalletMenu();
  stopMaking();
  making = new AbortController();
  const { signal } = making;
  const end = () => host.onBusy(false);
  signal.addEventListener('abort', end, { once: true });
  clearProblems(form);
  host.onBusy(true);
  try {
    if (connection === undefined)
      throw new Problem(undefined, 'Not connected yet. Try again in a moment, or check Network.');
    const options = {
      payer: account.address as Address,
      transactionVersion: versionFor(wallet),
      lifetime: NO_LIFETIME,
      abortSignal: signal,
    };
    const { plan, built } = await draft(connection, options);
    await openSheet(operationOf(form, plan, { connection, wallet, account }, host), built, signal);
    if (!signal.aborted) end();
  } catch (error) {
    if (signal.aborted) return;
    closeSheet();
    end();
    showProblem(form, error);
  }
}

function operationOf(
  form: string,
  plan: Plan,
  who: Pick<Operation, 'connection' | 'wallet' | 'account'>,
  host: FormHost,
): Operation {
  return {
    canSendChanged: true,
    known: {},
    ...plan,
    ...who,
    view: ({ costs: { sol } }) => ({
      confirm: 'Sign and send',
      warnings: [],
      ...plan,
      legs: [],
      costs: sol === undefined ? [] : [{ term: 'Other SOL that leaves, at most', value: formatSol(sol) }],
    }),
    receipt: async () => {
      await host.onLanded();
      host.onSpent();
      return { headline: '', facts: plan.facts, ...plan.receipt };
    },
    onLeft: (mayHappen) => {
      show(byId(`${form}-problem`), mayHappen);
      if (mayHappen !== undefined) byId(`${form}-problem`).focus();
      else byId(`${form}-form`).querySelector<HTMLElement>('input, select, button')?.focus();
      host.onSpent();
    },
  };
}

// The launch view: the form, what the token will look like, and its fees. Loaded on demand.
import type { Address, TransactionPartialSigner } from '@solana/kit';
import type { GrindProgress } from 'heaven-pools';

import type { Connection } from './connection.js';
import { byId, element, setBusy, setText, show } from './dom.js';
import { launchFees } from './fees.js';
import { formatAmount, formatBps, formatShortSol, formatSol, formatUsd } from './format.js';
import {
  buildLaunch,
  fetchTerms,
  type LaunchField,
  LaunchProblem,
  type LaunchTerms,
  quotePurchase,
  readLaunch,
  readPurchase,
  suffixOn,
} from './launch.js';
import { launchOperation } from './launch-operation.js';
import { renderLaunchPage, URI_HINT } from './launch-page.js';
import { explain, Problem } from './messages.js';
import type { ViewHost } from './page.js';
import { drawCapFees, drawSlotFees } from './pool-charts.js';
import { reviewBuilt } from './review.js';
import { closeSheet, openSheet } from './sheet.js';
import { onChange, onLeave, state } from './state.js';
import type { MetadataFile } from './token-metadata.js';
import { openWalletMenu } from './wallet-menu.js';
import { versionFor } from './wallets.js';

let host: ViewHost;
let isBuilding = false;
let running = new AbortController();
let quoting = new AbortController();
/** A mint that was found and not sent yet: the search need not be repeated. */
let mint: { readonly on: Connection; readonly signer: TransactionPartialSigner } | undefined;
let terms: { readonly on: Connection; readonly read: Promise<LaunchTerms> } | undefined;

const FIELDS = ['name', 'symbol', 'uri', 'purchase'] as const;
const field = (name: LaunchField) => byId<HTMLInputElement>(`launch-${name}`);
const buildButton = () => byId<HTMLButtonElement>('launch-build');

/** Starts the view. Call it once. */
export function startLaunch(given: ViewHost): void {
  host = given;
  renderLaunchPage(byId('launch-view'));
  byId('launch-form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (state.account === undefined && isComplete()) openWalletMenu();
    else void build();
  });
  for (const name of FIELDS) {
    field(name).addEventListener('input', () => {
      showFieldProblem(name, undefined);
      show(byId('launch-problem'), undefined);
      renderPreview();
      renderButton();
      if (name === 'purchase') askForCost();
      if (name === 'uri') forgetFile();
    });
  }
  field('uri').addEventListener('change', () => void readFile());
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-supply]'))
    button.addEventListener('click', () => void fillSupply(BigInt(button.dataset.supply ?? '0')));
  byId('launch-stop').addEventListener('click', () => {
    endLaunch();
    buildButton().focus();
  });
  onLeave(endLaunch);
  onChange(() => {
    renderButton();
    void renderFees();
  });
  addEventListener('resize', () => {
    if (width === innerWidth) return;
    width = innerWidth;
    feesOf = undefined;
    void renderFees();
  });
  renderPreview();
  renderButton();
  void renderFees();
}

function endLaunch(): void {
  running.abort();
  setBuilding(false);
}

function setBuilding(next: boolean): void {
  isBuilding = next;
  byId<HTMLFieldSetElement>('launch-fields').disabled = next;
  byId('launch-stop').hidden = !next;
  if (!next) show(byId('launch-progress'), undefined);
  renderButton();
}

const isComplete = () =>
  (['name', 'symbol', 'uri'] as const).every((name) => field(name).value.trim() !== '');

function renderButton(): void {
  const button = buildButton();
  button.dataset.label = state.account === undefined && isComplete() ? 'Connect wallet' : 'Review the launch';
  setBusy(button, isBuilding ? 'Preparing…' : undefined);
}

/** What the metadata file says, and the address that it was read from. */
let file: (MetadataFile & { readonly uri: string }) | undefined;
let readingFile = new AbortController();
const uriHint = () => byId('launch-uri-hint');

/** Reads the metadata file, once its address is typed. Where a launch would name it, nobody could correct it later. */
async function readFile(): Promise<void> {
  const { connection } = state;
  const uri = field('uri').value.trim();
  if (uri === file?.uri) return;
  forgetFile();
  if (uri === '' || connection === undefined) return;
  const { signal } = readingFile;
  setText(uriHint(), 'Reading the file…');
  try {
    const { readMetadataFile } = await import('./token-metadata.js');
    const found = await readMetadataFile(connection, uri, signal);
    if (signal.aborted) return;
    file = { ...found, uri };
    setText(uriHint(), found.message);
    uriHint().classList.toggle('warning', found.imageUrl === undefined);
  } catch (error) {
    if (signal.aborted) return;
    setText(uriHint(), explain(error).message);
  }
  renderPreview();
}

function forgetFile(): void {
  readingFile.abort();
  readingFile = new AbortController();
  if (file?.imageUrl !== undefined) URL.revokeObjectURL(file.imageUrl);
  file = undefined;
  setText(uriHint(), URI_HINT);
  uriHint().classList.remove('warning');
  renderPreview();
}

function renderPreview(): void {
  const name = field('name').value.trim() || file?.name?.name;
  const symbol = field('symbol').value.trim() || file?.name?.symbol;
  const place = byId('preview-image');
  const shown = place.querySelector('img');
  if (shown?.src !== file?.imageUrl) {
    shown?.remove();
    if (file?.imageUrl !== undefined)
      place.append(element('img', { src: file.imageUrl, alt: '', width: '28', height: '28' }));
  }
  setText(byId('preview-letter'), [...(symbol || '?')][0]?.toUpperCase() ?? '?');
  setText(byId('preview-name'), name || 'Your token');
  setText(byId('preview-symbol'), symbol || 'SYMBOL');
}

// Fields

function showFieldProblem(name: LaunchField, message: string | undefined): void {
  if (message === undefined) field(name).removeAttribute('aria-invalid');
  else field(name).setAttribute('aria-invalid', 'true');
  show(byId(`launch-${name}-problem`), message);
}

/** Shows a problem at its field, or below the form, and goes there. */
function showProblem(error: unknown): void {
  if (error instanceof LaunchProblem) {
    showFieldProblem(error.launchField, error.message);
    field(error.launchField).focus();
    return;
  }
  show(byId('launch-problem'), explain(error).message);
  byId('launch-problem').focus();
}

async function termsOn(connection: Connection): Promise<LaunchTerms> {
  if (terms?.on !== connection) terms = { on: connection, read: fetchTerms(connection) };
  try {
    return await terms.read;
  } catch (error) {
    terms = undefined;
    throw error;
  }
}

let feesOf: Connection | undefined;
let width = innerWidth;

/** The fees that the new pool will have, by slot and by market cap. */
async function renderFees(): Promise<void> {
  const { connection } = state;
  if (connection === undefined || connection === feesOf) return;
  feesOf = connection;
  try {
    const { config } = await termsOn(connection);
    if (state.connection !== connection) return;
    const { caps, slots } = launchFees(config);
    drawSlotFees(byId('launch-slot-chart'), slots, undefined);
    drawCapFees(byId('launch-cap-chart'), caps, undefined);
    show(byId('launch-fees-problem'), undefined);
  } catch (error) {
    feesOf = undefined;
    show(byId('launch-fees-problem'), explain(error).message);
  }
}

async function fillSupply(percent: bigint): Promise<void> {
  const { connection } = state;
  if (connection === undefined) return;
  try {
    const { supply, decimals } = await termsOn(connection);
    field('purchase').value =
      percent === 0n ? '' : formatAmount((supply * percent) / 100n, decimals).replaceAll(',', '');
    showFieldProblem('purchase', undefined);
    askForCost();
  } catch (error) {
    showProblem(error);
  }
}

const TYPING_MS = 150;
let typing: ReturnType<typeof setTimeout> | undefined;

/** Shows what the purchase costs, once nothing is typed for a moment. */
function askForCost(): void {
  clearTimeout(typing);
  quoting.abort();
  quoting = new AbortController();
  setText(byId('launch-cost'), '');
  if (field('purchase').value.trim() === '') return;
  const { signal } = quoting;
  typing = setTimeout(() => void showCost(signal), TYPING_MS);
}

async function showCost(signal: AbortSignal): Promise<void> {
  const { connection } = state;
  if (connection === undefined) return;
  try {
    const known = await termsOn(connection);
    const amount = readPurchase(field('purchase').value, known);
    if (amount === 0n) return;
    const { costLamports, costUsd } = await quotePurchase(connection, known, amount, signal);
    if (signal.aborted) return;
    const share = formatBps(Number((amount * 1_000_000n) / known.supply) / 100);
    setText(
      byId('launch-cost'),
      `At most ${formatShortSol(costLamports)} (${formatUsd(costUsd)}), for ${share} of the supply. That leaves 1 % for the price to move.`,
    );
    byId('launch-cost').title = formatSol(costLamports);
  } catch (error) {
    if (signal.aborted) return;
    showFieldProblem('purchase', explain(error).message);
  }
}

// Building

async function build(): Promise<void> {
  if (isBuilding) return;
  show(byId('launch-problem'), undefined);
  const { connection } = state;
  if (connection === undefined) {
    showProblem(new Problem(undefined, 'Not connected yet. Try again in a moment, or check Network.'));
    return;
  }
  running = new AbortController();
  const { signal } = running;
  setBuilding(true);
  try {
    const known = await termsOn(connection);
    if (signal.aborted) return;
    const [name, symbol, uri, purchase] = FIELDS.map((one) => field(one).value);
    const input = readLaunch(
      { name: name ?? '', symbol: symbol ?? '', uri: uri ?? '', purchase: purchase ?? '' },
      known,
    );
    const { wallet, account } = state;
    if (wallet === undefined || account === undefined)
      throw new Problem(undefined, 'Connect a wallet first, at the top of the page.');
    const payer = account.address as Address;
    const built = await buildLaunch(connection, known, input, {
      payer,
      transactionVersion: versionFor(wallet),
      mint: mint?.on === connection ? mint.signer : undefined,
      onProgress: progressShower(suffixOn(connection), signal),
      abortSignal: signal,
    });
    if (built.mintSigner !== undefined) mint = { on: connection, signer: built.mintSigner };
    const reviewed = await reviewBuilt(connection, built, payer, signal);
    if (signal.aborted) return;
    setBuilding(false);
    openSheet(
      launchOperation(
        { connection, wallet, account, input, terms: known, built },
        {
          onSending: () => {
            mint = undefined;
          },
          onLanded: () => {
            clearFields();
            host.onSpent();
          },
          onLeft: (mayHappen) => {
            show(byId('launch-problem'), mayHappen);
            if (mayHappen === undefined) field('name').focus();
            else byId('launch-problem').focus();
            host.onSpent();
          },
          openPool: (address) => host.openPool(address),
        },
      ),
      reviewed,
    );
  } catch (error) {
    if (signal.aborted) return;
    closeSheet();
    setBuilding(false);
    showProblem(error);
  }
}

function clearFields(): void {
  for (const name of FIELDS) field(name).value = '';
  askForCost();
  renderPreview();
  renderButton();
}

const PROGRESS_MS = 1_000;

/** Tells how the search goes, but not so often that a screen reader does nothing else. */
function progressShower(suffix: string, signal: AbortSignal): (progress: GrindProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ attempts, expectedAttempts }) => {
    const now = performance.now();
    if (signal.aborted || now - last < PROGRESS_MS) return;
    last = now;
    show(
      byId('launch-progress'),
      `Searching for an address of the token that ends in ${suffix}: ${formatAmount(BigInt(attempts), 0)} tried, ${formatAmount(BigInt(expectedAttempts), 0)} on average.`,
    );
  };
}

// The launch view: the form, the token's preview, and its fees. Loaded on demand.
import type { TransactionPartialSigner } from '@solana/kit';
import { type GrindProgress, toFeeSchedule, type UriMetadata } from 'heaven-pools';

import type { Connection } from './connection.js';
import { byId, element, setLines, setText, show, showFieldProblem } from './dom.js';
import { formatAmount, formatBps, formatShortSol, formatSol, formatUsd, tame } from './format.js';
import {
  buildLaunch,
  fetchTerms,
  type LaunchTerms,
  launchPlan,
  quotePurchase,
  readLaunch,
  readPurchase,
  suffixOn,
} from './launch.js';
import {
  differences,
  IMAGE_PROBLEM,
  problemOf,
  readFile,
  readForm,
  showImage,
  type TokenFile,
  writeTokenFile,
} from './launch-file.js';
import { explain } from './messages.js';
import type { ViewHost } from './page.js';
import { drawCapFees, drawSlotFees } from './pool-charts.js';
import { onChange, onLeave, state } from './state.js';
import {
  afterTyping,
  type BuildOptions,
  type Draft,
  fillView,
  inputAt,
  make,
  onShare,
  renderButton,
  showProblem,
  stopMaking,
  valueAt,
} from './view-form.js';

let host: ViewHost;
let uriHint = '';
/** A mint that was found but not sent yet, so that the search needn't be repeated. */
let mint: { readonly on: Connection; readonly signer: TransactionPartialSigner } | undefined;
let terms: { readonly on: Connection; readonly read: Promise<LaunchTerms> } | undefined;

const FIELDS = ['name', 'symbol', 'image', 'description', 'uri', 'purchase'] as const;
const typed = (): TokenFile => ({
  name: valueAt('launch-name'),
  symbol: valueAt('launch-symbol'),
  description: valueAt('launch-description'),
  image: valueAt('launch-image'),
});

/** Starts the view. Call it once. */
export function startLaunch(given: ViewHost): void {
  host = given;
  fillView('launch-view');
  uriHint = byId('launch-uri-hint').textContent ?? '';
  byId('launch-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void make('launch', formHost, draftLaunch);
  });
  for (const name of FIELDS) {
    inputAt(`launch-${name}`).addEventListener('input', () => {
      showFieldProblem(`launch-${name}`, undefined);
      show(byId('launch-problem'), undefined);
      if (name === 'purchase') askForCost();
      else lookAtFile();
    });
  }
  onShare('supply', fillSupply);
  byId('launch-download').addEventListener('click', downloadFile);
  byId('launch-keep').addEventListener('click', keepFile);
  byId('launch-stop').addEventListener('click', () => {
    stopMaking();
    byId('launch-build').focus();
  });
  onLeave(stopMaking);
  onChange(render);
  lookAtFile();
  render();
}

function render(): void {
  renderButton('launch', isBuilding ? 'Preparing…' : undefined);
  byId('launch-keep').hidden = state.connection?.model === undefined;
  void renderFees();
}

let isBuilding = false;

const formHost = {
  onBusy: (isBusy: boolean) => {
    isBuilding = isBusy;
    byId<HTMLFieldSetElement>('launch-fields').disabled = isBusy;
    byId('launch-stop').hidden = !isBusy;
    if (!isBusy) show(byId('launch-progress'), undefined);
    render();
  },
  onLanded: () => {
    for (const name of FIELDS) inputAt(`launch-${name}`).value = '';
    setText(byId('launch-kept'), '');
    askForCost();
    lookAtFile();
  },
  onSpent: () => host.onSpent(),
};

// The file and its image

/** The file at the metadata URL, and the review's warnings about it. */
let found:
  | { readonly uri: string; readonly file: UriMetadata; readonly warnings: readonly string[] }
  | undefined;
let image: { readonly of: string; readonly url: string | undefined } | undefined;
const looking = afterTyping();
const READING_MS = 400;

/** Reads the form's file and image after a pause in typing. */
function lookAtFile(): void {
  renderPreview();
  const { connection } = state;
  if (connection === undefined) return;
  looking(async (signal) => {
    try {
      const form = await compareFile(connection, signal);
      await lookAtImage(connection, typed().image === '' && found !== undefined ? found.file : form, signal);
    } catch (error) {
      if (!signal.aborted) setText(byId('launch-uri-hint'), explain(error).message);
    }
  }, READING_MS);
}

/** Reads the file at the metadata URL, once per URL, compares it with the form, and returns the form's. */
async function compareFile(connection: Connection, signal: AbortSignal): Promise<UriMetadata> {
  const uri = valueAt('launch-uri');
  const form = await readForm(typed(), signal);
  if (uri !== '' && uri !== found?.uri) setText(byId('launch-uri-hint'), 'Reading the file…');
  const file =
    uri === '' ? undefined : uri === found?.uri ? found.file : await readFile(connection, uri, signal);
  if (signal.aborted) return form;
  const warnings = renderFile(file, form);
  found = file && { uri, file, warnings };
  return form;
}

/** Shows the file's status and its differences from the form. */
function renderFile(file: UriMetadata | undefined, form: UriMetadata): readonly string[] {
  const problem = file && problemOf(file);
  const isUnread = problem !== undefined && file?.name === undefined && file?.image === undefined;
  const differ = file === undefined || isUnread ? [] : differences(file, form);
  const called =
    file?.name === undefined ? '' : `, and calls the token ${file.name.value} (${file.symbol?.value ?? '–'})`;
  setText(
    byId('launch-uri-hint'),
    file === undefined ? uriHint : (problem ?? `The file has an image${called}.`),
  );
  setLines(byId('launch-differences'), differ);
  return problem === undefined ? differ : [problem, ...differ];
}

/** Loads the image once, and shows why it can't be shown. */
async function lookAtImage(connection: Connection, from: UriMetadata, signal: AbortSignal): Promise<void> {
  const address = from.image?.value ?? '';
  const isTyped = typed().image !== '';
  if (isTyped && address === '')
    showFieldProblem('launch-image', 'Type a whole address that begins with https:// or ipfs://.');
  if (image?.of !== address) {
    const url = await showImage(connection, from, signal);
    if (signal.aborted) return;
    if (image?.url !== undefined) URL.revokeObjectURL(image.url);
    image = { of: address, url };
  }
  if (address !== '' && image.url === undefined) {
    if (isTyped) showFieldProblem('launch-image', IMAGE_PROBLEM);
    else setText(byId('launch-uri-hint'), IMAGE_PROBLEM);
  }
  renderPreview();
}

function renderPreview(): void {
  const { name, symbol } = typed();
  const known = valueAt('launch-uri') === found?.uri ? found?.file : undefined;
  const shownSymbol = tame(symbol) || known?.symbol?.value || '';
  const place = byId('preview-image');
  const shown = place.querySelector('img');
  const isWanted = typed().image !== '' || known?.image !== undefined;
  const url = isWanted ? image?.url : undefined;
  if (shown?.src !== url) {
    shown?.remove();
    if (url !== undefined) place.append(element('img', { src: url, alt: '', width: '28', height: '28' }));
  }
  setText(byId('preview-letter'), [...(shownSymbol || '?')][0]?.toUpperCase() ?? '?');
  setText(byId('preview-name'), tame(name) || known?.name?.value || 'Your token');
  setText(byId('preview-symbol'), shownSymbol || 'SYMBOL');
}

/** Whether the form has enough for a file. Shows what is missing. */
function canWriteFile(): boolean {
  for (const [id, what] of [
    ['launch-name', 'a name'],
    ['launch-symbol', 'a symbol'],
    ['launch-image', 'the address of an image'],
  ] as const) {
    if (valueAt(id) !== '') continue;
    showFieldProblem(id, `Type ${what}: the file needs it.`);
    inputAt(id).focus();
    return false;
  }
  return true;
}

function downloadFile(): void {
  if (!canWriteFile()) return;
  const href = URL.createObjectURL(new Blob([writeTokenFile(typed())], { type: 'application/json' }));
  element('a', { href, download: 'token.json' }).click();
  setTimeout(() => URL.revokeObjectURL(href));
  setText(byId('launch-kept'), 'Put this file at an address of yours, and paste the address below.');
}

/** Practice mode has its own host, which only this page can read. */
function keepFile(): void {
  const { model } = state.connection ?? {};
  if (model === undefined || !canWriteFile()) return;
  inputAt('launch-uri').value = model.keepFile(writeTokenFile(typed()));
  showFieldProblem('launch-uri', undefined);
  setText(
    byId('launch-kept'),
    'Only this page knows that address, as long as it is open. On a real cluster, put the file at an address of yours.',
  );
  lookAtFile();
}

// Fees and costs

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

/** The fees that the new pool will have, by slot and by market cap. */
async function renderFees(): Promise<void> {
  const { connection } = state;
  if (connection === undefined || connection === feesOf) return;
  feesOf = connection;
  try {
    const { config } = await termsOn(connection);
    if (state.connection !== connection) return;
    const { byMarketCap, bySlot } = toFeeSchedule(config);
    drawSlotFees(byId('launch-slot-chart'), bySlot, undefined);
    drawCapFees(byId('launch-cap-chart'), byMarketCap, undefined);
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
    inputAt('launch-purchase').value =
      percent === 0n ? '' : formatAmount((supply * percent) / 100n, decimals).replaceAll(',', '');
    showFieldProblem('launch-purchase', undefined);
    askForCost();
  } catch (error) {
    showProblem('launch', error);
  }
}

const quoting = afterTyping();

/** Shows the purchase's cost after a pause in typing. */
function askForCost(): void {
  setText(byId('launch-cost'), '');
  const { connection } = state;
  quoting(async (signal) => {
    if (connection === undefined || valueAt('launch-purchase') === '') return;
    try {
      const known = await termsOn(connection);
      const amount = readPurchase(known);
      const { costLamports, costUsd } = await quotePurchase(connection, amount, signal);
      if (signal.aborted) return;
      const share = formatBps(Number((amount * 1_000_000n) / known.supply) / 100);
      setText(
        byId('launch-cost'),
        `At most ${formatShortSol(costLamports)} (${formatUsd(costUsd)}), for ${share} of the supply. That leaves 1 % for the price to move.`,
      );
      byId('launch-cost').title = formatSol(costLamports);
    } catch (error) {
      if (!signal.aborted) showFieldProblem('launch-purchase', explain(error).message);
    }
  });
}

// Building

async function draftLaunch(connection: Connection, options: BuildOptions): Promise<Draft> {
  const known = await termsOn(connection);
  const input = readLaunch(known);
  const built = await buildLaunch(connection, input, {
    ...options,
    mint: mint?.on === connection ? mint.signer : undefined,
    onProgress: progressShower(suffixOn(connection), options.abortSignal),
  });
  if (built.mintSigner !== undefined) mint = { on: connection, signer: built.mintSigner };
  await compareFile(connection, options.abortSignal);
  const warnings = (found?.warnings ?? []).map((one) => `Metadata: ${one}`);
  const hooks = {
    warnings,
    onSending: () => {
      mint = undefined;
    },
    openPool: host.openPool,
  };
  return { built, plan: launchPlan(known, input, built, hooks) };
}

const PROGRESS_MS = 1_000;

/** Shows the search's progress, but not too often for screen readers. */
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

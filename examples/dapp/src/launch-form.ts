// The launch view: the form, the token's preview, and its fees. Loaded on demand.
import type { TransactionPartialSigner } from '@solana/kit';
import {
  type GrindProgress,
  getUriMetadata,
  toFeeSchedule,
  toUiAmount,
  type UriMetadata,
  writeUriMetadata,
} from 'heaven-pools';

import type { Connection } from './connection.js';
import { byId, element, setLines, setText, show, showFieldProblem } from './dom.js';
import { formatAmount, formatBps, formatShortSol, formatSol, formatUsd, tame } from './format.js';
import {
  buildLaunch,
  launchPlan,
  quotePurchase,
  readLaunch,
  readPurchase,
  suffixOn,
  termsOn,
} from './launch.js';
import { describeFile } from './launch-file.js';
import { explain } from './messages.js';
import type { ViewHost } from './page.js';
import { drawCapFees, drawSlotFees } from './pool-charts.js';
import { onChange, onLeave, state } from './state.js';
import { GATEWAYS, loadImage } from './token-metadata.js';
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

/** Starts the view. Call it once. */
export function startLaunch(given: ViewHost): void {
  host = given;
  fillView('launch-view');
  uriHint = byId('launch-uri-hint').textContent ?? '';
  byId('launch-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void make('launch', formHost, draftLaunch);
  });
  byId('launch-form').addEventListener('input', ({ target }) => {
    const { id } = target as HTMLInputElement;
    showFieldProblem(id, undefined);
    show(byId('launch-problem'), undefined);
    if (id === 'launch-purchase') askForCost();
    else lookAtFile();
  });
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
    byId<HTMLFormElement>('launch-form').reset();
    setText(byId('launch-kept'), '');
    askForCost();
    lookAtFile();
  },
  onSpent: () => host.onSpent(),
};

// The file and its image

/** The file at the metadata URL. */
let found: { readonly uri: string; readonly file: UriMetadata } | undefined;
let image: { readonly of: string; readonly url: string | undefined } | undefined;
const looking = afterTyping();
const READING_MS = 400;
const IMAGE_PROBLEM = 'This image can’t be shown. Use PNG, JPEG, GIF, WebP or AVIF, up to 1 MB.';

/** The file that the form stands for. */
const written = () =>
  writeUriMetadata({
    name: valueAt('launch-name'),
    symbol: valueAt('launch-symbol'),
    description: valueAt('launch-description'),
    image: valueAt('launch-image'),
    gateways: GATEWAYS,
  });

/** Reads the file and the image after a pause in typing. */
function lookAtFile(): void {
  renderPreview();
  const { connection } = state;
  if (connection === undefined) return;
  looking(async (signal) => {
    try {
      await readFile(connection, signal);
      await lookAtImage(connection, signal);
    } catch (error) {
      if (!signal.aborted) setText(byId('launch-uri-hint'), explain(error).message);
    }
  }, READING_MS);
}

/** Reads the file at the metadata URL, once per URL, and shows its differences from the form. Returns the warnings about it. */
async function readFile({ fetchFile }: Connection, abortSignal: AbortSignal): Promise<readonly string[]> {
  const uri = valueAt('launch-uri');
  if (uri === '') found = undefined;
  else if (uri !== found?.uri) {
    setText(byId('launch-uri-hint'), 'Reading the file…');
    const file = await getUriMetadata(uri, { fetch: fetchFile, gateways: GATEWAYS, abortSignal });
    if (abortSignal.aborted) return [];
    found = { uri, file };
  }
  const described = found && describeFile(found.file, written().metadata);
  setText(byId('launch-uri-hint'), described?.hint ?? uriHint);
  setLines(byId('launch-differences'), described?.differences ?? []);
  return described?.warnings ?? [];
}

/** Loads the image once, and shows why it can't be shown. */
async function lookAtImage({ fetchFile }: Connection, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const isTyped = valueAt('launch-image') !== '';
  const from = (isTyped ? written().metadata : found?.file)?.image;
  const of = from?.value ?? '';
  if (isTyped && of === '')
    showFieldProblem('launch-image', 'Type a whole address that begins with https:// or ipfs://.');
  if (image?.of !== of) {
    const url =
      from === undefined || from.isSvg
        ? undefined
        : await loadImage(fetchFile, of, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (image?.url !== undefined) URL.revokeObjectURL(image.url);
    image = { of, url };
  }
  if (of !== '' && image.url === undefined) {
    if (isTyped) showFieldProblem('launch-image', IMAGE_PROBLEM);
    else setText(byId('launch-uri-hint'), IMAGE_PROBLEM);
  }
  renderPreview();
}

function renderPreview(): void {
  const known = valueAt('launch-uri') === found?.uri ? found?.file : undefined;
  const symbol = tame(valueAt('launch-symbol')) || known?.symbol?.value;
  const place = byId('preview-image');
  const shown = place.querySelector('img');
  const isWanted = valueAt('launch-image') !== '' || known?.image !== undefined;
  const url = isWanted ? image?.url : undefined;
  if (shown?.src !== url) {
    shown?.remove();
    if (url !== undefined) place.append(element('img', { src: url, alt: '', width: '28', height: '28' }));
  }
  setText(byId('preview-letter'), [...(symbol ?? '?')][0]?.toUpperCase() ?? '?');
  setText(byId('preview-name'), tame(valueAt('launch-name')) || known?.name?.value || 'Your token');
  setText(byId('preview-symbol'), symbol ?? 'SYMBOL');
}

/** The file to host. Says what is missing if the form has not enough for one. */
function fileToHost(): string | undefined {
  for (const [id, what] of [
    ['launch-name', 'a name'],
    ['launch-symbol', 'a symbol'],
    ['launch-image', 'the address of an image'],
  ] as const) {
    if (valueAt(id) !== '') continue;
    showFieldProblem(id, `Type ${what}: the file needs it.`);
    inputAt(id).focus();
    return undefined;
  }
  return written().json;
}

function downloadFile(): void {
  const file = fileToHost();
  if (file === undefined) return;
  const href = URL.createObjectURL(new Blob([file], { type: 'application/json' }));
  element('a', { href, download: 'token.json' }).click();
  setTimeout(() => URL.revokeObjectURL(href));
  setText(byId('launch-kept'), 'Put this file at an address of yours, and paste the address below.');
}

/** Practice mode has its own host, which only this page can read. */
function keepFile(): void {
  const file = fileToHost();
  const { model } = state.connection ?? {};
  if (model === undefined || file === undefined) return;
  inputAt('launch-uri').value = model.keepFile(file);
  showFieldProblem('launch-uri', undefined);
  setText(
    byId('launch-kept'),
    'Only this page knows that address, as long as it is open. On a real cluster, put the file at an address of yours.',
  );
  lookAtFile();
}

// Fees and costs

let feesOf: Connection | undefined;

/** The fees that the new pool will have, by slot and by market cap. */
async function renderFees(): Promise<void> {
  const { connection } = state;
  if (connection === undefined || connection === feesOf) return;
  feesOf = connection;
  try {
    const { byMarketCap, bySlot } = toFeeSchedule(await termsOn(connection));
    if (state.connection !== connection) return;
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
    const { initialTokenAAmount: supply, tokenADecimals: decimals } = await termsOn(connection);
    inputAt('launch-purchase').value = percent === 0n ? '' : toUiAmount((supply * percent) / 100n, decimals);
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
      const share = formatBps(Number((amount * 1_000_000n) / known.initialTokenAAmount) / 100);
      setText(
        byId('launch-cost'),
        `At most ${formatShortSol(costLamports)} (${formatUsd(costUsd)}), for ${share} of the supply. The purchase pays no fee. This leaves 1 % for the price to move.`,
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
  const warnings = await readFile(connection, options.abortSignal);
  const plan = {
    ...launchPlan(known, input, built, host.openPool),
    warnings: warnings.map((one) => `Metadata: ${one}`),
    onSending: () => {
      mint = undefined;
    },
  };
  return { built, plan };
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

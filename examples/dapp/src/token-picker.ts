// Chooses the pool: a known one, one by address, or the one in the page's address.
import type { Connection } from './connection.js';
import {
  byId,
  closesBeside,
  element,
  isBusy,
  openDialog,
  setBusy,
  setText,
  show,
  showFieldProblem,
} from './dom.js';
import { followPool, siblings } from './follow.js';
import { shortenAddress } from './format.js';
import { explain } from './messages.js';
import { renderAddress } from './network.js';
import { listPools, lookUpPools, type Pool } from './pools.js';
import { changed, leave, nameOfPool, onChange, outageText, state } from './state.js';
import { tokenImage } from './token-image.js';
import { welcome } from './wallet-menu.js';

/** The pool in the page's address, until one is chosen. */
let wantedPool = new URLSearchParams(location.search).get('pool') || undefined;
let loading = new AbortController();
let status = '';
const findField = byId<HTMLInputElement>('find-text');
const dialog = byId<HTMLDialogElement>('token-dialog');

const showFindProblem = (message: string | undefined) =>
  showFieldProblem('find-text', message, 'find-problem');

const KINDS = { standard: 'Standard', pro: 'Pro' } as const;

function pick(one: Pool): HTMLElement {
  const button = element(
    'button',
    {
      type: 'button',
      class: 'pick',
      'data-pool': one.address,
      ...(one.address === state.pool?.address ? { 'aria-current': 'true' } : {}),
    },
    tokenImage(one.mint, one.name?.symbol, true),
    element(
      'span',
      {},
      element('strong', {}, `${nameOfPool(one)}${one.name?.symbol ? ` (${one.name.symbol})` : ''}`),
      element('small', {}, `Token ${shortenAddress(one.mint)}`),
    ),
    element('span', { class: 'tag' }, KINDS[one.kind]),
  );
  button.addEventListener('click', () => {
    wantedPool = undefined;
    dialog.close();
    choosePool(one);
    state.isPinned = siblings().length > 1;
    changed();
  });
  return element('li', {}, button);
}

let listed: readonly unknown[] = [];

function render(): void {
  const { connection, isConnecting, snapshot } = state;
  const told = connection === undefined ? (isConnecting ? 'Connecting…' : 'Not connected.') : status;
  setText(byId('pool-status'), snapshot === undefined ? told : '');
  show(byId('pool-outage'), outageText());
  const shown = [state.pools, state.pool];
  if (shown.every((one, index) => one === listed[index])) return;
  listed = shown;
  byId('pool-list').replaceChildren(...state.pools.map(pick));
}

function tell(text: string): void {
  status = text;
  render();
}

/** Lists a new network's pools, and opens one. */
export async function openPools(connection: Connection): Promise<void> {
  welcome();
  tell('');
  renderAddress(wantedPool);
  try {
    const pools = await listPools(connection);
    if (state.connection !== connection) return;
    state.pools = pools;
    changed();
  } catch (error) {
    if (state.connection === connection) show(byId('connection-problem'), explain(error).message);
  }
  if (state.connection !== connection) return;
  if (wantedPool !== undefined) await findWanted(connection, wantedPool);
  if (state.connection !== connection || state.pool !== undefined) return;
  const [first] = state.pools;
  if (first === undefined) tell('Paste the address of a token or of a pool to begin.');
  else choosePool(first);
}

/** Opens the pool in the page's address. */
async function findWanted(at: Connection, wanted: string): Promise<void> {
  findField.value = wanted;
  tell('Reading the pool…');
  showFindProblem(undefined);
  try {
    const found = await lookUpPools(at, wanted);
    if (state.connection !== at || wantedPool !== wanted) return;
    offer(found);
  } catch (error) {
    if (state.connection !== at || wantedPool !== wanted) return;
    const hint = at.model === undefined ? '' : ' Is it on a cluster? Then type an RPC URL under Network.';
    const message = `The pool of this link: ${explain(error).message}${hint}`;
    showFindProblem(message);
    show(byId('connection-problem'), message);
  }
}

export function choosePool(next: Pool): void {
  if (state.connection === undefined) return;
  leave();
  // The link has been followed, or another pool was chosen.
  if (wantedPool === undefined) {
    show(byId('connection-problem'), undefined);
    showFindProblem(undefined);
  }
  Object.assign(state, { pool: next, isPinned: false });
  renderAddress(wantedPool ?? next.address);
  status = 'Reading the pool…';
  followPool();
  changed();
  void loadImage(state.connection, next);
}

/** A token without an image, or with one that can't be shown, keeps its letter. */
async function loadImage(connection: Connection, { mint }: Pool): Promise<void> {
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  await import('./token-metadata.js')
    .then(({ loadTokenImage }) => loadTokenImage(connection, mint, signal))
    .catch(() => {});
}

/** Looks up the pools of an address, and opens the first. */
export async function find(): Promise<void> {
  const button = byId<HTMLButtonElement>('find-button');
  const asked = state.connection;
  if (asked === undefined || isBusy(button)) return;
  showFindProblem(undefined);
  setText(byId('find-status'), '');
  setBusy(button, 'Finding…');
  try {
    const found = await lookUpPools(asked, findField.value);
    if (state.connection !== asked) return;
    wantedPool = undefined;
    offer(found);
    if (found.length === 1) dialog.close();
  } catch (error) {
    if (state.connection !== asked) return;
    showFindProblem(explain(error).message);
    findField.focus();
  } finally {
    setBusy(button, undefined);
  }
}

/** Opens a pool by its address, such as one that was just launched. */
export function openPool(address: string): void {
  findField.value = address;
  void find();
}

/** Adds pools to the known ones, and chooses the first. */
function offer(found: readonly Pool[]): void {
  const addresses = new Set(found.map(({ address }) => address));
  state.pools = [...found, ...state.pools.filter(({ address }) => !addresses.has(address))];
  const [first] = found;
  wantedPool = undefined;
  if (first !== undefined) choosePool(first);
  if (found.length > 1)
    setText(byId('find-status'), `${found.length} pools trade this token. Choose one below.`);
}

export function startTokenPicker(): void {
  closesBeside(dialog);
  byId('find').addEventListener('submit', (event) => {
    event.preventDefault();
    void find();
  });
  onChange(render);
}

export const openTokenPicker = () => openDialog('token-dialog');

// The network: practice mode or a cluster, in the header, in its dialog and in the address of the page.
import { isHeavenError } from 'heaven-pools';

import { type Connection, connectToCluster, connectToModel, mayHoldKey } from './connection.js';
import { byId, closesBeside, openDialog, setText, show, showFieldProblem } from './dom.js';
import { followPool } from './follow.js';
import { explain } from './messages.js';
import { changed, leave, onChange, state } from './state.js';

/** Counts attempts, so that a late one doesn't replace a newer one. */
let connecting = 0;
/** The RPC URL in use; `''` for practice mode. */
let connectedTo = '';
/** Whether practice mode is loading. Its note is reserved from the start, so that the layout doesn't shift. */
let isModelWanted = false;
const timeButton = byId<HTMLButtonElement>('time');
const tradeButton = byId<HTMLButtonElement>('other-trader');
const rpcField = byId<HTMLInputElement>('rpc');

type OnConnected = (connection: Connection) => Promise<void>;

async function connect(rpcUrl: string, onConnected: OnConnected): Promise<void> {
  show(byId('connection-problem'), undefined);
  showFieldProblem('rpc', undefined);
  state.isConnecting = true;
  isModelWanted = rpcUrl === '' && state.connection === undefined;
  changed();
  connecting += 1;
  const attempt = connecting;
  let next: Connection;
  try {
    next = await (rpcUrl === '' ? connectToModel() : connectToCluster(rpcUrl));
    if (attempt !== connecting) {
      next.close();
      return;
    }
  } catch (error) {
    if (attempt === connecting) showFailure(error);
    return;
  }
  state.connection?.close();
  leave();
  Object.assign(state, { connection: next, pools: [], pool: undefined });
  followPool();
  connectedTo = rpcUrl;
  byId<HTMLDialogElement>('network-dialog').close();
  changed();
  await onConnected(next);
  if (attempt !== connecting) return;
  state.isConnecting = false;
  changed();
}

function showFailure(error: unknown): void {
  state.isConnecting = false;
  changed();
  if (!isHeavenError(error, 'invalid-input')) {
    show(byId('connection-problem'), explain(error).message);
    return;
  }
  showFieldProblem(
    'rpc',
    'Type the whole address of a node, beginning with https:// (or http:// on your own machine).',
  );
  if (state.connection === undefined)
    show(
      byId('connection-problem'),
      'Not connected: the RPC URL is not the address of a node. Correct it under Network, or leave it empty there for practice mode.',
    );
}

/** Puts the node and the pool into the address of the page, so that it can be reloaded and shared. */
export function renderAddress(pool: string | undefined): void {
  const url = new URL(location.href);
  const set = (name: string, value: string | undefined) => {
    if (value === undefined || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  };
  // A URL that is already in the address may stay.
  const isThere = url.searchParams.get('rpc') === connectedTo;
  const isLeftOut = connectedTo !== '' && !isThere && mayHoldKey(connectedTo);
  set('rpc', isLeftOut ? undefined : connectedTo);
  set('pool', pool);
  if (url.href !== location.href) history.replaceState(history.state, '', url);
  byId('rpc-kept').hidden = !isLeftOut;
}

/** The network's name for the user. */
export function networkName({ model, chain }: Connection): string {
  if (model !== undefined) return 'Practice';
  return chain === 'solana:mainnet' ? 'Mainnet' : chain === 'solana:devnet' ? 'Devnet' : 'Own cluster';
}

function lightOf({ connection, isConnecting, outage }: typeof state): string {
  if (isConnecting) return '';
  if (connection === undefined || outage !== undefined) return 'bad';
  return connection.model === undefined ? 'good' : 'model';
}

function render(): void {
  const { connection, outage } = state;
  byId('network-button').dataset.network = lightOf(state);
  setText(
    byId('network-name'),
    connection === undefined
      ? state.isConnecting
        ? 'Connecting…'
        : 'Not connected'
      : outage === undefined
        ? networkName(connection)
        : 'Node is down',
  );
  const model = connection?.model;
  byId('model-note').hidden = model === undefined && !(isModelWanted && state.isConnecting);
  timeButton.disabled = model === undefined;
  tradeButton.disabled = model === undefined || state.pool === undefined;
  if (model !== undefined) timeButton.ariaPressed = String(!model.isRunning);
  show(
    byId('cluster-note'),
    connection === undefined || model !== undefined
      ? undefined
      : `A real cluster: ${connection.chain === 'solana:mainnet' ? 'trades here cost real money' : (connection.chain?.replace('solana:', '') ?? 'one of your own')}. Everything is computed in this page; the node at ${new URL(connectedTo).host} is only read from and sent to.`,
  );
}

function renderOnline(): void {
  byId('offline-note').hidden = navigator.onLine;
}

async function simulateBuy(): Promise<void> {
  const { connection, pool } = state;
  if (connection?.model === undefined || pool === undefined) return;
  show(byId('connection-problem'), undefined);
  try {
    const { buyAsStranger } = await import('./stranger.js');
    await buyAsStranger(connection, pool, 5_000_000_000n);
  } catch (error) {
    if (state.connection === connection)
      show(byId('connection-problem'), `The simulated buy failed. ${explain(error).message}`);
  }
}

export const openNetwork = () => openDialog('network-dialog');

/** Starts with the network in the address of the page. Calls back for each that is connected. */
export function startNetwork(onConnected: OnConnected): void {
  closesBeside(byId<HTMLDialogElement>('network-dialog'));
  byId('network-button').addEventListener('click', openNetwork);
  byId('network').addEventListener('submit', (event) => {
    event.preventDefault();
    void connect(rpcField.value.trim(), onConnected);
  });
  timeButton.addEventListener('click', () => {
    const model = state.connection?.model;
    if (model === undefined) return;
    model.isRunning = !model.isRunning;
    changed();
  });
  tradeButton.addEventListener('click', () => void simulateBuy());
  addEventListener('online', renderOnline);
  addEventListener('offline', renderOnline);
  renderOnline();
  onChange(render);
  rpcField.value = new URLSearchParams(location.search).get('rpc') ?? '';
  void connect(rpcField.value.trim(), onConnected);
}

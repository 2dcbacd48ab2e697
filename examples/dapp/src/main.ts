import type { Address } from '@solana/kit';
import type { WalletAccount } from '@wallet-standard/base';
import {
  computeBuy,
  computeMarketCap,
  type FetchedPoolSnapshot,
  isHeavenError,
  toSwapState,
  toUiAmount,
} from 'heaven-pools';

import { assertAffordable, type Balances, fetchBalances, mostOf } from './balances.js';
import { type Connection, connectToCluster, connectToModel, mayHoldKey } from './connection.js';
import { byId, element, type Fact, isBusy, setBusy, setFacts, setLines, setText, show } from './dom.js';
import { FEE_KINDS, FEE_NAMES } from './fee-kinds.js';
import {
  formatAmount,
  formatBps,
  formatChange,
  formatCompact,
  formatNumber,
  formatSol,
  formatUsd,
  SOL_DECIMALS,
  shortAddress,
} from './format.js';
import { ExpiredError, explain, type Field, Problem } from './messages.js';
import { followPool, listPools, lookUpPools, type Pool } from './pools.js';
import {
  assertOpen,
  hasMoved,
  type Quote,
  quoteTrade,
  readAmount,
  readSlippage,
  type Side,
  spotPrice,
} from './quote.js';
import type { Review } from './review.js';
import type { SignedTransaction } from './send.js';
import {
  connectWallet,
  disconnectWallet,
  labelOf,
  nameOf,
  orAborted,
  signWithWallet,
  type UsableWallet,
  versionFor,
  watchAccounts,
  watchWallets,
} from './wallets.js';

/** One thing at a time: while the page is busy with a trade, a second click does nothing. */
type Phase = 'edit' | 'building' | 'review' | 'signing' | 'sending';

let connection: Connection | undefined;
/** Counts the tries, so that one that answers late does not replace a later one. */
let connecting = 0;
let pools: readonly Pool[] = [];
let pool: Pool | undefined;
/** The pool that the address of the page names, until one is chosen. */
let wantedPool = new URLSearchParams(location.search).get('pool') || undefined;
/** The RPC URL in use; `''` for the model. */
let connectedTo = '';
let snapshot: FetchedPoolSnapshot | undefined;
let following = new AbortController();
let wallet: UsableWallet | undefined;
let accounts: readonly WalletAccount[] = [];
let account: WalletAccount | undefined;
let stopWatchingAccounts = () => {};
let balances: Balances | undefined;
let phase: Phase = 'edit';
let review: Review | undefined;
/** What the wallet signed where that is not what it was given: it is sent only when its owner says so again. */
let changed: SignedTransaction | undefined;
let trade = new AbortController();
/** Whether one went on without an amount. Before that, an empty field is not a mistake. */
let isAmountWanted = false;

const amountField = byId<HTMLInputElement>('amount');
const slippageField = byId<HTMLInputElement>('slippage');
const buildButton = byId<HTMLButtonElement>('build');
const signButton = byId<HTMLButtonElement>('sign');
const cancelButton = byId<HTMLButtonElement>('cancel');
const poolSelect = byId<HTMLSelectElement>('pool');
const findField = byId<HTMLInputElement>('find-text');
const rpcField = byId<HTMLInputElement>('rpc');

const side = (): Side =>
  document.querySelector<HTMLInputElement>('input[name=side]:checked')?.value === 'sell' ? 'sell' : 'buy';
const tokenName = () => pool?.name?.symbol || 'tokens';
const inTokens = (amount: bigint) => `${formatAmount(amount, snapshot?.token.decimals ?? 0)} ${tokenName()}`;
const spent = (of: Side, amount: bigint) => (of === 'buy' ? formatSol(amount) : inTokens(amount));
const received = (of: Side, amount: bigint) => (of === 'buy' ? inTokens(amount) : formatSol(amount));

// Problems

const FIELDS: Readonly<Record<Field, HTMLInputElement>> = {
  amount: amountField,
  slippage: slippageField,
  find: findField,
  rpc: rpcField,
};

function showFieldProblem(field: Field, message: string | undefined): void {
  const input = FIELDS[field];
  if (message === undefined) input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
  show(
    byId(field === 'rpc' ? 'rpc-problem' : field === 'find' ? 'find-problem' : `${field}-problem`),
    message,
  );
}

/** Shows a problem where it belongs: at its field, or in the place given. With `focus`, goes there. */
function showProblem(error: unknown, elsewhere: HTMLElement, focus = false): void {
  const problem = explain(error);
  if (problem.field === undefined) {
    show(elsewhere, problem.message);
    if (focus) elsewhere.focus();
    return;
  }
  showFieldProblem(problem.field, problem.message);
  if (focus) FIELDS[problem.field].focus();
}

/** What is wrong with the fields or the pool. Checked again with each snapshot. */
function clearQuoteProblems(): void {
  showFieldProblem('amount', undefined);
  showFieldProblem('slippage', undefined);
  show(byId('pool-problem'), undefined);
}

/** What became of the last try. It stays until something is typed or tried again. */
function clearTradeProblem(): void {
  show(byId('trade-problem'), undefined);
  isAmountWanted = false;
}

// Connection

async function connect(rpcUrl: string): Promise<void> {
  show(byId('connection-problem'), undefined);
  showFieldProblem('rpc', undefined);
  setText(byId('pool-status'), 'Connecting…');
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
    if (attempt !== connecting) return;
    setText(byId('pool-status'), connection === undefined ? 'Not connected.' : '');
    if (isHeavenError(error, 'invalid-input')) {
      showFieldProblem(
        'rpc',
        'Type the whole address of a node, beginning with https:// (or http:// on your own machine).',
      );
      if (connection === undefined)
        show(
          byId('connection-problem'),
          'Not connected: the RPC URL is not the address of a node. Fix it under Network, or leave it empty there for the model.',
        );
    } else show(byId('connection-problem'), `${explain(error).message}`);
    return;
  }
  connection?.close();
  connection = next;
  launch?.endLaunch();
  leavePool();
  pools = [];
  connectedTo = rpcUrl;
  renderAddress();
  const { model } = next;
  byId('model-note').hidden = model === undefined;
  show(
    byId('cluster-note'),
    model === undefined
      ? `A real cluster: ${next.chain === 'solana:mainnet' ? 'trades here cost real money' : (next.chain?.replace('solana:', '') ?? 'one of your own')}. Everything is computed in this page; the node at ${new URL(rpcUrl).host} is only read from and sent to.`
      : undefined,
  );
  if (model !== undefined) setTimeButton(model.isRunning);
  setText(byId('pool-status'), '');
  welcome();
  try {
    pools = await listPools(next);
  } catch (error) {
    show(byId('connection-problem'), explain(error).message);
  }
  if (connection !== next) return;
  renderPools();
  if (wantedPool !== undefined) await findWanted(next, wantedPool);
  if (connection !== next || pool !== undefined) return;
  const [first] = pools;
  if (first === undefined)
    setText(byId('pool-status'), 'Paste the address of a token or of a pool to begin.');
  else choosePool(first);
}

/** Opens the pool that the address of the page names. */
async function findWanted(at: Connection, wanted: string): Promise<void> {
  findField.value = wanted;
  setText(byId('pool-status'), 'Reading the pool…');
  showFieldProblem('find', undefined);
  try {
    const found = await lookUpPools(at, wanted);
    if (connection !== at || wantedPool !== wanted) return;
    offer(found);
  } catch (error) {
    if (connection !== at || wantedPool !== wanted) return;
    const hint = at.model === undefined ? '' : ' Is it on a cluster? Then type an RPC URL under Network.';
    showFieldProblem('find', `The pool of this link: ${explain(error).message}${hint}`);
  }
}

/** Puts the node and the pool into the address of the page, so that it can be loaded again and linked. */
function renderAddress(): void {
  const url = new URL(location.href);
  const set = (name: string, value: string | undefined) => {
    if (value === undefined || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  };
  // Who put it there knows of it, and loads the page with it.
  const isThere = url.searchParams.get('rpc') === connectedTo;
  const isLeftOut = connectedTo !== '' && !isThere && mayHoldKey(connectedTo);
  set('rpc', isLeftOut ? undefined : connectedTo);
  set('pool', wantedPool ?? pool?.address);
  if (url.href !== location.href) history.replaceState(history.state, '', url);
  show(
    byId('rpc-kept'),
    isLeftOut
      ? 'This RPC URL may hold a key, so it is not put into the address of the page: after a reload, type it again.'
      : undefined,
  );
}

/** On the model, every wallet gets SOL to play with. */
function welcome(): void {
  if (account !== undefined) connection?.model?.welcome(account.address);
}

// Pools

const poolLabel = ({ name, mint, kind }: Pool) =>
  `${name?.name || 'Token without a name'}${name?.symbol ? ` (${name.symbol})` : ''}, ${kind}, ${shortAddress(mint)}`;

function renderPools(): void {
  byId('pool-field').hidden = pools.length === 0;
  poolSelect.replaceChildren(
    ...pools.map((one) => element('option', { value: one.address }, poolLabel(one))),
  );
  if (pool !== undefined) poolSelect.value = pool.address;
}

function leavePool(): void {
  following.abort();
  clearTradeProblem();
  pool = undefined;
  snapshot = undefined;
  balances = undefined;
  endTrade();
  byId('result').hidden = true;
  showOutage(undefined);
  renderAll();
}

/** The pool is not read any more. It is told beside the pool and beside the quote. */
function showOutage(message: string | undefined): void {
  const at = snapshot === undefined ? '' : ` What you see is of slot ${snapshot.slot}.`;
  for (const id of ['pool-outage', 'quote-outage'])
    show(byId(id), message === undefined ? undefined : `${message}${at}`);
}

function choosePool(next: Pool): void {
  if (connection === undefined) return;
  leavePool();
  pool = next;
  renderAddress();
  poolSelect.value = next.address;
  setText(byId('pool-status'), 'Reading the pool…');
  following = new AbortController();
  followPool(connection, next, {
    signal: following.signal,
    onSnapshot: (latest) => {
      const isFirst = snapshot === undefined;
      snapshot = latest;
      setText(byId('pool-status'), '');
      showOutage(undefined);
      renderAll();
      if (isFirst) void readBalances();
      if (phase === 'review') renderReviewNotice();
    },
    onProblem: (error) => {
      setText(byId('pool-status'), '');
      showOutage(explain(error).message);
    },
  });
}

async function find(): Promise<void> {
  const button = byId<HTMLButtonElement>('find-button');
  if (connection === undefined || isBusy(button)) return;
  showFieldProblem('find', undefined);
  setText(byId('find-status'), '');
  setBusy(button, 'Finding…');
  const asked = connection;
  try {
    const found = await lookUpPools(asked, findField.value);
    if (connection !== asked) return;
    offer(found);
  } catch (error) {
    showFieldProblem('find', explain(error).message);
    findField.focus();
  } finally {
    setBusy(button, undefined);
  }
}

/** Adds pools to the known ones, and chooses the first. */
function offer(found: readonly Pool[]): void {
  const addresses = new Set(found.map(({ address }) => address));
  pools = [...found, ...pools.filter(({ address }) => !addresses.has(address))];
  renderPools();
  const [first] = found;
  wantedPool = undefined;
  if (first !== undefined) choosePool(first);
  if (found.length > 1)
    setText(byId('find-status'), `${found.length} pools trade this token. Choose one above.`);
}

// Wallets

function renderWallets(found: readonly UsableWallet[]): void {
  const choices = byId('wallet-choices');
  if (wallet !== undefined && !found.includes(wallet)) leaveWallet();
  if (found.length === 0) {
    choices.replaceChildren(
      element(
        'p',
        { class: 'quiet' },
        'No wallet found. Install a Solana wallet in this browser to trade; quotes work without.',
      ),
    );
    return;
  }
  choices.replaceChildren(
    ...found.map((one) => {
      const button = element('button', { type: 'button' }, `Connect ${nameOf(one)}`);
      button.addEventListener('click', () => void useWallet(one, button));
      return button;
    }),
  );
}

async function useWallet(chosen: UsableWallet, button: HTMLButtonElement): Promise<void> {
  if (isBusy(button)) return;
  show(byId('wallet-problem'), undefined);
  setBusy(button, `Connecting ${nameOf(chosen)}…`);
  try {
    const given = await connectWallet(chosen);
    wallet = chosen;
    stopWatchingAccounts = watchAccounts(chosen, useAccounts);
    useAccounts(given);
    byId('disconnect').focus();
    // A trade may be near. If it can't be loaded now, that is told when it is needed.
    void loadSteps().catch(() => {});
  } catch (error) {
    show(byId('wallet-problem'), explain(error).message);
  } finally {
    setBusy(button, undefined);
  }
}

function useAccounts(given: readonly WalletAccount[]): void {
  if (given.length === 0) {
    leaveWallet();
    return;
  }
  accounts = given;
  useAccount(given.find(({ address }) => address === account?.address) ?? (given[0] as WalletAccount));
}

function useAccount(next: WalletAccount): void {
  // A transaction for one account is not signed with another.
  if (next.address !== account?.address) {
    endTrade();
    launch?.endLaunch();
    balances = undefined;
  }
  account = next;
  welcome();
  renderAll();
  void readBalances();
}

function leaveWallet(): void {
  stopWatchingAccounts();
  stopWatchingAccounts = () => {};
  wallet = undefined;
  account = undefined;
  accounts = [];
  balances = undefined;
  endTrade();
  launch?.endLaunch();
  renderAll();
}

async function readBalances(): Promise<void> {
  if (connection === undefined || account === undefined || snapshot === undefined) return;
  const [owner, of] = [account.address as Address, pool];
  try {
    const read = await fetchBalances(connection, owner, snapshot);
    if (account?.address !== owner || pool !== of) return;
    balances = read;
  } catch (error) {
    if (account?.address === owner)
      setText(byId('wallet-balance'), `Balance not known. ${explain(error).message}`);
    return;
  }
  renderAll();
}

function renderWallet(): void {
  byId('wallet-choices').hidden = wallet !== undefined;
  byId('wallet-connected').hidden = wallet === undefined;
  if (wallet === undefined || account === undefined) return;
  setText(byId('wallet-name'), nameOf(wallet));
  setText(byId('wallet-address'), shortAddress(account.address));
  setText(
    byId('wallet-balance'),
    balances === undefined
      ? ''
      : `${formatSol(balances.sol)}${snapshot === undefined ? '' : ` and ${inTokens(balances.token)}`}`,
  );
  byId('account-field').hidden = accounts.length < 2;
  byId('account').replaceChildren(
    ...accounts.map((one) => {
      const [label, short] = [labelOf(one), shortAddress(one.address)];
      return element('option', { value: one.address }, label === '' ? short : `${label} (${short})`);
    }),
  );
  byId<HTMLSelectElement>('account').value = account.address;
}

// Quote

const KINDS = { standard: 'Standard', pro: 'Pro' } as const;
const VERSIONS: Readonly<Record<number, string>> = { 1: ', community fees', 2: ', creator fees' };

function renderPool(): void {
  if (pool === undefined || snapshot === undefined) {
    setFacts(byId('pool-facts'), []);
    return;
  }
  const { buyFees, sellFees } = toSwapState(snapshot);
  const sum = (fees: typeof buyFees) => FEE_KINDS.reduce((total, kind) => total + fees[kind], 0n);
  const facts: Fact[] = [
    ['Token', `${pool.name?.name || 'without a name'}${pool.name?.symbol ? ` (${pool.name.symbol})` : ''}`],
    ['Mint', pool.mint],
    ['Kind', `${KINDS[pool.kind]}${VERSIONS[pool.configVersion] ?? ''}`],
    ['Price', `${formatNumber(spotPrice(snapshot))} SOL`],
    ['Market cap', formatUsd(Number(computeMarketCap(snapshot)) / 1e6)],
    ['SOL in the pool', formatCompact(Number(snapshot.reserveB) / 1e9)],
    ['Fees now', `buy ${formatBps(sum(buyFees))}, sell ${formatBps(sum(sellFees))}`],
  ];
  setFacts(byId('pool-facts'), facts);
}

/** The quote of what is typed. */
function currentQuote(): Quote {
  if (snapshot === undefined) throw new Problem(undefined, 'Choose a pool first, and wait until it is read.');
  assertOpen(snapshot);
  const slippageBps = readSlippage(slippageField.value);
  const amountIn = readAmount(amountField.value, side(), snapshot.token.decimals);
  const quote = quoteTrade(snapshot, side(), amountIn, slippageBps);
  const of = side();
  if (balances !== undefined) assertAffordable(of, amountIn, balances, (amount) => spent(of, amount));
  return quote;
}

function renderQuote(): void {
  const of = side();
  setText(byId('amount-label'), of === 'buy' ? 'SOL to spend' : `${pool?.name?.symbol || 'Tokens'} to sell`);
  const most = balances && mostOf(of, balances);
  setText(
    byId('amount-hint'),
    most === undefined
      ? ''
      : of === 'buy'
        ? `You can spend up to ${formatSol(most)} and keep what it takes to sell again.`
        : `You can sell up to ${inTokens(most)}.`,
  );
  setBusy(byId<HTMLButtonElement>('max'), most === undefined ? 'Max' : undefined);
  if (phase !== 'edit') return;
  clearQuoteProblems();
  let quote: Quote | undefined;
  try {
    if (snapshot !== undefined) {
      assertOpen(snapshot);
      if (amountField.value.trim() === '' && !isAmountWanted) readSlippage(slippageField.value);
      else {
        const amountIn = readAmount(amountField.value, of, snapshot.token.decimals);
        quote = quoteTrade(snapshot, of, amountIn, readSlippage(slippageField.value));
        if (balances !== undefined) assertAffordable(of, amountIn, balances, (amount) => spent(of, amount));
      }
    }
  } catch (error) {
    showProblem(error, byId('pool-problem'));
  }
  byId('quote').hidden = quote === undefined;
  announce(quote);
  if (quote === undefined) return;
  const { result, minimumOut, priceBefore, priceAfter, feeRates } = quote;
  setFacts(byId('quote-facts'), [
    ['You get about', received(of, result.amountOut), true],
    ['At least', received(of, minimumOut)],
    ['Price impact', formatBps(result.priceImpactBps)],
    ['Price before', `${formatNumber(priceBefore)} SOL`],
    ['Price after', `${formatNumber(priceAfter)} SOL`],
  ]);
  const fees = FEE_KINDS.filter((kind) => feeRates[kind] > 0n).map(
    (kind): Fact => [`${FEE_NAMES[kind]}, ${formatBps(feeRates[kind])}`, formatSol(result.fees[kind])],
  );
  setFacts(byId('quote-fees'), [...fees, ['Total fees', formatSol(result.totalFee), true]]);
  setLines(byId('quote-warnings'), warningsOf(quote));
}

const HIGH_BPS = 500;

function warningsOf({ snapshot: of, side: on, result, slippageBps, feeRates }: Quote): readonly string[] {
  const total = Number(FEE_KINDS.reduce((sum, kind) => sum + feeRates[kind], 0n));
  const age = of.unixTimestamp - of.solPrice.updatedAt;
  const { transferFee } = of.token;
  return [
    ...(result.priceImpactBps >= HIGH_BPS
      ? [
          `This trade is large for the pool: fees aside, you get ${formatBps(result.priceImpactBps)} less than at the price now.`,
        ]
      : []),
    ...(total >= HIGH_BPS
      ? [`The fees are ${formatBps(total)} now. In a launch they fall with every slot: see the fee schedule.`]
      : []),
    ...(slippageBps > HIGH_BPS
      ? [
          `You allow ${formatBps(slippageBps)} of slippage. Others may use that and leave you with the minimum.`,
        ]
      : []),
    ...(transferFee === undefined
      ? []
      : [
          `The token itself keeps ${formatBps(transferFee.basisPoints)} of every transfer. The amounts account for it.`,
        ]),
    ...(toSwapState(of).windowReserves === undefined
      ? []
      : [
          'The pool was traded in this very slot, and protects itself: the worse of its two prices is quoted.',
        ]),
    ...(of.kind === 'pro' && !of.isSameSlotTradingAllowed
      ? [`You can't ${on === 'buy' ? 'sell' : 'buy'} in the same slot in which you ${on}.`]
      : []),
    ...(age > 3_600n
      ? ['The price of SOL is over an hour old: the fees may be those of another market cap.']
      : []),
  ];
}

let announcing: ReturnType<typeof setTimeout> | undefined;

/** Tells the quote to screen readers, once it stands still. */
function announce(quote: Quote | undefined): void {
  clearTimeout(announcing);
  const text =
    quote === undefined
      ? ''
      : `You get about ${received(quote.side, quote.result.amountOut)}, at least ${received(quote.side, quote.minimumOut)}.`;
  if (text === '') {
    setText(byId('quote-status'), '');
    return;
  }
  announcing = setTimeout(() => setText(byId('quote-status'), text), 700);
}

// Charts

let charts: typeof import('./pool-charts.js') | undefined;

function renderCharts(force = false): void {
  if (charts === undefined) return;
  if (snapshot === undefined) {
    charts.clearCharts();
    return;
  }
  let amountIn: bigint | undefined;
  try {
    amountIn = readAmount(amountField.value, side(), snapshot.token.decimals);
  } catch {
    amountIn = undefined;
  }
  charts.renderCharts({ snapshot, side: side(), amountIn, tokenName: tokenName() }, force);
}

// Review

function setPhase(next: Phase): void {
  phase = next;
  byId<HTMLFieldSetElement>('trade-fields').disabled = next !== 'edit';
  setBusy(
    buildButton,
    next === 'edit' ? undefined : next === 'building' ? 'Building…' : 'Under review below',
  );
  setBusy(
    signButton,
    next === 'signing' ? 'Waiting for your wallet…' : next === 'sending' ? 'Sending…' : undefined,
  );
  byId('review').hidden = next === 'edit' || next === 'building';
  setText(cancelButton, next === 'sending' ? 'Stop waiting' : next === 'signing' ? 'Cancel' : 'Change it');
}

const MAY_STILL_HAPPEN =
  'You stopped waiting. The trade was sent and may still happen: look at your balance in a while, before you trade again.';

/** Building, reviewing and sending are loaded when a trade is near. */
let steps: typeof import('./steps.js') | undefined;

async function loadSteps(): Promise<typeof import('./steps.js')> {
  steps ??= await import('./steps.js');
  return steps;
}

/** Ends what is under way. What a wallet or a node answers after that is left alone. */
function endTrade(isDone = false): void {
  const wasSending = phase === 'sending' && !isDone;
  trade.abort();
  review = undefined;
  changed = undefined;
  setPhase('edit');
  if (wasSending) show(byId('trade-problem'), MAY_STILL_HAPPEN);
}

async function build(notice?: string): Promise<void> {
  if (phase !== 'edit' || connection === undefined) return;
  byId('result').hidden = true;
  clearTradeProblem();
  isAmountWanted = true;
  trade = new AbortController();
  const { signal } = trade;
  try {
    currentQuote();
    if (wallet === undefined || account === undefined || pool === undefined) {
      throw new Problem(
        undefined,
        byId('wallet-choices').querySelector('button') === null
          ? 'No wallet found. Install a Solana wallet in this browser, then load the page again.'
          : 'Connect a wallet first, at the top of the page.',
      );
    }
    setPhase('building');
    clearQuoteProblems();
    const owner = account.address as Address;
    // What the wallet holds may have changed elsewhere.
    await readBalances();
    if (signal.aborted) return;
    const quote = currentQuote();
    const { buildTrade, reviewTransaction } = await loadSteps();
    const built = await buildTrade(connection, pool, quote, {
      payer: owner,
      transactionVersion: versionFor(wallet),
      abortSignal: signal,
    });
    const made = await reviewTransaction(connection, quote, built, owner, signal);
    if (signal.aborted) return;
    review = made;
    setPhase('review');
    renderReview(notice);
    byId('review-title').focus();
  } catch (error) {
    if (signal.aborted) return;
    endTrade();
    renderAll();
    // What is wrong with the pool is told already.
    const ofPool = byId('pool-problem');
    showProblem(error, ofPool.hidden ? byId('trade-problem') : ofPool, true);
  }
}

function renderReview(notice?: string): void {
  if (steps === undefined || review === undefined || account === undefined) return;
  steps.renderReview(review, {
    owner: account.address as Address,
    tokenName: tokenName(),
    isModel: connection?.model !== undefined,
    warnings: warningsOf(review.quote),
    notice,
    isChanged: changed !== undefined,
  });
}

/** The quote of the review, at the state of the pool now. */
function quoteAgain({ quote }: Review): Quote | undefined {
  if (snapshot === undefined) return undefined;
  return quoteTrade(snapshot, quote.side, quote.amountIn, quote.slippageBps);
}

/** Tells, while a person reads, that the price has moved. */
function renderReviewNotice(): void {
  if (review === undefined || changed !== undefined) return;
  try {
    const now = quoteAgain(review);
    if (now === undefined || !hasMoved(review.quote, now)) return;
    show(
      byId('review-notice'),
      `The price has moved: it would be about ${received(now.side, now.result.amountOut)} now. You will see the new quote before you sign.`,
    );
  } catch (error) {
    show(byId('review-notice'), explain(error).message);
  }
}

async function sign(): Promise<void> {
  if (phase !== 'review' || isBusy(signButton)) return;
  if (review === undefined || connection === undefined || wallet === undefined || account === undefined)
    return;
  const [at, signer, using] = [connection, wallet, account];
  const { signal } = trade;
  const before = balances;
  const priceBefore = snapshot && spotPrice(snapshot);
  show(byId('review-problem'), undefined);
  try {
    const { checksInWords, readSigned, refreshLifetime, sendAndFollow } = await loadSteps();
    let signed = changed;
    if (signed === undefined) {
      const now = quoteAgain(review);
      if (now !== undefined && hasMoved(review.quote, now)) {
        const old = received(now.side, review.quote.result.amountOut);
        endTrade();
        await build(
          `The price has moved since. It was about ${old} before; this is the new quote. Look again before you sign.`,
        );
        return;
      }
      setPhase('signing');
      setText(byId('review-status'), `Look at ${nameOf(signer)}: it asks for your signature.`);
      // As late as can be: a block hash lives 150 blocks, and people take their time over a wallet's question.
      const fresh = await refreshLifetime(at.client, review.built, { abortSignal: signal });
      if (signal.aborted) return;
      review = { ...review, built: fresh };
      const bytes = signatureRequest(review);
      const answer = await orAborted(signWithWallet(signer, using, bytes, at.chain), signal);
      signed = await readSigned(review.built, answer, using);
      if (signed.isChanged) {
        await showChanged(signed, signal);
        return;
      }
    }
    setPhase('sending');
    if (signed.added.length > 0)
      setText(byId('review-status'), `Your wallet added ${checksInWords(signed.added.length)}.`);
    const { slot } = await orAborted(
      sendAndFollow(at, signed, review.built, {
        signal,
        onStatus: (status) =>
          setText(
            byId('review-status'),
            status === 'sent'
              ? 'Sent. Waiting until the cluster confirms it…'
              : 'The node does not answer. The trade may be under way: the page keeps asking.',
          ),
      }),
      signal,
    );
    await showResult(at, signed, slot, before, priceBefore);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ExpiredError) return await refresh(signal);
    setPhase('review');
    setText(byId('review-status'), '');
    show(byId('review-problem'), explain(error).message);
    byId('review-problem').focus();
    void readBalances();
  }
}

const signatureRequest = ({ built }: Review): Uint8Array =>
  Uint8Array.from(atob(built.tx), (letter) => letter.charCodeAt(0));

/** The block hash was too old. The same transaction gets a fresh one, and is signed again. */
async function refresh(signal: AbortSignal): Promise<void> {
  if (review === undefined || connection === undefined || account === undefined) return;
  try {
    const { refreshLifetime, reviewTransaction } = await loadSteps();
    const built = await refreshLifetime(connection.client, review.built, { abortSignal: signal });
    const made = await reviewTransaction(connection, review.quote, built, account.address as Address, signal);
    if (signal.aborted) return;
    review = made;
    changed = undefined;
    setPhase('review');
    renderReview(
      'It took too long: the cluster no longer takes that transaction, and nothing was traded. This is the same one with a fresh block hash. Sign it again.',
    );
    renderReviewNotice();
    byId('review-title').focus();
  } catch (error) {
    if (signal.aborted) return;
    setPhase('review');
    show(byId('review-problem'), explain(error).message);
    byId('review-problem').focus();
  }
}

/** Some wallets add instructions of their own. What they signed is shown before it is sent. */
async function showChanged(signed: SignedTransaction, signal: AbortSignal): Promise<void> {
  if (review === undefined || connection === undefined || account === undefined) return;
  const { inspectTransaction } = await loadSteps();
  const inspection = await inspectTransaction(signed.tx, {
    client: connection.client,
    owner: account.address as Address,
    abortSignal: signal,
  });
  if (signal.aborted) return;
  changed = signed;
  review = { ...review, inspection, trial: { unknown: 'Your wallet changed it.' } };
  setPhase('review');
  renderReview(
    'Your wallet changed the transaction before it signed it. Nothing is sent yet. Look at each step below: this is what it signed.',
  );
  byId('review').querySelector('details')?.setAttribute('open', '');
  byId('review-title').focus();
}

async function showResult(
  at: Connection,
  { signature, added }: SignedTransaction,
  slot: bigint,
  before: Balances | undefined,
  priceBefore: number | undefined,
): Promise<void> {
  const quote = review?.quote;
  endTrade(true);
  clearTradeProblem();
  amountField.value = '';
  await readBalances();
  if (quote === undefined || connection !== at) return;
  const facts: Fact[] = [
    [quote.side === 'buy' ? 'You bought with' : 'You sold', spent(quote.side, quote.amountIn), true],
  ];
  if (before !== undefined && balances !== undefined) {
    facts.push(
      [
        'Your tokens',
        `${formatChange(balances.token - before.token, quote.snapshot.token.decimals)} ${tokenName()}`,
        true,
      ],
      [
        'Your SOL, all fees and rent included',
        `${formatChange(balances.sol - before.sol, SOL_DECIMALS)} SOL`,
      ],
    );
  }
  if (priceBefore !== undefined) facts.push(['Price before', `${formatNumber(priceBefore)} SOL`]);
  if (snapshot !== undefined) facts.push(['Price now', `${formatNumber(spotPrice(snapshot))} SOL`]);
  if (steps !== undefined && added.length > 0)
    facts.push(['Added by your wallet', steps.checksInWords(added.length)]);
  facts.push(['Slot', slot.toString()], ['Signature', signature]);
  setFacts(byId('result-facts'), facts);
  const url = at.explorerUrl(signature);
  byId('result-link').replaceChildren(
    ...(url === undefined
      ? []
      : [element('a', { href: url, target: '_blank', rel: 'noreferrer' }, 'See it in the explorer')]),
  );
  byId('result').hidden = false;
  byId('result-title').focus();
}

function cancel(): void {
  const wasSending = phase === 'sending';
  endTrade();
  renderAll();
  if (wasSending) {
    byId('trade-problem').focus();
    void readBalances();
  } else amountField.focus();
}

// Views

let launch: typeof import('./launch-panel.js') | undefined;

/** Shows what the address of the page names: trading, or `#launch`. */
async function showView(): Promise<void> {
  const view = location.hash === '#launch' ? 'launch' : 'trade';
  document.body.dataset.view = view;
  for (const one of ['trade', 'launch']) {
    if (one === view) byId(`nav-${one}`).setAttribute('aria-current', 'page');
    else byId(`nav-${one}`).removeAttribute('aria-current');
  }
  document.title = view === 'launch' ? 'Launch on Heaven' : 'Trade on Heaven';
  // A chart that was drawn while it was hidden has no size.
  if (view === 'trade') renderCharts(true);
  if (view === 'trade' || launch !== undefined) return;
  try {
    const loaded = await import('./launch-panel.js');
    if (launch !== undefined) return;
    launch = loaded;
    loaded.startLaunchPanel({
      connection: () => connection,
      signer: () => (wallet === undefined || account === undefined ? undefined : { wallet, account }),
      openPool,
      onSpent: () => void readBalances(),
    });
  } catch (error) {
    show(byId('launch-problem'), explain(error).message);
  }
}

/** Lets the user trade in a pool that was just launched. */
function openPool(address: Address): void {
  location.hash = '#trade';
  findField.value = address;
  amountField.focus();
  void find();
}

// All of it

function renderAll(): void {
  renderWallet();
  renderPool();
  renderQuote();
  renderCharts();
}

function setTimeButton(isRunning: boolean): void {
  byId('time').setAttribute('aria-pressed', String(!isRunning));
}

byId('trade').addEventListener('submit', (event) => {
  event.preventDefault();
  void build();
});
for (const type of ['input', 'change'] as const) {
  byId('trade').addEventListener(type, (event) => {
    // What was typed for one side means something else on the other.
    if (type === 'change' && event.target instanceof HTMLInputElement && event.target.name === 'side')
      amountField.value = '';
    clearTradeProblem();
    renderQuote();
    renderCharts();
  });
}
byId('max').addEventListener('click', () => {
  if (balances === undefined || snapshot === undefined) return;
  amountField.value = toUiAmount(
    mostOf(side(), balances),
    side() === 'buy' ? SOL_DECIMALS : snapshot.token.decimals,
  );
  renderQuote();
  renderCharts();
  amountField.focus();
});
byId('find').addEventListener('submit', (event) => {
  event.preventDefault();
  void find();
});
byId('network').addEventListener('submit', (event) => {
  event.preventDefault();
  void connect(rpcField.value.trim());
});
poolSelect.addEventListener('change', () => {
  const chosen = pools.find(({ address }) => address === poolSelect.value);
  if (chosen === undefined) return;
  wantedPool = undefined;
  choosePool(chosen);
});
byId<HTMLSelectElement>('account').addEventListener('change', (event) => {
  const chosen = accounts.find(({ address }) => address === (event.target as HTMLSelectElement).value);
  if (chosen !== undefined) useAccount(chosen);
});
byId('disconnect').addEventListener('click', () => {
  const leaving = wallet;
  leaveWallet();
  if (leaving !== undefined) void disconnectWallet(leaving);
  byId('wallet-choices').querySelector('button')?.focus();
});
signButton.addEventListener('click', () => void sign());
cancelButton.addEventListener('click', cancel);
byId('again').addEventListener('click', () => {
  byId('result').hidden = true;
  amountField.focus();
});
byId('time').addEventListener('click', () => {
  const model = connection?.model;
  if (model === undefined) return;
  model.isRunning = !model.isRunning;
  setTimeButton(model.isRunning);
});
byId('other-trader').addEventListener('click', () => {
  const model = connection?.model;
  if (model === undefined || pool === undefined || snapshot === undefined) return;
  const { reserveAAfter: tokenA, reserveBAfter: tokenB } = computeBuy(toSwapState(snapshot), 5_000_000_000n);
  model.ledger.setReserves(pool.address, { tokenA, tokenB });
});
let width = innerWidth;
addEventListener('resize', () => {
  // A phone's keyboard changes the height alone.
  if (width !== innerWidth) renderCharts(true);
  width = innerWidth;
});

addEventListener('hashchange', () => void showView());
void showView();
watchWallets(renderWallets);
void import('./pool-charts.js').then((loaded) => {
  charts = loaded;
  renderCharts();
});
rpcField.value = new URLSearchParams(location.search).get('rpc') ?? '';
void connect(rpcField.value.trim());

// The swap card: the typed amount, its quote, and the next step.
import { assertTradable, sumFees, toSpotPrice, toUiAmount, toUsdValue } from 'heaven-pools';

import { type NotEnough, shortageOf } from './balances.js';
import { byId, element, setBusy, setLines, setText, show, showFieldProblem } from './dom.js';
import { quoteOf, refreshPool } from './follow.js';
import { formatAmount, formatBps, formatPrice, formatShort, formatShortUp, formatUsd } from './format.js';
import { explain, type Problem } from './messages.js';
import { openNetwork } from './network.js';
import { assetOf, type Given, type Quote, readAmount, type Side, type Unit } from './quote.js';
import { renderDetails } from './quote-details.js';
import { CONSENT_BPS, quoteInWords, spanInWords, unitOf, unitsOf, warningsOf } from './quote-words.js';
import { openSlippage, renderSlippage, slippageBps, startSlippage } from './slippage.js';
import { changed, onChange, outageText, state, symbolOfPool } from './state.js';
import { solImage, tokenImage } from './token-image.js';
import { openTokenPicker } from './token-picker.js';
import { openWalletMenu } from './wallet-menu.js';

/** The result of the fields and the pool. */
type Reading =
  | { readonly is: 'loading' | 'empty' }
  /** `closed`: the pool. `wrong`: what was typed. */
  | { readonly is: 'closed' | 'wrong'; readonly problem: Problem }
  /** The wallet holds too little. */
  | { readonly is: 'poor'; readonly problem: NotEnough; readonly quote: Quote }
  | { readonly is: 'ready'; readonly quote: Quote };

const AMOUNTS: readonly Given[] = ['pay', 'receive'];
const FIELDS = { pay: 'amount', receive: 'receive' } as const;
const fieldOf = (of: Given) => byId<HTMLInputElement>(FIELDS[of]);
/** The amount that the user typed last. The other one is computed. */
let given: Given = fieldOf('pay').value === '' && fieldOf('receive').value !== '' ? 'receive' : 'pay';
const buildButton = byId<HTMLButtonElement>('build');
const priceLine = byId<HTMLButtonElement>('price-line');
let isPriceFlipped = false;
/** The button's text while a review is being prepared. */
let preparing: string | undefined;

export const side = (): Side =>
  document.querySelector<HTMLInputElement>('input[name=side]:checked')?.value === 'sell' ? 'sell' : 'buy';

const unitNow = (of: Given): Unit => unitOf(of, side(), state.snapshot, symbolOfPool(state.pool));

/** The trade's two amounts, where they are known. */
function amountsOf(quote: Quote | undefined): Readonly<Record<Given, bigint | undefined>> {
  const amounts: Record<Given, bigint | undefined> = {
    pay: quote?.quote.details.amountIn,
    receive: quote?.quote.details.amountOut,
  };
  try {
    amounts[given] = readAmount(fieldOf(given).value, unitNow(given));
  } catch {
    amounts[given] = undefined;
  }
  return amounts;
}

/** What the trade pays, if that is known. */
export function amountToPay(): bigint | undefined {
  const reading = read();
  return amountsOf('quote' in reading ? reading.quote : undefined).pay;
}

export function read(): Reading {
  const { snapshot, balances } = state;
  if (snapshot === undefined) return { is: 'loading' };
  const of = side();
  try {
    assertTradable(snapshot);
  } catch (error) {
    return { is: 'closed', problem: explain(error) };
  }
  try {
    const slippage = slippageBps(snapshot, of);
    const text = fieldOf(given).value;
    if (text.trim() === '') return { is: 'empty' };
    const amount = readAmount(text, unitNow(given));
    const quote = quoteOf({ side: of, given, amount, slippageBps: slippage });
    if (quote === undefined) return { is: 'loading' };
    const { spent } = unitsOf(quote, symbolOfPool(state.pool));
    const problem = balances && shortageOf(of, quote.quote.details.amountIn, balances, spent);
    return problem === undefined ? { is: 'ready', quote } : { is: 'poor', problem, quote };
  } catch (error) {
    const problem = explain(error);
    return { is: problem.field === undefined ? 'closed' : 'wrong', problem };
  }
}

/** Shows that a review is being prepared, or that it no longer is. */
export function setPreparing(doing: string | undefined): void {
  preparing = doing;
  render();
}

/** Focuses the amount that the user typed last. */
export function focusAmount(): void {
  fieldOf(given).focus();
}

function fill(of: Given, text: string): void {
  given = of;
  fieldOf(of).value = text;
}

export function clearAmount(): void {
  fill('pay', '');
  render();
}

/** Shows why the last attempt failed, until the user types or tries again. */
export function showTradeProblem(message: string | undefined, focus = false): void {
  const place = byId('trade-problem');
  show(place, message);
  if (focus && message !== undefined) place.focus();
}

// Drawing

function renderPills(): void {
  const of = side();
  const { pool } = state;
  const [place, other] =
    of === 'buy' ? [byId('receive-token'), byId('pay-token')] : [byId('pay-token'), byId('receive-token')];
  const key = `${pool?.address ?? ''}${pool?.name?.symbol ?? ''}${of}`;
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  const button = element(
    'button',
    { type: 'button', id: 'choose-token', class: 'token-pill' },
    ...(pool === undefined ? [] : [tokenImage(pool.mint, pool.name?.symbol)]),
    element('span', {}, pool === undefined ? 'Choose token' : symbolOfPool(pool)),
    element('span', { 'aria-hidden': 'true', class: 'quiet' }, '▾'),
  );
  if (pool !== undefined) button.append(element('span', { class: 'hidden' }, ', choose another token'));
  button.addEventListener('click', openTokenPicker);
  place.replaceChildren(button);
  other.replaceChildren(element('span', { class: 'token-pill' }, solImage(), element('span', {}, 'SOL')));
  delete other.dataset.shown;
}

function renderBalance(): void {
  const { balances } = state;
  const isSol = assetOf(side(), 'pay') === 'SOL';
  const { decimals } = unitNow('pay');
  const held = balances && (isSol ? balances.lamports : balances.tokenUnits);
  const hint = byId('amount-hint');
  setText(hint, held === undefined ? '' : `Balance ${formatShort(held, decimals, isSol ? 4 : undefined)}`);
  hint.title = held === undefined ? '' : formatAmount(held, decimals);
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share]')) {
    button.ariaDisabled = balances === undefined ? 'true' : null;
    button.title = balances === undefined ? 'Connect a wallet first' : '';
  }
}

function renderPrice(quote?: Quote): void {
  const snapshot = quote?.snapshot ?? state.snapshot;
  if (snapshot === undefined) {
    priceLine.replaceChildren(element('span', { class: 'skeleton' }, '1 TOKEN = 0.0000 SOL'));
    return;
  }
  const { solPerToken: price } = toSpotPrice(snapshot);
  const symbol = symbolOfPool(state.pool);
  const one = symbol === 'tokens' ? 'token' : symbol;
  setText(
    priceLine,
    isPriceFlipped
      ? `1 SOL = ${formatPrice(1 / price, 6)} ${symbol}`
      : `1 ${one} = ${formatPrice(price)} SOL`,
  );
}

function renderAmounts(quote: Quote | undefined): void {
  const { snapshot } = state;
  const amounts = amountsOf(quote);
  byId('trade').dataset.given = given;
  setText(byId('receive-label'), given === 'pay' ? 'You receive' : 'You receive at least');
  for (const of of AMOUNTS) {
    const [amount, id] = [amounts[of], FIELDS[of]];
    setText(byId(`${id}-unit`), `, in ${unitNow(of).symbol}`);
    setText(
      byId(`${id}-usd`),
      snapshot === undefined || amount === undefined
        ? '$0'
        : formatUsd(toUsdValue(snapshot, amount, assetOf(side(), of))),
    );
    fieldOf(of).classList.toggle('dimmed', of !== given && state.outage !== undefined);
    if (of === given) fieldOf(of).title = '';
    else showComputed(of, amount);
  }
  setText(
    byId('receive-fee'),
    quote === undefined ? '' : `after ${formatBps(sumFees(quote.quote.details.feeRates))} fees`,
  );
}

/** Shows the computed amount: in short, or with all digits while the user is in the field and may change it. */
function showComputed(of: Given, amount: bigint | undefined): void {
  const field = fieldOf(of);
  const { decimals } = unitNow(of);
  const isThere = document.activeElement === field;
  const short = of === 'pay' ? formatShortUp : formatShort;
  const text = amount === undefined ? '' : isThere ? toUiAmount(amount, decimals) : short(amount, decimals);
  const isSelected = isThere && field.selectionStart === 0 && field.selectionEnd === field.value.length;
  if (field.value !== text) {
    field.value = text;
    if (isSelected) field.select();
  }
  field.title = amount === undefined ? '' : formatAmount(amount, decimals);
}

function renderProblems(reading: Reading): void {
  const problem = 'problem' in reading ? reading.problem : undefined;
  const at = problem?.field === 'amount' ? FIELDS[given] : problem?.field;
  for (const field of ['amount', 'receive', 'slippage'])
    showFieldProblem(field, reading.is !== 'closed' && at === field ? problem?.message : undefined);
  if (at === 'slippage') openSlippage();
  show(byId('pool-problem'), reading.is === 'closed' ? reading.problem.message : undefined);
}

let announcing: ReturnType<typeof setTimeout> | undefined;

/** Announces the quote to screen readers once it stops changing. */
function announce(quote: Quote | undefined): void {
  clearTimeout(announcing);
  if (quote === undefined) {
    setText(byId('quote-status'), '');
    return;
  }
  const symbol = symbolOfPool(state.pool);
  const { received } = unitsOf(quote, symbol);
  const { minimumOut, details } = quote.quote;
  const text =
    given === 'pay'
      ? `You get about ${received(details.amountOut)}, at least ${received(minimumOut)}.`
      : quoteInWords(quote, symbol);
  announcing = setTimeout(() => setText(byId('quote-status'), text), 700);
}

/** The token of the typed amount, if it is in tokens. */
let typedMint: string | undefined;

/** Clears an amount that was typed for another token. An amount of SOL stays. */
function forgetOtherToken(): void {
  const { mint } = state.pool ?? {};
  if (assetOf(side(), given) === 'token' && typedMint !== undefined && mint !== typedMint) fill('pay', '');
  typedMint = mint;
}

export function render(): void {
  forgetOtherToken();
  const reading = read();
  const quote = 'quote' in reading ? reading.quote : undefined;
  renderPills();
  renderBalance();
  renderSlippage(state.snapshot, side());
  renderPrice(quote);
  renderAmounts(quote);
  renderProblems(reading);
  renderDetails(quote, state);
  setLines(byId('quote-warnings'), quote === undefined ? [] : warningsOf(quote));
  show(byId('quote-outage'), outageText());
  announce(quote);
  renderButton(reading);
}

// What to do next

interface NextStep {
  readonly label: string;
  /** Why it is disabled. */
  readonly reason?: string;
  readonly act?: () => void;
}

let review: () => void = () => {};

function nextStep(reading: Reading): NextStep {
  const { connection, isConnecting, pool, pools, snapshot, account } = state;
  const of = side();
  if (preparing !== undefined) return { label: preparing };
  if (connection === undefined)
    return isConnecting
      ? { label: 'Connecting…' }
      : { label: 'Check the network', reason: 'The page is not connected.', act: openNetwork };
  if (pool === undefined && pools.length === 0) return { label: 'Choose a token', act: openTokenPicker };
  if (reading.is === 'loading')
    return state.outage === undefined
      ? { label: 'Reading the pool…' }
      : { label: 'Try again', act: () => void refreshPool() };
  if (reading.is === 'closed' && snapshot !== undefined) {
    const wait =
      Number(snapshot.opensAt - snapshot.unixTimestamp) - (performance.now() - state.readAt) / 1_000;
    return snapshot.isSwapEnabled && wait > 0
      ? { label: `Opens in ${spanInWords(wait)}` }
      : { label: 'Trading is off' };
  }
  if (account === undefined) return { label: 'Connect wallet', act: openWalletMenu };
  if (reading.is === 'empty') return { label: 'Enter an amount', act: focusAmount };
  if (reading.is === 'wrong')
    return reading.problem.field === 'slippage'
      ? { label: 'Correct the slippage', act: () => byId('slippage').focus() }
      : { label: 'Correct the amount', act: focusAmount };
  if (reading.is === 'poor') return poorStep(reading.problem);
  return { label: `Review ${of}`, act: review };
}

function poorStep({ asset }: NotEnough): NextStep {
  const { balances, pool } = state;
  const of = side();
  const name = asset === 'SOL' ? 'SOL' : symbolOfPool(pool);
  const most = balances?.[of].amount ?? 0n;
  // Selling less doesn't pay for the fees.
  if (most === 0n || (of === 'sell' && asset === 'SOL'))
    return { label: `Not enough ${name}`, act: focusAmount };
  return {
    label: `Not enough ${name}: use ${formatShort(most, unitNow('pay').decimals)}`,
    act: () => fillShare(100n),
  };
}

let next: NextStep = { label: '' };

function renderButton(reading: Reading): void {
  next = nextStep(reading);
  buildButton.dataset.label = next.label;
  setBusy(buildButton, next.act === undefined ? next.label : undefined);
  const isRisky = reading.is === 'ready' && reading.quote.quote.details.priceImpactBps >= CONSENT_BPS;
  buildButton.classList.toggle('danger', isRisky);
  show(byId('build-reason'), next.reason);
}

function fillShare(percent: bigint): void {
  const { balances, snapshot } = state;
  if (balances === undefined || snapshot === undefined) return;
  fill('pay', toUiAmount((balances[side()].amount * percent) / 100n, unitNow('pay').decimals));
  edited();
  focusAmount();
}

/** Something was typed or chosen. */
function edited(): void {
  showTradeProblem(undefined);
  changed();
}

const RING_SECONDS = 30;

/** How old the quote is, and how long until the pool opens. */
function tick(): void {
  const { snapshot, readAt } = state;
  const seconds = Math.max(Math.floor((performance.now() - readAt) / 1_000), 0);
  setText(byId('quote-age'), snapshot === undefined ? '' : seconds < 60 ? `${seconds} s` : '1 min+');
  byId('refresh').style.setProperty('--age', String(Math.min((seconds / RING_SECONDS) * 100, 100)));
  if (snapshot !== undefined && snapshot.opensAt > snapshot.unixTimestamp) renderButton(read());
}

export function startTradeCard(onReview: () => void): void {
  review = onReview;
  startSlippage();
  byId('trade').addEventListener('submit', (event) => {
    event.preventDefault();
    next.act?.();
  });
  for (const type of ['input', 'change'] as const) {
    byId('trade').addEventListener(type, (event) => {
      const { target } = event;
      for (const of of AMOUNTS) if (type === 'input' && target === fieldOf(of)) given = of;
      // An amount means something else on the other side.
      if (type === 'change' && target instanceof HTMLInputElement && target.name === 'side') fill('pay', '');
      edited();
    });
  }
  for (const of of AMOUNTS) {
    fieldOf(of).addEventListener('focus', () => {
      if (of === given) return;
      render();
      fieldOf(of).select();
    });
    fieldOf(of).addEventListener('blur', render);
  }
  byId('switch').addEventListener('click', () => {
    const other = document.querySelector<HTMLInputElement>('input[name=side]:not(:checked)');
    if (other === null) return;
    // What the user typed stays with its token.
    const text = fieldOf(given).value;
    other.checked = true;
    if (text.trim() !== '') fill(given === 'pay' ? 'receive' : 'pay', text);
    edited();
  });
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share]'))
    button.addEventListener('click', () => {
      if (state.balances === undefined) openWalletMenu();
      else fillShare(BigInt(button.dataset.share ?? '100'));
    });
  priceLine.addEventListener('click', () => {
    isPriceFlipped = !isPriceFlipped;
    renderPrice();
  });
  byId('refresh').addEventListener('click', () => void refreshPool());
  byId('best-pool').addEventListener('click', () => {
    state.isPinned = false;
    edited();
  });
  onChange(render);
  setInterval(tick, 1_000);
}

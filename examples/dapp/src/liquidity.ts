// The pools view: shares of pro pools, deposited, withdrawn, claimed from and created. Loaded on demand.
import type { Address } from '@solana/kit';
import { computeMarketCap, getLpBalance, type LpBalance, toUiAmount } from 'heaven-pools';

import { byId, type Fact, setBusy, setFacts, setText, show } from './dom.js';
import { feesByMarketCap } from './fees.js';
import { formatAmount, formatPrice, formatShort, formatShortSol, formatSol, formatUsd } from './format.js';
import { type LiquidityInput, type LiquidityPlan, LiquidityProblem, planOf } from './liquidity-build.js';
import { type LiquidityTab, renderLiquidityPage } from './liquidity-page.js';
import { explain, Problem } from './messages.js';
import type { ViewHost } from './page.js';
import { drawCapFees } from './pool-charts.js';
import { usdOf } from './quote.js';
import { rentOf, reviewBuilt } from './review.js';
import { type Operation, openSheet } from './sheet.js';
import { nameOfPool, onChange, onLeave, state, symbolOfPool } from './state.js';
import { tokenImage } from './token-image.js';
import { openTokenPicker } from './token-picker.js';
import { openWalletMenu } from './wallet-menu.js';
import { versionFor } from './wallets.js';

const LP_DECIMALS = 9;
const TABS: readonly LiquidityTab[] = ['deposit', 'withdraw', 'earned', 'create'];
const NO_POOL = 'This works in pro pools. Choose one above.';

let host: ViewHost;
let position: { readonly key: string; readonly balance: LpBalance } | undefined;
let quoting = new AbortController();
let running = new AbortController();

const tab = (): LiquidityTab =>
  (document.querySelector<HTMLInputElement>('input[name=liquidity-tab]:checked')?.value ??
    'deposit') as LiquidityTab;
const values = (id: string): string => byId<HTMLInputElement>(id).value;
const keyOf = () => `${state.account?.address ?? ''}${state.pool?.address ?? ''}`;
const isPro = () => state.pool?.kind === 'pro';

export function startLiquidity(given: ViewHost): void {
  host = given;
  renderLiquidityPage(byId('pools-view'));
  byId('liquidity-choose').addEventListener('click', openTokenPicker);
  for (const input of document.querySelectorAll('input[name=liquidity-tab]'))
    input.addEventListener('change', () => render());
  for (const one of TABS) {
    byId(`${one}-form`).addEventListener('submit', (event) => {
      event.preventDefault();
      if (state.account === undefined) openWalletMenu();
      else void build(one);
    });
    byId(`${one}-form`).addEventListener('input', () => {
      clearProblems(one);
      askForPlan();
    });
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-withdraw]'))
    button.addEventListener('click', () => {
      const held = position?.key === keyOf() ? position.balance.lpTokenBalance : 0n;
      const amount = (held * BigInt(button.dataset.withdraw ?? '0')) / 100n;
      byId<HTMLInputElement>('withdraw-lp').value = amount === 0n ? '' : toUiAmount(amount, LP_DECIMALS);
      clearProblems('withdraw');
      askForPlan();
    });
  onChange(render);
  onLeave(() => running.abort());
  let width = innerWidth;
  addEventListener('resize', () => {
    if (width === innerWidth) return;
    width = innerWidth;
    charted = '';
    render();
  });
  render();
}

// Drawing

let charted = '';

function render(): void {
  const { pool, snapshot } = state;
  for (const one of TABS) byId(`${one}-form`).hidden = one !== tab();
  setText(
    byId('liquidity-name'),
    pool === undefined ? 'No pool chosen' : `${nameOfPool(pool)}, ${pool.kind} pool`,
  );
  byId('liquidity-image').replaceChildren(
    ...(pool === undefined ? [] : [tokenImage(pool.mint, pool.name?.symbol, true)]),
  );
  const mint = byId<HTMLInputElement>('create-mint');
  if (mint.value === '' && pool !== undefined) mint.value = pool.mint;
  renderButton();
  renderShare();
  void readPosition();
  const key = `${pool?.address}${snapshot?.reserveB}`;
  if (snapshot === undefined || key === charted) return;
  charted = key;
  drawCapFees(
    byId('liquidity-cap-chart'),
    feesByMarketCap(snapshot),
    Number(computeMarketCap(snapshot)) / 1e6,
  );
}

let preparing = false;

const LABELS = {
  deposit: 'Review deposit',
  withdraw: 'Review withdrawal',
  earned: 'Review claim',
  create: 'Review new pool',
} as const;

const RECEIPTS = {
  deposit: 'Deposited',
  withdraw: 'Withdrawn',
  earned: 'Claimed',
  create: 'Pool created',
} as const;

function renderButton(): void {
  const button = byId<HTMLButtonElement>(`${tab()}-build`);
  const needsPro = tab() !== 'create' && !isPro();
  button.dataset.label = state.account === undefined ? 'Connect wallet' : LABELS[tab()];
  setBusy(button, preparing ? 'Preparing…' : needsPro ? 'Choose a pro pool' : undefined);
}

function renderShare(): void {
  const { account, pool, snapshot } = state;
  const note = byId('share-note');
  const known = position?.key === keyOf() ? position.balance : undefined;
  if (
    account === undefined ||
    pool === undefined ||
    snapshot === undefined ||
    !isPro() ||
    known === undefined
  ) {
    setFacts(byId('share-facts'), []);
    setFacts(byId('earned-facts'), []);
    show(
      note,
      !isPro()
        ? NO_POOL
        : account === undefined
          ? 'Connect a wallet to see your share.'
          : 'Reading your share…',
    );
    return;
  }
  const { lpTokenBalance, pendingFees, details } = known;
  const part = details.lpSupply === 0n ? 0 : Number(lpTokenBalance) / Number(details.lpSupply);
  const facts: Fact[] = [
    { term: 'LP tokens', value: formatAmount(lpTokenBalance, LP_DECIMALS), isStrong: true },
    { term: 'Share of the pool', value: `${formatPrice(part * 100, 3)} %` },
    {
      term: 'Worth about',
      value: formatUsd(2 * part * usdOf(snapshot, 'SOL', snapshot.reserveB)),
    },
    {
      term: 'SOL side, about',
      value: formatShortSol(
        details.lpSupply === 0n ? 0n : (snapshot.reserveB * lpTokenBalance) / details.lpSupply,
      ),
    },
    {
      term: `${symbolOfPool(pool)} side, about`,
      value: formatShort(
        details.lpSupply === 0n ? 0n : (snapshot.reserveA * lpTokenBalance) / details.lpSupply,
        snapshot.token.decimals,
      ),
    },
  ];
  const fees: Fact = { term: 'Fees to claim', value: formatSol(pendingFees), isStrong: true };
  setFacts(byId('share-facts'), known.exists ? [...facts, fees] : []);
  setFacts(byId('earned-facts'), [fees]);
  show(note, known.exists ? undefined : 'You have no share of this pool yet.');
}

let readFor = '';

async function readPosition(force = false): Promise<void> {
  const { connection, account, pool } = state;
  const key = keyOf();
  if (connection === undefined || account === undefined || pool === undefined || !isPro()) return;
  if (!force && readFor === key) return;
  readFor = key;
  try {
    const user = account.address as Address;
    const balance = await getLpBalance(connection.client, { pool: pool.address, user });
    if (keyOf() !== key) return;
    position = { key, balance };
    renderShare();
  } catch (error) {
    readFor = '';
    show(byId('share-note'), explain(error).message);
  }
}

// Fields

function clearProblems(of: LiquidityTab): void {
  for (const input of byId(`${of}-form`).querySelectorAll('input')) {
    input.removeAttribute('aria-invalid');
    const place = document.getElementById(`${input.id}-problem`);
    if (place !== null) show(place, undefined);
  }
  show(byId(`${of}-problem`), undefined);
}

function showProblem(of: LiquidityTab, error: unknown, focus: boolean): void {
  if (error instanceof LiquidityProblem) {
    const input = byId<HTMLInputElement>(error.input);
    input.setAttribute('aria-invalid', 'true');
    show(byId(`${error.input}-problem`), error.message);
    if (focus) input.focus();
    return;
  }
  show(byId(`${of}-problem`), explain(error).message);
  if (focus) byId(`${of}-problem`).focus();
}

function inputNow(of: LiquidityTab): LiquidityInput {
  const { connection, pool, snapshot } = state;
  if (connection === undefined || pool === undefined || snapshot === undefined)
    throw new Problem(undefined, 'Choose a pool first, and wait until it is read.');
  if (of !== 'create' && pool.kind !== 'pro') throw new Problem(undefined, NO_POOL);
  return {
    connection,
    pool,
    values,
    decimals: snapshot.token.decimals,
    symbol: symbolOfPool(pool),
    position: position?.key === keyOf() ? position.balance : undefined,
  };
}

const TYPING_MS = 150;
let typing: ReturnType<typeof setTimeout> | undefined;

/** Shows what is typed comes to, once nothing is typed for a moment. */
function askForPlan(): void {
  clearTimeout(typing);
  quoting.abort();
  quoting = new AbortController();
  const [of, { signal }] = [tab(), quoting];
  if (of === 'earned' || of === 'create') return;
  if (values(of === 'deposit' ? 'deposit-sol' : 'withdraw-lp').trim() === '') {
    setFacts(byId(`${of}-facts`), []);
    return;
  }
  typing = setTimeout(() => {
    void (async () => {
      try {
        const { facts } = await planOf(of, inputNow(of), signal);
        if (!signal.aborted) setFacts(byId(`${of}-facts`), facts);
      } catch (error) {
        if (signal.aborted) return;
        setFacts(byId(`${of}-facts`), []);
        showProblem(of, error, false);
      }
    })();
  }, TYPING_MS);
}

// Building

async function build(of: LiquidityTab): Promise<void> {
  const { wallet, account } = state;
  if (preparing || wallet === undefined || account === undefined) return;
  if (of !== 'create' && !isPro()) return;
  running.abort();
  running = new AbortController();
  const { signal } = running;
  clearProblems(of);
  preparing = true;
  renderButton();
  try {
    const input = inputNow(of);
    const plan = await planOf(of, input, signal);
    const payer = account.address as Address;
    const built = await plan.build({ payer, transactionVersion: versionFor(wallet), abortSignal: signal });
    const reviewed = await reviewBuilt(input.connection, built, payer, signal);
    if (signal.aborted) return;
    openSheet(operationOf(of, plan, input, { wallet, account }), reviewed);
  } catch (error) {
    if (!signal.aborted) showProblem(of, error, true);
  } finally {
    preparing = false;
    renderButton();
  }
}

function operationOf(
  of: LiquidityTab,
  plan: LiquidityPlan,
  { connection, pool, decimals, symbol }: LiquidityInput,
  { wallet, account }: Pick<Operation, 'wallet' | 'account'>,
): Operation {
  const owner = account.address as Address;
  return {
    connection,
    wallet,
    account,
    noun: plan.noun,
    done: plan.done,
    canSendChanged: true,
    view: ({ inspection }) => {
      const rent = rentOf(inspection, 0n, owner);
      return {
        title: plan.title,
        legs: [],
        headline: plan.headline,
        facts: plan.facts,
        costs: rent === undefined ? [] : [{ term: 'SOL that leaves, at most', value: formatSol(rent) }],
        warnings: [],
        confirm: 'Sign and send',
        token: { mint: pool.mint, decimals, symbol },
        known: { [pool.mint]: 'this token', [pool.address]: 'this pool' },
      };
    },
    review: (built, signal) => reviewBuilt(connection, built, owner, signal),
    receipt: async (_signed, slot, landedAfterMs) => {
      await readPosition(true);
      host.onSpent();
      for (const input of byId(`${of}-form`).querySelectorAll('input')) input.value = '';
      askForPlan();
      return { title: RECEIPTS[of], headline: '', facts: plan.facts, slot, landedAfterMs };
    },
    onLeft: (mayHappen) => {
      show(byId(`${of}-problem`), mayHappen);
      host.onSpent();
      void readPosition(true);
    },
  };
}

// The pools view: liquidity in pro pools, and what their creators claim and change. Loaded on demand.
import type { Address } from '@solana/kit';
import {
  type CreatorFeeObstacle,
  computeMarketCap,
  creatorFeeObstacle,
  decodeLiquidityPoolState,
  getLpBalance,
  type LiquidityPoolState,
  type LpBalance,
  toFeeSchedule,
  toLpShare,
  toUiAmount,
} from 'heaven-pools';

import { byId, type Fact, setFacts, setText, show } from './dom.js';
import {
  formatAmount,
  formatPrice,
  formatShort,
  formatShortSol,
  formatSol,
  formatUsd,
  shortenAddress,
} from './format.js';
import {
  FORM_NAMES,
  type LiquidityForm,
  type LiquidityInput,
  LP_DECIMALS,
  type PoolShare,
  planOf,
} from './liquidity-build.js';
import { explain, Problem } from './messages.js';
import type { ViewHost } from './page.js';
import { drawCapFees } from './pool-charts.js';
import { fillSettings, renderSetting } from './pool-settings.js';
import { nameOfPool, onChange, onLeave, state, symbolOfPool } from './state.js';
import { tokenImage } from './token-image.js';
import { openPool, openTokenPicker } from './token-picker.js';
import {
  afterTyping,
  clearProblems,
  fillView,
  inputAt,
  make,
  onShare,
  renderButton,
  showProblem,
  stopMaking,
  valueAt,
} from './view-form.js';

const NO_POOL = 'Only pro pools take deposits. Choose one above.';

let host: ViewHost;
/** The LP tokens of an account in a pool, once they are read. */
let held: { readonly key: string; readonly balance?: LpBalance | undefined } | undefined;

const tab = () =>
  document.querySelector<HTMLInputElement>('input[name=liquidity-tab]:checked')?.value ?? 'deposit';
const formOf = (name: LiquidityForm) => byId(`${name}-form`);
const keyOf = () => `${state.account?.address ?? ''}${state.pool?.address ?? ''}`;
const isPro = () => state.pool?.kind === 'pro';
/** The pool's account from the followed snapshot. */
const poolNow = () => state.snapshot && decodeLiquidityPoolState(state.snapshot.data.pool);

/** The account's share of the pool by the followed snapshot. */
function shareNow(): PoolShare | undefined {
  const { snapshot } = state;
  if (held?.key !== keyOf() || held.balance === undefined || snapshot?.kind !== 'pro') return undefined;
  return { ...held.balance, ...toLpShare(snapshot, held.balance) };
}

export function startLiquidity(given: ViewHost): void {
  host = given;
  fillView('pools-view');
  fillSettings();
  byId('liquidity-choose').addEventListener('click', openTokenPicker);
  byId('pools-view').addEventListener('change', render);
  for (const name of FORM_NAMES) {
    formOf(name).addEventListener('submit', (event) => {
      event.preventDefault();
      void build(name);
    });
    formOf(name).addEventListener('input', () => {
      clearProblems(name);
      askForPlan(name);
    });
  }
  for (const name of ['withdraw', 'transfer'] as const)
    onShare(name, (percent) => {
      const amount = ((shareNow()?.lpTokenBalance ?? 0n) * percent) / 100n;
      inputAt(`${name}-lp`).value = amount === 0n ? '' : toUiAmount(amount, LP_DECIMALS);
      clearProblems(name);
      askForPlan(name);
    });
  onChange(render);
  onLeave(stopMaking);
  render();
}

// Drawing

let charted: typeof state.snapshot;

function render(): void {
  const { pool, snapshot } = state;
  for (const name of FORM_NAMES)
    formOf(name).hidden =
      formOf(name).dataset.tab !== tab() || (name === 'earned' && pool?.kind === 'standard');
  setText(
    byId('liquidity-name'),
    pool === undefined ? 'No pool chosen' : `${nameOfPool(pool)}, ${pool.kind} pool`,
  );
  byId('liquidity-image').replaceChildren(
    ...(pool === undefined ? [] : [tokenImage(pool.mint, pool.name?.symbol, true)]),
  );
  if (valueAt('create-mint') === '' && pool !== undefined) inputAt('create-mint').value = pool.mint;
  renderSetting(pool?.address, isPro() ? poolNow() : undefined);
  for (const name of FORM_NAMES) renderButton(name, preparing === name ? 'Preparing…' : obstacleOf(name));
  renderShare();
  renderCreator();
  void readBalance();
  if (snapshot === undefined || snapshot === charted) return;
  charted = snapshot;
  drawCapFees(byId('liquidity-cap-chart'), toFeeSchedule(snapshot).byMarketCap, computeMarketCap(snapshot));
}

let preparing: LiquidityForm | undefined;

/** Why a form can't be submitted now. */
function obstacleOf(name: LiquidityForm): string | undefined {
  const account = state.account?.address;
  const pool = poolNow();
  if (account === undefined || name === 'create') return undefined;
  if (name === 'royalty') {
    if (pool === undefined) return 'Choose a pool';
    if (pool.creatorTradingFeeReceiver !== account) return 'Only for the creator';
    return pool.creatorTradingFees === 0n ? 'Nothing to claim' : undefined;
  }
  if (!isPro()) return 'Choose a pro pool';
  if (name === 'manage' && pool !== undefined && pool.info.creator !== account) return 'Only for the creator';
  return name === 'earned' && shareNow()?.pendingFees === 0n ? 'Nothing to claim' : undefined;
}

function renderShare(): void {
  const { account, pool, snapshot } = state;
  const share = shareNow();
  const note = !isPro()
    ? NO_POOL
    : account === undefined
      ? 'Connect a wallet to see your share.'
      : share === undefined
        ? 'Reading your share…'
        : share.exists
          ? undefined
          : 'You have no share of this pool yet.';
  show(byId('share-note'), note);
  if (share === undefined || snapshot === undefined) {
    for (const id of ['share-facts', 'earned-facts']) setFacts(byId(id), []);
    return;
  }
  const fees: Fact = { term: 'Fees to claim', value: formatSol(share.pendingFees), isStrong: true };
  const facts: Fact[] = [
    { term: 'LP tokens', value: formatAmount(share.lpTokenBalance, LP_DECIMALS), isStrong: true },
    { term: 'Share of the pool', value: `${formatPrice(share.sharePct, 3)} %` },
    { term: 'Worth about', value: formatUsd(share.valueUsd) },
    { term: 'SOL side, about', value: formatShortSol(share.tokenB) },
    {
      term: `${symbolOfPool(pool)} side, about`,
      value: formatShort(share.tokenA, snapshot.token.decimals),
    },
    fees,
  ];
  setFacts(byId('share-facts'), share.exists ? facts : []);
  setFacts(byId('earned-facts'), [fees]);
}

/** Who the creator is, and what there is to claim. */
function renderCreator(): void {
  const pool = poolNow();
  const own = state.account?.address;
  const who = (address: Address): Pick<Fact, 'value' | 'exact'> => ({
    value: address === own ? 'you' : shortenAddress(address),
    exact: address,
  });
  const fees: Fact[] =
    pool === undefined
      ? []
      : [
          { term: 'Fees to claim', value: formatSol(pool.creatorTradingFees), isStrong: true },
          { term: 'Claimed so far', value: formatShortSol(pool.creatorTradingFeesClaimedByCreator) },
          { term: 'Fees go to', ...who(pool.creatorTradingFeeReceiver) },
        ];
  setFacts(byId('creator-facts'), (pool && [{ term: 'Creator', ...who(pool.info.creator) }, ...fees]) || []);
  setFacts(byId('royalty-facts'), fees.slice(0, 1));
  show(byId('creator-note'), pool && claimNote(pool));
}

/** Why nobody can claim the creator's fees now. */
function claimNote(pool: LiquidityPoolState): string | undefined {
  const { tradingVolumeUsd: volume, creatorTradingFeeTradingVolumeThreshold: least } = pool;
  const notes: Record<CreatorFeeObstacle, string> = {
    community: 'The creator fees of this pool go to its community.',
    blocked: 'The protocol has blocked the creator fees of this pool.',
    'volume-below-threshold': `They can be claimed from a trading volume of ${formatUsd(least)} on. It is ${formatUsd(volume)} now.`,
    'not-processed': 'The protocol has not processed the claim yet.',
  };
  const obstacle = creatorFeeObstacle(pool);
  return obstacle && notes[obstacle];
}

/** Reads the wallet's LP tokens, which the pool's account doesn't contain. */
async function readBalance(force = false): Promise<void> {
  const { connection, account, pool } = state;
  const key = keyOf();
  if (!force && held?.key === key) return;
  held = { key, balance: held?.key === key ? held.balance : undefined };
  if (connection === undefined || account === undefined || pool?.kind !== 'pro') return;
  try {
    const user = account.address as Address;
    const balance = await getLpBalance(connection.client, { pool: pool.address, user });
    if (held?.key !== key) return;
    held = { key, balance };
    render();
  } catch (error) {
    held = undefined;
    show(byId('share-note'), explain(error).message);
  }
}

// Quoting and building

function inputNow(name: LiquidityForm): LiquidityInput {
  const { connection, pool, snapshot } = state;
  const account = poolNow();
  if (connection === undefined || pool === undefined || snapshot === undefined || account === undefined)
    throw new Problem(undefined, 'Choose a pool first, and wait until it is read.');
  if (name !== 'create' && name !== 'royalty' && !isPro()) throw new Problem(undefined, NO_POOL);
  return {
    connection,
    owner: state.account?.address as Address | undefined,
    kind: pool.kind,
    locator: { pool: pool.address, mint: pool.mint, configVersion: pool.configVersion },
    account,
    decimals: snapshot.token.decimals,
    symbol: symbolOfPool(pool),
    share: shareNow(),
  };
}

const quoting = afterTyping();

/** Shows the plan for the typed amount after a pause in typing. */
function askForPlan(name: LiquidityForm): void {
  const field = { deposit: 'deposit-sol', withdraw: 'withdraw-lp' }[name as string];
  if (field === undefined) return;
  if (valueAt(field) === '') {
    setFacts(byId(`${name}-facts`), []);
    quoting();
    return;
  }
  quoting(async (signal) => {
    let facts: readonly Fact[] = [];
    try {
      ({ facts } = await planOf(name, inputNow(name), signal));
    } catch (error) {
      if (!signal.aborted) showProblem(name, error, false);
    }
    if (!signal.aborted) setFacts(byId(`${name}-facts`), facts);
  });
}

async function build(name: LiquidityForm): Promise<void> {
  if (preparing !== undefined || obstacleOf(name) !== undefined) return;
  const formHost = {
    onBusy: (isBusy: boolean) => {
      preparing = isBusy ? name : undefined;
      render();
    },
    onLanded: async () => {
      await readBalance(true);
      for (const input of formOf(name).querySelectorAll<HTMLInputElement>('input[id]')) input.value = '';
      askForPlan(name);
    },
    onSpent: () => {
      host.onSpent();
      void readBalance(true);
    },
  };
  await make(name, formHost, async (_, options) => {
    const plan = await planOf(name, inputNow(name), options.abortSignal);
    const built = await plan.build(options);
    if (!('pool' in built)) return { plan, built };
    const open = { label: 'Open it', act: () => openPool(String(built.pool)) };
    return { plan: { ...plan, receipt: { ...plan.receipt, open } }, built };
  });
}

import { decodeLiquidityPoolState, type FetchedPoolSnapshot, type LiquidityPoolState } from 'heaven-pools';
import { type FormEvent, useState } from 'react';

import { navigate } from '../address';
import {
  explainError,
  formatBps,
  formatExact,
  formatSol,
  formatUnits,
  formatUsd,
  parseAmount,
  SOL,
  toField,
  type Unit,
} from '../format';
import { type Pool, useSnapshot } from '../queries';
import { Facts, Field, Problem, Segment, TokenIcon } from '../ui';
import { useConnectDialog, useWallet } from '../wallet/wallet';
import { LP, type Share, useClaims, useOpenPlan, usePlan, useShare } from './liquidity';

interface Props {
  readonly pool: Pool;
  readonly unit: Unit;
  readonly share: Share | undefined;
}

const PARTS = [25n, 50n, 100n] as const;

/** The form of a deposit in SOL, or of a withdrawal in LP tokens. */
function AmountForm({ kind, pool, unit, share }: Props & { readonly kind: 'deposit' | 'withdraw' }) {
  const wallet = useWallet();
  const connect = useConnectDialog();
  const open = useOpenPlan(pool, unit);
  const [text, setText] = useState('');
  const typed = kind === 'deposit' ? SOL : LP;
  const held = share?.lpTokenBalance ?? 0n;
  let amount = 0n;
  let problem: string | undefined;
  try {
    if (text.trim() !== '') amount = parseAmount(text, typed.decimals);
    if (kind === 'withdraw' && wallet && amount > held) problem = `You have ${formatUnits(held, LP)}.`;
  } catch (error) {
    problem = explainError(error).message;
  }
  const plan = usePlan(kind, pool, unit, problem === undefined ? amount : 0n);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wallet === undefined) connect();
    else if (amount > 0n && plan.data && !plan.isPlaceholderData) open(kind, plan.data, () => setText(''));
  };
  const label = kind === 'deposit' ? 'SOL to deposit' : 'LP tokens to withdraw';
  const next = kind === 'deposit' ? 'Review the deposit' : 'Review the withdrawal';
  return (
    <form className="fields" onSubmit={submit}>
      <div>
        <Field
          label={label}
          placeholder="0"
          inputMode="decimal"
          value={text}
          onChange={setText}
          problem={problem}
        />
        {kind === 'withdraw' && (
          <div className="row">
            {PARTS.map((part) => (
              <button
                key={part}
                type="button"
                className="chip"
                onClick={() => setText(toField((held * part) / 100n, LP.decimals))}
              >
                {part === 100n ? 'All' : `${part}%`}
              </button>
            ))}
          </div>
        )}
      </div>
      <div className={plan.isPlaceholderData ? 'plan stale' : 'plan'}>
        {amount > 0n && plan.data ? (
          <Facts facts={plan.data.facts} />
        ) : (
          <p className="quiet">
            {kind === 'deposit'
              ? `SOL and ${unit.symbol} go in together, at the pool’s price.`
              : 'You get your part of both sides back.'}
          </p>
        )}
      </div>
      <Problem>{amount > 0n && plan.error && explainError(plan.error).message}</Problem>
      <button type="submit" className="primary big">
        {wallet === undefined
          ? 'Connect wallet'
          : problem
            ? 'Check the amount'
            : amount === 0n
              ? 'Enter an amount'
              : next}
      </button>
    </form>
  );
}

/** Why nobody can claim the creator's fees now. */
function obstacleOf(state: LiquidityPoolState): string | undefined {
  const { tradingVolumeUsd: volume, creatorTradingFeeTradingVolumeThreshold: least } = state;
  if (!(volume >= least))
    return `They can be claimed from a volume of ${formatUsd(least)} on. It is ${formatUsd(volume)} now.`;
  return undefined;
}

/** What the wallet can claim: fees of its liquidity, and of the token's creator. */
function Claims({ pool, unit, share, snapshot }: Props & { readonly snapshot: FetchedPoolSnapshot }) {
  const wallet = useWallet();
  const connect = useConnectDialog();
  const claims = useClaims(pool);
  const open = useOpenPlan(pool, unit);
  const state = decodeLiquidityPoolState(snapshot.data.pool);
  const isCreator = wallet?.address === state.creatorTradingFeeReceiver;
  const rows = [
    ...(pool.kind === 'pro'
      ? [
          {
            term: 'Fees of your liquidity',
            lamports: share?.pendingFees ?? 0n,
            plan: claims.ofLiquidity,
            note: undefined,
          },
        ]
      : []),
    ...(isCreator
      ? [
          {
            term: 'Creator fees',
            lamports: state.creatorTradingFees,
            plan: claims.ofCreator,
            note: obstacleOf(state),
          },
        ]
      : []),
  ];
  if (wallet === undefined)
    return (
      <button type="button" className="primary big" onClick={connect}>
        Connect wallet
      </button>
    );
  if (rows.length === 0)
    return <p className="quiet">Only the creator of this token has fees to claim here.</p>;
  return rows.map(({ term, lamports, plan, note }) => (
    <div key={term} className="fields">
      <Facts
        facts={[{ term, value: formatSol(lamports), exact: formatExact(lamports, SOL), isStrong: true }]}
      />
      {note && <p className="quiet">{note}</p>}
      <button
        type="button"
        className="primary big"
        disabled={lamports === 0n || note !== undefined}
        onClick={() => open('claim', plan(lamports), () => {})}
      >
        {lamports === 0n ? 'Nothing to claim' : `Claim ${formatSol(lamports)}`}
      </button>
    </div>
  ));
}

const PRO = { deposit: 'Deposit', withdraw: 'Withdraw', claim: 'Claim' } as const;

/** What can be done with a pool. */
export function PoolActions({ pool }: { readonly pool: Pool }) {
  const [tab, setTab] = useState<keyof typeof PRO>('deposit');
  const { data: snapshot } = useSnapshot(pool);
  const share = useShare(pool, snapshot);
  const unit = { decimals: snapshot?.token.decimals ?? 9, symbol: pool.symbol };
  const isPro = pool.kind === 'pro';
  return (
    <section className="card pool-actions" aria-labelledby="pool-title">
      <header className="market-head">
        <TokenIcon mint={pool.mint} symbol={pool.symbol} />
        <h2 id="pool-title" tabIndex={-1}>
          {pool.symbol} / SOL
        </h2>
        <p className="quiet">{pool.kind} pool</p>
        <button
          type="button"
          className="chip"
          onClick={() => navigate({ view: 'trade', pool: pool.address })}
        >
          Trade
        </button>
      </header>
      {share?.exists && (
        <Facts
          facts={[
            {
              term: 'Your share',
              value: `${formatBps(share.sharePct * 100)} (${formatUsd(share.valueUsd)})`,
              isStrong: true,
            },
            { term: 'Of it', value: `${formatSol(share.tokenB)} and ${formatUnits(share.tokenA, unit)}` },
          ]}
        />
      )}
      {isPro ? (
        <Segment label="What to do" className="wide-tabs" options={PRO} value={tab} onChange={setTab} />
      ) : (
        <p className="quiet">Only pro pools take deposits. This is a standard pool.</p>
      )}
      {isPro && tab !== 'claim' && (
        <AmountForm key={`${pool.address} ${tab}`} kind={tab} pool={pool} unit={unit} share={share} />
      )}
      {snapshot && (tab === 'claim' || !isPro) && (
        <Claims pool={pool} unit={unit} share={share} snapshot={snapshot} />
      )}
    </section>
  );
}

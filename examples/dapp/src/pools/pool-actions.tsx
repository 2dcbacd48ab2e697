import { decodeLiquidityPoolState, type FetchedPoolSnapshot } from 'heaven-pools';
import { type FormEvent, useState } from 'react';

import { navigate } from '../address';
import {
  explainError,
  formatBps,
  formatSol,
  formatUnits,
  formatUsd,
  parseAmount,
  SOL,
  toField,
  type Unit,
} from '../format';
import { PoolFacts } from '../market/pool-facts';
import { useNetwork } from '../network/network';
import { type Pool, useBalances, useSnapshot } from '../queries';
import { Facts, Field, Problem, Segment, TokenIcon } from '../ui';
import { useConnectDialog, useWallet } from '../wallet/wallet';
import { claim, LP, type Share, useOpenPlan, usePlan, useShare, WORDS } from './liquidity';

interface Props {
  readonly pool: Pool;
  readonly unit: Unit;
  readonly share: Share | undefined;
}

const PARTS = { '25%': 25n, '50%': 50n, All: 100n } as const;

/** The form of a deposit in SOL, or of a withdrawal in LP tokens. */
function AmountForm({ kind, pool, unit, share }: Props & { readonly kind: 'deposit' | 'withdraw' }) {
  const wallet = useWallet();
  const connect = useConnectDialog();
  const open = useOpenPlan(pool, unit);
  const [text, setText] = useState('');
  const isDeposit = kind === 'deposit';
  const { decimals } = isDeposit ? SOL : LP;
  const held = share?.lpTokenBalance ?? 0n;
  let amount = 0n;
  let problem: string | undefined;
  try {
    if (text.trim() !== '') amount = parseAmount(text, decimals);
    if (!isDeposit && wallet && amount > held) problem = `You have ${formatUnits(held, LP)}.`;
  } catch (error) {
    problem = explainError(error).message;
  }
  const plan = usePlan(kind, pool, unit, problem ? 0n : amount);
  const { data: balances } = useBalances(pool.mint);
  const { needs } = plan.data ?? {};
  const short =
    needs &&
    balances &&
    (balances.tokenUnits < needs.tokens ? unit : balances.lamports < needs.lamports ? SOL : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wallet === undefined) connect();
    else if (amount > 0n && !short && plan.data && !plan.isPlaceholderData)
      open(kind, plan.data, () => setText(''));
  };
  const next = problem
    ? 'Check the amount'
    : amount === 0n
      ? 'Enter an amount'
      : short
        ? `Not enough ${short.symbol}`
        : WORDS[kind].title;
  return (
    <form className="fields" onSubmit={submit}>
      <div>
        <Field
          label={isDeposit ? 'SOL to deposit' : 'LP tokens to withdraw'}
          placeholder="0"
          inputMode="decimal"
          value={text}
          onChange={setText}
          problem={problem}
        />
        {!isDeposit && (
          <div className="row">
            {Object.entries(PARTS).map(([name, part]) => (
              <button
                key={name}
                type="button"
                className="chip"
                onClick={() => setText(toField((held * part) / 100n, decimals))}
              >
                {name}
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
            {isDeposit ? `SOL and ${unit.symbol} go in` : `SOL and ${unit.symbol} come out`} together, at the
            pool’s price.
          </p>
        )}
      </div>
      <Problem>{amount > 0n && plan.error && explainError(plan.error).message}</Problem>
      <button type="submit" className="primary big">
        {wallet ? next : 'Connect wallet'}
      </button>
    </form>
  );
}

/** What the wallet can claim: the fees of its liquidity, and those of its token. */
function Claims({ pool, unit, share, snapshot }: Props & { readonly snapshot: FetchedPoolSnapshot }) {
  const { client } = useNetwork();
  const wallet = useWallet();
  const connect = useConnectDialog();
  const open = useOpenPlan(pool, unit);
  const state = decodeLiquidityPoolState(snapshot.data.pool);
  const isReceiver = wallet?.address === state.creatorTradingFeeReceiver;
  const least = state.creatorTradingFeeTradingVolumeThreshold;
  const earned = [
    ...(share
      ? [{ of: 'liquidity' as const, term: 'Fees of your liquidity', lamports: share.pendingFees }]
      : []),
    ...(isReceiver
      ? [{ of: 'token' as const, term: 'Creator fees', lamports: state.creatorTradingFees }]
      : []),
  ];
  return (
    <>
      {wallet === undefined && (
        <button type="button" onClick={connect}>
          Connect wallet to see what you can claim
        </button>
      )}
      {wallet && earned.length === 0 && <p className="quiet">You have nothing to claim here.</p>}
      {earned.map(({ of, term, lamports }) => (
        <div key={of} className="fields">
          <Facts facts={[{ term, value: formatSol(lamports), isStrong: true }]} />
          {of === 'token' && state.tradingVolumeUsd < least ? (
            <p className="quiet">They can be claimed from a volume of {formatUsd(least)} on.</p>
          ) : (
            lamports > 0n && (
              <button
                type="button"
                className="primary big"
                onClick={() => open('claim', claim(of, client, pool, lamports))}
              >
                {WORDS.claim.title}
              </button>
            )
          )}
        </div>
      ))}
    </>
  );
}

const TABS = { deposit: 'Deposit', withdraw: 'Withdraw', claim: 'Claim' } as const;

/** What can be done with a pool: trade in any, deposit in a pro pool. */
export function PoolActions({ pool }: { readonly pool: Pool }) {
  const isPro = pool.kind === 'pro';
  const [tab, setTab] = useState<keyof typeof TABS>(isPro ? 'deposit' : 'claim');
  const { data: snapshot } = useSnapshot(pool);
  const share = useShare(pool, snapshot);
  const unit = { decimals: snapshot?.token.decimals ?? 9, symbol: pool.symbol };
  const props = { pool, unit, share };
  const owned = share?.exists && [
    {
      term: 'Your share',
      value: `${formatBps(share.sharePct * 100)} (${formatUsd(share.valueUsd)})`,
      isStrong: true,
    },
    { term: 'That is', value: `${formatSol(share.tokenB)} and ${formatUnits(share.tokenA, unit)}` },
  ];
  return (
    <section className="card" aria-labelledby="pool-title">
      <header className="market-head">
        <TokenIcon mint={pool.mint} symbol={pool.symbol} />
        <h2 id="pool-title">{pool.symbol} / SOL</h2>
        <button
          type="button"
          className="chip"
          onClick={() => navigate({ view: 'trade', pool: pool.address })}
        >
          Trade
        </button>
      </header>
      {isPro ? (
        <Segment label="What to do" className="wide-tabs" options={TABS} value={tab} onChange={setTab} />
      ) : (
        <p className="quiet">This is a standard pool. Only pro pools take deposits.</p>
      )}
      {owned && <Facts facts={owned} />}
      {tab !== 'claim' && <AmountForm key={tab} kind={tab} {...props} />}
      {snapshot && tab === 'claim' && <Claims {...props} snapshot={snapshot} />}
      <h3>About the pool</h3>
      {snapshot && <PoolFacts pool={pool} snapshot={snapshot} />}
    </section>
  );
}

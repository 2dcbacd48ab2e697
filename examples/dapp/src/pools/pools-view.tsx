import { type FormEvent, useRef, useState } from 'react';
import { navigate } from '../address';
import {
  explainError,
  formatBps,
  formatSol,
  formatUnits,
  formatUsd,
  parseAmount,
  SOL,
  shareOf,
  toField,
  type Unit,
} from '../format';
import { PoolFacts } from '../market/pool-facts';
import { type Pool, useBalances, useChosenPool, useSnapshot } from '../queries';
import { Button, Facts, Field, Problem, Segment, Shares, TokenIcon } from '../ui';
import { useWalletState } from '../wallet/wallet';
import { Claims } from './claims';
import { LP, useOpenPlan, usePlan, useShare } from './liquidity';
import { PoolList } from './pool-list';

type Props = { pool: Pool; unit: Unit; share: ReturnType<typeof useShare> };

function AmountForm({ kind, pool, unit, share }: Props & { kind: 'deposit' | 'withdraw' }) {
  const { wallet, openDialog: connect } = useWalletState();
  const open = useOpenPlan(pool, unit);
  const { data: balances } = useBalances(pool.mint);
  const [text, setText] = useState('');
  const isDeposit = kind === 'deposit';
  const noun = isDeposit ? 'deposit' : 'withdrawal';
  const typed = isDeposit ? SOL : LP;
  const held = (isDeposit ? balances?.lamports : share?.lpTokenBalance) ?? 0n;
  let amount = 0n;
  let problem: string | undefined;
  try {
    if (text.trim() !== '') amount = parseAmount(text, typed.decimals);
    if (!isDeposit && wallet && amount > held) problem = `You have only ${formatUnits(held, LP)}.`;
  } catch (error) {
    problem = explainError(error).message;
  }
  const { data: plan, error, isPlaceholderData } = usePlan(kind, pool, unit, problem ? 0n : amount);
  const hasFew = (side: 'tokenUnits' | 'lamports') =>
    plan?.needs && balances && balances[side] < plan.needs[side];
  const lacking = hasFew('lamports') ? SOL : hasFew('tokenUnits') ? unit : undefined;
  const isReady = amount > 0n && !problem && !lacking && plan && !isPlaceholderData;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (wallet === undefined) connect();
    else if (isReady) open(noun, plan, () => setText(''));
    else event.currentTarget.querySelector('input')?.focus();
  };
  let next = `Review the ${noun}`;
  if (wallet === undefined) next = 'Connect wallet';
  else if (problem) next = 'Check the amount';
  else if (amount === 0n) next = 'Enter an amount';
  else if (lacking) next = `Not enough ${lacking.symbol}`;
  return (
    <form className="fields" onSubmit={submit}>
      <div>
        <Field
          label={`${typed.symbol} to ${kind}`}
          placeholder="0"
          inputMode="decimal"
          value={text}
          onChange={setText}
          hint={`You have ${formatUnits(held, typed)}.`}
          problem={problem}
        />
        {!isDeposit && (
          <div className="row">
            <Shares
              of={[25n, 50n, 100n]}
              onChoose={(percent) => setText(toField(shareOf(held, percent), LP.decimals))}
            />
          </div>
        )}
      </div>
      <div className={isPlaceholderData ? 'plan stale' : 'plan'}>
        {amount > 0n && plan ? (
          <Facts facts={plan.facts} />
        ) : (
          <p className="quiet">{`Both SOL and ${unit.symbol}, at the pool’s price.`}</p>
        )}
      </div>
      <Problem>{amount > 0n && error && explainError(error).message}</Problem>
      <button type="submit" className={`primary big ${wallet && !isReady ? 'waits' : ''}`}>
        {next}
      </button>
    </form>
  );
}

const TABS = { deposit: 'Deposit', withdraw: 'Withdraw' } as const;

/** What can be done with a pool: trade in any, deposit in a pro pool. Claims of all pools stand above the list. */
function PoolActions({ pool }: { pool: Pool }) {
  const isPro = pool.kind === 'pro';
  const [tab, setTab] = useState<keyof typeof TABS>('deposit');
  const { data: snapshot } = useSnapshot(pool);
  const share = useShare(pool, snapshot);
  const props = { pool, share, unit: { decimals: snapshot?.token.decimals ?? 9, symbol: pool.symbol } };
  const worth = share && `${formatBps(share.sharePct * 100)}, worth ${formatUsd(share.valueUsd)}`;
  const sides = share && `${formatSol(share.tokenB)} and ${formatUnits(share.tokenA, props.unit)}`;
  return (
    <section className="card" aria-labelledby="pool-title">
      <header className="market-head">
        <TokenIcon mint={pool.mint} symbol={pool.symbol} />
        <h2 id="pool-title">{pool.symbol} / SOL</h2>
        <Button className="chip" onClick={() => navigate({ view: 'trade', pool: pool.address })}>
          Trade
        </Button>
      </header>
      {isPro && (
        <Segment label="What to do" className="wide-tabs" options={TABS} value={tab} onChange={setTab} />
      )}
      {share?.exists && (
        <Facts
          facts={[
            { term: 'Your share', value: worth },
            { term: 'That is', value: sides },
          ]}
        />
      )}
      {isPro && <AmountForm key={tab} kind={tab} {...props} />}
      <h3>About the pool</h3>
      {snapshot && <PoolFacts pool={pool} snapshot={snapshot} />}
    </section>
  );
}

export default function PoolsView() {
  const [chosen] = useChosenPool();
  const actions = useRef<HTMLDivElement>(null);
  return (
    <div className="columns">
      <div className="fields">
        <Claims />
        <section className="card" aria-labelledby="pools-title">
          <h2 id="pools-title">Pools</h2>
          <PoolList onChoose={() => actions.current?.scrollIntoView({ block: 'nearest' })} />
        </section>
      </div>
      <div ref={actions}>{chosen && <PoolActions key={chosen.address} pool={chosen} />}</div>
    </div>
  );
}

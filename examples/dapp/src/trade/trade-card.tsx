import { toSpotPrice } from 'heaven-pools';
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Dialog } from '../dialog';
import { formatAmount, formatBps, formatExact, formatPrice, formatUnits, SOL, USD } from '../format';
import { useNetwork } from '../network/network';
import { NodeActions } from '../network/network-dialog';
import { useFoundPools, usePriorityFee, useSnapshot } from '../queries';
import { useReview } from '../review/review';
import { Awaited, Button, Segment, Shares, SolIcon, TokenIcon, Warnings } from '../ui';
import { useWalletState } from '../wallet/wallet';
import { AmountField } from './amount-field';
import { Details } from './details';
import { type NextStep, nextStep } from './next-step';
import type { Given } from './quote';
import { TradeSettings } from './settings';
import { tradeOperation } from './trade-operation';
import { useTrade } from './use-trade';
import { CONSENT_BPS, totalFeeBps, warningsOf, worthOf } from './words';

const PoolList = lazy(async () => ({ default: (await import('../pools/pool-list')).PoolList }));
const MarketPanel = lazy(() => import('../market/market-panel'));

export function TradeView() {
  const found = useFoundPools();
  const { data: snapshot } = useSnapshot(found.data?.[0]);
  // The first quote goes before chart and trades.
  const isLater = useDeferredValue(snapshot !== undefined || (!found.isLoading && !found.data), false);
  const waiting = <div className="card waiting" aria-busy="true" />;
  return (
    <div className="columns">
      <TradeCard />
      <Suspense fallback={waiting}>{isLater ? <MarketPanel /> : waiting}</Suspense>
    </div>
  );
}

const PAY = { buy: 'pay', sell: 'sell' };
const ROUNDING = { pay: 'up', receive: 'down' } as const;

/** A text that has not changed for a second: a screen reader would read each one. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 1_000);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function TradeCard() {
  const network = useNetwork();
  const { wallet, openDialog: connect } = useWalletState();
  const review = useReview();
  const { price: computeUnitPrice } = usePriorityFee();
  const state = useTrade();
  const { pool, pools, snapshot, balances, slippage, side, units, given, amounts, quoted, trade } = state;
  const [open, setOpen] = useState<'settings' | 'tokens'>();
  const payField = useRef<HTMLInputElement>(null);
  const close = () => setOpen(undefined);
  const focus = () => payField.current?.focus();

  // Once a wallet is connected, Enter goes on with the trade. The dialog closes first; a page that was just opened keeps its focus.
  const address = wallet?.address;
  useEffect(() => {
    const timer = setTimeout(() => {
      if (address !== undefined && document.activeElement !== document.body) payField.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [address]);

  const next = nextStep(state, wallet !== undefined);
  const acts: Record<NonNullable<NextStep['act']>, () => void> = {
    'choose token': () => setOpen('tokens'),
    'read again': () => void state.read.refetch(),
    connect,
    'open settings': () => setOpen('settings'),
    correct: focus,
    'use most': () => state.fill(100n),
    review: () => {
      if (wallet === undefined || snapshot === undefined || trade === undefined) return;
      const { returnedRent, clear: onLanded } = state;
      const context = { network, wallet, pools, snapshot, units, computeUnitPrice, returnedRent, onLanded };
      review(tradeOperation(context, trade));
    },
  };

  const isOld = quoted.isPlaceholderData || state.read.isError || state.isSlow;
  const other = given === 'pay' ? 'receive' : 'pay';
  const inShort = { digits: 4, compact: true, rounding: ROUNDING[other] };
  const computed = formatAmount(amounts[other] ?? 0n, units[other].decimals, inShort);
  const verb = other === 'pay' ? PAY[side] : other;
  const spoken = useSettled(trade && !isOld ? `You ${verb} about ${computed} ${units[other].symbol}` : '');

  const field = (of: Given) => {
    const isSol = units[of] === SOL;
    const amount = amounts[of] ?? 0n;
    const rounding = ROUNDING[of];
    const isTyped = given === of;
    const unit = isTyped ? state.typedIn : units[of];
    return {
      unit,
      rounding,
      text: isTyped ? state.text : undefined,
      amount: isTyped ? state.typedAmount : amounts[of],
      onSwitchUnit: isTyped && isSol ? state.switchUnit : undefined,
      isOld,
      onChange: (text: string) => state.type(of, text),
      worth: unit === USD ? formatUnits(amount, SOL, { rounding }) : worthOf(snapshot, amount, units[of]),
      token: isSol ? (
        <span className="token-pill">
          <SolIcon />
          SOL
        </span>
      ) : (
        <Button className="token-pill" onClick={() => setOpen('tokens')}>
          {pool && <TokenIcon mint={pool.mint} symbol={pool.symbol} />}
          <span>{pool?.symbol ?? 'Choose token'}</span>
          <span aria-hidden="true">▾</span>
          {pool && <span className="hidden">, choose another token</span>}
        </Button>
      ),
    };
  };
  const held = balances && (side === 'buy' ? balances.lamports : balances.tokenUnits);
  const isRisky = trade !== undefined && trade.quote.details.priceImpactBps >= CONSENT_BPS;
  return (
    <section className="card swap" aria-label="Trade">
      <h2 className="hidden">Trade</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (next.act !== undefined) acts[next.act]();
        }}
      >
        <div className="swap-head">
          <Segment
            label="Buy or sell"
            options={{ buy: 'Buy', sell: 'Sell' }}
            value={side}
            onChange={state.setSide}
          />
          <Button className="chip" aria-haspopup="dialog" onClick={() => setOpen('settings')}>
            <span>
              <span className="quiet">Slippage </span>
              {slippage.bps !== undefined && formatBps(slippage.bps)}
            </span>
          </Button>
        </div>
        <div className="legs">
          <AmountField
            {...field('pay')}
            label={`You ${PAY[side]}`}
            ref={payField}
            aside={
              held !== undefined && (
                <span title={formatExact(held, units.pay)}>
                  Balance {formatAmount(held, units.pay.decimals, { compact: true })}
                </span>
              )
            }
            shares={<Shares of={[25n, 50n, 100n]} onChoose={balances ? state.fill : connect} />}
          />
          <Button className="switch" aria-label="Switch pay and receive" onClick={state.flip}>
            <svg viewBox="0 0 20 20" width="18" fill="none" strokeWidth="1.7" aria-hidden="true">
              <path stroke="currentColor" d="M6.5 3v13m0 0-3-3m3 3 3-3M13.5 17V4m0 0-3 3m3-3 3 3" />
            </svg>
          </Button>
          <AmountField
            {...field('receive')}
            label="You receive about"
            aside={trade && `after ${formatBps(totalFeeBps(trade))} fees`}
          />
        </div>
        <div className="price-line">
          <span className="quiet">
            <Awaited isKnown={snapshot !== undefined}>
              1 {pool?.symbol} = {formatPrice(snapshot ? toSpotPrice(snapshot).solPerToken : 0)} SOL
            </Awaited>
          </span>
          <Button className="plain age" onClick={() => void state.read.refetch()}>
            <span className="ring" key={state.read.dataUpdatedAt} />
            <span className="wide">Refresh</span>
          </Button>
        </div>
        <button
          type="submit"
          className={`primary big ${next.act === 'correct' ? 'waits' : isRisky ? 'danger' : ''}`}
          aria-disabled={next.act === undefined}
        >
          {next.label}
        </button>
        <p className="quiet reason" role="status">
          {next.reason}
        </p>
        <p className="hidden" role="status">
          {spoken}
        </p>
      </form>
      {(state.read.isError || state.found.isError || state.isSlow) && !network.practice && <NodeActions />}
      <Details {...state} />
      <Warnings warnings={trade === undefined ? [] : warningsOf(trade)} />
      {open === 'settings' && <TradeSettings {...slippage} onClose={close} />}
      <Suspense>
        {open === 'tokens' && (
          <Dialog title="Choose a token" onClose={close}>
            <PoolList onChoose={close} />
          </Dialog>
        )}
      </Suspense>
    </section>
  );
}

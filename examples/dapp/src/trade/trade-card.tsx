import { toSpotPrice, toUsdValue } from 'heaven-pools';
import { useEffect, useRef, useState } from 'react';

import { formatAmount, formatBps, formatExact, formatPrice, formatUsd, SOL } from '../format';
import { useNetwork } from '../network/network';
import { PoolList } from '../pools/pool-list';
import { type Pool, usePriorityFee } from '../queries';
import { useReview } from '../review/review';
import { Dialog, Segment, SolIcon, TokenIcon, Warnings } from '../ui';
import { useConnectDialog, useWallet } from '../wallet/wallet';
import { AmountField } from './amount-field';
import { Details } from './details';
import { nextStep } from './next-step';
import type { Given } from './quote';
import { QuoteAge } from './quote-age';
import { TradeSettings } from './settings';
import { tradeOperation } from './trade-operation';
import { useTrade } from './use-trade';
import { CONSENT_BPS, totalFeeBps, warningsOf } from './words';

const SIDES = { buy: 'Buy', sell: 'Sell' } as const;
const SHARES = [
  ['A quarter', '¼', 25n],
  ['A half', '½', 50n],
  ['Max', 'Max', 100n],
] as const;

/** The swap card: an amount in either field, its quote, and what to do next. */
export function TradeCard() {
  const network = useNetwork();
  const wallet = useWallet();
  const connect = useConnectDialog();
  const review = useReview();
  const { price: computeUnitPrice } = usePriorityFee();
  const state = useTrade();
  const { pool, pools, snapshot, balances, slippage, side, units, given, amounts, quoted, trade } = state;
  const [open, setOpen] = useState<'settings' | 'tokens'>();
  const payField = useRef<HTMLInputElement>(null);
  const focus = () => payField.current?.focus();

  // Once a wallet is connected, Enter goes on with the trade. The dialog closes first; a page that was just opened keeps its focus.
  const address = wallet?.address;
  useEffect(() => {
    const timer = setTimeout(() => {
      if (address !== undefined && document.activeElement !== document.body) payField.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [address]);

  const next = nextStep(state, wallet, {
    chooseToken: () => setOpen('tokens'),
    openSettings: () => setOpen('settings'),
    connect,
    focus,
    useMost: () => state.fill(100n),
    review: () => {
      if (wallet === undefined || snapshot === undefined || trade === undefined) return;
      const context = { network, wallet, pools, snapshot, ...units, computeUnitPrice, onLanded: state.clear };
      review(tradeOperation(context, trade));
    },
  });

  const field = (of: Given) => {
    const isSol = units[of] === SOL;
    const usd = snapshot && amounts[of] && toUsdValue(snapshot, amounts[of], isSol ? 'SOL' : 'token');
    return {
      unit: units[of],
      text: given === of ? state.text : undefined,
      amount: amounts[of],
      isOld: quoted.isPlaceholderData || state.read.isError,
      onChange: (text: string) => state.type(of, text),
      usd: formatUsd(usd ?? 0),
      token: isSol ? <SolPill /> : <TokenPill pool={pool} onClick={() => setOpen('tokens')} />,
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
          next.act?.();
        }}
      >
        <div className="swap-head">
          <Segment label="Buy or sell" options={SIDES} value={side} onChange={state.setSide} />
          <button
            type="button"
            className="chip"
            aria-expanded={open === 'settings'}
            onClick={() => setOpen(open === 'settings' ? undefined : 'settings')}
          >
            <span className="quiet wide">Slippage </span>
            {slippage.choice === 'auto' && 'auto '}
            {slippage.bps !== undefined && formatBps(slippage.bps)}
          </button>
        </div>
        {open === 'settings' && <TradeSettings slippage={slippage} side={side} />}
        <div className="legs">
          <AmountField
            {...field('pay')}
            label={given === 'pay' ? 'You pay' : 'You pay at most'}
            inputRef={payField}
            aside={
              held !== undefined && (
                <span title={formatExact(held, units.pay)}>
                  Balance {formatAmount(held, units.pay.decimals)}
                </span>
              )
            }
            shares={SHARES.map(([name, label, percent]) => (
              <button
                key={name}
                type="button"
                aria-label={name}
                onClick={() => {
                  if (balances === undefined) return connect();
                  state.fill(percent);
                  focus();
                }}
              >
                {label}
              </button>
            ))}
          />
          <button type="button" className="switch" aria-label="Switch pay and receive" onClick={state.flip}>
            <svg
              viewBox="0 0 20 20"
              width="18"
              height="18"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.7"
              aria-hidden="true"
            >
              <path d="M6.5 3v13m0 0-3-3m3 3 3-3M13.5 17V4m0 0-3 3m3-3 3 3" />
            </svg>
          </button>
          <AmountField
            {...field('receive')}
            label={given === 'pay' ? 'You receive' : 'You receive at least'}
            aside={trade && `after ${formatBps(totalFeeBps(trade))} fees`}
          />
        </div>
        <div className="price-line">
          <Price snapshot={snapshot} symbol={pool?.symbol ?? ''} />
          <QuoteAge readAt={state.read.dataUpdatedAt} onRefresh={() => void state.read.refetch()} />
        </div>
        <button
          type="submit"
          className={`primary big ${isRisky ? 'danger' : ''}`}
          aria-disabled={next.act === undefined}
        >
          {next.label}
        </button>
        <p className="quiet reason" role="status">
          {next.reason}
        </p>
      </form>
      <Details trade={trade} pay={units.pay} receive={units.receive} balances={balances} />
      <Warnings warnings={trade === undefined ? [] : warningsOf(trade)} />
      {open === 'tokens' && (
        <Dialog title="Choose a token" onClose={() => setOpen(undefined)}>
          <PoolList onChoose={() => setOpen(undefined)} />
        </Dialog>
      )}
    </section>
  );
}

const SolPill = () => (
  <span className="token-pill">
    <SolIcon />
    SOL
  </span>
);

function TokenPill({ pool, onClick }: { pool: Pool | undefined; onClick: () => void }) {
  return (
    <button type="button" className="token-pill" onClick={onClick}>
      {pool && <TokenIcon mint={pool.mint} symbol={pool.symbol} />}
      <span>{pool?.symbol ?? 'Choose token'}</span>
      <span aria-hidden="true">▾</span>
      {pool && <span className="hidden">, choose another token</span>}
    </button>
  );
}

interface PriceProps {
  snapshot: Parameters<typeof toSpotPrice>[0] | undefined;
  symbol: string;
}

/** The price, one way or the other. */
function Price({ snapshot, symbol }: PriceProps) {
  const [isFlipped, setIsFlipped] = useState(false);
  if (snapshot === undefined) return <span className="skeleton">1 TOKEN = 0.0000 SOL</span>;
  const { solPerToken } = toSpotPrice(snapshot);
  return (
    <button
      type="button"
      className="plain"
      title="Show the price the other way"
      onClick={() => setIsFlipped(!isFlipped)}
    >
      {isFlipped
        ? `1 SOL = ${formatPrice(1 / solPerToken, 6)} ${symbol}`
        : `1 ${symbol} = ${formatPrice(solPerToken)} SOL`}
    </button>
  );
}

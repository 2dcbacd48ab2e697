import { buildTrade, quoteBuy } from 'heaven-pools';
import { useState } from 'react';

import { formatExact, formatUnits, parseAmount, SOL } from '../format';
import { useNetwork } from '../network/network';
import { useChosenPool, usePriorityFee } from '../queries';
import { useReview } from '../review/review';
import { Field, SolIcon, TokenIcon } from '../ui';
import { useConnectDialog, useWallet } from '../wallet/wallet';

export function TradeCard() {
  const { client } = useNetwork();
  const wallet = useWallet();
  const connect = useConnectDialog();
  const review = useReview();
  const [pool] = useChosenPool();
  const { price } = usePriorityFee();
  const [text, setText] = useState('');
  if (pool === undefined) return null;
  const buy = async () => {
    if (wallet === undefined) return connect();
    const { mint, configVersion } = pool;
    const quote = await quoteBuy(client, {
      mint,
      configVersion,
      lamports: parseAmount(text, 9),
      slippageBps: 50,
    });
    const unit = { decimals: 6, symbol: pool.symbol };
    const { amountIn, amountOut } = quote.details;
    review({
      title: 'Review buy',
      confirm: 'Confirm buy',
      noun: 'trade',
      done: 'traded',
      legs: [
        {
          icon: <SolIcon />,
          label: 'You pay',
          amount: formatUnits(amountIn, SOL),
          exact: formatExact(amountIn, SOL),
        },
        {
          icon: <TokenIcon mint={mint} symbol={pool.symbol} />,
          label: 'You receive about',
          amount: formatUnits(amountOut, unit),
          exact: formatExact(amountOut, unit),
        },
      ],
      facts: [],
      warnings: [],
      quote,
      token: { mint, ...unit },
      build: (abortSignal) =>
        buildTrade(client, {
          quote,
          payer: wallet.address,
          computeUnitPrice: price,
          wrapSol: 'temporary',
          abortSignal,
        }),
      receipt: () => ({
        title: 'Bought',
        headline: `You bought with ${formatUnits(amountIn, SOL)}.`,
        facts: [],
      }),
    });
  };
  return (
    <section className="card swap">
      <Field label="You pay" value={text} onChange={setText} inputMode="decimal" />
      <button type="button" className="primary big" onClick={() => void buy()}>
        Review buy
      </button>
    </section>
  );
}

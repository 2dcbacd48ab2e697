import * as heaven from 'heaven-pools';
import { createEmbeddedLedger, createPracticeWallet } from 'heaven-pools/testing';
import { StrictMode, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';

const { rpc, rpcSubscriptions, pools, setBalance } = await createEmbeddedLedger();
const { address: payer, signTransaction } = await createPracticeWallet();
setBalance(payer, 5_000_000_000n);
const client = heaven.createClient({ rpc, rpcSubscriptions });
const { mint, configVersion } = pools.creator;
const quotes = heaven.createQuoteStore(client);
const trades = heaven.createTradesStore(client, { mint });

const useStore = <T,>(store: heaven.Store<T>) => useSyncExternalStore(store.subscribe, store.getSnapshot);

function Page() {
  const [outcome, setOutcome] = useState<unknown>('');
  const { status, data, error } = useStore(quotes);
  const type = (maxSolSpend: string) =>
    quotes.update({ side: 'buy', configVersion, mint, maxSolSpend, slippageBps: 50 });
  const buy = async () => {
    if (data === undefined) return;
    const built = await heaven.buildTrade(client, { quote: data.quote, payer });
    const result = await heaven.signAndSubmitTransaction(client, built, { sign: signTransaction });
    setOutcome(`${result.status}: ${result.signature}`);
  };
  return (
    <main>
      <input aria-label="SOL to pay" inputMode="decimal" onChange={({ target }) => type(target.value)} />
      <output aria-busy={status === 'loading'}>{data?.quote.minimumOutUi ?? error?.message}</output>
      <button type="button" disabled={status !== 'ready'} onClick={() => buy().catch(setOutcome)}>
        Buy
      </button>
      <p role="status">{String(outcome)}</p>
      <ul>
        {useStore(trades).data?.trades.map(({ signature, side, user, price }) => (
          <li key={signature}>
            {heaven.shortenAddress(user)} {side} {price && heaven.formatAmount(price.lamports, 9)} SOL
          </li>
        ))}
      </ul>
    </main>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode children={<Page />} />);

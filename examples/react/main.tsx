// The smallest whole page: connect, buy or sell, quote, review, sign. It trades on the embedded ledger with a practice wallet, or on mainnet with your
// own: ?rpc=https://your-node.example&mint=… Trades there cost real money.
import { address } from '@solana/kit';
import { SolanaSignTransaction, type SolanaSignTransactionFeature } from '@solana/wallet-standard-features';
import * as query from '@tanstack/react-query';
import * as wallets from '@wallet-standard/react';
import * as heaven from 'heaven-pools';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

/** The node and the token of a link. Anybody can make one, and that node sets the prices: nothing reads from it before the user agrees. */
function linked() {
  const params = new URLSearchParams(location.search);
  const rpcUrl = params.get('rpc');
  if (rpcUrl === null) return undefined;
  const mint = address(params.get('mint') ?? '');
  const question = `The link names the node ${new URL(rpcUrl).host} and the token ${mint}. The page believes that node's prices and balances. Trade that token for real money?`;
  return confirm(question) ? { client: heaven.createHeavenClient({ rpcUrl }), mint } : undefined;
}

const link = linked();
const practice = link === undefined ? await import('./practice') : undefined;
const { client, mint } = link ?? (practice as NonNullable<typeof practice>);
const chain = practice ? 'solana:localnet' : 'solana:mainnet';

function Page() {
  const [account, setAccount] = useState<wallets.UiWalletAccount>();
  const usable = wallets.useWallets().filter(({ features }) => features.includes(SolanaSignTransaction));
  if (account !== undefined) return <Trade account={account} />;
  return usable.map((wallet) => <Connect key={wallet.name} wallet={wallet} onConnect={setAccount} />);
}

interface ConnectProps {
  wallet: wallets.UiWallet;
  onConnect: (account?: wallets.UiWalletAccount) => void;
}
function Connect({ wallet, onConnect }: ConnectProps) {
  const [isConnecting, connect] = wallets.useConnect(wallet);
  const onClick = async () => {
    const account = (await connect()).find(({ chains }) => chains.includes(chain));
    if (account) practice?.welcome(account.address);
    onConnect(account);
  };
  const label = `Connect ${wallet.name}`;
  return <button type="button" disabled={isConnecting} onClick={onClick} children={label} />;
}

type Side = 'buy' | 'sell';
type Quote = heaven.DetailedBuyQuote | heaven.DetailedSellQuote;

/** Of SOL, and of launched tokens. */
const DECIMALS = 9;

/** A buy takes SOL, a sell tokens. From here on, both are the same. */
async function fetchQuote(side: Side, typed: string, abortSignal: AbortSignal): Promise<Quote> {
  const terms = { configVersion: 2, mint, slippageBps: 50, abortSignal };
  const amount = heaven.parseAmount(typed, DECIMALS);
  return side === 'buy'
    ? await heaven.quoteBuy(client, { ...terms, lamports: amount })
    : await heaven.quoteSell(client, { ...terms, amountIn: amount });
}

function Trade({ account }: { account: wallets.UiWalletAccount }) {
  const payer = address(account.address);
  const [side, setSide] = useState<Side>('buy');
  const [amount, setAmount] = useState('');
  const isAmount = /[1-9]/.test(amount);
  const quote = query.useQuery({
    queryKey: ['quote', side, amount],
    queryFn: ({ signal }) => fetchQuote(side, amount, signal),
    enabled: isAmount,
    placeholderData: (previous, last) => (isAmount && last?.queryKey[1] === side ? previous : undefined),
    refetchInterval: 2_000,
    retry: false,
  });
  const review = query.useMutation({
    mutationFn: async (reviewed: Quote) => {
      const built = await heaven.buildTrade(client, { payer, quote: reviewed });
      return await heaven.reviewTransaction(client, built, { quote: reviewed });
    },
  });
  const sign: heaven.SignTransactionBytes = async (transaction) => {
    // Wallet Standard types features as unknown.
    const feature = wallets.getWalletAccountFeature(account, SolanaSignTransaction);
    const { signTransaction } = feature as SolanaSignTransactionFeature[typeof SolanaSignTransaction];
    const [output] = await signTransaction({ account, transaction, chain });
    return output?.signedTransaction;
  };
  const trade = query.useMutation({
    mutationFn: (built: heaven.BuiltTransaction) => heaven.signAndSubmitTransaction(client, built, { sign }),
    onSettled: () => review.reset(),
  });
  const change = (nextSide: Side, typed: string) => {
    setSide(nextSide);
    setAmount(typed);
    // Whatever was reviewed, or still is: it is not this trade.
    review.reset();
    most.reset();
  };
  const most = query.useMutation({
    // A buy leaves what the fees and the rent of a sell take, with a wallet's guards.
    mutationFn: () =>
      heaven.maximumSpend(client, {
        wallet: payer,
        side,
        mint,
        keepLamports: side === 'buy' ? 11_000_000n : 0n,
      }),
  });
  // Not called if the user changes the side or the amount first.
  const onSuccess = ({ uiAmount, missingLamports }: heaven.MaximumSpend) => {
    if (missingLamports === 0n) change(side, uiAmount);
  };
  const fill = () => most.mutate(undefined, { onSuccess });
  const isCurrent = quote.isSuccess && !quote.isPlaceholderData;
  const error = quote.error ?? review.error ?? trade.error ?? most.error;
  const missing = most.data?.missingLamports ?? 0n;
  const minimum = quote.data && heaven.formatAmount(quote.data.minimumOut, DECIMALS);
  return (
    <>
      {(['buy', 'sell'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={each === side} onClick={() => change(each, '')}>
          {each === 'buy' ? 'Buy' : 'Sell'}
        </button>
      ))}
      <label htmlFor="pay">{side === 'buy' ? 'SOL to pay' : 'Tokens to sell'}</label>
      <input
        id="pay"
        inputMode="decimal"
        value={amount}
        onChange={({ target }) => change(side, target.value)}
      />
      <button type="button" disabled={most.isPending} onClick={fill} children="Max" />
      <output aria-busy={!isCurrent}>
        Minimum received: {minimum ? `${minimum} ${side === 'buy' ? 'tokens' : 'SOL'}` : '–'}
      </output>
      <button type="button" disabled={!isCurrent} onClick={() => quote.data && review.mutate(quote.data)}>
        Review
      </button>
      {review.data && <Review review={review.data} onConfirm={trade.mutate} isBusy={trade.isPending} />}
      {missing > 0n && (
        <p role="alert">Deposit {heaven.formatAmount(missing, 9, { rounding: 'up' })} SOL to trade.</p>
      )}
      {error && <p role="alert">{heaven.explainError(error).message}</p>}
      {trade.data && <p role="status">{`${trade.data.status}: ${trade.data.signature}`}</p>}
    </>
  );
}

interface ReviewProps {
  review: heaven.TransactionReview;
  onConfirm: (built: heaven.BuiltTransaction) => void;
  isBusy: boolean;
}
function Review({ review: { built, steps, warnings, simulation }, onConfirm, isBusy }: ReviewProps) {
  const fails = simulation.ok === false ? [`It would fail: ${simulation.error.message}`] : [];
  const sol = simulation.ok ? heaven.formatAmount(simulation.sol.change, 9, { sign: 'always' }) : 'unknown';
  const lines = [...fails, ...warnings, ...steps, `Your SOL: ${sol}`];
  const isDisabled = isBusy || simulation.ok === false;
  return (
    <section aria-label="Review">
      <pre>{lines.join('\n')}</pre>
      <button type="button" disabled={isDisabled} onClick={() => onConfirm(built)} children="Confirm" />
    </section>
  );
}

const page = <query.QueryClientProvider client={new query.QueryClient()} children={<Page />} />;
createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode>{page}</StrictMode>);

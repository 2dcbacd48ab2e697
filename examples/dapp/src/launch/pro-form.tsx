import { type Address, isAddress } from '@solana/kit';
import type { FormEvent } from 'react';
import { explainError, formatPrice, formatSol, formatUnits, shareOf, toField } from '../format';
import { useNetwork } from '../network/network';
import { FeeSteps, problemIn, type Step } from '../pools/fee-steps';
import { useBuildOptions } from '../pools/plan';
import { useReview } from '../review/review';
import { Button, Field, Problem, Segment, Shares, TokenIcon } from '../ui';
import { useWalletState } from '../wallet/wallet';
import { useDraft } from './draft';
import * as pro from './pro-pool';

const UNITS = 400_000;
const SECOND = { SOL: 'SOL', price: 'Price' } as const;

/** A pool of a token that exists: its token, its two amounts, its fees, and what it allows. */
export function ProForm() {
  const network = useNetwork();
  const { wallet, openDialog: connect } = useWalletState();
  const review = useReview();
  const options = useBuildOptions(UNITS);
  const [form, setForm] = useDraft('pro pool', pro.emptyForm);
  const set = (part: Partial<pro.ProForm>) => setForm({ ...form, ...part });
  const mint = isAddress(form.mint.trim()) ? (form.mint.trim() as Address) : undefined;
  const { data: terms, error: closed } = pro.useProTerms();
  const { data: held, error } = pro.useHoldings(mint);
  const token = mint && held?.tokens.find((one) => one.mint === mint);
  const amounts = token && pro.readAmounts(form, token, held?.lamports ?? 0n);
  const wrongFee = (Object.keys(pro.FEES) as pro.FeeName[]).find(
    (fee) => problemIn(pro.byOf(fee), form.fees[fee], pro.mostOf(fee, terms)) !== undefined,
  );
  const isClosed = terms !== undefined && terms.allowCreatePool !== 1;
  let next = 'Review pool';
  if (wallet === undefined) next = 'Connect wallet';
  else if (isClosed) next = 'Not accepted now';
  else if (!token || token.amount === 0n) next = 'Choose a token that you hold';
  else if (amounts?.tokensProblem || amounts?.secondProblem) next = 'Check the amounts';
  else if (!amounts?.tokenUnits || !amounts.sol) next = 'Enter both amounts';
  else if (wrongFee) next = `Check: ${pro.FEES[wrongFee].label}`;
  const canGo = next === 'Review pool' || wallet === undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (wallet === undefined) connect();
    else if (!canGo || !options || !token || !amounts) event.currentTarget.querySelector('input')?.focus();
    else review(pro.proPoolOperation(network, options, form, token, amounts));
  };
  const failure = closed ?? error;
  return (
    <form className="fields" onSubmit={submit}>
      {token ? (
        <div className="market-head">
          <TokenIcon mint={token.mint} symbol={token.symbol} />
          <strong>{token.symbol} / SOL</strong>
          <Button className="chip" onClick={() => set({ mint: '', tokens: '' })}>
            Another token
          </Button>
        </div>
      ) : (
        <>
          <Field
            label="Token"
            placeholder="Address of the token (mint)"
            value={form.mint}
            onChange={(text) => set({ mint: text })}
            hint="It must exist, and you must hold some. Each wallet has one pro pool per token."
            problem={form.mint && !mint ? 'That is not an address.' : undefined}
          />
          <div className="row">
            {held?.tokens.map((one) => (
              <Button key={one.mint} className="token-pill" onClick={() => set({ mint: one.mint })}>
                <TokenIcon mint={one.mint} symbol={one.symbol} />
                <span>{one.symbol}</span>
              </Button>
            ))}
          </div>
        </>
      )}
      {token && amounts && (
        <>
          <div>
            <Field
              label={`${token.symbol} to put in`}
              placeholder="0"
              inputMode="decimal"
              value={form.tokens}
              onChange={(tokens) => set({ tokens })}
              hint={`You have ${formatUnits(token.amount, token)}.`}
              problem={amounts.tokensProblem}
            />
            <div className="row">
              <Shares
                of={[25n, 50n, 100n]}
                onChoose={(percent) =>
                  set({ tokens: toField(shareOf(token.amount, percent), token.decimals) })
                }
              />
            </div>
          </div>
          <Segment
            label="Then type"
            options={SECOND}
            value={form.by}
            onChange={(by) => set({ by, second: '' })}
          />
          <Field
            label={form.by === 'SOL' ? 'SOL to put in' : `Price of 1 ${token.symbol}, in SOL`}
            placeholder="0"
            inputMode="decimal"
            value={form.second}
            onChange={(second) => set({ second })}
            hint={
              amounts.price === undefined
                ? `You have ${formatSol(held?.lamports ?? 0n)}.`
                : `${formatSol(amounts.sol)} for it: 1 ${token.symbol} = ${formatPrice(amounts.price)} SOL.`
            }
            problem={amounts.secondProblem}
          />
          <details>
            <summary>Fees</summary>
            <div className="fields">
              {(Object.keys(pro.FEES) as pro.FeeName[]).map((fee) => (
                <div key={fee}>
                  <FeeSteps
                    label={pro.FEES[fee].label}
                    by={pro.byOf(fee)}
                    steps={form.fees[fee]}
                    mostBps={pro.mostOf(fee, terms)}
                    onChange={(steps: Step[]) => set({ fees: { ...form.fees, [fee]: steps } })}
                  />
                  <p className="quiet">{pro.FEES[fee].hint}</p>
                </div>
              ))}
            </div>
          </details>
          <details>
            <summary>What it allows</summary>
            {(Object.keys(pro.FEATURES) as pro.Feature[]).map((name) => (
              <label key={name} className="check">
                <input
                  type="checkbox"
                  checked={form.features[name]}
                  onChange={({ target }) => set({ features: { ...form.features, [name]: target.checked } })}
                />
                <span>
                  {pro.FEATURES[name].name}
                  <small>{pro.FEATURES[name].hint}</small>
                </span>
              </label>
            ))}
          </details>
        </>
      )}
      <Problem>{failure && explainError(failure).message}</Problem>
      <button type="submit" className={`primary big ${canGo ? '' : 'waits'}`}>
        {next}
      </button>
    </form>
  );
}

import { addressIn, formatPrice, formatSol, shareOf, toField } from '../format';
import { useNetwork } from '../network/network';
import { AmountInput } from '../pools/amount-form';
import { FeeFields } from '../pools/fee-fields';
import { FEE_NAMES, FEES, mostBps, problemIn } from '../pools/fees';
import { useBuildOptions } from '../pools/plan';
import { useReview } from '../review/review';
import { Button, Field, Segment, TokenIcon } from '../ui';
import { NextForm } from '../wallet/next-form';
import { useDraft } from './draft';
import type { LaunchFormProps } from './launch-view';
import * as pro from './pro-pool';

const REVIEW = 'Review new pool';
const SECOND = { SOL: 'SOL', price: 'Price' } as const;

/** A pool of a token that exists: its token, its two amounts, its fees, and what it allows. */
export function ProForm({ terms, children }: LaunchFormProps) {
  const network = useNetwork();
  const review = useReview();
  const options = useBuildOptions();
  const [form, set] = useDraft('pro pool', pro.emptyForm);
  const { data: held, error } = pro.useHoldings();
  const mint = addressIn(form.mint);
  const token = held?.tokens.find((one) => one.mint === mint);
  const amounts = token && pro.readAmounts(form, token, held?.lamports ?? 0n);
  const wrongFee = FEE_NAMES.find((fee) => problemIn(fee, form.fees[fee], mostBps(fee, terms)) !== undefined);
  let next = REVIEW;
  if (!token) next = 'Choose a token that you hold';
  else if (amounts?.tokensProblem || amounts?.secondProblem) next = 'Check the amounts';
  else if (!amounts?.tokenUnits || !amounts.sol) next = 'Enter both amounts';
  else if (wrongFee) next = `Check: ${FEES[wrongFee].label}`;
  const go =
    next === REVIEW && options && token && amounts
      ? () => review(pro.proPoolOperation(network, options, form, token, amounts, () => set(pro.emptyForm)))
      : undefined;
  return (
    <section className="card" aria-labelledby="launch-title">
      {children}
      <NextForm next={next} go={go} missing="input" error={error}>
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
              problem={mint ? 'You hold none of it.' : 'That is not an address.'}
            />
            <div className="row">
              {held?.tokens.slice(0, pro.MOST_NAMES).map((one) => (
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
            <AmountInput
              label={`${token.symbol} to put in`}
              value={form.tokens}
              onChange={(tokens) => set({ tokens })}
              problem={amounts.tokensProblem}
              held={token.amount}
              of={token}
              onShare={(percent) => set({ tokens: toField(shareOf(token.amount, percent), token.decimals) })}
            />
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
                {FEE_NAMES.map((fee) => (
                  <FeeFields
                    key={fee}
                    fee={fee}
                    steps={form.fees[fee]}
                    most={mostBps(fee, terms)}
                    onChange={(steps) => set({ fees: { ...form.fees, [fee]: steps } })}
                  />
                ))}
              </div>
            </details>
            <details>
              <summary>What it allows</summary>
              {pro.FEATURE_NAMES.map((name) => (
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
      </NextForm>
    </section>
  );
}

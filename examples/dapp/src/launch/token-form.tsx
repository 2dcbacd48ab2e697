import { formatBps, formatSol, formatUnits, formatUsd } from '../format';
import { FeeSchedule } from '../market/fee-schedule';
import { useNetwork } from '../network/network';
import { useBuildOptions } from '../pools/plan';
import { useReview } from '../review/review';
import { Facts, Field, Segment } from '../ui';
import { NextForm } from '../wallet/next-form';
import { useDraft } from './draft';
import * as launches from './launch';
import type { LaunchFormProps } from './launch-view';
import { Metadata, Preview } from './metadata';

const URL_FIELD = { placeholder: 'https://…', inputMode: 'url' } as const;
const FIELDS = {
  name: { label: 'Name', placeholder: 'A token', hint: 'Up to 32 letters, fewer with accents or emoji.' },
  symbol: { label: 'Symbol', placeholder: 'TOKEN', hint: 'Up to 10 letters.' },
  description: { label: 'Description', hint: 'Optional.' },
  image: { ...URL_FIELD, label: 'Image address', hint: 'On IPFS, Arweave or your own https server.' },
  uri: { ...URL_FIELD, label: 'Metadata address', hint: 'Final: nobody can change it after the launch.' },
  purchase: { label: 'First purchase', placeholder: '0', inputMode: 'decimal' },
} as const;
const OPTIONAL = 'Optional, before anyone else can buy. It pays no exchange fee.';

/** A new token: its metadata, and what its creator buys of it. */
export function TokenForm({ terms, kind, children }: LaunchFormProps) {
  const network = useNetwork();
  const review = useReview();
  const options = useBuildOptions();
  const [form, change] = useDraft('launch', launches.emptyForm);
  const { unit } = form;

  const { amount: purchase, problem } = launches.readPurchase(form.purchase, unit, terms);
  const cost = launches.useLaunchCost(terms, purchase);
  const quote = purchase > 0n ? cost.data : undefined;
  const input = { network, form, terms, purchase };
  const whole = launches.useWholeCost({ ...input, options });
  const { spendable, simulation } = whole.data ?? {};
  const least = quote?.details.leastLamports ?? 0n;
  const isDear = spendable !== undefined && least > spendable;
  const refused = simulation?.ok === false && !isDear && simulation.error;

  const problemOf = (name: launches.TextField) => {
    if (name !== 'purchase') return launches.problemOf(name, form);
    return (
      problem ?? (isDear ? `It costs ${formatSol(least)}. You have ${formatSol(spendable)}.` : undefined)
    );
  };
  const wrong =
    launches.NEEDED.find((name) => problemOf(name) || !form[name].trim()) ??
    (problemOf('purchase') && 'purchase');
  const { data: mintSigner, error } = launches.useMint(form.launched, Boolean(options && !wrong));
  let next = mintSigner ? 'Review launch' : 'Searching for the token’s address…';
  if (wrong) next = `${form[wrong].trim() ? 'Check' : 'Enter'} the ${FIELDS[wrong].label.toLowerCase()}`;
  const go = () => {
    if (!options || !mintSigner) return;
    const launch = { ...input, options, mintSigner, kind };
    const clear = () => change({ ...launches.emptyForm, launched: form.launched + 1 });
    review(launches.launchOperation(launch, quote, whole.data, clear));
  };

  const field = (name: launches.TextField) => {
    const onChange = (value: string) => change({ [name]: value });
    return { ...FIELDS[name], name, value: form[name], onChange, problem: problemOf(name) };
  };
  const bought = { decimals: terms.tokenADecimals, symbol: form.symbol || 'tokens' };
  // Without the slippage: what is expected to be paid.
  const usd = quote && (quote.costUsd * Number(least)) / Number(quote.costLamports);
  const worth = usd ? `, ${formatUsd(usd)}` : '';
  const kept = unit === 'SOL' ? `. ${formatBps(launches.SLIPPAGE_BPS)} is kept back for slippage.` : '';
  return (
    <>
      <section className="card" aria-labelledby="launch-title">
        {children}
        <NextForm
          next={next}
          go={!wrong && mintSigner && go}
          missing={`[name=${wrong}]`}
          error={cost.error ?? error ?? refused}
        >
          <div className="pair">
            <Field {...field('name')} />
            <Field {...field('symbol')} />
          </div>
          <Metadata key={form.launched} form={form} field={field} onPick={(picture) => change({ picture })} />
          <fieldset>
            <legend>First purchase</legend>
            <Segment
              label="Amount in"
              options={launches.PURCHASE_UNITS}
              value={unit}
              // The same tokens, in the other unit.
              onChange={(chosen) =>
                change({ unit: chosen, purchase: launches.typedAs(chosen, purchase, terms) })
              }
            />
            <Field
              {...field('purchase')}
              label={`Amount in ${launches.PURCHASE_UNITS[unit]}`}
              hint={purchase > 0n ? formatUnits(purchase, bought) + worth + kept : OPTIONAL}
            />
          </fieldset>
          <div className={cost.isPlaceholderData || whole.isPlaceholderData ? 'plan stale' : 'plan'}>
            {!options && <p className="quiet">Connect a wallet to see the total cost, with rent.</p>}
            <Facts facts={launches.costFacts(quote, whole.data)} />
          </div>
        </NextForm>
      </section>
      <div className="fields">
        <Preview form={form} terms={terms} quote={cost.data} purchase={purchase} />
        <section className="card" aria-labelledby="fees-title">
          <h2 id="fees-title">Fees after the launch</h2>
          <FeeSchedule source={terms} />
        </section>
      </div>
    </>
  );
}

import { useMutation } from '@tanstack/react-query';
import type { GrindProgress } from 'heaven-pools';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatAmount, formatBps, formatSol, formatUnits, formatUsd } from '../format';
import { FeeSchedule } from '../market/fee-schedule';
import { useNetwork } from '../network/network';
import { usePriorityFee } from '../queries';
import { useReview } from '../review/review';
import { Button, Facts, Field, Segment } from '../ui';
import { NextForm } from '../wallet/next-form';
import { useWallet } from '../wallet/wallet';
import { useDraft } from './draft';
import * as launches from './launch';
import { Metadata, Preview } from './metadata';
import { ProForm } from './pro-form';
import { PURCHASE_UNITS, type PurchaseUnit, readPurchase, SLIPPAGE_BPS, typedAs } from './purchase';

const NEEDED = { name: 'name', symbol: 'symbol', uri: 'metadata address' } as const;
const URL_FIELD = { placeholder: 'https://…', inputMode: 'url' } as const;
const FIELDS = {
  name: { label: 'Name', placeholder: 'A token', hint: 'Up to 32 letters, fewer with accents or emoji.' },
  symbol: { label: 'Symbol', placeholder: 'TOKEN', hint: 'Up to 10 letters.' },
  description: { label: 'Description', hint: 'Optional.' },
  image: { ...URL_FIELD, label: 'Image address' },
  uri: { ...URL_FIELD, label: 'Metadata address', hint: 'Final: nobody can change it after the launch.' },
  purchase: { label: 'First purchase', placeholder: '0', inputMode: 'decimal' },
} as const;
const OPTIONAL = 'Optional, before anyone else can buy. It pays no exchange fee.';
const UNITS = 400_000;

const WHAT = { token: 'New token', pool: 'Pro pool' } as const;

export default function LaunchView() {
  const [what, setWhat] = useDraft<keyof typeof WHAT>('what to launch', 'token');
  const choice = <Segment label="What to launch" options={WHAT} value={what} onChange={setWhat} />;
  return what === 'token' ? <TokenLaunch choice={choice} /> : <ProLaunch choice={choice} />;
}

const ProLaunch = ({ choice }: { choice: ReactNode }) => (
  <div className="columns even">
    <section className="card" aria-labelledby="launch-title">
      <h2 id="launch-title">Create a pro pool</h2>
      {choice}
      <p className="quiet">
        For a token that you hold: you bring both sides, set the fees, and may change them later.
      </p>
      <ProForm />
    </section>
  </div>
);

function TokenLaunch({ choice }: { choice: ReactNode }) {
  const network = useNetwork();
  const wallet = useWallet();
  const review = useReview();
  const { priceFor } = usePriorityFee();
  const [form, setForm] = useDraft('launch', launches.emptyForm);
  const [wanted, setKind] = useDraft<launches.Kind | undefined>('launch kind', undefined);
  const [unit, setUnit] = useDraft<PurchaseUnit>('launch unit', 'percent');
  const [picture, setPicture] = useDraft<string | undefined>('launch picture', undefined);
  const [launched, setLaunched] = useState(0);
  const [progress, setProgress] = useState<GrindProgress>();
  const search = useRef(new AbortController());
  useEffect(() => () => search.current.abort(), []);

  const { data: all, error } = launches.useLaunchTerms();
  const kinds = ([1, 2] as const).filter((version) => all?.[version]?.allowCreatePool === 1);
  const kind = wanted ?? kinds[0] ?? 1;
  const terms = all?.[kind];
  const isClosed = all !== undefined && kinds.length === 0;
  const supply = terms?.initialTokenAAmount ?? 0n;
  const small = launches.useLaunchCost(kind, supply / 100n);
  const { amount: purchase, problem } = readPurchase(form.purchase, unit, supply, small.data);
  const cost = launches.useLaunchCost(kind, purchase);
  const quote = purchase > 0n ? cost.data : undefined;
  const input = { network, form, kind, purchase, computeUnitPrice: priceFor(UNITS) };
  const whole = launches.useWholeCost({ ...input, wallet: isClosed ? undefined : wallet });
  const { spendable } = whole.data ?? {};
  const least = quote?.details.leastLamports ?? 0n;
  const isDear = spendable !== undefined && least > spendable;
  const purchaseProblem =
    problem ?? (isDear ? `It costs ${formatSol(least)}. You have ${formatSol(spendable)}.` : undefined);
  const launch = useMutation({
    mutationFn: async () => {
      if (wallet === undefined || terms === undefined) return;
      search.current = new AbortController();
      const { signal } = search.current;
      try {
        const mint = await launches.findMint({ ...input, wallet, terms }, setProgress, signal);
        const done = () => {
          setForm(launches.emptyForm);
          setPicture(undefined);
          setLaunched((count) => count + 1);
        };
        const all = { ...input, wallet, terms };
        if (!signal.aborted) review(launches.launchOperation(all, mint, quote, whole.data, done));
      } catch (failure) {
        if (!signal.aborted) throw failure;
      }
    },
  });

  const problemOf = (name: keyof launches.LaunchForm) =>
    name === 'purchase' ? purchaseProblem : launches.problemOf(name, form);
  const fields = Object.keys(NEEDED) as (keyof typeof NEEDED)[];
  const wrong = fields.find((name) => problemOf(name) || !form[name].trim());
  let next = 'Review launch';
  if (isClosed) next = 'Not accepted now';
  else if (wrong) next = `${form[wrong].trim() ? 'Check' : 'Enter'} the ${NEEDED[wrong]}`;
  else if (purchaseProblem) next = 'Check the first purchase';
  const field = (name: keyof launches.LaunchForm) => {
    const onChange = (value: string) => setForm({ ...form, [name]: value });
    return { ...FIELDS[name], name, value: form[name], onChange, problem: problemOf(name) };
  };
  const bought = { decimals: terms?.tokenADecimals ?? 9, symbol: form.symbol || 'tokens' };
  // Without the slippage: what is expected to be paid.
  const usd = quote && (quote.costUsd * Number(quote.details.leastLamports)) / Number(quote.costLamports);
  const worth = usd ? `, ${formatUsd(usd)}` : '';
  const kept = unit === 'SOL' ? `. ${formatBps(SLIPPAGE_BPS)} is kept back for slippage.` : '';
  const failure = error ?? (purchase > 0n ? cost.error : null) ?? launch.error;
  const { simulation } = whole.data ?? {};
  const refused = simulation?.ok === false && !isDear && simulation.error;
  const searching = launch.isPending && (
    <>
      <p className="quiet" role="status">
        Searching for the token’s address: {formatAmount(BigInt(progress?.attempts ?? 0), 0)} tried,{' '}
        {formatAmount(BigInt(progress?.expectedAttempts ?? 0), 0)} on average.
      </p>
      <Button className="big" onClick={() => search.current.abort()}>
        Cancel the search
      </Button>
    </>
  );
  return (
    <div className="columns even">
      <section className="card" aria-labelledby="launch-title">
        <h2 id="launch-title">Launch a token</h2>
        {choice}
        {kinds.length > 1 && (
          <Segment
            label="Kind of pool"
            options={Object.fromEntries(kinds.map((each) => [each, launches.KINDS[each].name]))}
            value={String(kind)}
            onChange={(chosen) => setKind(Number(chosen) as launches.Kind)}
          />
        )}
        <p className={isClosed ? 'warn' : 'quiet'}>
          {isClosed ? 'The exchange accepts no launches now.' : launches.KINDS[kind].about}
        </p>
        <NextForm
          next={next}
          go={next === 'Review launch' && (() => launch.mutate())}
          missing={`[name=${wrong ?? 'purchase'}]`}
          error={failure ?? refused}
          instead={searching}
        >
          <div className="pair">
            <Field {...field('name')} />
            <Field {...field('symbol')} />
          </div>
          <Metadata key={launched} form={form} field={field} onPick={setPicture} />
          <fieldset>
            <legend>First purchase</legend>
            <Segment
              label="Amount in"
              options={PURCHASE_UNITS}
              value={unit}
              onChange={(chosen) => {
                setUnit(chosen);
                // The same tokens, in the other unit.
                const typed = purchase > 0n && typedAs(chosen, purchase, supply, quote);
                setForm({ ...form, purchase: typed || '' });
              }}
            />
            <Field
              {...field('purchase')}
              label={`Amount in ${PURCHASE_UNITS[unit]}`}
              hint={purchase > 0n ? formatUnits(purchase, bought) + worth + kept : OPTIONAL}
            />
          </fieldset>
          <div className={cost.isPlaceholderData || whole.isPlaceholderData ? 'plan stale' : 'plan'}>
            {!wallet && <p className="quiet">Connect a wallet to see the total cost, with rent.</p>}
            <Facts facts={launches.costFacts(quote, whole.data)} />
          </div>
        </NextForm>
      </section>
      <div className="fields">
        <Preview form={form} picture={picture} quote={small.data} {...{ supply, purchase, least }} />
        <section className="card" aria-labelledby="fees-title">
          <h2 id="fees-title">Fees after the launch</h2>
          {terms ? <FeeSchedule source={terms} /> : <p className="skeleton fill">Loading the fees…</p>}
        </section>
      </div>
    </div>
  );
}

import { useMutation } from '@tanstack/react-query';
import type { GrindProgress } from 'heaven-pools';
import { type FormEvent, useEffect, useRef, useState } from 'react';

import { explainError, formatAmount, formatUnits, parseAmount, toField } from '../format';
import { FeeSchedule } from '../market/fee-schedule';
import { useNetwork } from '../network/network';
import { usePriorityFee } from '../queries';
import { useReview } from '../review/review';
import { Button, Facts, Field, Problem, Shares } from '../ui';
import { useConnectDialog, useWallet } from '../wallet/wallet';
import {
  costFacts,
  findMint,
  type LaunchForm,
  launchOperation,
  problemOf,
  useLaunchCost,
  useLaunchTerms,
} from './launch';

const EMPTY: LaunchForm = { name: '', symbol: '', uri: '', purchase: '' };
const NAMES = { name: 'name', symbol: 'symbol', uri: 'metadata address', purchase: 'first purchase' };
const UNITS = 400_000;
const HINT = 'A JSON file with name, symbol and image. Nobody can change its address after the launch.';

export default function LaunchView() {
  const network = useNetwork();
  const wallet = useWallet();
  const connect = useConnectDialog();
  const review = useReview();
  const { priceFor } = usePriorityFee();
  const [form, setForm] = useState(EMPTY);
  const [progress, setProgress] = useState<GrindProgress>();
  const search = useRef(new AbortController());
  useEffect(() => () => search.current.abort(), []);

  const { data: terms, error } = useLaunchTerms();
  const { tokenADecimals: decimals = 9, initialTokenAAmount: supply = 0n } = terms ?? {};
  const isBuying = form.purchase.trim() !== '' && problemOf('purchase', form, terms) === undefined;
  const purchase = isBuying ? parseAmount(form.purchase, decimals) : 0n;
  const cost = useLaunchCost(purchase);
  const launch = useMutation({
    mutationFn: async () => {
      if (wallet === undefined || terms === undefined) return;
      search.current = new AbortController();
      const { signal } = search.current;
      const input = { network, wallet, form, terms, purchase, computeUnitPrice: priceFor(UNITS) };
      try {
        const mint = await findMint(input, setProgress, signal);
        const quote = purchase > 0n ? cost.data : undefined;
        if (!signal.aborted) review(launchOperation(input, mint, quote, () => setForm(EMPTY)));
      } catch (failure) {
        if (!signal.aborted) throw failure;
      }
    },
  });

  const fields = Object.keys(EMPTY) as (keyof LaunchForm)[];
  const wrong = fields.find(
    (name) => problemOf(name, form, terms) || (name !== 'purchase' && !form[name].trim()),
  );
  const next = wrong ? `${form[wrong].trim() ? 'Check' : 'Enter'} the ${NAMES[wrong]}` : 'Review the launch';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (wallet === undefined) connect();
    else if (wrong === undefined) launch.mutate();
    else event.currentTarget.querySelectorAll('input')[fields.indexOf(wrong)]?.focus();
  };
  const field = (name: keyof LaunchForm) => ({
    value: form[name],
    onChange: (value: string) => setForm({ ...form, [name]: value }),
    problem: problemOf(name, form, terms),
  });
  const buy = (percent: bigint) =>
    setForm({ ...form, purchase: toField((supply * percent) / 100n, decimals) });
  const total = formatUnits(supply, { decimals, symbol: 'tokens' });
  const failure = error ?? cost.error ?? launch.error;
  return (
    <div className="columns even">
      <section className="card" aria-labelledby="launch-title">
        <h2 id="launch-title">Launch a token</h2>
        <p className="quiet">{total}, all of them in the pool at first.</p>
        <form className="fields" onSubmit={submit}>
          <div className="pair">
            <Field label="Name" placeholder="A token" hint="Up to 32 bytes." {...field('name')} />
            <Field label="Symbol" placeholder="TOKEN" hint="Up to 10 bytes." {...field('symbol')} />
          </div>
          <Field
            label="Metadata address"
            placeholder="https://…"
            inputMode="url"
            hint={HINT}
            {...field('uri')}
          />
          <div>
            <Field
              label="First purchase, in tokens"
              placeholder="0"
              inputMode="decimal"
              hint="Optional. It pays no exchange fee."
              {...field('purchase')}
            />
            <div className="row">
              <Shares of={[1n, 5n, 10n]} onChoose={buy} />
              <span className="quiet">of the supply</span>
            </div>
          </div>
          <div className={cost.isPlaceholderData ? 'plan short stale' : 'plan short'}>
            {purchase > 0n && cost.data && <Facts facts={costFacts(cost.data)} />}
          </div>
          <Problem>{failure && explainError(failure).message}</Problem>
          {launch.isPending ? (
            <>
              <p className="quiet" role="status">
                Searching for the token’s address: {formatAmount(BigInt(progress?.attempts ?? 0), 0)} tried,{' '}
                {formatAmount(BigInt(progress?.expectedAttempts ?? 0), 0)} on average.
              </p>
              <Button className="big" onClick={() => search.current.abort()}>
                Cancel the search
              </Button>
            </>
          ) : (
            <button type="submit" className="primary big">
              {wallet ? next : 'Connect wallet'}
            </button>
          )}
        </form>
      </section>
      <section className="card" aria-labelledby="fees-title">
        <h2 id="fees-title">Fees after the launch</h2>
        {terms ? <FeeSchedule source={terms} /> : <p className="skeleton fill">Loading the fees…</p>}
      </section>
    </div>
  );
}

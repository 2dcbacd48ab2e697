import { useMutation } from '@tanstack/react-query';
import type { GrindProgress } from 'heaven-pools';
import { type FormEvent, useEffect, useRef, useState } from 'react';

import { explainError, formatAmount, formatUnits, parseAmount, sanitizeText, toField } from '../format';
import { FeeSchedule } from '../market/fee-schedule';
import { useNetwork } from '../network/network';
import { usePriorityFee } from '../queries';
import { useReview } from '../review/review';
import { Facts, Field, Problem } from '../ui';
import { useConnectDialog, useWallet } from '../wallet/wallet';
import {
  costFacts,
  findMint,
  type LaunchForm,
  launchOperation,
  problemOf,
  useLaunchCost,
  useLaunchTerms,
  useMetadataFile,
} from './launch';

const EMPTY: LaunchForm = { name: '', symbol: '', uri: '', purchase: '' };
const NAMES = { name: 'name', symbol: 'symbol', uri: 'metadata address', purchase: 'first purchase' };
const UNITS = 400_000;
const HINT = 'A JSON file with name, symbol and image. Nobody can change its address after the launch.';

/** The form that launches a token with its pool. */
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
  const { data: file } = useMetadataFile(form.uri.trim());
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
  const read = file
    ? `The file ${file.name ? `calls the token ${file.name}` : 'has no name'}, and ${file.image ? 'has an image' : 'no image that can be shown'}.`
    : 'This page could not read that file. Check the address, and that any site may read it.';
  const failure = error ?? cost.error ?? launch.error;
  const [name, symbol] = [sanitizeText(form.name) || 'Your token', sanitizeText(form.symbol) || 'SYMBOL'];
  return (
    <div className="columns even">
      <section className="card" aria-labelledby="launch-title">
        <h2 id="launch-title">Launch a token</h2>
        <p className="preview">
          <span className="token-image large" style={{ background: 'hsl(215 45% 36%)' }} aria-hidden="true">
            {[...symbol][0]}
            {file?.image && <img src={file.image} alt="" />}
          </span>
          <span>
            <strong>{name}</strong> {symbol}
            <small>
              {formatUnits(supply, { decimals, symbol: 'tokens' })}, all of them in the pool at first
            </small>
          </span>
        </p>
        <form className="fields" onSubmit={submit}>
          <div className="pair">
            <Field label="Name" placeholder="A token" hint="Up to 32 bytes." {...field('name')} />
            <Field label="Symbol" placeholder="TOKEN" hint="Up to 10 bytes." {...field('symbol')} />
          </div>
          <Field
            label="Metadata address"
            placeholder="https://example.com/token.json"
            inputMode="url"
            hint={file === undefined ? HINT : read}
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
              {[1n, 5n, 10n].map((percent) => (
                <button
                  key={percent}
                  type="button"
                  className="chip"
                  onClick={() => setForm({ ...form, purchase: toField((supply * percent) / 100n, decimals) })}
                >
                  {String(percent)}%
                </button>
              ))}
              <span className="quiet">of the supply</span>
            </div>
          </div>
          <div className={cost.isPlaceholderData ? 'plan short stale' : 'plan short'}>
            {purchase > 0n && cost.data && <Facts facts={costFacts(cost.data)} />}
          </div>
          <Problem>{failure && explainError(failure).message}</Problem>
          {launch.isPending && (
            <p className="quiet" role="status">
              Searching for the token’s address: {formatAmount(BigInt(progress?.attempts ?? 0), 0)} tried,{' '}
              {formatAmount(BigInt(progress?.expectedAttempts ?? 0), 0)} on average.
            </p>
          )}
          {launch.isPending ? (
            <button type="button" className="big" onClick={() => search.current.abort()}>
              Cancel the search
            </button>
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

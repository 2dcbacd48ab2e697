import { useMutation } from '@tanstack/react-query';
import type { GrindProgress } from 'heaven-pools';
import { type FormEvent, useEffect, useRef, useState } from 'react';

import { explainError, formatBps, formatUnits, parseAmount, sanitizeText, toField } from '../format';
import { FeeScheduleView } from '../market/fee-schedule';
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
  problemsOf,
  useLaunchCost,
  useLaunchTerms,
  useMetadataFile,
} from './launch';

const EMPTY: LaunchForm = { name: '', symbol: '', uri: '', purchase: '' };
const SHARES = [1n, 5n, 10n] as const;
const LAUNCH_UNITS = 400_000;

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

  const { data: terms, error: failure } = useLaunchTerms();
  const problems = problemsOf(form, terms);
  const unit = { decimals: terms?.tokenADecimals ?? 9, symbol: sanitizeText(form.symbol) || 'tokens' };
  const isBuying = form.purchase.trim() !== '' && !problems.purchase;
  const purchase = isBuying ? parseAmount(form.purchase, unit.decimals) : 0n;
  const cost = useLaunchCost(purchase);
  const { data: file } = useMetadataFile(form.uri.trim());

  const launch = useMutation({
    mutationFn: async () => {
      if (wallet === undefined || terms === undefined) return;
      search.current = new AbortController();
      const { signal } = search.current;
      const input = { network, wallet, form, terms, purchase, computeUnitPrice: priceFor(LAUNCH_UNITS) };
      try {
        const mint = await findMint(input, setProgress, signal);
        const quote = purchase > 0n ? cost.data : undefined;
        if (!signal.aborted) review(launchOperation(input, mint, quote, () => setForm(EMPTY)));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    onSettled: () => setProgress(undefined),
  });

  const field = (name: keyof LaunchForm) => ({
    value: form[name],
    onChange: (value: string) => setForm({ ...form, [name]: value }),
    problem: form[name] === '' ? undefined : problems[name],
  });
  const buyShare = (percent: bigint) =>
    terms &&
    setForm({ ...form, purchase: toField((terms.initialTokenAAmount * percent) / 100n, unit.decimals) });
  const wrong = (Object.keys(EMPTY) as (keyof LaunchForm)[]).find((name) => problems[name]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (wallet === undefined) connect();
    else if (wrong === undefined) launch.mutate();
    else event.currentTarget.querySelectorAll('input')[Object.keys(EMPTY).indexOf(wrong)]?.focus();
  };
  const [name, symbol] = [form.name, form.symbol].map((text) => sanitizeText(text));
  const share = terms && Number((purchase * 1_000_000n) / terms.initialTokenAAmount) / 100;
  return (
    <div className="columns">
      <section className="card" aria-labelledby="launch-title">
        <h2 id="launch-title">Launch a token</h2>
        <form className="fields" onSubmit={submit}>
          <div className="pair">
            <Field label="Name" placeholder="A token" {...field('name')} />
            <Field label="Symbol" placeholder="TOKEN" {...field('symbol')} />
          </div>
          <Field
            label="Metadata address"
            placeholder="https://example.com/token.json"
            inputMode="url"
            hint={
              file === null
                ? 'This page could not read that file. Check the address, and that any site may read it.'
                : file === undefined
                  ? 'A JSON file with name, symbol and image. Nobody can change its address after the launch.'
                  : `The file calls the token ${file.name || '–'} (${file.symbol || '–'})${file.image ? '' : ', and has no image that can be shown: PNG, JPEG, GIF, WebP or AVIF, up to 1 MB'}.`
            }
            {...field('uri')}
          />
          <div>
            <Field
              label="First purchase, in tokens (optional)"
              placeholder="0"
              inputMode="decimal"
              {...field('purchase')}
            />
            <div className="row">
              {SHARES.map((percent) => (
                <button key={percent} type="button" className="chip" onClick={() => buyShare(percent)}>
                  {String(percent)}% of the supply
                </button>
              ))}
            </div>
          </div>
          <div className={cost.isPlaceholderData ? 'plan short stale' : 'plan short'}>
            {purchase > 0n && cost.data && (
              <Facts
                facts={[
                  ...costFacts(cost.data),
                  { term: 'Share of the supply', value: formatBps(share ?? 0) },
                ]}
              />
            )}
          </div>
          <Problem>
            {(cost.error ?? launch.error ?? failure) &&
              explainError(cost.error ?? launch.error ?? failure).message}
          </Problem>
          {launch.isPending ? (
            <>
              <p className="quiet" role="status">
                Searching for the token’s address: {progress?.attempts.toLocaleString() ?? 0} tried,{' '}
                {progress?.expectedAttempts.toLocaleString() ?? '–'} on average.
              </p>
              <button type="button" className="big" onClick={() => search.current.abort()}>
                Cancel the search
              </button>
            </>
          ) : (
            <button type="submit" className="primary big">
              {wallet === undefined
                ? 'Connect wallet'
                : wrong === undefined
                  ? 'Review the launch'
                  : form[wrong] === ''
                    ? {
                        name: 'Enter a name',
                        symbol: 'Enter a symbol',
                        uri: 'Enter the metadata address',
                        purchase: '',
                      }[wrong]
                    : `Check the ${{ name: 'name', symbol: 'symbol', uri: 'metadata address', purchase: 'first purchase' }[wrong]}`}
            </button>
          )}
        </form>
      </section>
      <div>
        <section className="card preview" aria-label="Preview">
          <span className="token-image large" aria-hidden="true">
            {[...(symbol || '?')][0]?.toUpperCase()}
            {file?.image && <img src={file.image} alt="" />}
          </span>
          <p>
            <strong>{name || 'Your token'}</strong> <span className="quiet">{symbol || 'SYMBOL'}</span>
          </p>
          {terms && (
            <p className="quiet">
              {formatUnits(terms.initialTokenAAmount, unit)} in all, and all of it starts in the pool.
            </p>
          )}
        </section>
        <section className="card" aria-labelledby="launch-fees">
          <h2 id="launch-fees">Fees of trades after the launch</h2>
          {terms ? <FeeScheduleView source={terms} /> : <p className="skeleton fill">Loading the fees…</p>}
        </section>
      </div>
    </div>
  );
}

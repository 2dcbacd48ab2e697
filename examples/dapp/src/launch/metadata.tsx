// The token's image and its metadata file: chosen and written here, hosted elsewhere, and checked where they are.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { InitialBuyQuote, ProtocolConfig } from 'heaven-pools';
import type { ComponentProps } from 'react';

import { fetchMetadata, IMAGE_BYTES, IMAGE_TYPES, isImage, toFileUrl } from '../files';
import { formatSol, formatUsd, isolate, sanitizeText, UserError } from '../format';
import { Head } from '../market/token-head';
import { useNetwork } from '../network/network';
import { Button, Field, Picture, Problem } from '../ui';
import type { LaunchForm, TextField } from './launch';

/** What is at the metadata's address: read once, when the address is whole and nobody types any longer. */
export function useMetadata(uri: string) {
  const network = useNetwork();
  return useQuery({
    queryKey: [network.rpcUrl, 'metadata', uri],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      signal.throwIfAborted();
      return await fetchMetadata(network, uri, signal);
    },
    enabled: /^https:\/\/[^/]+\.\w+\/\S+$/.test(toFileUrl(uri) ?? ''),
    retry: false,
    retryOnMount: false,
    staleTime: 60_000,
  });
}

const WRITTEN = ['name', 'symbol', 'description', 'image'] as const;

interface MetadataProps {
  form: LaunchForm;
  field: (name: TextField) => ComponentProps<typeof Field>;
  /** A picture from this device, for the preview. */
  onPick: (url: string | undefined) => void;
}

export function Metadata({ form, field, onPick }: MetadataProps) {
  const { practice } = useNetwork();
  const { data: file, error, isFetching } = useMetadata(form.uri.trim());
  const picking = useMutation({
    mutationFn: async (chosen: File | undefined) => {
      if (chosen === undefined) return undefined;
      if (await isImage(chosen)) return URL.createObjectURL(chosen);
      throw new UserError(`Choose a PNG, JPEG, GIF, WebP or AVIF of at most ${IMAGE_BYTES / 1_000} kB.`);
    },
    onSettled: (url) => onPick(url),
  });
  const canSave = Boolean(form.name.trim() && form.symbol.trim() && toFileUrl(form.image.trim()));
  const save = () => {
    const json = Object.fromEntries(WRITTEN.map((key) => [key, form[key].trim()]));
    const url = URL.createObjectURL(new Blob([JSON.stringify(json, null, 2)], { type: 'application/json' }));
    Object.assign(document.createElement('a'), { href: url, download: 'metadata.json' }).click();
    URL.revokeObjectURL(url);
  };
  const same = (what: 'name' | 'symbol') =>
    file?.json[what] === form[what].trim()
      ? `✓ The ${what} is the same`
      : `✕ The ${what} there is “${sanitizeText(String(file?.json[what] ?? 'missing'))}”`;
  const shown = file?.image ? '✓ The image can be shown' : '✕ The image there can’t be shown';
  const checks = file && [same('name'), same('symbol'), shown];
  return (
    <>
      <Field {...field('description')} />
      <div className="field">
        <label htmlFor="picture">Image</label>
        <input
          id="picture"
          type="file"
          accept={IMAGE_TYPES.join()}
          aria-describedby="picture-hint"
          onChange={({ target }) => picking.mutate(target.files?.[0])}
        />
        <div id="picture-hint">
          {picking.error ? (
            <Problem>{picking.error.message}</Problem>
          ) : (
            <p className="quiet">
              Square, shown small. It stays on your device.
              {practice && ' In practice, any https address will do below.'}
            </p>
          )}
        </div>
      </div>
      <Field {...field('image')} />
      <Button aria-disabled={!canSave} aria-describedby="save-hint" onClick={() => canSave && save()}>
        Save the metadata file
      </Button>
      <p className="quiet" id="save-hint">
        It needs the name, the symbol and the image address.
      </p>
      <Field {...field('uri')} />
      <div className="checks" role="status">
        {isFetching && <p className="quiet">Reading the file…</p>}
        {error && !practice && (
          <p className="warn">The file can’t be read or is not JSON. Others would see no image.</p>
        )}
        {checks?.map((check) => (
          <p key={check} className={check.startsWith('✓') ? 'up' : 'warn'}>
            {check}
          </p>
        ))}
      </div>
    </>
  );
}

interface PreviewProps {
  form: LaunchForm;
  terms: ProtocolConfig;
  /** It says what the market cap is before the first purchase. */
  quote: InitialBuyQuote | undefined;
  /** In native tokens. */
  purchase: bigint;
}

/** The token as it will stand on this page, at the price after the first purchase. */
export function Preview({ form, terms, quote, purchase }: PreviewProps) {
  const { data: file } = useMetadata(form.uri.trim());
  const symbol = isolate(sanitizeText(form.symbol.trim())) || 'TOKEN';
  const supply = Number(terms.initialTokenAAmount);
  // The product of the reserves stays, and the pool begins with the whole supply.
  const growth = (supply / (supply - Number(purchase))) ** 2;
  const marketCap = quote && quote.details.marketCapUsd * growth;
  const usd = marketCap && marketCap / (supply / 10 ** terms.tokenADecimals);
  return (
    <section className="card" aria-labelledby="preview-title">
      <h2 id="preview-title">As others will see it</h2>
      <Head
        icon={<Picture symbol={symbol} background="hsl(210 45% 36%)" image={file?.image ?? form.picture} />}
        title={
          <p>
            <strong>{isolate(sanitizeText(form.name.trim())) || 'A token'}</strong>{' '}
            <span className="quiet">{symbol} / SOL</span>
          </p>
        }
        under={<p className="quiet">{sanitizeText(form.description.trim()) || 'No description.'}</p>}
        price={quote && usd ? [(usd * quote.costSol) / quote.costUsd, usd] : undefined}
        stats={{
          'Market cap': [marketCap === undefined ? undefined : formatUsd(marketCap)],
          ...(purchase > 0n && quote && { 'First purchase': [formatSol(quote.details.leastLamports)] }),
          Image: [file?.image ? 'as hosted' : form.picture ? 'not hosted yet' : 'none yet'],
        }}
      />
    </section>
  );
}

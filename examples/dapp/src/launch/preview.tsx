import type { InitialBuyQuote } from 'heaven-pools';

import { formatUsd, sanitizeText } from '../format';
import { Head } from '../market/token-head';
import { Picture } from '../ui';
import type { LaunchForm } from './launch';
import { useMetadata } from './metadata';

interface PreviewProps {
  form: LaunchForm;
  /** From this machine, until the hosted one is there. */
  picture: string | undefined;
  quote: InitialBuyQuote | undefined;
  supply: bigint;
}

/** The token as it will stand on this page, at the price before the first purchase. */
export function Preview({ form, picture, quote, supply }: PreviewProps) {
  const { data: file } = useMetadata(form.uri.trim());
  const symbol = sanitizeText(form.symbol.trim()) || 'TOKEN';
  const marketCap = quote?.details.marketCapUsd;
  const usd = marketCap && marketCap / (Number(supply) / 1e9);
  const where = file?.image ? 'as hosted' : picture ? 'not hosted yet' : 'none yet';
  return (
    <section className="card" aria-labelledby="preview-title">
      <h2 id="preview-title">As others will see it</h2>
      <Head
        icon={<Picture symbol={symbol} background="hsl(210 45% 36%)" image={file?.image ?? picture} />}
        title={
          <p>
            <strong>{sanitizeText(form.name.trim()) || 'A token'}</strong>{' '}
            <span className="quiet">{symbol} / SOL</span>
          </p>
        }
        under={<p className="quiet">{sanitizeText(form.description.trim()) || 'No description.'}</p>}
        price={quote && usd ? [(usd * quote.costSol) / quote.costUsd, usd] : undefined}
        stats={{ 'Market cap': [marketCap === undefined ? undefined : formatUsd(marketCap)], Image: [where] }}
      />
    </section>
  );
}

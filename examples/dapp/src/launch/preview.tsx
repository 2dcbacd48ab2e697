import type { InitialBuyQuote } from 'heaven-pools';

import { formatPrice, formatUsd, sanitizeText } from '../format';
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
  const image = file?.image ?? picture;
  const symbol = sanitizeText(form.symbol.trim()) || 'TOKEN';
  const marketCap = quote?.details.marketCapUsd;
  const usd = quote && supply > 0n ? quote.details.marketCapUsd / (Number(supply) / 1e9) : undefined;
  const perSol = quote && quote.costUsd / quote.costSol;
  const where = file?.image ? 'as hosted' : picture ? 'from your machine: not hosted yet' : 'none yet';
  return (
    <section className="card" aria-labelledby="preview-title">
      <h2 id="preview-title">As others will see it</h2>
      <div className="token-head">
        <Picture symbol={symbol} background="hsl(210 45% 36%)" image={image} />
        <div className="token-name">
          <strong>{sanitizeText(form.name.trim()) || 'A token'}</strong>{' '}
          <span className="quiet">{symbol} / SOL</span>
          <p className="quiet">{sanitizeText(form.description.trim()) || `Image: ${where}`}</p>
        </div>
        <p className="token-price">
          <strong>{usd && perSol ? formatPrice(usd / perSol) : '–'} SOL</strong>
          <span className="quiet">{usd ? formatUsd(usd) : '–'}</span>
        </p>
        <dl className="token-stats">
          <dt>Market cap</dt>
          <dd>{marketCap === undefined ? '–' : formatUsd(marketCap)}</dd>
          <dt>Image</dt>
          <dd>{where}</dd>
        </dl>
      </div>
    </section>
  );
}

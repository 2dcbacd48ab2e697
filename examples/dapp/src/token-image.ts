import { type Address, getAddressEncoder } from '@solana/kit';

import { element, svg } from './dom.js';

/** Loaded and checked images, as blob URLs. */
const loaded = new Map<string, string>();

const imageAt = (src: string) => element('img', { src, alt: '', width: '28', height: '28' });

/** Stores a token's checked image, and shows it wherever the token's letter is. */
export function setTokenImage(mint: Address, blobUrl: string): void {
  loaded.set(mint, blobUrl);
  for (const place of document.querySelectorAll(`.token-image[data-mint="${mint}"]`))
    if (place.querySelector('img') === null) place.append(imageAt(blobUrl));
}

/** A token's image, or the first letter of its symbol on a colour from its mint. */
export function tokenImage(mint: Address, symbol: string | undefined, isLarge = false): HTMLElement {
  const [first = 0, second = 0] = getAddressEncoder().encode(mint);
  const hue = ((first * 256 + second) * 360) / 65_536;
  const letter = [...(symbol ?? '')].find((one) => /[\p{L}\p{N}]/u.test(one))?.toUpperCase() ?? '?';
  const source = loaded.get(mint);
  return element(
    'span',
    {
      class: isLarge ? 'token-image large' : 'token-image',
      style: `--hue: ${hue.toFixed(0)}`,
      'data-mint': mint,
      'aria-hidden': 'true',
    },
    letter,
    ...(source === undefined ? [] : [imageAt(source)]),
  );
}

/** SOL, drawn here. */
export function solImage(): HTMLElement {
  return element(
    'span',
    { class: 'token-image', style: '--hue: 265', 'aria-hidden': 'true' },
    svg(
      'svg',
      { viewBox: '0 0 28 28', width: 28, height: 28 },
      svg('path', {
        d: 'M9 9.5h12l-2.4 2.6H6.600L9 9.500zm-2.400 3.400h12L21 15.500H9zm2.400 3.400h12l-2.400 2.600H6.600z',
        fill: '#ffffff',
      }),
    ),
  );
}

import { type Address, getAddressEncoder } from '@solana/kit';

import { element, svg } from './dom.js';

/** Loaded and checked images, as blob URLs. */
const loaded = new Map<string, string>();

/** Stores a token's checked image. */
export function setTokenImage(mint: string, blobUrl: string): void {
  loaded.set(mint, blobUrl);
}

/** A token's image, or the first letter of its symbol on a colour from its mint. */
export function tokenImage(mint: Address, symbol: string | undefined, isLarge = false): HTMLElement {
  const [first = 0, second = 0] = getAddressEncoder().encode(mint);
  const hue = ((first * 256 + second) * 360) / 65_536;
  const letter = [...(symbol ?? '')].find((one) => /[\p{L}\p{N}]/u.test(one))?.toUpperCase() ?? '?';
  const made = element('span', {
    class: isLarge ? 'token-image large' : 'token-image',
    style: `--hue: ${hue.toFixed(0)}`,
    'aria-hidden': 'true',
  });
  made.append(letter);
  const source = loaded.get(mint);
  if (source !== undefined) made.append(element('img', { src: source, alt: '', width: '28', height: '28' }));
  return made;
}

/** SOL, drawn here. */
export function solImage(): HTMLElement {
  const made = element('span', { class: 'token-image', style: '--hue: 265', 'aria-hidden': 'true' });
  made.append(
    svg(
      'svg',
      { viewBox: '0 0 28 28', width: 28, height: 28 },
      svg('path', {
        d: 'M9 9.5h12l-2.4 2.6H6.600L9 9.500zm-2.400 3.400h12L21 15.500H9zm2.400 3.400h12l-2.400 2.600H6.600z',
        fill: '#ffffff',
      }),
    ),
  );
  return made;
}

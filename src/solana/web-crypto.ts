import { HeavenError } from '../base/errors.js';

/** Rejects a runtime without the Web Crypto API: a page that is neither on https nor on localhost, or React Native. */
export function assertWebCrypto(cause?: unknown): void {
  if (globalThis.crypto?.subtle) return;
  throw new HeavenError(
    'missing-package',
    'crypto.subtle is missing. Serve the page over https, or from localhost; in React Native, call install() of react-native-quick-crypto.',
    { package: 'Web Crypto', range: 'https or localhost' },
    { cause },
  );
}

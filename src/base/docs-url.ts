import { isHeavenError } from './errors.js';
import { computeFrom } from './input.js';

/**
 * Where the docs explain an error: its cause, and what to do. For a log, or a page for developers; users of a page get {@link explainError}.
 *
 * @param site Where the docs are served, such as `https://docs.example/`. Default: none, and the address is relative to them.
 * @returns `undefined` for what is not a {@link HeavenError}.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * try {
 *   await quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '0', slippageBps: 50 });
 * } catch (error) {
 *   console.log(docsUrlOf(error, 'https://docs.example/')); // https://docs.example/errors.html#zero-amount
 * }
 * ```
 */
export const docsUrlOf = (error: unknown, site = ''): string | undefined =>
  computeFrom('site', "the docs' address", () =>
    isHeavenError(error)
      ? `${site}${site === '' || site.endsWith('/') ? '' : '/'}errors.html#${error.code}`
      : undefined,
  );

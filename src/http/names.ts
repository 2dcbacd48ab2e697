import { toCamelCase, toSnakeCase } from '../base/case.js';

/** Caches conversions. Stays small because only the interface's own names are converted. */
const names = /* @__PURE__ */ new Map<string, string>();

function snakeCase(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const renamed = toSnakeCase(name);
  names.set(name, renamed);
  return renamed;
}

/** A result with the interface's field names. */
export function snakeCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCaseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const renamed: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) renamed[snakeCase(name)] = snakeCaseKeys(item);
  return renamed;
}

/** The SDK's field for what a buy spends. The interface names it as the quote does. */
const LAMPORTS = /^lamports$/;

/** `quoteResponse.maxLamportSpend` -> `quote_response.max_lamport_spend`, `brackets[0]` -> `brackets.0`. */
export const fieldPath = (path: string): string =>
  toSnakeCase(path.replace(LAMPORTS, 'maxLamportSpend')).replace(/\[(\d+)\]/g, '.$1');

/** `quote_response.max_lamport_spend` -> `quoteResponse.maxLamportSpend`, `brackets.0` -> `brackets[0]`. */
export const sdkPath = (path: string): string => toCamelCase(path).replace(/\.(\d+)/g, '[$1]');

/** A quoted value, which stays as it is; or a word, with its indexes. */
const WORD = /"(?:[^"\\]|\\.)*"|\b([a-z]\w*)((?:\.\d+)*)/g;

/** A text of the interface with the SDK's names. Only names have underscores. */
export const inSdkNames = (text: string): string =>
  text.replace(WORD, (found: string, word?: string) => (word === undefined ? found : sdkPath(found)));

import { toSnakeCase } from '../case.js';

function renameKeys(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  const renamed: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) renamed[rename(name)] = renameKeys(item, rename);
  return renamed;
}

/** Caches conversions. The cache stays small because only the interface's own names are converted. */
function remembered(rename: (name: string) => string): (name: string) => string {
  const names = new Map<string, string>();
  return (name) => {
    let renamed = names.get(name);
    if (renamed === undefined) {
      renamed = rename(name);
      names.set(name, renamed);
    }
    return renamed;
  };
}

const snakeCase = remembered(toSnakeCase);

/** A result with the interface's field names. */
export const snakeCaseKeys = (value: unknown): unknown => renameKeys(value, snakeCase);

/** `quoteResponse.maxLamportSpend` -> `quote_response.max_lamport_spend`, `brackets[0]` -> `brackets.0`. */
export const fieldPath = (path: string): string => toSnakeCase(path).replace(/\[(\d+)\]/g, '.$1');

import { toCamelCase, toSnakeCase } from '../case.js';

function renameKeys(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [rename(name), renameKeys(item, rename)]),
  );
}

/** A request body's names as the functions have them. */
export const camelCaseKeys = (value: unknown): unknown => renameKeys(value, toCamelCase);

/** A result's names as the interface has them. */
export const snakeCaseKeys = (value: unknown): unknown => renameKeys(value, toSnakeCase);

/** `quoteResponse.maxLamportSpend` -> `quote_response.max_lamport_spend`, `brackets[0]` -> `brackets.0`. */
export const fieldPath = (path: string): string => toSnakeCase(path).replace(/\[(\d+)\]/g, '.$1');

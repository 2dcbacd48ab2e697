import { describe, inputError, invalidInput } from './input.js';
import { nearestName } from './nearest-name.js';
import { DEFAULT_ADDRESSES, type Deployment, type DeploymentConfig } from './program/deployment.js';
import { assertRules, changedRules, DEFAULT_RULES, patchRules, type RulesPatch } from './program/rules.js';
import { assertAddress } from './solana/addresses.js';

/** Many times the size of a file with every setting and the longest comment. */
const MOST_CHARACTERS = 16_384;
const MOST_COMMENT = 1_000;

/** The rules that are a `bigint`, or may be one. JSON has them as text. */
const BIGINTS: readonly string[] = [
  'proMarketCapUnitsPerUsd',
  'firstLpSupply',
  'feePerLpTokenUnit',
] satisfies readonly (keyof RulesPatch)[];

const FIELDS = ['comment', ...Object.keys(DEFAULT_ADDRESSES), 'rules'];

/**
 * Reads a deployment file, as {@link stringifyDeployment} writes it. Load it from your own disk only: whoever can change it
 * changes what the library quotes and builds.
 *
 * @param text JSON of at most 16384 characters. Integers that may be large are text: `"feePerLpTokenUnit": "1000000000000"`.
 * @returns For `createClient`.
 * @throws {HeavenError} `invalid-input`, `invalid-address`: what is not exactly a deployment
 * @example
 * ```ts
 * const deployment = parseDeployment('{ "rules": { "slotsPerLeader": 1 } }');
 * const client = createClient({ rpcUrl, deployment });
 * ```
 */
export function parseDeployment(text: string): DeploymentConfig {
  if (typeof text !== 'string' || text.length > MOST_CHARACTERS)
    throw inputError(
      'deployment',
      `A deployment must be JSON text of at most ${MOST_CHARACTERS} characters.`,
    );
  const { comment, rules, ...addresses } = objectOf(parsedJson(text), 'deployment', FIELDS);
  if (comment !== undefined && (typeof comment !== 'string' || comment.length > MOST_COMMENT))
    throw invalidInput('deployment.comment', comment, `text of at most ${MOST_COMMENT} characters`);
  for (const [name, address] of Object.entries(addresses)) assertAddress(address, `deployment.${name}`);
  return rules === undefined ? addresses : { ...addresses, rules: rulesOf(rules) };
}

/**
 * Writes what differs from the library's defaults, for {@link parseDeployment}, `serve --deployment` and every command that
 * takes `--rpc`.
 *
 * @param deployment A client's `deployment`, or what `createClient` takes as one.
 * @param comment Says in the file where it comes from. At most 1000 characters.
 * @throws {HeavenError} `invalid-input`, `invalid-address`
 * @example
 * ```ts
 * const text = stringifyDeployment({ rules: { feePerLpTokenUnit: 10n ** 12n } });
 * console.log(JSON.parse(text).rules.feePerLpTokenUnit); // 1000000000000
 * ```
 */
export function stringifyDeployment(deployment: DeploymentConfig | Deployment, comment?: string): string {
  const { rules, ...addresses } = deployment;
  assertRules(rules, 'deployment.rules');
  const changed = changedRules(patchRules(DEFAULT_RULES, rules));
  const others = Object.entries(addresses).filter(
    ([name, address]) =>
      address !== undefined && address !== DEFAULT_ADDRESSES[name as keyof typeof DEFAULT_ADDRESSES],
  );
  const fields = {
    ...(comment === undefined ? {} : { comment }),
    ...Object.fromEntries(others),
    ...(changed === undefined ? {} : { rules: changed }),
  };
  const text = `${JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? String(value) : value), 2)}\n`;
  // Never write a file that can't be read back.
  parseDeployment(text);
  return text;
}

/** Any JSON string, with the colon if it is a key. */
const TEXT = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

function parsedJson(text: string): unknown {
  let names = 0;
  let value: unknown;
  try {
    value = JSON.parse(text, (_, each) => {
      if (typeof each === 'object' && each !== null && !Array.isArray(each))
        names += Object.keys(each).length;
      return each;
    });
  } catch {
    throw inputError('deployment', 'A deployment must be JSON text. See docs/proving.md for its fields.');
  }
  // JSON.parse silently keeps the last of two equal keys.
  if ([...text.matchAll(TEXT)].filter(([, colon]) => colon !== undefined).length !== names)
    throw inputError('deployment', 'A deployment must name each field once.');
  return value;
}

/** An object with these fields and no others. */
function objectOf(value: unknown, field: string, names: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput(field, value, 'an object');
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue;
    const nearest = nearestName(name, names);
    const advice = nearest === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${nearest}?`;
    throw inputError(field, `${describe(name)} is not a field of ${field}. ${advice}`);
  }
  return value as Record<string, unknown>;
}

function rulesOf(value: unknown): RulesPatch {
  const field = 'deployment.rules';
  const given = objectOf(value, field, Object.keys(DEFAULT_RULES));
  const rules = Object.fromEntries(
    Object.entries(given).map(([name, each]) => {
      if (!BIGINTS.includes(name)) return [name, each];
      const isDigits = typeof each === 'string' && /^\d{1,20}$/.test(each);
      if (isDigits) return [name, BigInt(each)];
      if (name === 'firstLpSupply' && each === 'square-root') return [name, each];
      throw invalidInput(`${field}.${name}`, each, 'an integer as text, such as "1000000000"');
    }),
  );
  assertRules(rules, field);
  return rules as RulesPatch;
}

import type { HeavenErrorContexts } from '../../base/errors.js';
import type { KitContext } from './errors.js';

// What nodes mean by their errors. A page loads this when a node answers with one, so it imports nothing.

/** JSON-RPC codes that mean too many requests, also in an HTTP 200. */
const LIMIT_CODES: readonly unknown[] = [
  429, // Triton (solana-foundation/solana-go#119), Alchemy (latticexyz/mud#1522), quicknode.com/docs/solana/error-references
  -32_429, // Helius: "rate limited", "max usage reached"
  -32_029, // TheRPC (reown-com/blockchain-api#1102)
];
/**
 * Words that mean it, with any other code. Those codes mean something else on Solana: -32003 a failed signature, -32005 a node that is
 * behind, -32007 a skipped slot, -32012 a failed scan, -32016 a slot that is not reached.
 */
const LIMIT_WORDS = new RegExp(
  [
    'too many requests', // as HTTP 429 is called
    'rate.?limit', // Triton; -32005 of Infura (xclud/web3dart#24) and docs.goldsky.com; -32016 "over rate limit" (base/node#368)
    'requests? (?:limit|count)', // QuickNode -32007 "50/second request limit reached" (wevm/viem#5084), and -32003
    // QuickNode -32012 "credits limited to 6000/sec" (latticexyz/mud#1522); Chainstack -32005 "exceeded the RPS limit" (dev-portal#288)
    '(?:capacity|credits?|quota|rps|usage).{0,20}(?:limit|reach|exce|exhaust)',
    'exceed.{0,40}(?:capacity|credits|per.second|quota)', // Alchemy "exceeded its compute units per second capacity" (latticexyz/mud#1522)
    '^limit exceeded', // -32005 of EIP-1474
  ].join('|'),
  'i',
);
/** Its words are about the request: too many inputs. */
const INVALID_PARAMS = -32_602;
/** Kit drops the words of this code. A read has no signature that could fail. */
const SIGNATURE_FAILURE = -32_003;

/** The message and the context of `rpc-rate-limited`, if a request failed of that. */
export function limitIn(
  method: string,
  context: KitContext,
): readonly [string, HeavenErrorContexts['rpc-rate-limited']] | undefined {
  const { statusCode, headers } = context;
  // A node can answer with any code and data: only a transport's error has headers that can be read.
  const isHttp = typeof headers?.get === 'function';
  const seconds = isHttp ? secondsIn((headers as Headers).get('retry-after') ?? '') : undefined;
  const isLimit = isHttp
    ? statusCode === 429 || (statusCode === 503 && seconds !== undefined)
    : isLimitOfNode(method, context);
  if (!isLimit) return undefined;
  const how = isHttp
    ? `HTTP ${statusCode}`
    : `error ${context.__code ?? "that kit can't read, probably a limit,"}`;
  const advice = seconds === undefined ? 'Slow down' : `Wait ${seconds} s`;
  return [
    `Too many requests for the RPC node (${how} to ${method}). ${advice}, or use another node.`,
    { method, ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) },
  ];
}

function isLimitOfNode(method: string, { __code: code, __serverMessage: words }: KitContext): boolean {
  // Kit knows the codes of Solana's own nodes. One that it can't read is a provider's, and nearly all of those limit requests.
  if (code === undefined || LIMIT_CODES.includes(code)) return true;
  if (code === SIGNATURE_FAILURE && words === undefined) return !/^(?:send|simulate)/.test(method);
  return code < 0 && code !== INVALID_PARAMS && LIMIT_WORDS.test(textOf(words));
}

/** A header has seconds or a date. */
function secondsIn(header: string): number | undefined {
  const seconds = Number(header) || Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return seconds > 0 && seconds < Number.POSITIVE_INFINITY ? seconds : undefined;
}

/**
 * "unknown variant `confirmed`, expected …" of a node that no longer has that level, and "Method does not support commitment below
 * `confirmed`" (solana-labs/solana#16461). Every node has `finalized`.
 */
const COMMITMENT = /unknown variant .(?:processed|confirmed)\b|commitment/i;

/** What to do about an error, if its words say more than its code. */
export const adviceIn = ({ __serverMessage: words }: KitContext): string | undefined =>
  COMMITMENT.test(textOf(words)) ? "Set commitment: 'finalized' in createHeavenClient" : undefined;

const textOf = (words: unknown) => (typeof words === 'string' ? words.slice(0, 1_000) : '');

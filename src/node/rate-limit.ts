import { createHmac, randomBytes } from 'node:crypto';

import type { RateLimiter } from 'heaven-pools/http';

interface Window {
  count: number;
  readonly endsAt: number;
}

const WINDOW_MS = 60_000;
/** How many callers have their own counter, in about 5 MB. */
const MOST_CALLERS = 32_768;
/** Further callers share this many counters: the number of hexadecimal digits in a counter's name. */
const SHARED_DIGITS = 3;

/**
 * Limits the requests of each caller per minute. When there is no room for more callers, it keeps all counts: further callers
 * share counters, callers of the same network first.
 */
export function limitPerMinute(most: number): RateLimiter {
  // All windows are equally long, so the first to be added is the first to end.
  const windows = new Map<string, Window>();
  const secret = randomBytes(16);
  // Nobody outside can tell which networks share a counter.
  const sharedBy = (caller: string) =>
    `shared ${createHmac('sha256', secret).update(networkOf(caller)).digest('hex').slice(0, SHARED_DIGITS)}`;

  return ({ clientAddress = '' }) => {
    const now = performance.now();
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(key);
    }
    const count = (caller: string, limit: number) => {
      const key = windows.has(caller) || windows.size < MOST_CALLERS ? caller : sharedBy(caller);
      const window = windows.get(key) ?? { count: 0, endsAt: now + WINDOW_MS };
      if (window.count === 0) windows.set(key, window);
      window.count += 1;
      return window.count <= limit ? undefined : { retryAfterSeconds: (window.endsAt - now) / 1000 };
    };
    const caller = callerOf(clientAddress);
    const ofCaller = count(caller, most);
    // One customer often has a whole /48, which holds 65,536 callers.
    const isIpv6 = caller.includes(':');
    return ofCaller ?? (isIpv6 ? count(`${networkOf(caller)}::/48`, most * NETWORK_SHARE) : undefined);
  };
}

/** How many times a caller's requests its /48 network may make. */
const NETWORK_SHARE = 16;

/** All values that are not an address count as one caller. */
const UNKNOWN = 'unknown';

/**
 * The caller of an address in any notation, with or without a port: the IPv4 address, or the /64 network of the IPv6 address,
 * because one caller usually has a whole /64.
 */
function callerOf(address: string): string {
  const [, bracketed, bare = ''] = /^\s*(?:\[(.*)\](?::\d+)?|(.*?))\s*$/.exec(address) ?? [];
  if (bracketed === undefined) {
    const ipv4 = ipv4Of(bare.replace(/^([^:]*):\d+$/, '$1'));
    if (ipv4 !== undefined) return ipv4;
  }
  const groups = groupsOf((bracketed ?? bare).replace(/%.*$/, ''));
  if (groups === undefined) return UNKNOWN;
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  return isMapped
    ? groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join('.')
    : groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':');
}

/** The /24 network of an IPv4 address, the /48 network of an IPv6 address. */
const networkOf = (caller: string): string => caller.split(/[.:]/, 3).join();

function ipv4Of(text: string): string | undefined {
  const parts = text.split('.');
  const isAddress = parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255);
  return isAddress ? parts.map(Number).join('.') : undefined;
}

/** The eight groups of an IPv6 address. */
function groupsOf(text: string): readonly number[] | undefined {
  const tail = text.lastIndexOf(':') + 1;
  const ipv4 = ipv4Of(text.slice(tail));
  const url = `http://[${ipv4 === undefined ? text : text.slice(0, tail) + ipv4}]`;
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
  const [before = [], after = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}

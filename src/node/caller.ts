import { isIP, isIPv4 } from 'node:net';

// Who sends a request, as far as its address says.

/** All values that are not an address count as one caller. */
const UNKNOWN = 'unknown';

/** The IP address in a text, in any notation, with or without a port. A proxy may pass on whatever text a caller sent. */
export function ipOf(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([^:]*):\d+$/, '$1')
    .replace(/%.*$/, '')
    // Leading zeros.
    .replace(/(^|[.:])0+(?=[\da-f])/gi, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * The caller of an address, as {@link ipOf} reads it: the IPv4 address, or the /64 network of the IPv6 address, because one caller
 * usually has a whole /64.
 */
export function callerOf(address: string): string {
  const bare = ipOf(address);
  if (bare === undefined) return UNKNOWN;
  if (isIPv4(bare)) return bare;
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,ffff';
  return isMapped ? groups.slice(6).flatMap(bytesOf).join('.') : groups.slice(0, 4).join(':');
}

/** The /24 network of an IPv4 address, the /48 network of an IPv6 address. */
export const networkOf = (caller: string): string => caller.split(/[.:]/, 3).join();

/** The eight groups of an IPv6 address, in canonical form. */
function groupsOf(ipv6: string): readonly string[] {
  const [before = [], after = []] = new URL(`http://[${ipv6}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

const bytesOf = (group: string): readonly number[] => {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
};

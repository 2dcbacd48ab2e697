// Who sends a request, as far as its address says.

/** All values that are not an address count as one caller. */
const UNKNOWN = 'unknown';

/**
 * The caller of an address in any notation, with or without a port: the IPv4 address, or the /64 network of the IPv6 address,
 * because one caller usually has a whole /64.
 */
export function callerOf(address: string): string {
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
export const networkOf = (caller: string): string => caller.split(/[.:]/, 3).join();

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

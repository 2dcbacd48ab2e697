import { invalidInput } from '../../input.js';
import type { MetadataGateways } from './types.js';

/** Longer URLs are not opened. */
const MOST_CHARACTERS = 2_048;

/** Checked gateways. */
export interface Gateways {
  readonly ipfs: string | undefined;
  readonly arweave: string | undefined;
}

/** Checks the gateways for `ipfs://` and `ar://`. */
export function gatewaysFrom(given: MetadataGateways | null | undefined): Gateways {
  const checked = (field: string, value: unknown): string | undefined => {
    if (value === undefined || value === null) return undefined;
    const url = typeof value === 'string' ? parsed(value) : undefined;
    if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '' || url.username !== '')
      throw invalidInput(`gateways.${field}`, value, "an https: URL such as 'https://ipfs.io/ipfs/'");
    return url.href.endsWith('/') ? url.href : `${url.href}/`;
  };
  return { ipfs: checked('ipfs', given?.ipfs), arweave: checked('arweave', given?.arweave) };
}

/**
 * Returns the `https:` URL for an untrusted URI, if it is safe to open: a host with a public name and the default port, without
 * credentials, or a path at a gateway. `undefined` for everything else.
 */
export function safeUrl(uri: string, gateways: Gateways): string | undefined {
  const text = uri.trim();
  if (text.length > MOST_CHARACTERS) return undefined;
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/is.exec(text) ?? [];
  switch (scheme.toLowerCase()) {
    case 'https':
      return publicUrl(text);
    case 'ipfs':
      // Some URIs include the gateway's path.
      return atGateway(gateways.ipfs, rest.replace(/^ipfs\//, ''));
    case 'ar':
      return atGateway(gateways.arweave, rest);
    default:
      return undefined;
  }
}

/** Returns the URL of a content address's path at a gateway. The path can't leave the gateway's folder. */
function atGateway(gateway: string | undefined, path: string): string | undefined {
  if (gateway === undefined || !/^[\w-]{16,128}(?:\/[^\s\\]*)?$/.test(path)) return undefined;
  const url = parsed(gateway + path);
  return url?.href.startsWith(gateway) === true ? url.href : undefined;
}

function publicUrl(text: string): string | undefined {
  const url = parsed(text);
  if (url === undefined || url.protocol !== 'https:') return undefined;
  if (url.username !== '' || url.password !== '' || url.port !== '') return undefined;
  return isPublicName(url.hostname) ? url.href : undefined;
}

/** Endings of host names that no public name server knows (RFC 6761, RFC 8375 and common use). */
const PRIVATE =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|test|example|invalid|onion|home\.arpa)$/;

/** Whether a host has a dotted name that is not private. IP addresses are not names: the URL parser normalizes them with dots. */
function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '');
  const isNumber = name.startsWith('[') || /(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(name);
  return name.includes('.') && !isNumber && !PRIVATE.test(name);
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Whether a URL's path ends like an SVG file. */
export const isSvgUrl = (url: string): boolean => /\.svgz?$/i.test(new URL(url).pathname);

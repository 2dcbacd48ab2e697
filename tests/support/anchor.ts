import { createHash } from 'node:crypto';

/** How Anchor makes a discriminator: the first 8 bytes of sha256("namespace:name"), in hex. */
export const anchorDiscriminator = (namespace: 'global' | 'account' | 'event', name: string): string =>
  createHash('sha256').update(`${namespace}:${name}`).digest('hex').slice(0, 16);

import type { FeeRates } from 'heaven-pools';

export const FEE_NAMES = {
  protocol: 'Protocol',
  liquidityProvider: 'Liquidity providers',
  creator: 'Creator',
  creatorProtocol: 'Protocol, on the creator fee',
  reflection: 'Token holders (reflection)',
} as const;
export const FEE_KINDS = Object.keys(FEE_NAMES) as readonly (keyof typeof FEE_NAMES)[];

/** All fees together, in basis points. */
export const totalBps = (rates: FeeRates): number =>
  Number(FEE_KINDS.reduce((sum, kind) => sum + rates[kind], 0n));

export const FEE_NAMES = {
  protocol: 'Protocol',
  liquidityProvider: 'Liquidity providers',
  creator: 'Creator',
  creatorProtocol: 'Protocol, on the creator fee',
  reflection: 'Token holders (reflection)',
} as const;
export const FEE_KINDS = Object.keys(FEE_NAMES) as readonly (keyof typeof FEE_NAMES)[];

export const FEE_KINDS = [
  'protocol',
  'liquidityProvider',
  'creator',
  'creatorProtocol',
  'reflection',
] as const;
export const FEE_NAMES = {
  protocol: 'Protocol',
  liquidityProvider: 'Liquidity providers',
  creator: 'Creator',
  creatorProtocol: 'Protocol, on the creator fee',
  reflection: 'Token holders (reflection)',
} as const;

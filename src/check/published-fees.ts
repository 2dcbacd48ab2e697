import type { ProtocolConfig } from '../program/accounts.js';
import type { FeeBrackets } from '../program/types.js';
import { confirmed, type PublishedFees, refuted, unknown } from './deployment.js';

/** The published fees in basis points: protocol under and from $100k, creator. Level D. */
const PUBLISHED = {
  1: { protocol: [100, 25], creator: 10 },
  2: { protocol: [100, 50], creator: 100 },
  3: { protocol: [30, 30], creator: 0 },
} as const;
const THRESHOLD_USD = 100_000n;

const rateAt = ({ brackets, count }: FeeBrackets, marketCap: bigint): string => {
  const used = brackets.slice(0, count);
  const bracket = used.find(({ marketCapUpperBound }) => marketCap <= marketCapUpperBound) ?? used.at(-1);
  const { buyFeeBps = 0, sellFeeBps = 0 } = bracket ?? {};
  return buyFeeBps === sellFeeBps ? `${buyFeeBps}` : `${buyFeeBps}/${sellFeeBps}`;
};

export function publishedFees(configVersion: 1 | 2 | 3, config: ProtocolConfig | undefined): PublishedFees {
  if (config === undefined)
    return { configVersion, ...unknown('there is no such config of the exchange on this cluster') };
  const { protocolTradingFee, creatorTradingFee } = config.marketCapBasedFees;
  const { protocol, creator } = PUBLISHED[configVersion];
  const words = (under: string, from: string, fee: string) =>
    `protocol ${under} and from $100k ${from}, creator ${configVersion === 3 ? 'their own' : fee} basis points`;
  const actual = words(
    rateAt(protocolTradingFee, 0n),
    rateAt(protocolTradingFee, THRESHOLD_USD),
    rateAt(creatorTradingFee, 0n),
  );
  const expected = words(`${protocol[0]}`, `${protocol[1]}`, `${creator}`);
  return {
    configVersion,
    ...(actual === expected ? confirmed(actual) : refuted(`published: ${expected}`, actual)),
  };
}

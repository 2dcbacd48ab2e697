import type { Address } from '@solana/kit';

import type { ProtocolConfig } from '../program/accounts.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../program/constants.js';
import type { FeeBrackets } from '../program/types.js';
import { lookupTableAddresses } from '../solana/lookup-table.js';
import { confirmed, type PublishedFees, refuted, type SettledAssumption, unknown } from './deployment.js';
import { attempt, configAddresses, type Scene, VERSIONS } from './scene.js';

/** The published fees in basis points: protocol under and from $100k, creator. [Level D](/protocol). */
const PUBLISHED = { 1: [100, 25, 10], 2: [100, 50, 100], 3: [30, 30, 0] } as const;
const THRESHOLD_USD = 100_000n;

const rateAt = ({ brackets, count }: FeeBrackets, marketCap: bigint): number | string => {
  const used = brackets.slice(0, count);
  const bracket = used.find(({ marketCapUpperBound }) => marketCap <= marketCapUpperBound) ?? used.at(-1);
  const { buyFeeBps = 0, sellFeeBps = 0 } = bracket ?? {};
  return buyFeeBps === sellFeeBps ? buyFeeBps : `${buyFeeBps}/${sellFeeBps}`;
};

export function publishedFees(configVersion: 1 | 2 | 3, config: ProtocolConfig | undefined): PublishedFees {
  if (config === undefined)
    return { configVersion, ...unknown('there is no such config of the exchange on this cluster') };
  const { protocolTradingFee, creatorTradingFee } = config.marketCapBasedFees;
  const words = ([under, from, creator]: readonly (number | string)[]) =>
    `protocol ${under} and from $100k ${from}, creator ${configVersion === 3 ? 'their own' : creator} basis points`;
  const actual = words([
    rateAt(protocolTradingFee, 0n),
    rateAt(protocolTradingFee, THRESHOLD_USD),
    rateAt(creatorTradingFee, 0n),
  ]);
  const expected = words(PUBLISHED[configVersion]);
  return {
    configVersion,
    ...(actual === expected ? confirmed(actual) : refuted(`published: ${expected}`, actual)),
  };
}

/** The config versions whose config is in the known lookup table. @throws {HeavenError} if it can't be read */
export async function servedVersions({ client, base }: Pick<Scene, 'client' | 'base'>): Promise<{
  readonly entries: readonly Address[];
  readonly served: readonly number[];
}> {
  const entries = lookupTableAddresses(base.table, COMMUNITY_LOOKUP_TABLE_ADDRESS, base.slot);
  const configs = await configAddresses(client.deployment);
  return { entries, served: VERSIONS.filter((_, index) => entries.includes(configs[index] as Address)) };
}

export async function settleLookupTable(scene: Scene): Promise<SettledAssumption> {
  const { value, reason = '' } = await attempt(() => servedVersions(scene));
  if (value === undefined) return unknown(reason);
  const { entries, served } = value;
  const table = COMMUNITY_LOOKUP_TABLE_ADDRESS;
  const evidence = [`${table} holds ${entries.length} addresses`];
  if (served.includes(1))
    return confirmed(`it holds the protocol config of version ${served.join(', ')}`, evidence);
  if (served.length === 0) return unknown('it holds none of the three protocol configs', evidence);
  return refuted(
    'it does not hold the protocol config of version 1',
    `it serves version ${served.join(', ')}`,
    evidence,
  );
}

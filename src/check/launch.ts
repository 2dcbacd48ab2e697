import { type Address, generateKeyPairSigner } from '@solana/kit';
import { HeavenError } from '../errors.js';
import { findProtocolConfigAddress } from '../program/addresses.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../program/constants.js';
import { lookupTableAddresses } from '../solana/lookup-table.js';
import { buildCreateStandardLiquidityPool } from '../standard/create-standard-liquidity-pool.js';
import { confirmed, refuted, type Settled, unknown } from './deployment.js';

import { isFrameworkCode, NO_WALLET, type Scene, simulated, VERSIONS, wordsOf } from './scene.js';

/** Codes that say that something of a creation is put together wrongly, and not that it is not allowed. */
const COMPOSITION_CODES: readonly number[] = [6000, 6002, 6007, 6042, 6043, 6044, 6045, 6046];

export async function settleLaunch(scene: Scene): Promise<Settled> {
  const { client, base, wallets, options } = scene;
  const open = [...base.configs.values()].find(
    ({ version, allowCreatePool }) => version < 3 && allowCreatePool !== 0,
  );
  if (open === undefined) return unknown('no config allows launches now');
  const [wallet] = wallets;
  if (wallet === undefined) return unknown(NO_WALLET);
  const mintSigner = await generateKeyPairSigner();
  const outcome = await simulated(scene, () =>
    buildCreateStandardLiquidityPool(client, {
      payer: wallet,
      creator: wallet,
      encodedUserDefinedEventData: '',
      name: 'A token',
      symbol: 'TOKEN',
      uri: 'https://example.com/token.json',
      configVersion: open.version,
      initialPurchaseAmount: 1_000_000_000n,
      lutAddress: COMMUNITY_LOOKUP_TABLE_ADDRESS,
      mintSigner,
      ...options,
    }),
  );
  if (outcome.kind === 'ok') return confirmed(`a simulated launch with config ${open.version} succeeds`);
  if (outcome.kind === 'none') return unknown(outcome.reason);
  const { code, programAddress } = outcome.error;
  const isOurs = programAddress === client.deployment.programAddress;
  const isComposition =
    !isOurs || (code !== undefined && (COMPOSITION_CODES.includes(code) || isFrameworkCode(code)));
  return isComposition
    ? refuted(
        `a simulated launch with config ${open.version} fails: ${wordsOf(outcome)}`,
        undefined,
        outcome.logs.slice(-6),
      )
    : unknown(`a simulated launch with config ${open.version} fails for another reason: ${wordsOf(outcome)}`);
}

export async function settleLookupTable({ client, base }: Scene): Promise<Settled> {
  const address = COMMUNITY_LOOKUP_TABLE_ADDRESS;
  const entries = (() => {
    try {
      return lookupTableAddresses(base.table, address, base.slot);
    } catch (error) {
      if (error instanceof HeavenError) return error.message.replace(/\.$/, '');
      throw error;
    }
  })();
  if (typeof entries === 'string') return unknown(entries);
  const { programAddress } = client.deployment;
  const configs = await Promise.all(
    VERSIONS.map((version) => findProtocolConfigAddress({ version }, { programAddress })),
  );
  const served = VERSIONS.filter((_, index) => entries.includes(configs[index] as Address));
  const evidence = [`${address} holds ${entries.length} addresses`];
  if (served.includes(1))
    return confirmed(`it holds the protocol config of version ${served.join(', ')}`, evidence);
  if (served.length === 0) return unknown('it holds none of the three protocol configs', evidence);
  return refuted(
    'it does not hold the protocol config of version 1',
    `it serves version ${served.join(', ')}`,
    evidence,
  );
}

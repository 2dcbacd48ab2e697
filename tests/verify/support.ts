import { type Address, getAddressEncoder } from '@solana/kit';

import { createHeavenClient } from '../../src/index.js';
import {
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
} from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import type { VerifySource } from '../../src/verify/index.js';

/** The sample accounts as a source, without programs. */
export async function sampleSource(): Promise<VerifySource> {
  const ledger = await createEmbeddedLedger();
  return {
    deployment: {
      programAddress: HEAVEN_PROGRAM_ADDRESS,
      chainlinkProgram: CHAINLINK_STORE_PROGRAM_ADDRESS,
      solUsdFeed: SOL_USD_FEED_ADDRESS,
    },
    programs: {},
    accounts: [...ledger.listAccounts()].map(([address, account]) => ({ address, ...account })),
    pools: Object.values(ledger.pools).map(({ pool }) => pool),
  };
}

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;
const CODE = 'HeavenPoo1sExchangeCode111111111111111111111' as Address;

/** A cluster with the sample accounts, on which this program is deployed as the exchange. */
export async function clusterWith(elf: Uint8Array) {
  const ledger = await createEmbeddedLedger();
  const program = Uint8Array.of(2, 0, 0, 0, ...getAddressEncoder().encode(CODE));
  ledger.setAccount(HEAVEN_PROGRAM_ADDRESS, { owner: LOADER, data: program });
  ledger.setAccount(CODE, { owner: LOADER, data: Uint8Array.of(3, ...new Uint8Array(44), ...elf) });
  return { ledger, client: createHeavenClient({ rpc: ledger.rpc }) };
}

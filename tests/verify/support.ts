import { type Address, getAddressEncoder } from '@solana/kit';
import { createHeavenClient } from '../../src/index.js';
import { CHAINLINK_STORE_PROGRAM_ADDRESS } from '../../src/program/constants.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from '../../src/solana/programs.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { sourceOf, type VerifySource } from '../../src/verify/index.js';

/** The sample accounts as a source, without programs. */
export const sampleSource = async (): Promise<VerifySource> => sourceOf(await createEmbeddedLedger());

export const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;
export const CODE = 'HeavenPoo1sExchangeCode111111111111111111111' as Address;

/** A cluster with the sample accounts, on which this program is deployed as the exchange. */
export async function clusterWith(elf: Uint8Array) {
  const ledger = await createEmbeddedLedger();
  const program = Uint8Array.of(2, 0, 0, 0, ...getAddressEncoder().encode(CODE));
  ledger.setAccount(HEAVEN_PROGRAM_ADDRESS, { owner: LOADER, data: program });
  ledger.setAccount(CODE, { owner: LOADER, data: Uint8Array.of(3, ...new Uint8Array(44), ...elf) });
  // The cluster has no other program's code.
  for (const address of [CHAINLINK_STORE_PROGRAM_ADDRESS, TOKEN_METADATA_PROGRAM_ADDRESS])
    ledger.setAccount(address, undefined);
  return { ledger, client: createHeavenClient({ rpc: ledger.rpc }) };
}

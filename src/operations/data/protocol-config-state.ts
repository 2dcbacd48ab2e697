import { checkKnownInput, fieldsOf } from '../../input/check-input.js';
import { abortSignal, version as configVersion } from '../../input/fields.js';
import { configFrom } from '../../pool/check.js';
import { fetchDecoded } from '../../pool/explained.js';
import type { ProtocolConfig } from '../../program/accounts.js';
import { deriveProtocolConfigAddress } from '../../program/addresses.js';
import type { HeavenClient } from '../../program/client.js';
import type { RequestOptions } from '../../solana/rpc/send.js';

/** Which protocol config to read. */
export interface GetProtocolConfigStateInput extends RequestOptions {
  /** 1: community, 2: creator, 3: pro. */
  readonly version: number;
}

export const getProtocolConfigStateFields = /* @__PURE__ */ fieldsOf<GetProtocolConfigStateInput>()(() => ({
  documented: { version: configVersion() },
  local: { abortSignal: abortSignal() },
}));

/**
 * Reads and decodes a whole protocol config. One call to the node.
 *
 * @throws {HeavenError} `invalid-input`, `account-not-found` for a version that does not exist,
 * `invalid-account-data`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { allowCreatePool, maxCreatorTradingFee } = await getProtocolConfigState(client, { version: 2 });
 * ```
 */
export async function getProtocolConfigState(
  client: HeavenClient,
  input: GetProtocolConfigStateInput,
): Promise<ProtocolConfig> {
  const checked = checkKnownInput(client, input, getProtocolConfigStateFields);
  const { version, abortSignal } = checked;
  const { programAddress } = client.deployment;
  const address = await deriveProtocolConfigAddress(version, { programAddress });
  return await fetchDecoded(client, {}, { abortSignal }, [address], ([account]) =>
    configFrom(account, address, programAddress),
  );
}

import type { Address, Instruction } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { HeavenError } from '../errors.js';
import { assertConfig } from '../pool/fetch.js';
import type { FetchedPoolState } from '../pool/state.js';
import { decodeProtocolConfig } from '../program/accounts.js';
import { findProtocolConfigAddress } from '../program/addresses.js';
import type { InstructionConfig } from '../program/define-instruction.js';
import type { CreatorSetProMarketCapLpFeeInput } from '../program/instructions.js';
import type { FeeBracket } from '../program/types.js';
import type { BuiltTransaction } from '../transaction/assemble.js';
import { assertBrackets, toFeeBrackets } from './brackets.js';
import { buildCreatorOperation, type CreatorOperationOptions } from './creator-operation.js';

/** The config version of pro pools (level D). */
export const PRO_CONFIG_VERSION = 3;

export interface SetFeeInput extends CreatorOperationOptions {
  /**
   * 1 to 4 brackets from the lowest bound up, the last one 9223372036854775807. The bounds are market caps in millionths
   * of a USD (assumption A5).
   */
  readonly brackets: readonly FeeBracket[];
}

type GetInstruction = (input: CreatorSetProMarketCapLpFeeInput, config: InstructionConfig) => Instruction;

/** Builds the setting of one of a pro pool's fees by market cap. */
export async function buildSetFee(
  client: HeavenClient,
  input: SetFeeInput,
  getInstruction: GetInstruction,
): Promise<BuiltTransaction> {
  const { brackets } = input;
  assertBrackets(brackets, 'brackets');
  return await buildCreatorOperation(client, input, [], ({ addresses: { programAddress } }, accounts) => ({
    instruction: getInstruction({ ...accounts, fees: toFeeBrackets(brackets) }, { programAddress }),
  }));
}

/** The address of the config that the creator fee setters read along with the pool, for the highest fee it allows. */
export const proConfigAddress = ({ deployment: { programAddress } }: HeavenClient): Promise<Address> =>
  findProtocolConfigAddress({ version: PRO_CONFIG_VERSION }, { programAddress });

/**
 * The highest creator fee that the pool's config allows, once it is known that the pool's creator fee may be changed.
 *
 * @throws {HeavenError} `creator-fee-locked`, `account-not-found`, `invalid-account-data`
 */
export function mostCreatorFee(
  { state, addresses, more: [config] }: FetchedPoolState,
  configAddress: Address,
): number {
  if (state.allowlist.updateCreatorTradingFee === 0) {
    const { pool } = addresses;
    throw new HeavenError(
      'creator-fee-locked',
      "This pool was created with its creator fee fixed: it can't be changed.",
      { pool },
    );
  }
  assertConfig(config, configAddress, addresses.programAddress);
  return decodeProtocolConfig(config.data, configAddress).maxCreatorTradingFee;
}

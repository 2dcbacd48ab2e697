import type { Address, Instruction } from '@solana/kit';
import type { BuiltTransaction } from '../build/assemble.js';
import type { HeavenClient, RequestOptions } from '../client.js';
import { HeavenError } from '../errors.js';
import { assertConfig, fetchAccounts } from '../pool/fetch.js';
import { locateConfig } from '../pool/locate.js';
import type { FetchedPoolState } from '../pool/state.js';
import { decodeProtocolConfig } from '../program/accounts.js';
import type { CreatorSetProMarketCapLpFeeInput } from '../program/instructions.js';
import type { FeeBracket } from '../program/types.js';
import type { InstructionConfig } from '../solana/define-instruction.js';
import { assertBrackets, endingBrackets, toFeeBrackets } from './brackets.js';
import { buildCreatorOperation, type CreatorOperationOptions } from './creator-operation.js';

/** The config version of pro pools (level D). */
const PRO_CONFIG_VERSION = 3;

/** A fee of a pro pool by market cap, to replace the one in force. */
export interface SetFeeInput extends CreatorOperationOptions {
  /**
   * Up to 4 brackets from the lowest bound up, the last one 9223372036854775807; none for no fee. Above a lower last bound its
   * fees apply too, and a warning says so. The bounds are market caps in millionths of a USD (assumption A5).
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
    warnings: endingBrackets(brackets, 'brackets'),
  }));
}

/** The address of the config that a pro pool most likely has: the creator fee setters read it along with the pool. */
export const proConfigAddress = ({ deployment: { programAddress } }: HeavenClient): Promise<Address> =>
  locateConfig(PRO_CONFIG_VERSION, programAddress);

/**
 * The highest creator fee that the pool's config allows, once it is known that the pool's creator fee may be changed.
 *
 * @param likely The config that was read with the pool. If the pool has another one, that is read now.
 * @throws {HeavenError} `creator-fee-locked`, `account-not-found`, `invalid-account-data`
 */
export async function mostCreatorFee(
  client: HeavenClient,
  { state, addresses, more }: FetchedPoolState,
  likely: Address,
  options: RequestOptions,
): Promise<number> {
  const { pool, protocolConfig, programAddress } = addresses;
  if (state.allowlist.updateCreatorTradingFee === 0) {
    throw new HeavenError(
      'creator-fee-locked',
      "This pool was created with its creator fee fixed: it can't be changed.",
      { pool },
    );
  }
  const [config] =
    protocolConfig === likely
      ? more
      : await fetchAccounts(client, [protocolConfig], { abortSignal: options.abortSignal });
  assertConfig(config, protocolConfig, programAddress);
  return decodeProtocolConfig(config.data, protocolConfig).maxCreatorTradingFee;
}

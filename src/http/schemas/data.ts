import { liquidityPoolStateDeclaration, protocolConfigDeclaration } from '../../program/account-layouts.js';
import type { Schema, StructSchema, TypeOf } from '../../solana/codec.js';
import {
  address,
  type Codec,
  checked,
  flag,
  integer,
  list,
  type ObjectCodec,
  object,
  oneOf,
  optional,
  shownNumber,
  smallInteger,
} from './codec.js';
import { pool, programId, u64, version } from './fields.js';

export const poolInfoRequest = object({
  ...programId,
  mint: address,
  pool: optional(address),
});

export const record = object({
  classification: oneOf(['Community', 'Creator', 'Pro', 'Unknown']),
  creator: address,
  currentBaseReserve: shownNumber,
  currentQuoteReserve: shownNumber,
  currentBuyFeePct: shownNumber,
  currentSellFeePct: shownNumber,
  currentCreatorFeeClaimByCreator: shownNumber,
  currentCreatorFeeClaimStatus: oneOf(['Unclaimed', 'Submitted', 'Processed', 'Unknown']),
  currentCreatorFeeCollectedSol: shownNumber,
  currentCreatorFeeCollectedUsd: shownNumber,
  currentCreatorFeeDistribution: oneOf(['Community', 'Creator', 'Blocked', 'Shared', 'Unknown']),
  currentCreatorFeeRecipient: address,
  currentMarketCapUsd: shownNumber,
  currentSolPriceUsd: shownNumber,
  currentTradingVolumeUsd: shownNumber,
  isCreatorFeeClaimable: flag,
  isMigrated: flag,
  migrationMarketCapThreshold: smallInteger(),
  protocolConfigVersion: smallInteger(),
  tradingVolumeThresholdUsd: shownNumber,
});

export const poolInfoAnswer = checked(object({ data: record }), ({ data }) => data);

/** A request may have both, although the function's type allows only one. The function checks that they match. */
export const poolStateRequest = checked(
  object({
    ...programId,
    mint: optional(address),
    pool: optional(address),
  }),
  ({ programId, mint, pool }, refuse) => {
    if (pool !== undefined) return { programId, pool, mint: mint as undefined };
    return mint === undefined ? refuse('mint', 'or a pool must be given') : { programId, mint };
  },
);

/** Accepts our field name, and the name that the rest of the interface uses. */
export const protocolConfigStateRequest = checked(
  object({
    ...programId,
    version: optional(version),
    configVersion: optional(version),
  }),
  ({ programId, version, configVersion }, refuse) => {
    const named = version ?? configVersion;
    if (named === undefined) return refuse('version', 'must be given');
    if (configVersion !== undefined && configVersion !== named)
      return refuse('config_version', 'must be the same as version');
    return { programId, version: named };
  },
);

export const lpBalanceRequest = object({ ...pool, user: address });

export const lpBalanceAnswer = object({
  lpTokenBalance: u64,
  rewardDebt: integer(),
  pendingFees: u64,
  lpPositionAddress: address,
  exists: flag,
});

const BITS = { u8: 8, u16: 16, u32: 32 } as const;

/** The JSON form of one of the program's types: everything except padding, with the program's field names. */
function codecOf(schema: Schema): Codec<unknown> {
  switch (schema) {
    case 'u8':
    case 'u16':
    case 'u32':
      return smallInteger(2 ** BITS[schema] - 1);
    case 'u64':
      return u64;
    case 'f64':
      return shownNumber;
    case 'pubkey':
      return address;
  }
  if (typeof schema === 'object') {
    if ('array' in schema) return list(codecOf(schema.array), { length: schema.length });
    if ('fields' in schema) {
      const shown = Object.entries(schema.fields).filter(
        ([, field]) => !(typeof field === 'object' && 'padding' in field),
      );
      return object(Object.fromEntries(shown.map(([name, field]) => [name, codecOf(field)])));
    }
  }
  throw new Error('The interface shows no accounts with such a field.');
}

const accountAnswer = <TSchema extends StructSchema>(declaration: TSchema) =>
  codecOf(declaration) as ObjectCodec<TypeOf<TSchema>>;

export const poolStateAnswer = accountAnswer(liquidityPoolStateDeclaration);
export const protocolConfigAnswer = accountAnswer(protocolConfigDeclaration);

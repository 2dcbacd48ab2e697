import type { Base64EncodedWireTransaction } from '@solana/kit';
import type { Field, ObjectField } from '../../input/field.js';
import { address, checkedBy, flag, listOf, object, oneOf, programValue, u64 } from '../../input/fields.js';
import { buyQuoteFields, sellQuoteFields } from '../../input/transactions.js';
import { liquidityPoolStateDeclaration, protocolConfigDeclaration } from '../../program/account-layouts.js';
import { assertText, type Schema, type StructSchema, type TypeOf } from '../../solana/codec.js';
import { figure, given, initialBuyDetails, quoteDetails, small, transactionDetails } from './details.js';

// The fields of the answers, declared as those of the inputs are.

/** An integer without an upper limit. */
export const integer = () => checkedBy<bigint>(() => {}, 'integer');

const tx = () => ({
  tx: checkedBy<Base64EncodedWireTransaction>(assertText, 'base64'),
  ...given(transactionDetails()),
});

export const builtTransaction = () => object(tx(), 'BuiltTransaction');
export const builtLaunch = () => object({ ...tx(), mint: address() }, 'BuiltLaunch');
export const builtProPool = () => object({ ...tx(), pool: address() }, 'BuiltProPool');

const quoted = () => given({ pool: address(), ...quoteDetails() });

export const buyQuoteAnswer = () => object({ ...buyQuoteFields(), ...quoted() }, 'BuyQuote');
export const sellQuoteAnswer = () => object({ ...sellQuoteFields(), ...quoted() }, 'SellQuote');

const initialBuy = () => ({
  costLamports: u64(),
  costSol: figure(),
  costUsd: figure(),
  tokenAmount: u64(),
  tokenAmountUi: figure(),
  ...given(initialBuyDetails()),
});

export const initialBuyAnswer = () => object(initialBuy(), 'InitialBuyQuote');

const poolRecord = () => ({
  classification: oneOf(['Community', 'Creator', 'Pro', 'Unknown']),
  creator: address(),
  currentBaseReserve: figure(),
  currentQuoteReserve: figure(),
  currentBuyFeePct: figure(),
  currentSellFeePct: figure(),
  currentCreatorFeeClaimByCreator: figure(),
  currentCreatorFeeClaimStatus: oneOf(['Unclaimed', 'Submitted', 'Processed', 'Unknown']),
  currentCreatorFeeCollectedSol: figure(),
  currentCreatorFeeCollectedUsd: figure(),
  currentCreatorFeeDistribution: oneOf(['Community', 'Creator', 'Blocked', 'Shared', 'Unknown']),
  currentCreatorFeeRecipient: address(),
  currentMarketCapUsd: figure(),
  currentSolPriceUsd: figure(),
  currentTradingVolumeUsd: figure(),
  isCreatorFeeClaimable: flag(),
  isMigrated: flag(),
  migrationMarketCapThreshold: small(),
  protocolConfigVersion: small(),
  tradingVolumeThresholdUsd: figure(),
});

export const poolInfoAnswer = () => object({ data: object(poolRecord(), 'PoolRecord') }, 'PoolInfo');

const lpBalance = () => ({
  lpTokenBalance: u64(),
  rewardDebt: integer(),
  pendingFees: u64(),
  lpPositionAddress: address(),
  exists: flag(),
});

export const lpBalanceAnswer = () => object(lpBalance(), 'LpBalance');

/** One of the program's types: everything except padding, with the program's field names. */
function programType(schema: Schema): Field {
  if (typeof schema === 'object' && 'array' in schema)
    return listOf(programType(schema.array), { length: schema.length });
  if (typeof schema === 'object' && 'fields' in schema) {
    const shown = Object.entries(schema.fields).filter(
      ([, field]) => !(typeof field === 'object' && 'padding' in field),
    );
    const fields = shown.map(([name, field]) => [name, programType(field)] as const);
    return { ...object(Object.fromEntries(fields)), declared: schema };
  }
  return programValue(schema as 'u64');
}

const account = <TSchema extends StructSchema>(declaration: TSchema) =>
  programType(declaration) as Field<TypeOf<TSchema>> & ObjectField;

export const poolStateAnswer = () => account(liquidityPoolStateDeclaration);
export const protocolConfigAnswer = () => account(protocolConfigDeclaration);

import {
  liquidityPoolStateDeclaration,
  protocolConfigDeclaration,
  shapeOf,
} from '../program/account-layouts.js';
import {
  feeBracketSchema,
  feeBracketsSchema,
  MAX_FEE_BRACKETS,
  MAX_SLOT_FEE_BRACKETS,
  slotFeeBracketSchema,
  slotFeeBracketsSchema,
} from '../program/types.js';

// Byte offsets of what a quote reads, which needs no decoder and no kit. Flat objects of numbers: reading a nested one costs a quote time.

/** The bytes of a value. */
const SIZES = { u8: 1, u16: 2, u32: 4, u64: 8, f64: 8, pubkey: 32 } as const;

const DISCRIMINATOR_BYTES = 8;

export const POOL = /* @__PURE__ */ poolLayout();

function poolLayout() {
  const at = offsetsOf(liquidityPoolStateDeclaration.fields, DISCRIMINATOR_BYTES);
  const { info, reserve, allowlist } = at;
  return {
    ...shapeOf(liquidityPoolStateDeclaration),
    creator: info.creator,
    openAt: info.openAt,
    protocolConfigVersion: info.protocolConfigVersion,
    type: info.type,
    marketCapBasedFees: at.marketCapBasedFees.protocolTradingFee.brackets,
    reserveA: reserve.tokenA,
    reserveB: reserve.tokenB,
    snapshotSlot: reserve.snapshotSlot,
    snapshotA: reserve.snapshotA,
    snapshotB: reserve.snapshotB,
    initialB: reserve.initialB,
    leaderSlotWindow: reserve.leaderSlotWindow,
    createdAtSlot: at.createdAtSlot,
    tokenAVault: at.tokenAVault,
    tokenBVault: at.tokenBVault,
    protocolConfig: at.protocolConfig,
    tokenAMint: at.tokenA.mint,
    tokenBMint: at.tokenB.mint,
    allowSwap: allowlist.swap,
    allowSameSlotTrading: allowlist.sameSlotTrading,
    sandwichResistantMode: at.featureFlags.sandwichResistantMode,
    taxableSide: at.taxableSide,
    taxableSideType: at.taxableSideType,
    feeConfigurationMode: at.feeConfigurationMode,
    slotOffsetBasedFees: at.slotOffsetBasedFees.protocolTradingFee.brackets,
  };
}

export const CONFIG = /* @__PURE__ */ configLayout();

function configLayout() {
  const at = offsetsOf(protocolConfigDeclaration.fields, DISCRIMINATOR_BYTES);
  return {
    ...shapeOf(protocolConfigDeclaration),
    unstakedWsolReserve: at.unstakedWsolReserve,
    maxSupplyPerWallet: at.maxSupplyPerWallet,
    marketCapBasedFees: at.marketCapBasedFees.protocolTradingFee.brackets,
    version: at.version,
    slotOffsetBasedFees: at.slotOffsetBasedFees.protocolTradingFee.brackets,
  };
}

/** The fee types in the program's order, which is also the order of their groups in the accounts. */
export const FEE_TYPES = [
  'protocol',
  'liquidityProvider',
  'creator',
  'creatorProtocol',
  'reflection',
] as const;

/** The layout of one fee type's group of market cap brackets, which begins with its first bracket. */
export const FEE_BRACKETS = /* @__PURE__ */ feeBracketsLayout();

function feeBracketsLayout() {
  const bracket = offsetsOf(feeBracketSchema.fields, 0);
  return {
    size: sizeOf(feeBracketsSchema),
    bracketSize: sizeOf(feeBracketSchema),
    maxBrackets: MAX_FEE_BRACKETS,
    upperBound: bracket.marketCapUpperBound,
    buy: bracket.buyFeeBps,
    sell: bracket.sellFeeBps,
    countAt: offsetsOf(feeBracketsSchema.fields, 0).count,
  };
}

/** The layout of one fee type's slot schedule, which begins with its first bracket. */
export const SLOT_BRACKETS = /* @__PURE__ */ slotBracketsLayout();

function slotBracketsLayout() {
  const schedule = offsetsOf(slotFeeBracketsSchema.fields, 0);
  const bracket = offsetsOf(slotFeeBracketSchema.fields, 0);
  return {
    size: sizeOf(slotFeeBracketsSchema),
    bracketSize: sizeOf(slotFeeBracketSchema),
    maxBrackets: MAX_SLOT_FEE_BRACKETS,
    buy: bracket.buyFeeBps,
    sell: bracket.sellFeeBps,
    upperBound: bracket.slotOffsetUpperbound,
    maxOffset: schedule.maxSlotOffset,
    countAt: schedule.count,
    enabled: schedule.enabled,
  };
}

export const FEED = {
  name: 'Chainlink feed',
  discriminator: [0x60, 0xb3, 0x45, 0x42, 0x80, 0x81, 0x49, 0x75],
  size: 200,
  decimals: 138,
  liveLength: 148,
  liveCursor: 152,
  ring: 200,
  transmission: 48,
  timestamp: 8,
  answer: 16,
} as const;

export const CLOCK = { name: 'Clock', size: 40, slot: 0, epoch: 16, unixTimestamp: 32 } as const;

export const TRANSFER_FEE_EXTENSION = {
  type: 1,
  size: 108,
  older: 72,
  newer: 90,
  epoch: 0,
  maximum: 8,
  basisPoints: 16,
} as const;

/** Where each field of a struct stands. */
type Offsets<TFields> = {
  readonly [TField in keyof TFields]: TFields[TField] extends FixedStruct
    ? Offsets<TFields[TField]['fields']>
    : number;
};

/** A schema of which all values take the same number of bytes. */
type Fixed =
  | keyof typeof SIZES
  | { readonly padding: number }
  | { readonly array: Fixed; readonly length: number }
  | FixedStruct;

interface FixedStruct {
  readonly fields: { readonly [field: string]: Fixed };
}

/** How many bytes a value takes. */
function sizeOf(schema: Fixed): number {
  if (typeof schema === 'string') return SIZES[schema];
  if ('padding' in schema) return schema.padding;
  if ('array' in schema) return schema.length * sizeOf(schema.array);
  return Object.values(schema.fields).reduce((sum, field) => sum + sizeOf(field), 0);
}

/** Where the fields of a struct stand that begins at `start`. */
function offsetsOf<TFields extends FixedStruct['fields']>(fields: TFields, start: number): Offsets<TFields> {
  const offsets: Record<string, unknown> = {};
  let offset = start;
  for (const [name, schema] of Object.entries(fields)) {
    const isStruct = typeof schema === 'object' && 'fields' in schema;
    offsets[name] = isStruct ? offsetsOf(schema.fields, offset) : offset;
    offset += sizeOf(schema);
  }
  return offsets as Offsets<TFields>;
}

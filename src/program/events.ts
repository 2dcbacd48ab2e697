import { getBase64Encoder } from '@solana/kit';

import { readValue, type Schema, type StructSchema, type TypeOf } from '../solana/codec.js';
import { hexBytes, startsWith } from '../solana/discriminator.js';
import { type InstructionPosition, readLogs } from '../solana/logs.js';
import { type InstructionConfig, programIn } from './deployment.js';

interface EventDeclaration extends StructSchema {
  readonly name: string;
  /** sha256("event:" + name)[..8], in hex. */
  readonly discriminator: string;
  /** Fields that an earlier version of the event did not have. */
  readonly laterFields?: { readonly [field: string]: Schema };
}

// Level I, the trade event's fields level M.

export const tradeEventDeclaration = {
  name: 'TradeEvent',
  discriminator: 'bddb7fd34ee661ee',
  fields: { baseReserve: 'u64', quoteReserve: 'u64', totalCreatorTradingFees: 'u64', totalFeePaid: 'u64' },
  laterFields: { priceSolUsd: 'f64', baseIn: 'u64', baseOut: 'u64', quoteIn: 'u64', quoteOut: 'u64' },
} as const satisfies EventDeclaration;

/**
 * A trade. Base is token A, quote is SOL in lamports; `baseIn` and `quoteOut` are gross, before fees. The event names no
 * pool, mint or user: those are in the instruction that emitted it. The fields from `priceSolUsd` on are missing in
 * events of an earlier version of the program.
 */
export interface TradeEvent
  extends TypeOf<{ readonly fields: (typeof tradeEventDeclaration)['fields'] }>,
    Partial<TypeOf<{ readonly fields: (typeof tradeEventDeclaration)['laterFields'] }>> {}

export const userDefinedEventDeclaration = {
  name: 'UserDefinedEvent',
  discriminator: '21156c14f1f4a783',
  fields: { liquidityPoolId: 'pubkey', instructionName: 'string', base64Data: 'string' },
} as const satisfies EventDeclaration;
/** What a transaction carried as `encodedUserDefinedEventData`. */
export interface UserDefinedEvent extends TypeOf<typeof userDefinedEventDeclaration> {}

export const migrationEventDeclaration = {
  name: 'MigrationEvent',
  discriminator: 'ffca4c935be74916',
  fields: { marketCap: 'f64' },
} as const satisfies EventDeclaration;
/** A pool was migrated. `marketCap` as the program logs it: its unit is not documented. */
export interface MigrationEvent extends TypeOf<typeof migrationEventDeclaration> {}

export const highReflectionFeeEventDeclaration = {
  name: 'HighReflectionFeeEvent',
  discriminator: 'c6d9e5cd5ed60eb1',
  fields: { liquidityPoolId: 'pubkey', reflectionFeeAmount: 'u64', totalReflectionFees: 'u64' },
} as const satisfies EventDeclaration;
/** A trade paid a high reflection fee. Both amounts are taken to be lamports, as all fees are. */
export interface HighReflectionFeeEvent extends TypeOf<typeof highReflectionFeeEventDeclaration> {}

export const createStandardLiquidityPoolEventDeclaration = {
  name: 'CreateStandardLiquidityPoolEvent',
  discriminator: 'bd3883904b3ff994',
  fields: {
    poolId: 'pubkey',
    payer: 'pubkey',
    creator: 'pubkey',
    mint: 'pubkey',
    configVersion: 'u16',
    initialTokenReserve: 'u64',
    initialVirtualWsolReserve: 'u64',
  },
} as const satisfies EventDeclaration;
/** A standard pool was created. `initialTokenReserve` in token units, `initialVirtualWsolReserve` in lamports. */
export interface CreateStandardLiquidityPoolEvent
  extends TypeOf<typeof createStandardLiquidityPoolEventDeclaration> {}

export const createLiquidityPoolEventDeclaration = {
  name: 'CreateLiquidityPoolEvent',
  discriminator: '74d8ef8dcfd3b27f',
  fields: {
    liquidityPoolId: 'pubkey',
    user: 'pubkey',
    baseTokenInputTransferFeeAmount: 'u64',
    quoteTokenInputTransferFeeAmount: 'u64',
    baseTokenInputAmount: 'u64',
    quoteTokenInputAmount: 'u64',
    lpTokenOutputAmount: 'u64',
    lockedLp: 'bool',
  },
} as const satisfies EventDeclaration;
/**
 * A pool was created. This form of the event names its liquidity. Amounts in native units: base is the token, quote is SOL
 * in lamports.
 */
export interface CreateLiquidityPoolEvent extends TypeOf<typeof createLiquidityPoolEventDeclaration> {}

export const creatingLiquidityPoolEventDeclaration = {
  name: 'CreatingLiquidityPoolEvent',
  discriminator: '348004a67ab054cf',
  fields: { id: 'pubkey', base: 'pubkey', quote: 'pubkey', baseAmount: 'u64', quoteAmount: 'u64' },
} as const satisfies EventDeclaration;
/** A pool is about to be created. `baseAmount` in units of the token, `quoteAmount` in lamports. */
export interface CreatingLiquidityPoolEvent extends TypeOf<typeof creatingLiquidityPoolEventDeclaration> {}

/** An event of the exchange, discriminated by `name`. */
export type HeavenEvent =
  | { readonly name: 'TradeEvent'; readonly data: TradeEvent }
  | { readonly name: 'UserDefinedEvent'; readonly data: UserDefinedEvent }
  | { readonly name: 'MigrationEvent'; readonly data: MigrationEvent }
  | { readonly name: 'HighReflectionFeeEvent'; readonly data: HighReflectionFeeEvent }
  | { readonly name: 'CreateStandardLiquidityPoolEvent'; readonly data: CreateStandardLiquidityPoolEvent }
  | { readonly name: 'CreateLiquidityPoolEvent'; readonly data: CreateLiquidityPoolEvent }
  | { readonly name: 'CreatingLiquidityPoolEvent'; readonly data: CreatingLiquidityPoolEvent };

/** Every declared event, for tools such as the IDL writer. */
export const getEventDeclarations = (): readonly EventDeclaration[] => [
  tradeEventDeclaration,
  userDefinedEventDeclaration,
  migrationEventDeclaration,
  highReflectionFeeEventDeclaration,
  createStandardLiquidityPoolEventDeclaration,
  createLiquidityPoolEventDeclaration,
  creatingLiquidityPoolEventDeclaration,
];

/**
 * Decodes the payload of one `Program data:` log. Bytes after the known fields (of a later version) are ignored.
 * @param payload The bytes after `Program data: `, or their base64.
 * @returns `undefined` for anything other than a complete event of the exchange.
 * @example
 * ```ts
 * const event = decodeEvent(payload); // of a line `Program data: …`
 * if (event?.name === 'TradeEvent') console.log(event.data.quoteReserve);
 * ```
 */
export function decodeEvent(payload: Uint8Array | string): HeavenEvent | undefined {
  try {
    const bytes = typeof payload === 'string' ? Uint8Array.from(getBase64Encoder().encode(payload)) : payload;
    const declaration = getEventDeclarations().find(({ discriminator }) =>
      startsWith(bytes, hexBytes(discriminator)),
    );
    if (declaration === undefined) return undefined;
    const [data, offset] = readValue(declaration, bytes, 8);
    const later = declaration.laterFields && { fields: declaration.laterFields };
    const hasLater = later !== undefined && bytes.length - offset >= Object.keys(later.fields).length * 8;
    return {
      name: declaration.name,
      data: hasLater ? { ...(data as object), ...(readValue(later, bytes, offset)[0] as object) } : data,
    } as HeavenEvent;
  } catch {
    return undefined;
  }
}

/** An event, and the instruction that logged it. */
export type LoggedEvent = HeavenEvent & {
  /**
   * The instruction that logged it. Logs alone don't show top-level instructions that log nothing (the signature checks
   * of the ed25519, secp256k1 and secp256r1 programs): those are not counted. {@link parseTransaction} counts them.
   */
  readonly emittedBy: InstructionPosition;
  /** Whether the transaction failed. Then nothing that the event says has happened. */
  readonly reverted: boolean;
};

/** What the logs of a transaction say about the exchange. */
export interface ParsedLogs {
  /** In emission order. Those of a failed transaction are marked as reverted. */
  readonly events: readonly LoggedEvent[];
  /** Lines are missing: the node cut the logs, or they contradict themselves. No event after the gap is used. */
  readonly truncated: boolean;
}

/**
 * The events of the exchange in a transaction's logs, each tied to the instruction that logged it. Only the exchange's own
 * logs count: another program can print the same bytes.
 * @param logs `meta.logMessages` of a transaction, or the logs of a simulation.
 * @throws {HeavenError} `invalid-input` for what is not a list, such as the `null` of a node that kept no logs
 * @example
 * ```ts
 * const { events } = parseLogs(logs);
 * for (const { name, data, emittedBy } of events) {
 *   if (name === 'TradeEvent') console.log(emittedBy.instructionIndex, data.quoteReserve);
 * }
 * ```
 */
export function parseLogs(logs: readonly string[], config: InstructionConfig = {}): ParsedLogs {
  const { invocations, truncated, failed } = readLogs(logs);
  const program = programIn(config);
  const events = invocations
    .filter(({ programAddress }) => programAddress === program)
    .flatMap(({ lines, position }) =>
      lines.flatMap(({ order, text }) => {
        const event = decodeEvent(text);
        return event === undefined
          ? []
          : [{ order, event: { ...event, emittedBy: position, reverted: failed } }];
      }),
    )
    .sort((a, b) => a.order - b.order)
    .map(({ event }) => event);
  return { events, truncated };
}

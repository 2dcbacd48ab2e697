import { type Address, getBase64Encoder } from '@solana/kit';

import { HEAVEN_PROGRAM_ADDRESS } from './constants.js';
import { hexBytes, type InstructionConfig, startsWith } from './define-instruction.js';
import { codecFor, type Schema, type StructSchema, type TypeOf } from './schema.js';

interface EventDeclaration extends StructSchema {
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
export type TradeEvent = TypeOf<{ readonly fields: (typeof tradeEventDeclaration)['fields'] }> &
  Partial<TypeOf<{ readonly fields: (typeof tradeEventDeclaration)['laterFields'] }>>;

export const userDefinedEventDeclaration = {
  name: 'UserDefinedEvent',
  discriminator: '21156c14f1f4a783',
  fields: { liquidityPoolId: 'pubkey', instructionName: 'string', base64Data: 'string' },
} as const satisfies EventDeclaration;
/** What a transaction carried as `encodedUserDefinedEventData`. */
export type UserDefinedEvent = TypeOf<typeof userDefinedEventDeclaration>;

export const migrationEventDeclaration = {
  name: 'MigrationEvent',
  discriminator: 'ffca4c935be74916',
  fields: { marketCap: 'f64' },
} as const satisfies EventDeclaration;
export type MigrationEvent = TypeOf<typeof migrationEventDeclaration>;

export const highReflectionFeeEventDeclaration = {
  name: 'HighReflectionFeeEvent',
  discriminator: 'c6d9e5cd5ed60eb1',
  fields: { liquidityPoolId: 'pubkey', reflectionFeeAmount: 'u64', totalReflectionFees: 'u64' },
} as const satisfies EventDeclaration;
export type HighReflectionFeeEvent = TypeOf<typeof highReflectionFeeEventDeclaration>;

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
export type CreateStandardLiquidityPoolEvent = TypeOf<typeof createStandardLiquidityPoolEventDeclaration>;

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
export type CreateLiquidityPoolEvent = TypeOf<typeof createLiquidityPoolEventDeclaration>;

export const creatingLiquidityPoolEventDeclaration = {
  name: 'CreatingLiquidityPoolEvent',
  discriminator: '348004a67ab054cf',
  fields: { id: 'pubkey', base: 'pubkey', quote: 'pubkey', baseAmount: 'u64', quoteAmount: 'u64' },
} as const satisfies EventDeclaration;
export type CreatingLiquidityPoolEvent = TypeOf<typeof creatingLiquidityPoolEventDeclaration>;

/** An event of the exchange, told apart by `name`. */
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
 * Decodes the payload of one `Program data:` log. Bytes behind the known fields (a later version) are ignored.
 *
 * @param payload The bytes behind `Program data: `, or their base64.
 * @returns `undefined` for anything that is no event of the exchange, or is cut short.
 */
export function decodeEvent(payload: Uint8Array | string): HeavenEvent | undefined {
  try {
    const bytes = typeof payload === 'string' ? Uint8Array.from(getBase64Encoder().encode(payload)) : payload;
    const declaration = getEventDeclarations().find(({ discriminator }) =>
      startsWith(bytes, hexBytes(discriminator)),
    );
    if (declaration === undefined) return undefined;
    const [data, offset] = codecFor(declaration).read(bytes, 8);
    const later = declaration.laterFields && { name: declaration.name, fields: declaration.laterFields };
    const hasLater = later !== undefined && bytes.length - offset >= Object.keys(later.fields).length * 8;
    return {
      name: declaration.name,
      data: hasLater ? { ...(data as object), ...(codecFor(later).decode(bytes, offset) as object) } : data,
    } as HeavenEvent;
  } catch {
    return undefined;
  }
}

/** What the logs of a transaction say about the exchange. */
export interface ParsedLogs {
  /** In the order in which they were emitted. */
  readonly events: readonly HeavenEvent[];
  /** The node cut the logs: events may be missing. */
  readonly truncated: boolean;
}

const INVOKE = /^Program (\w+) invoke \[(\d+)\]$/;
const PROGRAM_DATA = 'Program data: ';

/**
 * The events of the exchange in a transaction's logs. Only what the exchange's program itself logged counts: another
 * program can print the same bytes.
 *
 * @param logs `meta.logMessages` of a transaction, or the logs of a simulation.
 * @example
 * ```ts
 * const { events } = parseLogs(transaction.meta.logMessages);
 * for (const event of events) if (event.name === 'TradeEvent') console.log(event.data.quoteReserve);
 * ```
 */
export function parseLogs(logs: readonly string[], config: InstructionConfig = {}): ParsedLogs {
  const program: Address = config.programAddress ?? HEAVEN_PROGRAM_ADDRESS;
  const running: string[] = [];
  const events: HeavenEvent[] = [];
  let truncated = false;
  for (const line of logs) {
    const [, invoked, depth] = INVOKE.exec(line) ?? [];
    if (invoked !== undefined) {
      running.length = Math.min(running.length, Math.max(Number(depth) - 1, 0));
      running.push(invoked);
    } else if (line === 'Log truncated') {
      truncated = true;
    } else if (line.startsWith(PROGRAM_DATA)) {
      const event = running.at(-1) === program ? decodeEvent(line.slice(PROGRAM_DATA.length)) : undefined;
      if (event !== undefined) events.push(event);
    } else if (
      running.length > 0 &&
      (line === `Program ${running.at(-1)} success` || line.startsWith(`Program ${running.at(-1)} failed`))
    ) {
      running.pop();
    }
  }
  return { events, truncated };
}

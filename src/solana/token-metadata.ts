import { AccountRole, type Address, type Instruction, type TransactionSigner } from '@solana/kit';
import { inputError } from '../base/input.js';
import { assertText, readValue, type StructSchema, type TypeOf, writeValue } from './codec.js';
import { deriveAddress } from './derived-addresses.js';
import {
  INSTRUCTIONS_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
} from './programs.js';

/** The most bytes of UTF-8 that a launch's name, symbol and URI may have: the metadata program's limits. For forms that check as one types. */
export const METADATA_LIMITS = { name: 32, symbol: 10, uri: 200 } as const;

const createSchema = {
  fields: {
    discriminator: 'u8',
    version: 'u8',
    name: 'string',
    symbol: 'string',
    uri: 'string',
    sellerFeeBasisPoints: 'u16',
    creators: { option: 'u8' },
    primarySaleHappened: 'bool',
    isMutable: 'bool',
    tokenStandard: 'u8',
    collection: { option: 'u8' },
    uses: { option: 'u8' },
    collectionDetails: { option: 'u8' },
    ruleSet: { option: 'u8' },
    decimals: { option: 'u8' },
    printSupply: { option: 'u8' },
  },
} as const satisfies StructSchema;

const CREATE = 42;
const CREATE_V1 = 0;
const FUNGIBLE = 2;

/** A token's name, symbol and URI. */
export interface TokenMetadata {
  /** The name of the token: at most 32 bytes. */
  readonly name: string;
  /** Its symbol: at most 10 bytes. */
  readonly symbol: string;
  /** The address of its JSON file: at most 200 bytes. */
  readonly uri: string;
}

/** Rejects metadata that the metadata program would reject. */
export function assertTokenMetadata(metadata: TokenMetadata): void {
  for (const field of ['name', 'symbol', 'uri'] as const)
    assertMetadataText(metadata[field], field, METADATA_LIMITS[field]);
}

/** Rejects a text that the metadata program would reject. */
export function assertMetadataText(value: unknown, field: string, limit: number): asserts value is string {
  assertText(value, field);
  const size = new TextEncoder().encode(value).length;
  if (size <= limit) return;
  throw inputError(field, `${field} has ${size} bytes, and the metadata program allows ${limit}.`);
}

/** The address of a mint's metadata account. [Level M](/protocol). */
export const findMetadataAddress = (mint: Address): Promise<Address> =>
  deriveAddress(TOKEN_METADATA_PROGRAM_ADDRESS, ['metadata'], [TOKEN_METADATA_PROGRAM_ADDRESS, mint]);

/** The accounts and arguments of a `Create` such as {@link getCreateTokenInstruction} makes, or `undefined`. */
export function parseCreateToken({ accounts, data }: Instruction) {
  const [metadata, masterEdition, mint, authority, payer, updateAuthority] = accounts ?? [];
  if (data?.[0] !== CREATE || data[1] !== CREATE_V1 || !updateAuthority) return undefined;
  const [values] = readValue(createSchema, Uint8Array.from(data));
  const { discriminator, version, ...args } = values as TypeOf<typeof createSchema>;
  // For other tokens it does more, such as giving the mint authority to a master edition.
  if (args.tokenStandard !== FUNGIBLE || masterEdition?.address !== TOKEN_METADATA_PROGRAM_ADDRESS)
    return undefined;
  return { accounts: { metadata, masterEdition, mint, authority, payer, updateAuthority }, data: args };
}

const signedBy = (signer: TransactionSigner, role: AccountRole) => ({
  address: signer.address,
  role,
  signer,
});

/** Metaplex's `Create` (version 1) of a fungible token and its mint: immutable metadata, no fees. [Level M](/protocol). */
export const getCreateTokenInstruction = (input: {
  readonly metadata: Address;
  readonly mint: TransactionSigner;
  readonly authority: TransactionSigner;
  readonly payer: TransactionSigner;
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly token: TokenMetadata;
}): Instruction => ({
  programAddress: TOKEN_METADATA_PROGRAM_ADDRESS,
  accounts: [
    { address: input.metadata, role: AccountRole.WRITABLE },
    // The program's own address stands for "no master edition".
    { address: TOKEN_METADATA_PROGRAM_ADDRESS, role: AccountRole.READONLY },
    signedBy(input.mint, AccountRole.WRITABLE_SIGNER),
    signedBy(input.authority, AccountRole.READONLY_SIGNER),
    signedBy(input.payer, AccountRole.WRITABLE_SIGNER),
    { address: input.authority.address, role: AccountRole.READONLY },
    { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
    { address: INSTRUCTIONS_SYSVAR_ADDRESS, role: AccountRole.READONLY },
    { address: input.tokenProgram, role: AccountRole.READONLY },
  ],
  data: writeValue(createSchema, {
    discriminator: CREATE,
    version: CREATE_V1,
    name: input.token.name,
    symbol: input.token.symbol,
    uri: input.token.uri,
    sellerFeeBasisPoints: 0,
    creators: null,
    primarySaleHappened: false,
    isMutable: false,
    tokenStandard: FUNGIBLE,
    collection: null,
    uses: null,
    collectionDetails: null,
    ruleSet: null,
    decimals: input.decimals,
    printSupply: null,
  }),
});

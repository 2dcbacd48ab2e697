import { type Address, type Blockhash, createNoopSigner, type TransactionPartialSigner } from '@solana/kit';
import { getAllocateInstruction } from '@solana-program/system';
import { AuthorityType, getMintToInstruction, getSetAuthorityInstruction } from '@solana-program/token';
import { HeavenError } from '../../base/errors.js';
import { inputError, invalidIdentity, invalidInput } from '../../base/input.js';
import { sanitizeText } from '../../base/text.js';
import { withWarnings } from '../../base/warnings.js';
import { type CheckedInput, checkInput, fieldsOf } from '../../input/check-input.js';
import { checkedBy, oneOf, optional, sol, u64, unchecked, version, wallet } from '../../input/fields.js';
import { feeWarning } from '../../input/quotes.js';
import {
  eventData,
  lookupTable as lookupTableField,
  transaction,
  transactionLocals,
} from '../../input/transactions.js';
import { maximumAfterSlippage } from '../../math/slippage.js';
import { inSol, type UiAmount } from '../../math/units.js';
import { assertCreationAllowed } from '../../pool/check.js';
import { inWords } from '../../pool/doubts.js';
import { highLaunchFee } from '../../pool/high-launch-fee.js';
import { walletLimit } from '../../pool/quote.js';
import { type FeeWarningOptions, lamportsToSpend } from '../../pool/quote-amounts.js';
import { derivePoolAddress } from '../../program/addresses.js';
import type { HeavenClient } from '../../program/client.js';
import { createStandardLiquidityPool } from '../../program/instructions/declarations.js';
import { type AddressInput, assertAddress } from '../../solana/addresses.js';
import { buildInstruction } from '../../solana/define-instruction.js';
import { deriveAssociatedTokenAddress, deriveWrappedSolAddress } from '../../solana/derived-addresses.js';
import { lookupTablesAt, type SlotTables, uselessTables } from '../../solana/lookup-table.js';
import { TOKEN_2022_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { fetchAccounts, type RawAccount } from '../../solana/rpc/accounts.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import { tokenAccountOf } from '../../solana/token-account.js';
import {
  assertMetadataText,
  findMetadataAddress,
  getCreateTokenInstruction,
  METADATA_LIMITS,
  type TokenMetadata,
} from '../../solana/token-metadata.js';
import type { TransactionWallet } from '../../solana/wallet.js';
import {
  assembleTransaction,
  lookupTableOf,
  planTransaction,
  type TransactionOptions,
  type TransactionPlan,
} from '../../transaction/assemble.js';
import { type BuiltTransaction, isPartialSigner, signTransaction } from '../../transaction/built.js';
import { compressWith } from '../../transaction/compress.js';
import type { EventDataOptions } from '../../transaction/event-data.js';
import { lifetimeOf, type TransactionLifetime } from '../../transaction/lifetime.js';
import { priceAccounts } from '../../transaction/user-accounts.js';
import { grindMintAddress } from './grind-mint-address.js';
import { fetchLaunch, type Launch } from './quote-initial-buy.js';

/** The compute budget of a launch. Ours: the interface names none. */
export const LAUNCH_COMPUTE_BUDGET = { limit: 400_000, price: 20_000_000n } as const;

/** What the default of `maxSolSpend` adds to the quoted cost of the initial purchase. */
const SPEND_MARGIN_BPS = 100;

/** A token to launch, its metadata, and an optional purchase. */
export interface BuildCreateStandardLiquidityPoolInput
  extends TransactionOptions,
    EventDataOptions,
    FeeWarningOptions,
    TokenMetadata {
  /** Signs and pays. */
  readonly payer: TransactionWallet;
  /** Creates the token and the pool, and signs too: receives the initial purchase and the creator fees. */
  readonly creator: TransactionWallet;
  /** 1 community, 2 creator. Default 1. It must [accept launches](/launching#which-config). */
  readonly configVersion?: number | null | undefined;
  /** Token units to buy in the same transaction; 0 for none. */
  readonly initialPurchaseAmount: bigint;
  /** The lookup table that holds the launch's fixed addresses. Version 0 needs one; version 1 has no use for it. */
  readonly lutAddress?: AddressInput | null | undefined;
  /** The most SOL that the initial purchase may cost. Default: its cost now plus 1 %. */
  readonly maxSolSpend?: UiAmount | null | undefined;
  /**
   * The signer of the new mint, or a function that returns one once everything else is checked. Default:
   * {@link grindMintAddress} finds an address that ends in `777`, which takes seconds.
   */
  readonly mintSigner?: TransactionPartialSigner | MintSignerSource | null | undefined;
  /**
   * Who signs first. Default `mint-first`: the result already carries the mint's signature. With `wallet-first` it carries none,
   * which wallets such as Phantom want: the result has the `mintSigner`, and `signAndSubmitTransaction` lets it sign once the
   * wallet has.
   */
  readonly signingOrder?: SigningOrder | null | undefined;
}

/** Who signs a launch first: its mint's key or the wallet. */
export type SigningOrder = 'mint-first' | 'wallet-first';

/** Returns the signer of a launch's new mint. */
export type MintSignerSource = (options: RequestOptions) => Promise<TransactionPartialSigner>;

/** A built launch, which already carries the new mint's signature, unless the wallet signs first. */
export interface BuiltLaunch extends BuiltTransaction {
  /** The address of the new token. */
  readonly mint: Address;
  /** The address of its pool. */
  readonly pool: Address;
  /** The most lamports that the initial purchase may cost. */
  readonly maxLamportSpend: bigint;
  /** The mint's signer, which signs last. Only with `signingOrder: 'wallet-first'`. */
  readonly mintSigner?: TransactionPartialSigner;
}

/** One of a token's texts. Nobody can change it after the launch. */
const metadataText = (of: keyof TokenMetadata) => {
  const maxLength = METADATA_LIMITS[of];
  return checkedBy<string>(
    (value: unknown, field) => {
      assertMetadataText(value, field, maxLength);
      if (/\p{Cc}/u.test(value))
        throw invalidInput(field, value, 'free of control characters and line breaks');
      if (sanitizeText(value) === '') throw invalidInput(field, value, 'a text with visible characters');
    },
    'text',
    { minLength: 1, maxLength },
  );
};

export const buildCreateStandardLiquidityPoolFields =
  /* @__PURE__ */ fieldsOf<BuildCreateStandardLiquidityPoolInput>()(() => ({
    documented: {
      ...transaction(),
      ...eventData(),
      ...lookupTableField(),
      creator: wallet(),
      name: metadataText('name'),
      symbol: metadataText('symbol'),
      uri: metadataText('uri'),
      configVersion: optional(version()),
      initialPurchaseAmount: u64(),
      maxSolSpend: optional(sol()),
    },
    local: {
      ...transactionLocals(),
      ...feeWarning(),
      mintSigner: optional(unchecked<TransactionPartialSigner | MintSignerSource>()),
      signingOrder: optional(oneOf(['mint-first', 'wallet-first'], "'mint-first' or 'wallet-first'")),
    },
  }));

/**
 * Builds the transaction that launches a token: proves that the mint is new, creates it (Token-2022, 9 decimals) with its
 * metadata, mints the whole supply, gives up the mint and freeze authority, creates the standard pool and makes the
 * optional initial purchase. All of it happens or none. The composition is [assumption A9](/protocol#assumptions).
 *
 * The launch fails on chain if an account exists at the mint's address by the time it lands: nobody, not even the holder of
 * the mint's key, can put a mint with rights of their own in its place. The metadata is final: nobody can change it later.
 *
 * Use `signingOrder: 'wallet-first'` where a wallet signs that is not yours: {@link signAndSubmitTransaction} lets the mint sign last.
 *
 * @param input `computeUnitLimit` defaults to 400000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `amount-out-of-range`, `spend-too-low`,
 * `insufficient-liquidity`, `operation-disabled`, `pool-mismatch`, `account-not-found`,
 * `unusable-account`, `transaction-too-large`, `aborted`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx, mint } = await buildCreateStandardLiquidityPool(client, {
 *   payer,
 *   creator: payer,
 *   name: 'A token',
 *   symbol: 'TOKEN',
 *   uri: 'https://example.com/token.json',
 *   configVersion: 1,
 *   initialPurchaseAmount: 10_000_000_000_000_000n,
 *   lutAddress,
 * });
 * ```
 */
export async function buildCreateStandardLiquidityPool(
  client: HeavenClient,
  input: BuildCreateStandardLiquidityPoolInput,
): Promise<BuiltLaunch> {
  const [checked, ignored] = checkInput(client, input, buildCreateStandardLiquidityPoolFields);
  const { payer, creator, feePayer = payer, initialPurchaseAmount, maxSolSpend, abortSignal } = checked;
  const wallets = [payer.address, creator.address, feePayer.address];
  const lookupTable = lookupTableOf(checked);
  const allowed = maxSolSpend === undefined ? undefined : lamportsToSpend({ maxSolSpend });
  const plan = planTransaction(checked, LAUNCH_COMPUTE_BUDGET);
  const { configVersion = 1 } = checked;
  const mintSigner = checked.mintSigner ?? grindMintAddress;
  const given = typeof mintSigner === 'function' ? undefined : assertMintSigner(mintSigner, wallets);
  const isWalletFirst = checked.signingOrder === 'wallet-first';

  const more = [given?.address, lookupTable].filter((address) => address !== undefined);
  const [launch, known] = await Promise.all([
    fetchLaunch(client, configVersion, more, { abortSignal }),
    given ? lifetimeOf(client, checked) : undefined,
  ]);
  assertCreationAllowed(launch.config);
  const [existing, table] = given ? launch.more : [undefined, ...launch.more];
  assertNewMint(existing);
  const tables = lookupTablesAt(launch.slot, lookupTable, table);
  const maxLamportSpend = spendOf(launch, initialPurchaseAmount, allowed);
  const assemble = (mint: TransactionPartialSigner, lifetime: TransactionLifetime) =>
    assembleLaunch(client, checked, {
      launch,
      tables,
      maxLamportSpend,
      plan,
      mint,
      lifetime,
    });

  const findMint = async (search: MintSignerSource) => {
    // A search takes seconds, so everything else is checked first, with a placeholder mint.
    await assemble(createNoopSigner(STAND_IN_MINT), STAND_IN_LIFETIME);
    const found = assertMintSigner(await search({ abortSignal }), wallets);
    const [[existingMint], lifetime] = await Promise.all([
      fetchAccounts(client, [found.address], { abortSignal }),
      lifetimeOf(client, checked),
    ]);
    assertNewMint(existingMint);
    return [found, lifetime] as const;
  };
  const [mint, lifetime] = given && known ? [given, known] : await findMint(mintSigner as MintSignerSource);
  const built = withWarnings(await assemble(mint, lifetime), ignored);
  return isWalletFirst ? { ...built, mintSigner: mint } : await signTransaction(built, mint);
}

const STAND_IN_MINT = 'HeavenPoo1sStandinMint1111111111111111111111' as Address;
const STAND_IN_LIFETIME = {
  blockhash: '11111111111111111111111111111111' as Blockhash,
  lastValidBlockHeight: 0n,
};

function assertMintSigner(signer: unknown, wallets: readonly Address[]): TransactionPartialSigner {
  if (!isPartialSigner(signer))
    throw invalidIdentity('mintSigner', signer, 'a kit signer for a fresh address');
  if (wallets.includes(signer.address))
    throw inputError(
      'mintSigner',
      'mintSigner must be a kit signer for a fresh address, not a wallet of the launch.',
    );
  assertAddress(signer.address, 'mintSigner');
  return signer;
}

function assertNewMint(account: RawAccount | undefined): void {
  if (account === undefined) return;
  const { address } = account;
  throw inputError('mintSigner', `The mint ${address} exists already. Use a fresh one.`, address);
}

/** The launch of one mint. Its composition is [assumption A9](/protocol#assumptions). */
async function assembleLaunch(
  client: HeavenClient,
  input: CheckedInput<typeof buildCreateStandardLiquidityPoolFields>,
  parts: {
    readonly launch: Launch;
    /** None in version 1. */
    readonly tables: SlotTables;
    readonly maxLamportSpend: bigint;
    readonly plan: TransactionPlan;
    readonly mint: TransactionPartialSigner;
    readonly lifetime: TransactionLifetime;
  },
): Promise<BuiltLaunch> {
  const { payer, creator, initialPurchaseAmount } = input;
  const { launch, tables, maxLamportSpend, plan, lifetime } = parts;
  const { config, protocolConfig } = launch;
  const mint = parts.mint.address;
  const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;
  const [metadata, tokenAccount, tokenAVault, tokenBVault, pool] = await Promise.all([
    findMetadataAddress(mint),
    tokenAccountOf({ payer, owner: creator.address, mint, tokenProgram }),
    deriveAssociatedTokenAddress({ owner: protocolConfig, mint, tokenProgram }),
    deriveWrappedSolAddress(protocolConfig),
    derivePoolAddress({ mint }, client.deployment),
  ]);
  const token2022 = { programAddress: tokenProgram };
  const amount = config.initialTokenAAmount;
  const giveUp = (authorityType: AuthorityType) =>
    getSetAuthorityInstruction({ owned: mint, owner: creator, authorityType, newAuthority: null }, token2022);
  const useless = uselessTables(tables, [protocolConfig, tokenBVault]);
  const built = await assembleTransaction(input, {
    plan,
    instructions: [
      // `Create` also accepts an existing mint, with whatever rights its creator left in it. Allocating 0 bytes changes
      // nothing on a fresh address and fails on any other.
      getAllocateInstruction({ newAccount: parts.mint, space: 0n }),
      getCreateTokenInstruction({
        metadata,
        mint: parts.mint,
        authority: creator,
        payer,
        tokenProgram,
        decimals: config.tokenADecimals,
        token: input,
      }),
      tokenAccount.create,
      getMintToInstruction({ mint, token: tokenAccount.address, mintAuthority: creator, amount }, token2022),
      giveUp(AuthorityType.MintTokens),
      giveUp(AuthorityType.FreezeAccount),
      buildInstruction(createStandardLiquidityPool, client.deployment, {
        user: creator,
        payer,
        tokenAMint: mint,
        userTokenAVault: tokenAccount.address,
        tokenAVault,
        tokenBVault,
        liquidityPoolState: pool,
        protocolConfig,
        tokenAProgram: tokenProgram,
        ...priceAccounts(client),
        protocolConfigVersion: config.version,
        params: {
          encodedUserDefinedEventData: input.encodedUserDefinedEventData ?? '',
          initialPurchaseAmount,
          maxSolSpend: maxLamportSpend,
        },
      }),
    ],
    lifetime,
    compress: compressWith(tables.lookupTables),
    advice:
      (tables.added.length > 0 ? useless[0]?.message : undefined) ??
      'Shorten its texts, or pass as lutAddress a lookup table that holds more of its accounts.',
    warnings: [
      ...useless,
      ...highLaunchFee(config, input),
      ...(await inWords([walletLimit(initialPurchaseAmount, config.maxSupplyPerWallet)])),
    ],
  });
  return { ...built, mint, pool, maxLamportSpend };
}

/** What the initial purchase may cost, in lamports. */
function spendOf({ costOf }: Launch, amount: bigint, allowed: bigint | undefined): bigint {
  const required = costOf(amount);
  if (allowed === undefined) return maximumAfterSlippage(required, SPEND_MARGIN_BPS);
  if (allowed >= required) return allowed;
  throw new HeavenError(
    'spend-too-low',
    `The initial purchase costs ${inSol(required)}, and maxSolSpend allows ${inSol(allowed)}. Allow more, or buy less.`,
    { field: 'maxSolSpend', required, allowed },
  );
}

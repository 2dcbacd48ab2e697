import type { Address, TransactionPartialSigner } from '@solana/kit';
import {
  AuthorityType,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
  getSetAuthorityInstruction,
} from '@solana-program/token';

import type { HeavenClient, RequestOptions } from '../client.js';
import { HeavenError } from '../errors.js';
import { assertU64 } from '../math/integers.js';
import { applySlippageToMaximum } from '../math/slippage.js';
import { toNativeAmount, type UiAmount } from '../math/units.js';
import { SOL_DECIMALS } from '../pool/quote.js';
import { findAssociatedTokenAddress, findPoolAddress } from '../program/addresses.js';
import { TOKEN_2022_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../program/constants.js';
import { getCreateStandardLiquidityPoolInstruction } from '../program/instructions.js';
import { assertAddress, assertText } from '../program/schema.js';
import {
  assertTokenMetadata,
  findMetadataAddress,
  getCreateTokenInstruction,
  type TokenMetadata,
} from '../program/token-metadata.js';
import {
  assembleTransaction,
  type BuiltTransaction,
  lifetimeOf,
  planTransaction,
  signTransaction,
  type TransactionOptions,
} from '../transaction/assemble.js';
import { lookupTableAddresses } from '../transaction/lookup-table.js';
import { addressOf, signerOf, type Wallet } from '../transaction/wallet.js';
import { grindMintAddress } from './grind-mint-address.js';
import { fetchLaunchAccounts, type Launch, launchFrom } from './quote-initial-buy.js';

/** The compute budget of a launch. Ours: the interface names none. */
export const LAUNCH_COMPUTE_BUDGET = { limit: 400_000, price: 20_000_000n } as const;

/** What `maxSolSpend` adds to the quoted cost of the initial purchase when it is left out. */
const SPEND_MARGIN_BPS = 100;

export interface BuildCreateStandardLiquidityPoolInput extends TransactionOptions, TokenMetadata {
  /** Signs and pays. */
  readonly payer: Wallet;
  /** Creates the token and the pool, and signs too: receives the initial purchase and the creator fees. */
  readonly creator: Wallet;
  /** Emitted as an event by the program, for attribution. May be empty. */
  readonly encodedUserDefinedEventData: string;
  /** 1 community, 2 creator. Default 1. */
  readonly configVersion?: number | undefined;
  /** Token units to buy in the same transaction; 0 for none. */
  readonly initialPurchaseAmount: bigint;
  /** The lookup table that holds the launch's fixed addresses. */
  readonly lutAddress: Address;
  /** The most SOL that the initial purchase may cost. Default: its cost now and 1 % more. */
  readonly maxSolSpend?: UiAmount | null | undefined;
  /**
   * The signer of the new mint, or a function that gives one once everything else is checked. Default:
   * {@link grindMintAddress} finds an address that ends in `777`, which takes seconds.
   */
  readonly mintSigner?: TransactionPartialSigner | MintSignerSource | undefined;
}

/** Gives a launch the signer of its new mint. */
export type MintSignerSource = (options: RequestOptions) => Promise<TransactionPartialSigner>;

/** A built launch, which already carries the new mint's signature. */
export interface BuiltLaunch extends BuiltTransaction {
  /** The address of the new token. */
  readonly mint: Address;
  /** The address of its pool. */
  readonly pool: Address;
  /** The most lamports that the initial purchase may cost. */
  readonly maxLamportSpend: bigint;
}

/**
 * Builds the transaction that launches a token: creates the mint (Token-2022, 9 decimals) and its metadata, mints the whole
 * supply, gives up mint and freeze authority, creates the standard pool and makes the optional initial purchase. All of it
 * happens or none. The composition is assumption A9.
 *
 * The metadata is final: nobody can change it later.
 *
 * @param input `computeUnitLimit` defaults to 400000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `text-too-long`, `invalid-input`, `invalid-address`, `invalid-amount`, `spend-too-low`,
 * `insufficient-liquidity`, `pool-creation-disabled`, `pool-kind-mismatch`, `account-not-found`,
 * `invalid-lookup-table`, `transaction-too-large`, `aborted`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx, mint } = await buildCreateStandardLiquidityPool(client, {
 *   payer,
 *   creator: payer,
 *   encodedUserDefinedEventData: '',
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
  const { payer, creator, lutAddress, initialPurchaseAmount, encodedUserDefinedEventData, abortSignal } =
    input;
  const configVersion = input.configVersion ?? 1;
  const payerAddress = addressOf(payer, 'payer');
  const creatorAddress = addressOf(creator, 'creator');
  assertText(encodedUserDefinedEventData, 'encodedUserDefinedEventData');
  assertTokenMetadata(input);
  assertU64(initialPurchaseAmount, 'initialPurchaseAmount');
  assertAddress(lutAddress, 'lutAddress');
  const allowed =
    input.maxSolSpend === undefined || input.maxSolSpend === null
      ? undefined
      : toNativeAmount(input.maxSolSpend, SOL_DECIMALS, 'maxSolSpend');
  const plan = planTransaction(input, LAUNCH_COMPUTE_BUDGET);

  const given = input.mintSigner ?? grindMintAddress;
  const known = typeof given === 'function' ? [] : [addressOf(given, 'mintSigner')];
  const [accounts, lifetime] = await Promise.all([
    fetchLaunchAccounts(client, configVersion, [lutAddress, ...known], { abortSignal }),
    lifetimeOf(client, input),
  ]);
  const launch = launchFrom(accounts);
  const { config, snapshot } = launch;
  if (config.allowCreatePool === 0) {
    throw new HeavenError(
      'pool-creation-disabled',
      `No pools can be created with config version ${configVersion} for now. Use another version, or wait.`,
      { configVersion },
    );
  }
  const [table, existingMint] = accounts.more;
  if (existingMint !== undefined) {
    throw new HeavenError(
      'invalid-input',
      `The mint ${existingMint.address} exists already. Use a fresh one.`,
      {
        field: 'mintSigner',
        value: existingMint.address,
      },
    );
  }
  const lookupTables = { [lutAddress]: lookupTableAddresses(table, lutAddress, snapshot.slot) };
  const maxLamportSpend = spendOf(launch, initialPurchaseAmount, allowed);

  const mintSigner = typeof given === 'function' ? await given({ abortSignal }) : given;
  const mint = mintSigner.address;
  const { programAddress, chainlinkProgram, solUsdFeed } = client.deployment;
  const protocolConfig = accounts.protocolConfig.address;
  const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;
  const [metadata, tokenAccount, tokenAVault, tokenBVault, pool] = await Promise.all([
    findMetadataAddress(mint),
    findAssociatedTokenAddress({ owner: creatorAddress, mint, tokenProgram }),
    findAssociatedTokenAddress({ owner: protocolConfig, mint, tokenProgram }),
    findAssociatedTokenAddress({ owner: protocolConfig, mint: WRAPPED_SOL_MINT_ADDRESS }),
    findPoolAddress({ mint }, { programAddress }),
  ]);
  const inToken2022 = { programAddress: tokenProgram };
  const giveUp = (authorityType: AuthorityType) =>
    getSetAuthorityInstruction(
      { owned: mint, owner: signerOf(creator), authorityType, newAuthority: null },
      inToken2022,
    );
  const built = assembleTransaction({
    feePayer: payerAddress,
    plan,
    // Assumption A9: this composition.
    instructions: [
      getCreateTokenInstruction({
        metadata,
        mint: mintSigner,
        authority: creator,
        payer,
        tokenProgram,
        decimals: config.tokenADecimals,
        token: input,
      }),
      getCreateAssociatedTokenIdempotentInstruction({
        payer: signerOf(payer),
        ata: tokenAccount,
        owner: creatorAddress,
        mint,
        tokenProgram,
      }),
      getMintToInstruction(
        { mint, token: tokenAccount, mintAuthority: signerOf(creator), amount: config.initialTokenAAmount },
        inToken2022,
      ),
      giveUp(AuthorityType.MintTokens),
      giveUp(AuthorityType.FreezeAccount),
      getCreateStandardLiquidityPoolInstruction(
        {
          user: creator,
          payer,
          tokenAMint: mint,
          userTokenAVault: tokenAccount,
          tokenAVault,
          tokenBVault,
          liquidityPoolState: pool,
          protocolConfig,
          tokenAProgram: tokenProgram,
          chainlinkProgram,
          chainlinkFeed: solUsdFeed,
          protocolConfigVersion: configVersion,
          params: { encodedUserDefinedEventData, initialPurchaseAmount, maxSolSpend: maxLamportSpend },
        },
        { programAddress },
      ),
    ],
    lifetime,
    lookupTables,
    warnings: [],
  });
  return { ...(await signTransaction(built, mintSigner)), mint, pool, maxLamportSpend };
}

/** What the initial purchase may cost, in lamports. */
function spendOf({ purchase }: Launch, amount: bigint, allowed: bigint | undefined): bigint {
  const required = purchase(amount)?.amountIn ?? 0n;
  if (allowed === undefined) return applySlippageToMaximum(required, SPEND_MARGIN_BPS);
  if (allowed >= required) return allowed;
  throw new HeavenError(
    'spend-too-low',
    `The initial purchase costs ${required} lamports, and maxSolSpend allows ${allowed}. Allow more, or buy less.`,
    { field: 'maxSolSpend', required, allowed },
  );
}

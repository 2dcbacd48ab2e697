import { computeInitialLpTokens } from '../../../math/liquidity.js';
import { computeInitialPurchase } from '../../../math/swap.js';
import { toNativeAmount } from '../../../math/units.js';
import { liquidityPoolStateDeclaration } from '../../../program/account-layouts.js';
import {
  decodeProtocolConfig,
  encodeProtocolConfig,
  type LiquidityPoolState,
  type ProtocolConfig,
} from '../../../program/accounts.js';
import {
  CreatorTradingFeeClaimStatus,
  FeeConfigurationMode,
  LiquidityPoolType,
} from '../../../program/types.js';
import { storedBrackets, storedSlotBrackets } from '../../encode.js';
import { notEmulated } from '../../failure.js';
import { createSamplePool, lpTokenInfo, type SamplePoolFields } from '../../samples.js';
import { clockOf, openToken, TokenAccounts, withheldOf } from '../token.js';
import { anchor, arithmetic } from './anchor.js';
import type { Exchange, InstructionOf } from './exchange.js';
import { emitTrade, settleTrade, swapState } from './swap.js';

// The values of fields that no transaction sets, above all the claim status, are assumed to be those of the sample pools.

type Creation = InstructionOf<'create_standard_liquidity_pool' | 'create_pro_liquidity_pool'>;

export async function createStandardPool(
  exchange: Exchange,
  instruction: InstructionOf<'create_standard_liquidity_pool'>,
): Promise<void> {
  const { name, accounts, data } = instruction;
  const config = openConfig(exchange, instruction, LiquidityPoolType.Standard);
  const token = tokenAMint(exchange, instruction);
  if (token.freezeAuthority.__option === 'Some') throw anchor(6042);
  if (token.mintAuthority.__option === 'Some') throw anchor(6043);
  if (token.supply !== config.initialTokenAAmount) throw anchor(6045);
  exchange.assertUserToken('a', accounts);
  // The pool starts with all tokens and the config's virtual SOL.
  const pool = await newPool(exchange, instruction, config, {
    kind: 'standard',
    decimals: token.decimals,
    reserve: {
      tokenA: config.initialTokenAAmount,
      tokenB: toNativeAmount(config.initialTokenBAmount, 9, 'initialTokenBAmount'),
    },
    state: { featureFlags: { sandwichResistantMode: config.sandwichResistenceEnabled } },
  });
  seed(exchange, instruction, pool, pool.reserve.initialA, 0n);
  exchange.emitText(pool.key, name, data.params.encodedUserDefinedEventData);
  exchange.emit('CreateStandardLiquidityPoolEvent', {
    poolId: pool.key,
    payer: accounts.payer.address,
    creator: accounts.user.address,
    mint: accounts.tokenAMint.address,
    configVersion: config.version,
    initialTokenReserve: pool.reserve.initialA,
    initialVirtualWsolReserve: pool.reserve.initialB,
  });
  if (data.params.initialPurchaseAmount > 0n) purchase(exchange, instruction, pool);
}

function purchase(
  exchange: Exchange,
  { accounts, data }: InstructionOf<'create_standard_liquidity_pool'>,
  pool: LiquidityPoolState,
): void {
  const { initialPurchaseAmount: amountOut, maxSolSpend: maxLamportSpend } = data.params;
  const { snapshot, state } = swapState(exchange, accounts);
  const trade = arithmetic(() => computeInitialPurchase(state, amountOut));
  if (trade.amountIn > maxLamportSpend) throw anchor(6013);
  const { payer, tokenAVault, tokenBVault, userTokenAVault, protocolConfig } = accounts;
  exchange.payIn(payer.address, tokenBVault.address, trade.amountIn);
  exchange.transfer(tokenAVault.address, userTokenAVault.address, protocolConfig.address, amountOut);
  const traded = { snapshot, trade, side: 'buy' } as const;
  emitTrade(exchange, settleTrade(exchange, pool.key, pool, traded), pool, traded);
}

export async function createProPool(
  exchange: Exchange,
  instruction: InstructionOf<'create_pro_liquidity_pool'>,
): Promise<void> {
  const { name, accounts, data } = instruction;
  const { params } = data;
  const config = openConfig(exchange, instruction, LiquidityPoolType.Pro);
  const { initialTokenAAmount: tokenA, initialTokenBAmount: tokenB } = params;
  if (tokenA === 0n || tokenB === 0n) throw anchor(6032);
  const token = tokenAMint(exchange, instruction);
  exchange.assertUserToken('a', accounts);
  const withheld = withheldOf(exchange.context, accounts.tokenAMint.address, tokenA);
  const received = tokenA - withheld;
  const lpTokens = arithmetic(() => computeInitialLpTokens(received, tokenB));
  const pool = await newPool(exchange, instruction, config, {
    kind: 'pro',
    decimals: token.decimals,
    reserve: { tokenA: received, tokenB },
    state: proState(instruction, config, lpTokens),
  });
  // With a transfer fee, less arrives than leaves the creator's account.
  seed(exchange, instruction, pool, tokenA, tokenB);
  const { userLpPosition, payer, user } = accounts;
  const position = exchange.position(userLpPosition.address, pool.key, user.address);
  exchange.writePosition(userLpPosition.address, payer.address, position, pool, lpTokens);
  exchange.emitText(pool.key, name, params.encodedUserDefinedEventData);
  exchange.emit('CreateLiquidityPoolEvent', {
    liquidityPoolId: pool.key,
    user: user.address,
    baseTokenInputTransferFeeAmount: withheld,
    quoteTokenInputTransferFeeAmount: 0n,
    baseTokenInputAmount: tokenA,
    quoteTokenInputAmount: tokenB,
    lpTokenOutputAmount: lpTokens,
    lockedLp: false,
  });
}

const tokenAMint = ({ context }: Exchange, { accounts }: Creation) =>
  new TokenAccounts(context, accounts.tokenAProgram.address).ownMint(accounts.tokenAMint.address);

/** The creator's settings of a pro pool. It copies from the config what the creator doesn't set (A6) or leaves out (A12). */
function proState(
  { data: { params } }: InstructionOf<'create_pro_liquidity_pool'>,
  config: ProtocolConfig,
  lpTokens: bigint,
): Partial<LiquidityPoolState> {
  const flag = (isOn: boolean) => (isOn ? 1 : 0);
  const { reflectionTradingFee, liquidityProviderTradingFee, creatorSlotTradingFee } = params;
  const { slotOffsetBasedFees, marketCapBasedFees: fees } = config;
  return {
    feeConfigurationMode: FeeConfigurationMode.Local,
    creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
    marketCapBasedFees: {
      ...fees,
      creatorTradingFee: storedBrackets(params.creatorTradingFee.brackets),
      reflectionTradingFee: reflectionTradingFee
        ? storedBrackets(reflectionTradingFee.brackets)
        : fees.reflectionTradingFee,
      liquidityProviderTradingFee: liquidityProviderTradingFee
        ? storedBrackets(liquidityProviderTradingFee.brackets)
        : fees.liquidityProviderTradingFee,
    },
    slotOffsetBasedFees: {
      ...slotOffsetBasedFees,
      creatorTradingFee: creatorSlotTradingFee
        ? { ...creatorSlotTradingFee, ...storedSlotBrackets(creatorSlotTradingFee.brackets) }
        : slotOffsetBasedFees.creatorTradingFee,
    },
    lpToken: lpTokenInfo(lpTokens),
    allowlist: {
      swap: flag(params.enableSwap),
      removeLiquidity: flag(params.enableWithdrawLiquidity),
      depositLiquidity: flag(params.enableDepositLiquidity),
      sameSlotTrading: flag(params.enableSameSlotTrading),
      updateCreatorTradingFee: flag(params.enableUpdateCreatorTradingFee),
    },
    featureFlags: { sandwichResistantMode: flag(params.enableSandwichResistantMode) },
  };
}

/** The config of a new pool. Counts the pool in it. */
function openConfig(exchange: Exchange, { accounts, data }: Creation, type: number): ProtocolConfig {
  const account = exchange.owned(accounts.protocolConfig.address, 'protocol_config');
  const config = decodeProtocolConfig(account.data);
  if (config.version !== data.protocolConfigVersion) throw anchor(6038);
  if (config.allowCreatePool === 0) throw anchor(6006);
  if (config.supportedPoolType !== type) throw anchor(6048);
  if (config.createPoolFee > 0n) throw notEmulated('a fee for creating pools');
  account.data = encodeProtocolConfig({ ...config, poolCount: config.poolCount + 1n });
  return config;
}

async function newPool(
  { context, config: { programAddress } }: Exchange,
  { accounts }: Creation,
  config: ProtocolConfig,
  pool: Pick<SamplePoolFields, 'kind' | 'state' | 'reserve'> & { readonly decimals: number },
): Promise<LiquidityPoolState> {
  const { slot, unixTimestamp } = clockOf(context);
  const { state } = await createSamplePool(
    {
      ...pool,
      configVersion: config.version as 1 | 2 | 3,
      mint: accounts.tokenAMint.address,
      tokenProgram: accounts.tokenAProgram.address,
      creator: accounts.user.address,
      token: { decimals: pool.decimals, supply: 0n },
      reserve: { ...pool.reserve, leaderSlotWindow: config.defaultLeaderSlotWindow },
      state: {
        createdAtSlot: slot,
        creatorTradingFeeTradingVolumeThreshold: config.creatorTradingFeeTradingVolumeThreshold,
        key: accounts.liquidityPoolState.address,
        ...pool.state,
      },
    },
    programAddress,
  );
  return { ...state, info: { ...state.info, openAt: unixTimestamp, createdAt: unixTimestamp } };
}

/** Writes a new pool, opens its vault, and moves the creator's tokens and the payer's SOL into the vaults. */
function seed(
  exchange: Exchange,
  { accounts }: Creation,
  pool: LiquidityPoolState,
  tokenA: bigint,
  tokenB: bigint,
): void {
  const { payer, protocolConfig, user, tokenAVault, tokenBVault, userTokenAVault } = accounts;
  if (tokenAVault.address !== pool.tokenAVault) throw anchor(2012, 'token_a_vault');
  if (tokenBVault.address !== pool.tokenBVault) throw anchor(2012, 'token_b_vault');
  const { context, config } = exchange;
  const { size } = liquidityPoolStateDeclaration;
  context.allocate(payer.address, pool.key, config.programAddress, new Uint8Array(size));
  exchange.writePool(pool.key, pool);
  openToken(context, {
    address: tokenAVault.address,
    owner: protocolConfig.address,
    mint: accounts.tokenAMint.address,
    tokenProgram: accounts.tokenAProgram.address,
    payer: payer.address,
  });
  exchange.transfer(userTokenAVault.address, tokenAVault.address, user.address, tokenA);
  exchange.payIn(payer.address, pool.tokenBVault, tokenB);
}

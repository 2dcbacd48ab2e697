import {
  type Blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  getAddressDecoder,
  getArrayDecoder,
} from '@solana/kit';

import {
  type BuiltTransaction,
  buildBuy,
  buildClaimCreatorTradingFees,
  buildCreateStandardLiquidityPool,
  buildProAddLiquidity,
  buildProBuy,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProRemoveLiquidity,
  buildProSell,
  buildProSetLpFee,
  buildProToggleSwap,
  buildProTransferLp,
  buildSell,
  createHeavenClient,
  MAX_MARKET_CAP_BOUND,
  quoteBuy,
  quoteProBuy,
  quoteProSell,
  quoteSell,
} from '../../src/index.js';
import { TOKEN_2022_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createFeeBrackets, type EmbeddedLedger } from '../../src/testing/index.js';
import { STRANGER, WALLET } from '../../tests/support/addresses.js';
import { basisOf, inputAbout } from './interface.js';
import type { Case, Fields, Vector } from './vector.js';

const LIFETIME = {
  blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N' as Blockhash,
  lastValidBlockHeight: 1_000n,
};

interface Options {
  readonly transactionVersion: 0 | 1;
  readonly lifetime: typeof LIFETIME;
  readonly computeUnitLimit: number;
  readonly computeUnitPrice: bigint;
}

/** One transaction in both versions. */
async function vector(
  id: string,
  instruction: string,
  input: Fields,
  build: (options: Options) => Promise<BuiltTransaction>,
  tables: readonly object[] = [],
): Promise<Vector> {
  const { facts, assumptions } = basisOf(instruction);
  const cases: Case[] = [];
  for (const version of [0, 1] as const) {
    const [computeUnitLimit, computeUnitPrice] = [230_000 + version, 40_000_001n];
    const { tx, size, requiredSigners } = await build({
      transactionVersion: version,
      lifetime: LIFETIME,
      computeUnitLimit,
      computeUnitPrice,
    });
    cases.push({
      input: {
        version,
        computeUnitLimit,
        computeUnitPrice,
        dataSizeLimit: 67_108_864,
        tables: version === 0 ? tables : [],
      },
      expected: { transaction: tx, size, signers: [...requiredSigners].sort() },
    });
  }
  return {
    id,
    check: 'transaction',
    facts: [...facts, 'D messages of version 0 and 1'],
    assumptions: id === 'launch' ? [...assumptions, 'A9'] : assumptions,
    input: { instruction, wrap: 'associated', blockhash: LIFETIME.blockhash, ...input },
    cases,
  };
}

export async function transactionVectors(ledger: EmbeddedLedger): Promise<Vector[]> {
  const client = createHeavenClient({ rpc: ledger.rpc });
  const { creator, pro } = ledger.pools;
  const text = { encodedUserDefinedEventData: 'ref:42' };
  const self = { user: WALLET, payer: WALLET };
  const ofPro = { ...inputAbout(pro), user: pro.creator, payer: pro.creator, creator: pro.creator };
  const locator = { pool: pro.pool, mint: pro.mint, configVersion: 3 } as const;
  const at = { pool: pro.pool, payer: pro.creator };
  const standard = { configVersion: 2, mint: creator.mint, slippageBps: 50 } as const;

  const buy = await quoteBuy(client, { ...standard, maxSolSpend: '9007199.254740993' });
  const buyArgs = (quote: typeof buy) => ({
    params: { maxSolSpend: quote.maxLamportSpend, minimumAmountOut: quote.minimumOut, ...text },
  });
  const sell = await quoteSell(client, { ...standard, amountInUi: '250000.000000001' });
  const sellArgs = (quote: typeof sell) => ({
    params: { amountIn: quote.amountIn, minimumAmountOut: quote.minimumOut, ...text },
  });
  const proBuy = await quoteProBuy(client, { ...locator, maxSolSpend: '1.000000007', slippageBps: 50 });
  const proSell = await quoteProSell(client, { ...locator, amountInUi: '1000.5', slippageBps: 50 });
  const vectors: Vector[] = [];
  for (const wrapSol of ['associated', 'none'] as const)
    vectors.push(
      await vector(
        `buy, wrapped SOL ${wrapSol}`,
        'buy',
        { ...inputAbout(creator), ...self, wrap: wrapSol, args: buyArgs(buy) },
        (options) => buildBuy(client, { payer: WALLET, quoteResponse: buy, wrapSol, ...text, ...options }),
      ),
      await vector(
        `sell, wrapped SOL ${wrapSol}`,
        'sell',
        { ...inputAbout(creator), ...self, wrap: wrapSol, args: sellArgs(sell) },
        (options) => buildSell(client, { payer: WALLET, quoteResponse: sell, wrapSol, ...text, ...options }),
      ),
    );

  const deposit = { maxTokenA: 1_000_003n, maxTokenB: 1_000n, minLpTokens: 1n };
  const withdrawal = { lpTokensToBurn: 1_000n, minTokenA: 1n, minTokenB: 1n };
  const fees = createFeeBrackets([100_000_000_000n, 30], [MAX_MARKET_CAP_BOUND, 20, 10]);
  const mintSigner = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(5));
  const token = { name: 'A tøken', symbol: 'TOKEN', uri: 'https://example.com/token.json' };
  const purchase = { initialPurchaseAmount: 15_000_000_000_000_000n, maxSolSpend: 600_000_001n };
  const lutAddress = ledger.lookupTables.community;
  const table = ledger.getAccount(lutAddress)?.data.slice(56) ?? new Uint8Array();
  const addresses = getArrayDecoder(getAddressDecoder(), { size: 'remainder' }).decode(table);
  const launch = {
    ...token,
    ...text,
    supply: 10n ** 18n,
    token_a_mint: mintSigner.address,
    token_a_program: TOKEN_2022_PROGRAM_ADDRESS,
    config_version: 1,
    user: STRANGER,
    payer: WALLET,
    args: { protocolConfigVersion: 1, params: { ...text, ...purchase } },
  };
  return [
    ...vectors,
    await vector(
      'pro buy, paid by another wallet',
      'pro_buy',
      { ...inputAbout(pro), user: STRANGER, payer: WALLET, args: buyArgs(proBuy) },
      (options) =>
        buildProBuy(client, {
          pool: pro.pool,
          payer: WALLET,
          source: STRANGER,
          quoteResponse: proBuy,
          ...text,
          ...options,
        }),
    ),
    await vector(
      'pro sell',
      'pro_sell',
      { ...inputAbout(pro), ...self, args: sellArgs(proSell) },
      (options) =>
        buildProSell(client, { pool: pro.pool, payer: WALLET, quoteResponse: proSell, ...text, ...options }),
    ),
    await vector('deposit', 'add_liquidity_pro_pool', { ...ofPro, args: { params: deposit } }, (options) =>
      buildProAddLiquidity(client, { ...locator, ...at, ...deposit, ...options }),
    ),
    await vector(
      'withdrawal',
      'remove_liquidity_pro_pool',
      { ...ofPro, args: { params: withdrawal } },
      (options) => buildProRemoveLiquidity(client, { ...locator, ...at, ...withdrawal, ...options }),
    ),
    await vector(
      'claim of creator fees',
      'claim_standard_creator_trading_fees',
      { ...inputAbout(creator), user: creator.creator, payer: creator.creator, args: { amount: 0n } },
      (options) =>
        buildClaimCreatorTradingFees(client, {
          payer: creator.creator,
          mint: creator.mint,
          version: 2,
          ...options,
        }),
    ),
    await vector(
      'pro claim of creator fees',
      'claim_pro_creator_trading_fees',
      { ...ofPro, args: { amount: 1_000_003n } },
      (options) => buildProClaimCreatorFees(client, { ...at, amount: 1_000_003n, ...options }),
    ),
    await vector(
      'claim of LP fees',
      'claim_pro_liquidity_provider_trading_fees',
      { ...ofPro, args: {} },
      (options) => buildProClaimLpFees(client, { ...at, ...options }),
    ),
    await vector(
      'transfer of LP tokens',
      'transfer_lp_tokens',
      { ...ofPro, payer: WALLET, sender: pro.creator, receiver: STRANGER, args: { amount: 5n } },
      (options) =>
        buildProTransferLp(client, {
          pool: pro.pool,
          sender: pro.creator,
          payer: WALLET,
          receiver: STRANGER,
          amount: 5n,
          ...options,
        }),
    ),
    await vector('switch', 'creator_toggle_pro_swap', { ...ofPro, args: { enabled: false } }, (options) =>
      buildProToggleSwap(client, { ...at, enabled: false, ...options }),
    ),
    await vector('fee', 'creator_set_pro_market_cap_lp_fee', { ...ofPro, args: { fees } }, (options) =>
      buildProSetLpFee(client, { ...at, brackets: fees.brackets.slice(0, fees.count), ...options }),
    ),
    await vector(
      'launch',
      'create_standard_liquidity_pool',
      launch,
      ({ transactionVersion, ...options }) =>
        buildCreateStandardLiquidityPool(client, {
          payer: WALLET,
          creator: STRANGER,
          ...token,
          ...text,
          ...options,
          configVersion: 1,
          initialPurchaseAmount: purchase.initialPurchaseAmount,
          maxSolSpend: '0.600000001',
          mintSigner,
          signingOrder: 'wallet-first',
          ...(transactionVersion === 1 ? { transactionVersion } : { lutAddress }),
        }),
      [{ address: lutAddress, addresses }],
    ),
  ];
}

import { type Address, generateKeyPairSigner } from '@solana/kit';

import { inSol, toNativeAmount } from '../../math/units.js';
import { builders, readers } from '../../operations/index.js';
import { findLpPositionAddress, findProtocolConfigAddress } from '../../program/addresses.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../../program/constants.js';
import { TOKEN_2022_PROGRAM_ADDRESS } from '../../solana/programs.js';
import type { Plan } from '../plan.js';
import { solVaultOf, tokenAccountOf } from '../source.js';
import type { Stage } from '../stage.js';
import { ONE_BRACKET, slots, THREE_BRACKETS } from './pro.js';
import { FAILURE, type Operation, type Pool } from './row.js';
import { SOL, trade } from './trades.js';

/** Token units and lamports of new pro pools, and their fees. */
export const SEEDS = [
  [1_000_000_007n, SOL + 9n, {}],
  [400_000_000_000_003n, 25n * SOL + 1n, { creatorSlotTradingFee: slots(15) }],
  [
    70_000_000_000_000_009n,
    250n * SOL + 3n,
    {
      creatorTradingFee: THREE_BRACKETS,
      reflectionTradingFee: ONE_BRACKET,
      liquidityProviderTradingFee: ONE_BRACKET,
    },
  ],
] as const;

export const CREATION: readonly Operation[] = [
  {
    name: 'buildCreateStandardLiquidityPool',
    assumes: ['A3', 'A9'],
    tells: 'A9',
    cases: ({ accounts }) => {
      const table = accounts.find(({ address }) => address === COMMUNITY_LOOKUP_TABLE_ADDRESS)?.address;
      return [1, 2].flatMap((version) =>
        [0, 1, '12.345', 50].map((percent) => ({
          on: `config ${version}`,
          input: `buys ${percent} %`,
          // Without a purchase in a version 0 transaction, which needs the table; otherwise in version 1.
          plan: (stage) => launch(stage, version, percent, percent === 0 ? table : undefined),
        })),
      );
    },
  },
  {
    name: 'buildProCreate',
    assumes: ['A1', 'A2', 'A3', 'A8'],
    cases: ({ known }) =>
      known.slice(0, 1).flatMap((of) =>
        SEEDS.map((seed) => ({
          on: 'config 3',
          input: [`${seed[0]} units`, inSol(seed[1]), ...Object.keys(seed[2])].join(', '),
          plan: (stage) => creation(stage, of, seed),
        })),
      ),
  },
];

async function launch(
  stage: Stage,
  configVersion: number,
  initialPurchasePercent: number | string,
  lutAddress: Address | undefined,
): Promise<Plan> {
  const { client, ledger } = stage;
  // The rows are about what a launch does, not about which configs accept one today.
  const protocolConfig = await findProtocolConfigAddress({ version: configVersion }, client.deployment);
  ledger.updateConfig(protocolConfig, () => ({ allowCreatePool: 1 }));
  const config = await readers.getProtocolConfigState(client, { version: configVersion });
  const quote = await readers.quoteInitialBuy(client, { configVersion, initialPurchasePercent });
  const { tokenAmount, costLamports } = quote;
  const creator = await stage.wallet();
  const built = await builders.buildCreateStandardLiquidityPool(client, {
    payer: creator,
    creator,
    configVersion,
    name: 'Verification',
    symbol: 'VERIFY',
    uri: 'https://example.com/verify.json',
    initialPurchaseAmount: tokenAmount,
    mintSigner: await generateKeyPairSigner(),
    encodedUserDefinedEventData: '',
    ...(lutAddress === undefined ? { transactionVersion: 1 } : { lutAddress }),
  });
  const { mint, pool: address } = built;
  const token = { mint, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS };
  const tokens = await tokenAccountOf(creator, token);
  const pool = { address, kind: 'standard', configVersion, ...token } as const;
  return {
    built,
    pool: address,
    at: { paid: await solVault(stage, configVersion), tokens },
    assumes: lutAddress === undefined ? [] : ['A10'],
    alternatives: [FAILURE],
    said: {
      paid: costLamports,
      tokens: tokenAmount,
      'reserve.tokenA': config.initialTokenAAmount - tokenAmount,
      'reserve.tokenB': toNativeAmount(config.initialTokenBAmount, 9) + costLamports,
      'info.creator': creator,
    },
    next: () => trade(stage, pool, 'buy'),
  };
}

const solVault = async ({ client }: Stage, version: number): Promise<Address> =>
  solVaultOf(await findProtocolConfigAddress({ version }, client.deployment));

export async function creation(
  stage: Stage,
  { mint, tokenProgram }: Pool,
  [tokenA, tokenB, fees]: (typeof SEEDS)[number],
): Promise<Plan> {
  const { client } = stage;
  const configVersion = 3;
  const creator = await stage.wallet();
  const tokens = await stage.giveTokens(creator, { mint, tokenProgram }, tokenA);
  const built = await builders.buildProCreate(client, {
    payer: creator,
    creator,
    configVersion,
    mint,
    initialTokenAAmount: tokenA,
    initialTokenBAmount: tokenB,
    transactionVersion: 1,
    encodedUserDefinedEventData: '',
    ...fees,
  });
  const { pool: address, lpTokens } = built;
  const position = await findLpPositionAddress({ pool: address, user: creator }, client.deployment);
  const paid = await solVault(stage, configVersion);
  const pool = { address, kind: 'pro', configVersion, mint, tokenProgram } as const;
  return {
    built,
    pool: address,
    at: { 'LP tokens': position, tokens, paid },
    said: {
      'LP tokens': lpTokens,
      tokens: -tokenA,
      paid: tokenB,
      'reserve.tokenA': tokenA,
      'reserve.tokenB': tokenB,
      'lpToken.supply.total': lpTokens,
      'info.creator': creator,
    },
    next: () => trade(stage, pool, 'buy'),
  };
}

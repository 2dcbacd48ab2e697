import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getMintDecoder } from '@solana-program/token';

import { toNativeAmount } from '../../../math/units.js';
import { decodeLiquidityPoolState, type LiquidityPoolState } from '../../../program/accounts.js';
import { FeeConfigurationMode, LiquidityPoolType } from '../../../program/types.js';
import { findAssociatedTokenAddress } from '../../../solana/derived-addresses.js';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_METADATA_PROGRAM_ADDRESS } from '../../../solana/programs.js';
import { findMetadataAddress } from '../../../solana/token-metadata.js';
import {
  type BuiltLaunch,
  buildCreateStandardLiquidityPool,
} from '../../../standard/create-standard-liquidity-pool.js';
import { type InitialBuyQuote, quoteInitialBuy } from '../../../standard/quote-initial-buy.js';
import { isCompositionFault } from '../../compositions.js';
import { servedVersions } from '../../published.js';
import { MISSING_PROGRAM, readBase } from '../../scene.js';
import { CannotObserve } from '../journal.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import { createStage, type Ran, type Stage, tokensIn } from '../stage.js';
import {
  isComparable,
  lamportsLost,
  listed,
  NOTHING_MOVED,
  type OpenConfig,
  observe,
  openConfig,
} from './scene.js';

const METADATA = {
  name: 'A token',
  symbol: 'TOKEN',
  uri: 'https://example.com/token.json',
} as const;

/** [Assumption A10](/protocol#assumptions): which config the known lookup table is for. */
export const lookupTable: Scenario = {
  name: 'the known lookup table',
  questions: ['A10'],
  run: (input) => input.journal.attempt(['A10'], () => observeTable(input)),
};

/** Launches with each standard config, in both transaction versions. */
export const launches: Scenario = {
  name: 'launches',
  questions: ['A9', 'launch', 'initial-purchase'],
  run: async (input) => {
    const hasTable = input.ground.lookupTable !== undefined;
    if (!hasTable)
      input.journal.skip(['A9'], 'there is no lookup table for launches in transaction version 0');
    const some = () => (Math.floor(input.random() * 4_000) + 100) / 100;
    const percents = ['0', '0.0000001', '1', some(), '60'];
    for (const version of [1, 2] as const)
      await input.journal.attempt(['A9', 'launch', 'initial-purchase'], async () => {
        const stage = createStage(await input.ground.open());
        const config = await openConfig(stage, version);
        const plans: readonly LaunchPlan[] = [
          ...(hasTable
            ? (['0', some()] as const).map((percent) => ({ percent, inVersion: 0 }) as const)
            : []),
          ...percents.map((percent) => ({ percent, inVersion: 1 }) as const),
        ];
        for (const plan of plans)
          await input.journal.attempt(['A9', 'launch', 'initial-purchase'], async () => {
            await launch(input, stage, config, plan);
          });
      });
  },
};

async function observeTable({ ground, journal, progress }: ScenarioInput): Promise<void> {
  const { client } = createStage(await ground.open());
  const base = await readBase(client, {});
  progress();
  const { served } = await servedVersions({ client, base });
  const [first] = served;
  if (first === undefined)
    throw new CannotObserve('the known lookup table holds none of the three protocol configs');
  const words = (version: number) => `the protocol config of version ${version}`;
  observe(
    journal,
    {
      kind: 'lookup table',
      what: `the known lookup table, which holds the configs of version ${served.join(', ')}`,
      size: 0n,
      ids: ['A10'],
    },
    words(served.includes(1) ? 1 : first),
    (_, { A10 }) => words(Number(A10?.slice('config-'.length))),
  );
}

interface LaunchPlan {
  readonly percent: string | number;
  readonly inVersion: 0 | 1;
}

/** A successful launch. */
interface Launched {
  readonly built: BuiltLaunch;
  readonly creator: KeyPairSigner;
  readonly state: LiquidityPoolState;
}

/**
 * Launches a token with the library's transaction, and compares what that makes and costs.
 * @throws {CannotObserve} if it can't be built or does nothing
 */
export async function launch(
  input: ScenarioInput,
  stage: Stage,
  config: OpenConfig,
  { percent, inVersion }: LaunchPlan,
): Promise<Launched> {
  const { version } = config.fields;
  const [payer, creator] = [await stage.createWallet(), await stage.createWallet()];
  const { client } = stage;
  const quote = await quoteInitialBuy(client, { configVersion: version, initialPurchasePercent: percent });
  const built = await buildCreateStandardLiquidityPool(client, {
    ...METADATA,
    payer: payer.address,
    creator: creator.address,
    encodedUserDefinedEventData: '',
    configVersion: version,
    initialPurchaseAmount: quote.tokenAmount,
    mintSigner: await generateKeyPairSigner(),
    transactionVersion: inVersion,
    ...(inVersion === 0 ? { lutAddress: input.ground.lookupTable } : {}),
  });
  const ran = await stage.run(built, payer, creator);
  input.progress();
  const what = `a launch with config ${version} in transaction version ${inVersion} that buys ${quote.tokenAmount} units${config.edited}`;
  assertSays(stage, ran, what);
  const subject = { kind: 'composition of a launch', what, size: quote.tokenAmount } as const;
  const found = ran.ok ? 'it succeeds' : `it fails with ${ran.reason}${accountIn(ran)}`;
  const isMade = ran.after(built.pool)?.owner === client.deployment.programAddress;
  if (ran.ok && !isMade) throw new CannotObserve(NOTHING_MOVED);
  observe(input.journal, { ...subject, ids: ['A9'] }, found, () => 'it succeeds');
  if (!ran.ok) throw new CannotObserve(`${what} fails with ${ran.reason}`);
  const { data } = ran.after(built.pool) as { data: Uint8Array };
  const launched = { built, creator, state: decodeLiquidityPoolState(data, built.pool) };
  if (isComparable(input, ran, { ...subject, ids: ['launch', 'initial-purchase'] })) {
    await observeMade(input, stage, { what, config, quote, ran, launched });
    observeCost(input, { what, config, quote, ran, launched });
  }
  return launched;
}

/** Throws if a launch failed for a reason that says nothing about its composition. */
function assertSays({ client }: Stage, ran: Ran, what: string): void {
  if (ran.ok) return;
  const { reason = '', code = -1, failedIn } = ran;
  if (MISSING_PROGRAM.test(reason))
    throw new CannotObserve(
      failedIn === undefined || failedIn === TOKEN_METADATA_PROGRAM_ADDRESS
        ? 'the metadata program is missing'
        : `the program ${failedIn} is missing`,
    );
  if (!isCompositionFault(code, failedIn === client.deployment.programAddress))
    throw new CannotObserve(`${what} fails with ${reason}, which is not about its composition`);
}

const ACCOUNT = /AnchorError caused by account: (\w+)/;

/** The account that a failure names, as a phrase that ends a sentence. */
function accountIn({ logs }: Ran): string {
  const account = logs.map((line) => ACCOUNT.exec(line)?.[1]).find((name) => name !== undefined);
  return account === undefined ? '' : ` about the account ${account}`;
}

interface Made {
  readonly what: string;
  readonly config: OpenConfig;
  readonly quote: InitialBuyQuote;
  readonly ran: Ran;
  readonly launched: Launched;
}

/** Observes the fields of the mint, its metadata and the pool that quotes and transactions depend on. */
async function observeMade(
  { journal }: ScenarioInput,
  stage: Stage,
  { what, config, quote, ran, launched }: Made,
): Promise<void> {
  const { built, creator, state } = launched;
  const { mint } = built;
  const { tokenAmount } = quote;
  const { fields, address: protocolConfig } = config;
  const mintData = ran.after(mint)?.data;
  if (mintData === undefined) throw new CannotObserve('a launch leaves no mint');
  const { supply, decimals, mintAuthority, freezeAuthority } = getMintDecoder().decode(mintData);
  const metadata = ran.after(await findMetadataAddress(mint));
  const text = new TextDecoder().decode(metadata?.data);
  const tokensOf = async (owner: typeof mint) => {
    const account = await findAssociatedTokenAddress({
      owner,
      mint,
      tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
    });
    return tokensIn(ran.after(account), account);
  };
  const { info, reserve } = state;
  const isPlaced =
    info.creator === creator.address &&
    state.creatorTradingFeeReceiver === creator.address &&
    state.tokenA.mint === mint &&
    state.protocolConfig === protocolConfig;
  const supplied = fields.initialTokenAAmount;
  const beginning = `${supplied}/${toNativeAmount(fields.initialTokenBAmount, 9, 'initialTokenBAmount')}`;
  const found = {
    supply,
    decimals,
    authorities: [mintAuthority, freezeAuthority].filter((one) => one.__option === 'Some').length,
    metadata:
      metadata?.owner === TOKEN_METADATA_PROGRAM_ADDRESS &&
      Object.values(METADATA).every((part) => text.includes(part)),
    accounts: isPlaced ? 'as given' : 'others',
    version: info.protocolConfigVersion,
    type: info.type,
    fees: state.feeConfigurationMode,
    beginning: `${reserve.initialA}/${reserve.initialB}`,
    slot: state.createdAtSlot,
    swap: state.allowlist.swap,
    vault: await tokensOf(protocolConfig),
    creator: await tokensOf(creator.address),
    migrated: state.isMigrated,
  };
  const expected = {
    supply: supplied,
    decimals: fields.tokenADecimals,
    authorities: 0,
    metadata: true,
    accounts: 'as given',
    version: fields.version,
    type: LiquidityPoolType.Standard,
    fees: FeeConfigurationMode.Global,
    beginning,
    slot: stage.ledger.slot,
    swap: 1,
    vault: supplied - tokenAmount,
    creator: tokenAmount,
    migrated: 0,
  };
  const subject = { kind: 'launch', what, size: tokenAmount, ids: ['launch'] } as const;
  observe(journal, subject, listed(found), () => listed(expected));
}

/** Observes what the payer pays on top of the fee and the new accounts' lamports, and the resulting reserves. */
function observeCost({ journal }: ScenarioInput, { what, config, quote, ran, launched }: Made): void {
  const { tokenAmount, details } = quote;
  const { initialTokenAAmount, initialTokenBAmount, createPoolFee } = config.fields;
  const { reserve } = launched.state;
  const words = (lamports: bigint, a: bigint, b: bigint) =>
    `the payer pays ${lamports} lamports, and ${a} units and ${b} lamports are in the reserves`;
  const initialB = toNativeAmount(initialTokenBAmount, 9, 'initialTokenBAmount');
  observe(
    journal,
    { kind: 'initial purchase', what, size: tokenAmount, ids: ['initial-purchase'] },
    words(lamportsLost(ran), reserve.tokenA, reserve.tokenB),
    () =>
      words(
        details.leastLamports + createPoolFee,
        initialTokenAAmount - tokenAmount,
        initialB + details.leastLamports - details.totalFee,
      ),
  );
}

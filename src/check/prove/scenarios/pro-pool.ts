import { type Address, generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit';

import { wrapSol } from '../../../build/wrapped-sol.js';
import { toFeeBracketsParams } from '../../../pro/brackets.js';
import {
  decodeLiquidityPoolState,
  decodeUserLpPosition,
  type LiquidityPoolState,
  type UserLpPosition,
} from '../../../program/accounts.js';
import { findLpPositionAddress, findProPoolAddress } from '../../../program/addresses.js';
import {
  type BuyInput,
  getAddLiquidityProPoolInstruction,
  getCreateProLiquidityPoolInstruction,
  getProBuyInstruction,
} from '../../../program/instructions.js';
import { type CreateProLiquidityPoolParams, MAX_MARKET_CAP_BOUND } from '../../../program/types.js';
import { findAssociatedTokenAddress } from '../../../solana/derived-addresses.js';
import { TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../../../solana/programs.js';
import { readSeedsMismatch } from '../../deployment.js';
import { positionSeeds, proSeeds, recognizeSeeds } from '../../derived-addresses.js';
import { CannotObserve } from '../journal.js';
import { type ProofChoice, questionOf, rulesOf } from '../questions.js';
import type { ScenarioInput } from '../scenario.js';
import { createStage, type Ran, type Stage } from '../stage.js';
import { NOTHING_MOVED, type OpenConfig, observe, openConfig, type Sender, senderOn } from './scene.js';

const SUPPLY = 1_000_000_000_000_000_000n;
const WRAPPED = 100_000_000_000_000n;

const fee = (bps: number) =>
  toFeeBracketsParams([{ marketCapUpperBound: MAX_MARKET_CAP_BOUND, buyFeeBps: bps, sellFeeBps: bps }]);

/** A wallet that holds the pool's token and wrapped SOL. */
export interface Party {
  readonly wallet: KeyPairSigner;
  readonly vaults: { readonly userTokenAVault: Address; readonly userTokenBVault: Address };
}

/** A fresh ledger on which a pro pool can be created. */
export interface ProSet {
  readonly input: ScenarioInput;
  readonly stage: Stage;
  readonly config: OpenConfig;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly creator: Party;
  readonly vaults: { readonly tokenAVault: Address; readonly tokenBVault: Address };
  createParty(): Promise<Party>;
  readonly send: Sender;
}

/** A pro pool that the program has created, at whatever address it chose. */
export interface ProPool extends ProSet {
  readonly pool: Address;
  readonly creation: Ran;
  /** The seeds that were found. Unknown ones are left out. */
  readonly seeds: ProofChoice;
  readonly state: () => LiquidityPoolState;
  readonly positionOf: (party: Party) => Promise<Address>;
  readonly positionState: (party: Party) => Promise<UserLpPosition | undefined>;
}

/** A new wallet with this much of a token and of wrapped SOL. */
export async function partyOn(
  stage: Stage,
  token: { readonly mint: Address; readonly tokenProgram: Address },
  amount: bigint,
  lamports: bigint,
): Promise<Party> {
  const wallet = await stage.createWallet();
  const userTokenAVault = await stage.giveTokens(wallet, token, amount);
  const wrapped = await wrapSol('associated', wallet, lamports);
  await stage.prepare(wrapped.open([]), wallet);
  return { wallet, vaults: { userTokenAVault, userTokenBVault: wrapped.account } };
}

export async function openProSet(
  input: ScenarioInput,
  tokenProgram: Address = TOKEN_PROGRAM_ADDRESS,
): Promise<ProSet> {
  const stage = createStage(await input.ground.open());
  const config = await openConfig(stage, 3);
  const { address: mint } = await generateKeyPairSigner();
  stage.ledger.setMint(mint, tokenProgram, { decimals: 6, supply: SUPPLY });
  const createParty = () => partyOn(stage, { mint, tokenProgram }, SUPPLY / 100n, WRAPPED);
  return {
    input,
    stage,
    config,
    mint,
    tokenProgram,
    creator: await createParty(),
    vaults: {
      tokenAVault: await findAssociatedTokenAddress({ owner: config.address, mint, tokenProgram }),
      tokenBVault: await findAssociatedTokenAddress({
        owner: config.address,
        mint: WRAPPED_SOL_MINT_ADDRESS,
      }),
    },
    createParty,
    send: senderOn(stage, input),
  };
}

/** Parameters that allow everything and set a fee of each kind: LP 1 %, creator 1 %, reflection 0.5 %. */
export const proParams = (
  change: Partial<CreateProLiquidityPoolParams> = {},
): CreateProLiquidityPoolParams => ({
  encodedUserDefinedEventData: '',
  initialTokenAAmount: 400_000_000_000_003n,
  initialTokenBAmount: 100_000_000_007n,
  creatorTradingFee: fee(100),
  reflectionTradingFee: fee(50),
  liquidityProviderTradingFee: fee(100),
  creatorSlotTradingFee: null,
  enableSameSlotTrading: true,
  enableSandwichResistantMode: false,
  enableDepositLiquidity: true,
  enableWithdrawLiquidity: true,
  enableSwap: true,
  enableUpdateCreatorTradingFee: true,
  ...change,
});

/** The accounts that most instructions of a pro pool share, by name. */
export const accountsOf = (
  set: ProSet,
  pool: Address,
  { wallet, vaults }: Party,
): Omit<BuyInput, 'params'> => ({
  ...set.vaults,
  ...vaults,
  tokenAProgram: set.tokenProgram,
  tokenAMint: set.mint,
  protocolConfig: set.config.address,
  liquidityPoolState: pool,
  user: wallet.address,
  chainlinkProgram: set.stage.client.deployment.chainlinkProgram,
  chainlinkFeed: set.stage.client.deployment.solUsdFeed,
});

export const creationOf = (
  set: ProSet,
  params: CreateProLiquidityPoolParams,
  { pool, position }: { readonly pool: Address; readonly position: Address },
  protocolConfigVersion = 3,
) =>
  getCreateProLiquidityPoolInstruction(
    {
      ...accountsOf(set, pool, set.creator),
      payer: set.creator.wallet.address,
      userLpPosition: position,
      protocolConfigVersion,
      params,
    },
    set.stage.client.deployment,
  );

/** How to create a pro pool. Default: with the assumed seeds and the library's instruction. */
export interface CreationBy {
  readonly seeds?: ProofChoice;
  readonly create?: () => Promise<Ran>;
}

/**
 * Creates a pro pool. If the program's log names other addresses than the derived ones, records which candidates of A1 and A2
 * give them, and continues with them.
 *
 * @throws {CannotObserve} if it can't be created
 */
export async function createProPool(
  set: ProSet,
  params: CreateProLiquidityPoolParams = proParams(),
  { seeds: presumed = {}, create }: CreationBy = {},
): Promise<ProPool> {
  const { creator, mint } = set;
  const user = creator.wallet.address;
  const { programAddress } = set.stage.client.deployment;
  const poolUnder = (choice: ProofChoice) =>
    findProPoolAddress({ mint, creator: user }, { programAddress, rules: rulesOf(choice) });
  const positionUnder = (choice: ProofChoice, pool: Address, owner: Address) =>
    findLpPositionAddress({ pool, user: owner }, { programAddress, rules: rulesOf(choice) });
  const named: { pool?: Address; position?: Address } = {};
  let ran: Ran;
  let at: { readonly pool: Address; readonly position: Address };
  do {
    const pool = named.pool ?? (await poolUnder(presumed));
    at = { pool, position: named.position ?? (await positionUnder(presumed, pool, user)) };
    ran = await (create?.() ?? set.send(creationOf(set, params, at), creator.wallet));
  } while (isRenamed(ran, named));
  if (!ran.ok && named.pool === undefined) throw new CannotObserve(`a creation fails with ${ran.reason}`);
  if (ran.ok && ran.after(at.pool)?.owner !== programAddress) throw new CannotObserve(NOTHING_MOVED);

  const first = await observeSeeds(set, 'A1', at.pool, poolUnder, proSeeds(mint, user));
  // A failure after the check of the pool's address says nothing about the position's, unless the log names it.
  const second =
    ran.ok || named.position !== undefined
      ? await observeSeeds(
          set,
          'A2',
          at.position,
          (choice) => positionUnder(choice, at.pool, user),
          positionSeeds(at.pool, user),
        )
      : {};
  if (!ran.ok) throw new CannotObserve(`a creation fails with ${ran.reason}`);
  const seeds = { ...first, ...second };
  const dataAt = (address: Address) => set.stage.ledger.getAccount(address)?.data;
  const positions = new Map([[user, at.position]]);
  const positionOf = async (party: Party): Promise<Address> => {
    const { address } = party.wallet;
    const known = positions.get(address);
    if (known !== undefined) return known;
    const derived = await positionUnder(seeds, at.pool, address);
    const position = 'A2' in seeds ? derived : await namedPosition(set, at.pool, party, derived);
    positions.set(address, position);
    return position;
  };
  return {
    ...set,
    pool: at.pool,
    creation: ran,
    seeds,
    state: () => decodeLiquidityPoolState(dataAt(at.pool) ?? new Uint8Array(), at.pool),
    positionOf,
    positionState: async (party) => {
      const data = dataAt(await positionOf(party));
      return data && decodeUserLpPosition(data);
    },
  };
}

/** The address that the program expects for a party's LP position if its seeds are unknown: the log of a deposit names it. */
async function namedPosition(set: ProSet, pool: Address, party: Party, derived: Address): Promise<Address> {
  const probe = getAddLiquidityProPoolInstruction(
    {
      ...accountsOf(set, pool, party),
      payer: party.wallet.address,
      userLpPosition: derived,
      params: { maxTokenA: 1_000_000n, maxTokenB: 1_000_000n, minLpTokens: 0n },
    },
    set.stage.client.deployment,
  );
  const { logs } = await set.send(probe, party.wallet);
  const mismatch = readSeedsMismatch(logs);
  return mismatch?.account === 'user_lp_position' ? mismatch.expected : derived;
}

/** Whether a creation failed because the program expects another address. Stores the one that the log names in `named`. */
function isRenamed(ran: Ran, named: { pool?: Address; position?: Address }): boolean {
  const mismatch = ran.code === SEEDS_CODE ? readSeedsMismatch(ran.logs) : undefined;
  if (mismatch?.account === 'liquidity_pool_state' && named.pool === undefined) {
    named.pool = mismatch.expected;
    return true;
  }
  if (mismatch?.account === 'user_lp_position' && named.position === undefined) {
    named.position = mismatch.expected;
    return true;
  }
  return false;
}

/** Anchor's ConstraintSeeds. */
const SEEDS_CODE = 2006;

/** Records which candidate gives an address that the program accepted or named. */
async function observeSeeds(
  { input, stage, config }: ProSet,
  id: 'A1' | 'A2',
  address: Address,
  under: (choice: ProofChoice) => Promise<Address>,
  known: Parameters<typeof recognizeSeeds>[0],
): Promise<ProofChoice> {
  const candidates = await Promise.all(
    questionOf(id).candidates.map(async ({ name, words }) => ({
      name,
      words,
      address: await under({ [id]: name }),
    })),
  );
  const match = candidates.find((candidate) => candidate.address === address);
  const found =
    match?.words ??
    (await recognizeSeeds(known, address, stage.client.deployment.programAddress))?.words ??
    'other seeds than any that are known';
  const [subject, what] =
    id === 'A1'
      ? (['pool', 'the pool of a creation'] as const)
      : (['position', "its creator's LP position"] as const);
  observe(
    input.journal,
    { kind: `seeds of a ${subject}`, what: `${what}${config.edited}`, size: 0n, ids: [id] },
    found,
    (_, choice) => candidates.find(({ name }) => name === choice[id])?.words ?? '',
  );
  return match === undefined ? {} : { [id]: match.name };
}

/** A buy of token A for this many lamports, without a minimum. */
export const proBuyOf = (pool: ProPool, party: Party, lamports: bigint): Instruction =>
  getProBuyInstruction(
    {
      ...accountsOf(pool, pool.pool, party),
      params: { maxSolSpend: lamports, minimumAmountOut: 1n, encodedUserDefinedEventData: '' },
    },
    pool.stage.client.deployment,
  );

import { BPS, U64_MAX } from '../../../math/integers.js';
import { decodeLiquidityPoolState } from '../../../program/accounts.js';
import { TOKEN_2022_PROGRAM_ADDRESS } from '../../../solana/programs.js';
import { CannotObserve } from '../journal.js';
import type { ProofQuestionId } from '../questions.js';
import type { ProvingPool, Scenario, ScenarioInput } from '../scenario.js';
import { addTransferFee, editData, editPool, setTransferFee } from './account-edits.js';
import { observeExactOut } from './exact-out.js';
import { logUniform } from './random.js';
import { createTradeScene, type TradeScene } from './trade-scene.js';
import { tradeInSlots } from './trade-slots.js';

interface TransferFeesOptions {
  /** How many rates to try. Each takes about seven trades. */
  readonly rates: number;
}

const QUESTIONS = [
  'buy',
  'sell',
  'exact-out',
  'event',
  'counters',
] as const satisfies readonly ProofQuestionId[];
const SLOTS = [0n, 1n, 2n, 3n, 4n] as const;
/** 0.01 SOL. */
const SOME_LAMPORTS = 10_000_000n;

/** Trades of a token with a transfer fee. The mint is edited in place because few tokens on chain have one. */
export const transferFees = ({ rates }: TransferFeesOptions): Scenario => ({
  name: 'trades of a token with transfer fees',
  questions: QUESTIONS,
  run: async (input) => {
    const { ground, journal } = input;
    const pools = ground.pools.filter(({ tokenProgram }) => tokenProgram === TOKEN_2022_PROGRAM_ADDRESS);
    if (pools.length === 0)
      journal.skip(QUESTIONS, 'no pool has a token of Token-2022, which alone can have transfer fees');
    let isDone = false;
    for (const pool of pools) {
      if (isDone) return;
      await journal.attempt(QUESTIONS, async () => {
        const scene = await createTaxedScene(input, pool);
        isDone = true;
        for (let round = 0; round < rates; round++) await tradeTaxed(input, scene, round);
      });
    }
  },
});

/** @throws {CannotObserve} if the edited token can't be traded even with a fee of zero */
async function createTaxedScene(input: ScenarioInput, pool: ProvingPool): Promise<TradeScene> {
  const open = async () => {
    const ledger = await input.ground.open();
    const data = ledger.getAccount(pool.pool)?.data;
    if (data === undefined) throw new CannotObserve(`the pool ${pool.pool} is missing`);
    addTransferFee(ledger, pool.mint, decodeLiquidityPoolState(data, pool.pool).tokenAVault);
    return ledger;
  };
  const scene = await createTradeScene({ ...input, ground: { ...input.ground, open } }, pool);
  setFee(scene, 0, 0n);
  const wallet = scene.nextWallet();
  const ran = await scene.stage.run(await scene.build('buy', SOME_LAMPORTS, wallet), wallet.signer);
  if (!ran.ok)
    throw new CannotObserve(`a buy of a token that is edited to have transfer fees fails with ${ran.reason}`);
  return scene;
}

const setFee = ({ stage, addresses }: TradeScene, basisPoints: number, maximum: bigint): void =>
  editData(stage.ledger, addresses.mint, (data) => setTransferFee(data, basisPoints, maximum));

/** Trades at a random rate, every other time with a maximum fee, including the amount at which the maximum applies. */
async function tradeTaxed(input: ScenarioInput, scene: TradeScene, round: number): Promise<void> {
  const { random, journal } = input;
  scene.nextRound();
  // Windows are a different question.
  editPool(scene.stage.ledger, scene.addresses.pool, () => ({ featureFlags: { sandwichResistantMode: 0 } }));
  const { reserveA } = scene.snapshot();
  const basisPoints = Math.floor(random() * 1_000) + 1;
  const hasMaximum = round % 2 === 1;
  const maximum = hasMaximum ? logUniform(random, 1_000n, reserveA / 10_000n) : U64_MAX;
  setFee(scene, basisPoints, maximum);
  await observeExactOut(input, scene, logUniform(random, 1n, reserveA / 2n));
  await tradeInSlots(input, scene, { slots: SLOTS });
  if (!hasMaximum) return;
  const last = (maximum * BPS) / BigInt(basisPoints);
  for (const amount of [last, last + 1n])
    await journal.attempt(QUESTIONS, async () => {
      const range = scene.range('sell');
      if (range !== undefined && range.least <= amount && amount <= range.most)
        await scene.trade('sell', amount);
    });
}

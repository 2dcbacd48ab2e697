import { type AccountMeta, type Address, bytesEqual, type Instruction } from '@solana/kit';

import { allInstructions } from '../../../build/assemble.js';
import { U64_MAX } from '../../../math/integers.js';
import { view } from '../../../solana/account-data.js';
import { SYSTEM_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../../../solana/programs.js';
import { CannotObserve } from '../journal.js';
import type { Side } from '../predict.js';
import type { ProofQuestionId } from '../questions.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import { setTokens } from '../stage.js';
import { editPool } from './account-edits.js';
import { NOTHING_MOVED } from './scene.js';
import { createTradeScene, type TradeScene, type TradeWallet } from './trade-scene.js';

/** Positions in a swap's list of accounts. */
const ACCOUNTS = {
  tokenAMint: 6,
  tokenAVault: 10,
  tokenBVault: 11,
  priceProgram: 14,
  priceFeed: 15,
} as const;
/** The offsets in a swap's data of the amount, and of the minimum that follows it. */
const AMOUNT_OFFSET = 8;
const MINIMUM_OFFSET = 16;
/** 0.1 SOL. */
const SOME_LAMPORTS = 100_000_000n;
const A_DAY = 86_400n;

type Change = (swap: Instruction, scene: TradeScene, wallet: TradeWallet) => readonly Instruction[];

/** How to provoke a failure. */
interface Provocation {
  readonly what: string;
  readonly side?: Side;
  readonly expected: number;
  /** Whether the pool can show it. Default: yes. */
  readonly isPossible?: (scene: TradeScene) => boolean;
  /** Runs after the transaction is built and before it is executed. */
  readonly edit?: (scene: TradeScene, wallet: TradeWallet) => unknown;
  /** Replaces the built instructions. */
  readonly change?: Change;
}

const ASKED: readonly ProofQuestionId[] = ['A3.pro_buy', 'A3.pro_sell'];

/** What must fail, with the error code that is documented or presumed. */
export const tradeFailures = (): Scenario => ({
  name: 'trades that must fail',
  questions: ASKED,
  run: async (input) => {
    const { ground, journal } = input;
    for (const kind of ['standard', 'pro'] as const) {
      const pools = ground.pools.filter((candidate) => candidate.kind === kind);
      let isDone = false;
      for (const pool of pools) {
        await journal.attempt(kind === 'pro' ? ASKED : [], async () => {
          if (isDone) return;
          const scene = await createTradeScene(input, pool);
          await assertTrades(input, scene);
          for (const provocation of PROVOCATIONS) await provoke(input, scene, provocation);
          for (const side of ['buy', 'sell'] as const) await observeWithoutPrice(input, scene, side);
          isDone = true;
        });
      }
      if (kind === 'pro' && pools.length === 0) journal.skip(ASKED, 'there is no pro pool');
    }
  },
});

/** Makes a trade on each side. If these don't succeed, failures prove nothing. */
async function assertTrades(input: ScenarioInput, scene: TradeScene): Promise<void> {
  for (const side of ['buy', 'sell'] as const) {
    const found = await outcomeOf(input, scene, { what: '', side, expected: 0 });
    if (found !== SUCCESS) throw new CannotObserve(`a ${side} ends so: ${found}`);
  }
}

const SUCCESS = 'it succeeds';

/** The result of a provoked trade: its custom error code, or words. `undefined` if such a trade isn't possible. */
async function outcomeOf(
  { progress }: ScenarioInput,
  scene: TradeScene,
  { side = 'buy', edit, change }: Provocation,
): Promise<number | string | undefined> {
  const { stage, addresses } = scene;
  scene.nextRound();
  const range = scene.range(side);
  if (range === undefined) return undefined;
  const wanted = side === 'buy' ? SOME_LAMPORTS : range.least * 1_000n;
  const amount = wanted > range.most ? range.most : wanted;
  const wallet = scene.nextWallet();
  const built = await scene.build(side, amount < range.least ? range.least : amount, wallet);
  await edit?.(scene, wallet);
  const isSwap = ({ programAddress }: Instruction) => programAddress === addresses.programAddress;
  const changed =
    change === undefined
      ? built
      : allInstructions(built).flatMap((one) => (isSwap(one) ? change(one, scene, wallet) : [one]));
  const ran = await stage.run(changed, wallet.signer);
  progress();
  if (!ran.ok) return ran.code ?? ran.reason;
  const [before, after] = [ran.before(addresses.pool)?.data, ran.after(addresses.pool)?.data];
  return before !== undefined && after !== undefined && bytesEqual(before, after) ? NOTHING_MOVED : SUCCESS;
}

async function provoke(input: ScenarioInput, scene: TradeScene, provocation: Provocation): Promise<void> {
  const { what, expected, isPossible } = provocation;
  if (isPossible?.(scene) === false) return;
  await input.journal.attempt([], async () => {
    const found = await outcomeOf(input, scene, provocation);
    if (found !== undefined)
      input.journal.fail({ what: `${what} (${scene.pool.kind} pool)`, expected, found });
  });
}

/** [Assumption A3](/protocol#assumptions): whether a swap in a pro pool works without the two accounts of the price. */
async function observeWithoutPrice(input: ScenarioInput, scene: TradeScene, side: Side): Promise<void> {
  if (scene.pool.kind !== 'pro') return;
  const { journal } = input;
  const id = `A3.pro_${side}` as const;
  const found = await outcomeOf(input, scene, { what: '', side, expected: 0, change: withoutPrice });
  if (found === undefined || found === NOTHING_MOVED) {
    journal.skip([id], found ?? `the pool can't take a ${side}`);
    return;
  }
  const ends = found === SUCCESS ? SUCCESS : 'it fails';
  journal.observe({
    kind: `pro ${side} without the price accounts`,
    what: `a pro_${side} without the price accounts in ${scene.pool.pool}, which ends with ${found}`,
    size: 0n,
    found: ends,
    predictions: [
      { choice: { [id]: 'pair' }, expected: 'it fails' },
      { choice: { [id]: 'none' }, expected: SUCCESS },
    ],
  });
}

const withoutPrice: Change = (swap) => [
  { ...swap, accounts: swap.accounts?.slice(0, ACCOUNTS.priceProgram) ?? [] },
];

function withU64(swap: Instruction, offset: number, value: (before: bigint) => bigint): Instruction {
  const data = Uint8Array.from(swap.data ?? []);
  const fields = view(data);
  fields.setBigUint64(offset, value(fields.getBigUint64(offset, true)), true);
  return { ...swap, data };
}

const withAccount = (swap: Instruction, index: number, address: Address): Instruction => ({
  ...swap,
  accounts: (swap.accounts ?? []).map((meta, k): AccountMeta => (k === index ? { ...meta, address } : meta)),
});

const minimum = (side: Side): Provocation => ({
  what: `a ${side} that gives less than its minimum`,
  side,
  expected: 6013,
  change: (swap) => [withU64(swap, MINIMUM_OFFSET, () => U64_MAX)],
});

const nothing = (side: Side): Provocation => ({
  what: `a ${side} of 0`,
  side,
  expected: 6032,
  change: (swap) => [withU64(swap, AMOUNT_OFFSET, () => 0n)],
});

const wrongAccount = (
  what: string,
  index: keyof typeof ACCOUNTS,
  expected: number,
  address: (scene: TradeScene, wallet: TradeWallet) => Address,
): Provocation => ({
  what: `a buy with ${what}`,
  expected,
  change: (swap, scene, wallet) => [withAccount(swap, ACCOUNTS[index], address(scene, wallet))],
});

/** Buys with more SOL than was ever paid in. */
const tooMuch: Provocation = {
  what: 'a sell that would take virtual SOL',
  side: 'sell',
  expected: 6012,
  isPossible: (scene) => scene.snapshot().virtualReserveB > 0n && amountBeyond(scene) !== undefined,
  edit: (scene, { tokenAccount }) => setTokens(scene.stage.ledger, tokenAccount, amountBeyond(scene) ?? 0n),
  change: (swap, scene) => [withU64(swap, AMOUNT_OFFSET, (before) => amountBeyond(scene) ?? before)],
};

/** An amount to sell that the pool can't pay for. `undefined` if the pool can't hold that many tokens. */
function amountBeyond(scene: TradeScene): bigint | undefined {
  const most = scene.range('sell')?.most;
  const { reserveA } = scene.snapshot();
  return most === undefined || most * 4n + reserveA > U64_MAX ? undefined : most * 2n;
}

/** Buys and sells with one wallet in one slot, which the pool forbids. */
const roundTrip: Provocation = {
  what: 'a sell in the slot in which the wallet bought',
  side: 'sell',
  expected: 6053,
  isPossible: ({ pool }) => pool.kind === 'pro',
  edit: async (scene, wallet) => {
    const { stage, addresses } = scene;
    editPool(stage.ledger, addresses.pool, ({ allowlist }) => ({
      allowlist: { ...allowlist, sameSlotTrading: 0 },
    }));
    await stage.prepare(await scene.build('buy', SOME_LAMPORTS, wallet), wallet.signer);
  },
};

const PROVOCATIONS: readonly Provocation[] = [
  minimum('buy'),
  minimum('sell'),
  nothing('buy'),
  nothing('sell'),
  {
    what: 'a buy where swapping is switched off',
    expected: 6018,
    edit: ({ stage, addresses }) =>
      editPool(stage.ledger, addresses.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } })),
  },
  {
    what: 'a buy before the pool opens',
    expected: 6019,
    edit: ({ stage, addresses }) =>
      editPool(stage.ledger, addresses.pool, ({ info }) => ({
        info: { ...info, openAt: stage.ledger.unixTimestamp + A_DAY },
      })),
  },
  {
    what: 'two buys in one transaction',
    expected: 6053,
    change: (swap) => {
      const half = withU64(swap, AMOUNT_OFFSET, (amount) => amount / 2n);
      return [half, half];
    },
  },
  roundTrip,
  tooMuch,
  wrongAccount('another price feed', 'priceFeed', 6036, ({ addresses }) => addresses.mint),
  wrongAccount('another price program', 'priceProgram', 6037, () => SYSTEM_PROGRAM_ADDRESS),
  wrongAccount('another vault of the token', 'tokenAVault', 2012, (_, { tokenAccount }) => tokenAccount),
  wrongAccount('another vault of wrapped SOL', 'tokenBVault', 2012, (_, { tokenAccount }) => tokenAccount),
  wrongAccount('another mint', 'tokenAMint', 2012, () => WRAPPED_SOL_MINT_ADDRESS),
  {
    what: 'a buy without the price accounts',
    expected: 6037,
    isPossible: ({ pool }) => pool.kind === 'standard',
    change: withoutPrice,
  },
];

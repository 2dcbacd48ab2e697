import { createKeyPairSignerFromPrivateKeyBytes, generateKeyPairSigner, signTransaction } from '@solana/kit';
import { Rent } from 'litesvm';
import { describe, expect, test } from 'vitest';
import { explainTransactionFailure, fetchPoolSnapshot, type WrapSol } from '../../src/index.js';
import { TOKEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { locatorOf } from '../support/ledger.js';
import {
  createWorld,
  existing,
  feeOf,
  POOL_NAMES,
  POOLS,
  type PoolName,
  WRAPPED_SOL_RENT,
} from './harness.js';
import { buy, STRATEGIES, sell, settle, swapOf } from './trades.js';

// What is left of a wallet's SOL, tokens and wrapped SOL after a trade, with the real programs around the exchange's instruction.

const SPENT = 1_500_000_000n;
/** Of a vault's member, who pays the fee. */
const MEMBER_LAMPORTS = 10_000_000_000n;
const HELD = 2_000_000_000n;
/** More than two sells take, with 9 decimals. */
const TOKENS = 10_000_000_000_000_000n;
const VERSIONS = [0, 1] as const;
const TRADES = { buy, sell } as const;

interface Case {
  readonly side: keyof typeof TRADES;
  readonly wrapSol: WrapSol;
  /** What the wallet holds at first, besides SOL and the tokens of a sell: wrapped SOL, and another account to trade from. */
  readonly holds: readonly ('wrapped' | 'source')[];
  /** What comes of it if the exchange takes `paid` and gives `received`. */
  readonly after: (moved: { readonly paid: bigint; readonly received: bigint }) => {
    /** The change of SOL, besides the fee and a new token account. */
    readonly sol: bigint;
    /** The balance of the wrapped SOL account, if there is one. */
    readonly wrapped?: bigint;
    readonly source?: bigint;
  };
}

/** Closing the account unwraps what was in it before. */
const UNWRAPPED = HELD + WRAPPED_SOL_RENT;
const UNTOUCHED = { sol: 0n, wrapped: HELD };
type Moves = readonly [wrapSol: WrapSol, holds: Case['holds'], after: Case['after']];
const buying = (...[wrapSol, holds, after]: Moves): Case => ({ side: 'buy', wrapSol, holds, after });
const selling = (...[wrapSol, holds, after]: Moves): Case => ({ side: 'sell', wrapSol, holds, after });

const CASES: readonly Case[] = [
  buying('associated', [], ({ paid }) => ({ sol: -paid })),
  buying('associated', ['wrapped'], ({ paid }) => ({ sol: UNWRAPPED - paid })),
  buying('temporary', [], ({ paid }) => ({ sol: -paid })),
  buying('temporary', ['wrapped'], ({ paid }) => ({ sol: -paid, wrapped: HELD })),
  buying('none', ['wrapped'], ({ paid }) => ({ sol: 0n, wrapped: HELD - paid })),
  buying('associated', ['wrapped', 'source'], ({ paid }) => ({ ...UNTOUCHED, source: HELD - paid })),
  selling('associated', [], ({ received }) => ({ sol: received })),
  selling('associated', ['wrapped'], ({ received }) => ({ sol: UNWRAPPED + received })),
  selling('temporary', [], ({ received }) => ({ sol: received })),
  selling('temporary', ['wrapped'], ({ received }) => ({ sol: received, wrapped: HELD })),
  selling('none', [], ({ received }) => ({ sol: -WRAPPED_SOL_RENT, wrapped: received })),
  selling('none', ['wrapped'], ({ received }) => ({ sol: 0n, wrapped: HELD + received })),
  ...STRATEGIES.map((wrapSol) =>
    selling(wrapSol, ['source'], ({ paid, received }) => ({
      ...(wrapSol === 'none' ? { sol: -WRAPPED_SOL_RENT, wrapped: received } : { sol: received }),
      source: TOKENS - paid,
    })),
  ),
];

/** A wallet that holds what a case says, and its trade. */
async function arrange(name: PoolName, { side, wrapSol, holds }: Case, hasVault = false) {
  const world = await createWorld(name, { hasVault });
  const source = holds.includes('source') ? (await generateKeyPairSigner()).address : undefined;
  if (holds.includes('wrapped')) world.giveWrappedSol(HELD);
  if (side === 'sell') world.giveTokens(TOKENS);
  if (source !== undefined && side === 'sell') world.giveTokens(TOKENS, source);
  if (source !== undefined && side === 'buy') world.giveWrappedSol(HELD, source);
  const trade = (transactionVersion: 0 | 1) =>
    TRADES[side](world, {
      transactionVersion,
      wrapSol: source === undefined || side === 'sell' ? wrapSol : undefined,
      source,
      feePayer: hasVault ? world.wallet.address : undefined,
    });
  /** The holdings after a transaction with this fee. */
  const expected = ({ side, after }: Case, paid: bigint, received: bigint, fee: bigint) => {
    const { sol: start } = world.holdings();
    const { sol, wrapped, source: left } = after({ paid, received });
    const isFromSource = side === 'sell' && source !== undefined;
    const tokens = side === 'buy' ? received : isFromSource ? TOKENS : TOKENS - paid;
    const opened = side === 'buy' ? POOLS[name].accountRent : 0n;
    return {
      sol: start + sol - fee - opened,
      tokens: {
        [world.tokenAccount]: tokens,
        ...(wrapped === undefined ? {} : { [world.wrappedSolAccount]: wrapped }),
        ...(source === undefined ? {} : { [source]: left }),
      },
    };
  };
  return { world, trade, expected };
}

describe.each(POOL_NAMES)('in the %s pool', (name) => {
  describe.each(CASES)('a $side with wrapSol $wrapSol, holding $holds', (one) => {
    test.each(VERSIONS)('moves what the exchange takes and gives (version %i)', async (version) => {
      const { world, trade, expected } = await arrange(name, one);
      const built = await trade(version);
      expect(built.built.version).toBe(version);
      // The bank stands in for the exchange, and signs too.
      const after = expected(one, built.paid, built.received, feeOf({ signatures: 2n }));
      await settle(world, built);
      expect(world.holdings()).toEqual(after);
    });

    test('costs the fee alone if the exchange does nothing, and takes half the compute units at most', async () => {
      const { world, trade, expected } = await arrange(name, one);
      const { built } = await trade(0);
      const after = expected(one, 0n, 0n, feeOf());
      const result = await world.send(built);
      expect(world.holdings()).toEqual(after);
      expect(result.computeUnitsConsumed()).toBeLessThan(100_000n);
    });
  });

  test.each(['associated', 'temporary'] as const)('a buy wraps what it spends (%s)', async (wrapSol) => {
    const world = await createWorld(name);
    const trade = await buy(world, { wrapSol });
    // The Token program's error 1 is "insufficient funds".
    await expect(settle(world, { ...trade, paid: SPENT + 1n })).rejects.toThrow('Custom(1)');
    const { sol } = world.holdings();
    await settle(world, { ...trade, paid: SPENT - 1n });
    const cost = feeOf({ signatures: 2n }) + POOLS[name].accountRent + SPENT - 1n;
    expect(world.holdings().sol).toBe(sol - cost);
  });

  test('accounts are made once, as their programs want them', async () => {
    const { tokenProgram, accountSize, accountRent } = POOLS[name];
    const world = await createWorld(name);
    const { sol } = world.holdings();
    for (const trade of [buy, buy, sell, sell]) {
      if (trade === sell) world.giveTokens(TOKENS);
      await world.send((await trade(world, trade === sell ? { wrapSol: 'none' } : {})).built);
    }
    expect(world.holdings().sol).toBe(sol - 4n * feeOf() - accountRent - WRAPPED_SOL_RENT);
    const own = { programAddress: tokenProgram, space: accountSize };
    expect(existing(world.svm, world.tokenAccount)).toMatchObject(own);
    const wrapped = { programAddress: TOKEN_PROGRAM_ADDRESS, lamports: WRAPPED_SOL_RENT, space: 165n };
    expect(existing(world.svm, world.wrappedSolAccount)).toMatchObject(wrapped);
  });

  test('temporary accounts are others each time, and gone afterwards', async () => {
    const world = await createWorld(name);
    const trades = [await buy(world, { wrapSol: 'temporary' }), await buy(world, { wrapSol: 'temporary' })];
    const [first, second] = trades.map(({ built }) => swapOf(built).accounts.userTokenBVault.address);
    await settle(world, trades[0]!);
    expect(world.svm.getAccount(first!)).toMatchObject({ exists: false });
    expect(new Set([first, second, world.wrappedSolAccount]).size).toBe(3);
  });
});

describe.each(CASES)('a $side of a vault with wrapSol $wrapSol, holding $holds', (one) => {
  test.each(VERSIONS)('moves as much through inner instructions (version %i)', async (version) => {
    const { world, trade, expected } = await arrange('creator', one, true);
    const built = await trade(version);
    expect(built.built.requiredSigners).toEqual([world.wallet.address]);
    const after = expected(one, built.paid, built.received, 0n);
    await settle(world, built);
    expect(world.holdings()).toEqual(after);
    expect(world.svm.getBalance(world.wallet.address)).toBe(MEMBER_LAMPORTS - feeOf({ signatures: 2n }));
  });
});

const SEED = new Uint8Array(32).fill(7);

describe.each(VERSIONS)('a sponsor of a trade in version %i', (transactionVersion) => {
  describe.each(STRATEGIES)('with wrapSol %s', (wrapSol) => {
    test.each([
      ['buy', undefined],
      ['buy', 'feePayer'],
      ['sell', undefined],
      ['sell', 'feePayer'],
    ] as const)('of a %s pays the fee, and rent only as %s', async (side, rentPayer) => {
      const world = await createWorld('creator');
      const sponsor = await createKeyPairSignerFromPrivateKeyBytes(SEED);
      world.svm.airdrop(sponsor.address, SPENT as never);
      if (side === 'sell') world.giveTokens(TOKENS);
      if (side === 'buy' && wrapSol === 'none') world.giveWrappedSol(HELD);
      const options = { feePayer: sponsor, payer: world.wallet, rentPayer, transactionVersion, wrapSol };
      const trade = () => TRADES[side](world, options);
      const opened = side === 'buy' ? POOLS.creator.accountRent : wrapSol === 'none' ? WRAPPED_SOL_RENT : 0n;
      const [ofSponsor, ofTrader] = rentPayer === 'feePayer' ? [opened, 0n] : [0n, opened];
      const { sol } = world.holdings();

      // The bank stands in for the exchange, and signs too.
      const moved = await trade();
      await settle(world, moved, sponsor);
      expect(world.svm.getBalance(sponsor.address)).toBe(SPENT - feeOf({ signatures: 3n }) - ofSponsor);
      const swapped = wrapSol === 'none' ? 0n : side === 'buy' ? -moved.paid : moved.received;
      expect(world.holdings().sol).toBe(sol + swapped - ofTrader);

      const { built } = await trade();
      expect(built.requiredSigners).toEqual([sponsor.address, world.wallet.address]);
      world.sendSigned(await signTransaction([world.wallet.keyPair, sponsor.keyPair], built.transaction));
    });
  });
});

// The rates that mainnet has had and will have, and (170 + 128) bytes.
describe.each([
  { rate: 6_960n, tokenAccountRent: 2_074_080n },
  { rate: 2_575n, tokenAccountRent: 767_350n },
])('a temporary account at $rate lamports per byte', ({ rate, tokenAccountRent }) => {
  const FEE = feeOf({ signatures: 2n });

  test.each([false, true])('of a buy holds what is spent (given a snapshot: %s)', async (isGiven) => {
    const world = await createWorld('community', { lamportsPerByte: rate });
    const snapshot = isGiven ? await fetchPoolSnapshot(world.client, locatorOf(world.pool)) : undefined;
    const { sol } = world.holdings();
    await settle(world, await buy(world, { wrapSol: 'temporary', snapshot }));
    expect(world.holdings().sol).toBe(sol - FEE - tokenAccountRent - SPENT);
  });

  test('of a sell gives back all that was put in, with what was earned', async () => {
    const world = await createWorld('community', { lamportsPerByte: rate });
    world.giveTokens(2_500_000_000_000_000n);
    const { sol } = world.holdings();
    const trade = await sell(world, { wrapSol: 'temporary' });
    await settle(world, trade);
    const tokens = { [world.tokenAccount]: 0n };
    expect(world.holdings()).toEqual({ sol: sol - FEE + trade.received, tokens });
  });

  test('costs nothing if the rate falls before the transaction lands', async () => {
    const world = await createWorld('community', { lamportsPerByte: rate });
    const { sol } = world.holdings();
    const trade = await buy(world, { wrapSol: 'temporary' });
    world.svm.setRent(new Rent(1_000n, 1, 50));
    await settle(world, trade);
    expect(world.holdings().sol).toBe(sol - FEE - 298_000n - SPENT);
  });
});

describe.each(POOL_NAMES)('a sell of all in the %s pool that closes the token account', (name) => {
  const SOLD = 2_500_000n * 10n ** BigInt(POOLS[name].decimals);
  const arranged = async (wrapSol?: WrapSol) => {
    const world = await createWorld(name);
    world.giveTokens(SOLD);
    return { world, trade: await sell(world, { wrapSol, closeTokenAccount: true }) };
  };

  test.each(STRATEGIES)('gives back its rent, to the lamport: wrapSol %s', async (wrapSol) => {
    const { world, trade } = await arranged(wrapSol);
    const { sol } = world.holdings();
    await settle(world, trade);
    const [proceeds, tokens] =
      wrapSol === 'none'
        ? [-WRAPPED_SOL_RENT, { [world.wrappedSolAccount]: trade.received }]
        : [trade.received, {}];
    const left = sol - feeOf({ signatures: 2n }) + proceeds + POOLS[name].accountRent;
    expect(world.holdings()).toEqual({ sol: left, tokens });
  });

  test('fails if anything arrives in between, and says to sell again without closing', async () => {
    const { world, trade } = await arranged();
    world.giveTokens(SOLD + 1n);
    const closing = trade.built.computeBudget.length + trade.built.instructions.length;
    await expect(settle(world, trade)).rejects.toThrow(`InstructionError(${closing}, Custom(11))`);
    const err = { InstructionError: [closing, { Custom: 11 }] };
    const instructionPrograms = Array(closing + 1).fill(POOLS[name].tokenProgram);
    expect(explainTransactionFailure({ err, instructionPrograms })?.message).toContain(
      'Build the sale again: the account then stays open.',
    );
  });
});

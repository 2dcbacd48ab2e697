import { getCloseAccountInstruction } from '@solana-program/token';
import { describe, expect, test } from 'vitest';

import { buildSell, quoteSell } from '../../src/index.js';
import { encodeMint } from '../../src/testing/index.js';
import { U64_MAX } from '../support/amounts.js';
import { createWorld, existing, feeOf, POOLS } from './harness.js';
import { buy, sell, settle, settled, swapOf } from './trades.js';

const TOKENS = 10_000_000_000_000_000n;
const FEE_OF_TWO = feeOf({ signatures: 2n });

/** A pool whose token withholds a part of every transfer. */
async function createTaxedWorld(basisPoints: number, maximum: bigint) {
  const world = await createWorld('creator');
  const setting = { epoch: 0n, basisPoints, maximum };
  const transferFee = { older: setting, newer: setting };
  const mint = encodeMint({ decimals: 9, supply: 925_699_119_637_156_028n, transferFee });
  world.place(world.pool.mint, world.pool.tokenProgram, mint);
  return world;
}

test('fees that a buy left in the token account keep it open: the program itself would not close it', async () => {
  const world = await createTaxedWorld(150, U64_MAX);
  const bought = await buy(world);
  await settle(world, { ...bought, received: bought.received + bought.withheld });
  const { mint, configVersion } = world.pool;
  const quoteResponse = await quoteSell(world.client, {
    ...{ mint, configVersion, slippageBps: 50 },
    amountIn: bought.received,
  });
  const { address: payer } = world.wallet;
  // The world's ledger has not seen the buy.
  const { data } = existing(world.svm, world.tokenAccount);
  world.place(world.tokenAccount, world.pool.tokenProgram, Uint8Array.from(data));
  const built = await buildSell(world.client, { payer, quoteResponse, closeTokenAccount: true });
  const [warning] = built.warnings.filter(({ code }) => code === 'account-stays-open');
  expect(warning?.message).toContain(`${bought.withheld} native units of withheld transfer fees`);
  const closing = getCloseAccountInstruction(
    { account: world.tokenAccount, destination: payer, owner: world.wallet },
    { programAddress: world.pool.tokenProgram },
  );
  const trade = { ...bought, built, paid: bought.received, received: quoteResponse.details.amountOut };
  const instructions = settled(world, trade);
  await expect(world.run([...instructions, closing])).rejects.toThrow(`(${instructions.length}, Custom(35))`);
  await world.run(instructions);
});

describe.each([
  ['1.5 %', 150, U64_MAX],
  ['0.01 %', 1, U64_MAX],
  ['99.99 %', 9_999, U64_MAX],
  ['1.5 %, at most 1000 units', 150, 1_000n],
])('with a Token-2022 transfer fee of %s', (_, basisPoints, maximum) => {
  test('what a buy is quoted is what the wallet gets', async () => {
    const world = await createTaxedWorld(basisPoints, maximum);
    const { sol } = world.holdings();
    const trade = await buy(world);
    const { received, withheld } = trade;
    expect(withheld).toBeGreaterThan(0n);
    await settle(world, { ...trade, received: received + withheld });
    const left = sol - FEE_OF_TWO - POOLS.creator.accountRent - trade.paid;
    expect(world.holdings()).toEqual({ sol: left, tokens: { [world.tokenAccount]: received } });
  });

  test('what a sell is quoted for is what the pool gets', async () => {
    const world = await createTaxedWorld(basisPoints, maximum);
    world.giveTokens(TOKENS);
    const trade = await sell(world);
    const vault = swapOf(trade.built).accounts.tokenAVault.address;
    const before = world.balance(vault);
    await settle(world, trade);
    expect(world.balance(vault)).toBe(before + trade.paid - trade.withheld);
    expect(world.balance(world.tokenAccount)).toBe(TOKENS - trade.paid);
  });
});

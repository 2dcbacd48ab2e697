import { generateKeyPairSigner } from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { describe, expect, test } from 'vitest';

import { maximumSpend } from '../../src/index.js';
import { findAssociatedTokenAddress, TOKEN_2022_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { encodeMint } from '../../src/testing/index.js';
import { OTHER } from '../support/addresses.js';
import { createWorld, existing, POOL_NAMES, type World, WRAPPED_SOL_RENT } from './harness.js';
import { buy, STRATEGIES, settle } from './trades.js';

/** The bank's signature, which a settled trade has besides. */
const BANK_SIGNATURE = 5_000n;
/** Of an account without data: 128 bytes. */
const WALLET_RENT = 650_240n;
const HELD = 2_000_000_000n;

/** The ledger knows what the machine holds; the wallet's balance without the fee for the bank's signature. */
function mirror({ svm, ledger, wallet, tokenAccount, wrappedSolAccount }: World) {
  ledger.setBalance(wallet.address, (svm.getBalance(wallet.address) ?? 0n) - BANK_SIGNATURE);
  for (const address of [tokenAccount, wrappedSolAccount]) {
    const account = svm.getAccount(address);
    if (!account.exists) continue;
    const { programAddress: owner, data, lamports } = account;
    ledger.setAccount(address, { owner, data: Uint8Array.from(data), lamports });
  }
}

describe.each(POOL_NAMES)('the most that a buy in the %s pool can spend', (name) => {
  describe.each(STRATEGIES)('with wrapSol %s', (wrapSol) => {
    test.each<[string, { held?: true; tokens?: true; tip?: bigint; left?: bigint }]>([
      ['from a wallet with SOL alone', { left: WRAPPED_SOL_RENT }],
      ['with a tip over what comes back', { tokens: true, tip: 5_000_000n, left: WALLET_RENT }],
      ['from a wallet with wrapped SOL', { held: true }],
    ])('%s is there to the lamport', async (_, { held, tokens, tip, left }) => {
      const world = await createWorld(name);
      if (held || wrapSol === 'none') world.giveWrappedSol(HELD);
      if (tokens) world.giveTokens(7n);
      world.svm.airdrop(OTHER, 1_000_000_000n as never);
      mirror(world);
      const options = { wrapSol, ...(tip === undefined ? {} : { tip: { to: OTHER, lamports: tip } }) };
      const { wallet, pool, client } = world;
      const input = { wallet: wallet.address, side: 'buy', mint: pool.mint, guardComputeUnits: 0 } as const;
      const { amount, lamportsAfter, missingLamports } = await maximumSpend(client, { ...input, ...options });
      expect(missingLamports).toBe(0n);

      const { sol } = world.holdings();
      await expect(settle(world, await buy(world, options, amount + 1n))).rejects.toThrow(
        /Custom\(1\)|InsufficientFundsForRent/,
      );
      // A failed transaction still pays its fee.
      world.svm.setAccount({ ...existing(world.svm, wallet.address), lamports: sol as never });

      await settle(world, await buy(world, options, amount));
      expect(world.holdings().sol).toBe(lamportsAfter);
      if (left !== undefined && wrapSol !== 'none') expect(lamportsAfter).toBe(left);
      if (wrapSol === 'none') expect(amount).toBe(HELD);
    });
  });
});

/** Extensions of a mint: number and size. Those that a token account has a part of its own for, and one that it has not. */
const EXTENSIONS = {
  'transfer fees': [1, 108],
  'a close authority': [3, 32],
  'no transfers': [9, 0],
  'a transfer hook': [14, 64],
  'a pause': [26, 33],
} as const;

type Extension = readonly [type: number, size: number];
test.each<[string, readonly Extension[]]>([
  ['no extensions', []],
  ...Object.entries(EXTENSIONS).map(([name, one]): [string, readonly Extension[]] => [name, [one]]),
  ['all of them', Object.values(EXTENSIONS)],
])('the rent of a token account is what Token-2022 takes for a mint with %s', async (_, extensions) => {
  const world = await createWorld('community');
  const { wallet, client, svm } = world;
  const { address: mint } = await generateKeyPairSigner();
  const written = extensions.flatMap(([type, size]) => [type, 0, size, 0, ...new Uint8Array(size)]);
  const plain = encodeMint({ decimals: 6, supply: 1n });
  const data = Uint8Array.of(...plain, ...new Uint8Array(83), 1, ...written);
  world.place(mint, TOKEN_2022_PROGRAM_ADDRESS, data);
  mirror(world);
  const { breakdown } = await maximumSpend(client, { wallet: wallet.address, side: 'buy', mint });

  const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;
  const ata = await findAssociatedTokenAddress({ owner: wallet.address, mint, tokenProgram });
  const create = { payer: wallet, ata, owner: wallet.address, mint, tokenProgram };
  await world.run([getCreateAssociatedTokenIdempotentInstruction(create)]);
  expect(breakdown.tokenAccountRent).toBe(existing(svm, ata).lamports);
});

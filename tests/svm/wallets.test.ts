import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getSignersFromInstruction,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { allInstructionsOf, decodedOf, messageOf } from '../support/transactions.js';
import { createWorld, POOL_NAMES, type World } from './harness.js';
import { buy, STRATEGIES, sell } from './trades.js';

const createTrader = async () => {
  const world = await createWorld('creator');
  world.giveTokens(10_000_000_000_000_000n);
  return world;
};

const TRADES = [
  ['buy', buy],
  ['sell', sell],
] as const;

describe.each(TRADES)('web3.js 1.x reads the base64 of a %s', (_, trade) => {
  test.each(STRATEGIES)('and writes the same bytes again (wrapSol %s)', async (wrapSol) => {
    const { tx } = (await trade(await createTrader(), { wrapSol })).built;
    const transaction = VersionedTransaction.deserialize(Buffer.from(tx, 'base64'));
    expect(Buffer.from(transaction.serialize()).toString('base64')).toBe(tx);
  });

  test('with the fee payer, block hash and signers that the builder returns', async () => {
    const world = await createTrader();
    const { tx, lifetime, requiredSigners } = (await trade(world)).built;
    const { message } = VersionedTransaction.deserialize(Buffer.from(tx, 'base64'));
    const { staticAccountKeys, header } = message;
    expect(staticAccountKeys[0]?.toBase58()).toBe(world.wallet.address);
    expect(message.recentBlockhash).toBe(lifetime.blockhash);
    expect(staticAccountKeys.slice(0, header.numRequiredSignatures).map(String)).toEqual(requiredSigners);
  });

  test('signs it as kit does, byte by byte', async () => {
    const world = await createTrader();
    const { built } = await trade(world);
    const transaction = VersionedTransaction.deserialize(Buffer.from(built.tx, 'base64'));
    transaction.sign([Keypair.fromSeed(world.seed)]);
    const byKit = await signTransaction([world.wallet.keyPair], built.transaction);
    expect(transaction.signatures.map((signature) => [...signature])).toEqual([
      [...byKit.signatures[world.wallet.address]!],
    ]);
    expect([...transaction.serialize()]).toEqual([...getTransactionEncoder().encode(byKit)]);
  });

  test('and what it signed runs', async () => {
    const world = await createTrader();
    const transaction = VersionedTransaction.deserialize(
      Buffer.from((await trade(world)).built.tx, 'base64'),
    );
    transaction.sign([Keypair.fromSeed(world.seed)]);
    world.sendSigned(getTransactionDecoder().decode(transaction.serialize()));
  });
});

describe.each(POOL_NAMES)('a trade in the %s pool', (name) => {
  test.each(TRADES)('(%s) fits into a packet without a lookup table', async (_, trade) => {
    const { built } = await trade(await createWorld(name));
    const bytes = Buffer.from(built.tx, 'base64');
    expect(bytes.length).toBe(built.size);
    expect(bytes.length).toBeLessThan(1232);
    expect(VersionedTransaction.deserialize(bytes).message.addressTableLookups).toEqual([]);
  });
});

/** A message of a caller's own around the instructions of a trade, but for the fee payer. */
const composed = (world: World, instructions: readonly Instruction[]) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageLifetimeUsingBlockhash(world.lifetime(), message),
    (message) => appendTransactionMessageInstructions(instructions, message),
  );

const programOf = ({ programAddress }: Instruction) => programAddress;

/** The signers that are attached to instructions. */
const signersOf = (instructions: readonly Instruction[]) =>
  new Set(instructions.flatMap((instruction) => getSignersFromInstruction(instruction)));

describe.each(TRADES)("kit's signers, in a %s", (_, trade) => {
  describe.each(STRATEGIES)('with wrapSol %s', (wrapSol) => {
    test('a signer as payer stays attached, and signs a message composed of the instructions', async () => {
      const world = await createTrader();
      const { wallet } = world;
      const { built } = await trade(world, { payer: wallet, wrapSol });
      expect(signersOf(built.instructions)).toEqual(new Set([wallet]));
      // The fee payer is an address alone: the signer comes with the instructions.
      const message = setTransactionMessageFeePayer(wallet.address, composed(world, built.instructions));
      world.sendSigned(await signTransactionMessageWithSigners(message));
    });

    test('an address as payer leaves no stand-in behind, so a real signer can pay', async () => {
      const world = await createTrader();
      const { wallet } = world;
      const { built } = await trade(world, { payer: wallet.address, wrapSol });
      expect(signersOf(built.instructions)).toEqual(new Set());
      const message = setTransactionMessageFeePayerSigner(wallet, composed(world, built.instructions));
      world.sendSigned(await signTransactionMessageWithSigners(message));
    });
  });

  test('a signer and its address as payer give the same transaction', async () => {
    const world = await createTrader();
    const { tx } = (await trade(world, { payer: world.wallet })).built;
    expect(tx).toBe((await trade(world, { payer: world.wallet.address })).built.tx);
  });

  test('recomposed instructions give the same bytes', async () => {
    const world = await createTrader();
    const { built } = await trade(world);
    const instructions = composed(world, allInstructionsOf(built));
    const message = setTransactionMessageFeePayerSigner(world.wallet, instructions);
    const { messageBytes } = await signTransactionMessageWithSigners(message);
    expect([...messageBytes]).toEqual([...built.transaction.messageBytes]);
  });

  test('the base64 decodes to the transaction and to the instructions beside it', async () => {
    const { built } = await trade(await createTrader());
    const { tx, transaction } = built;
    expect(decodedOf(tx)).toEqual({
      messageBytes: transaction.messageBytes,
      signatures: transaction.signatures,
    });
    const decompiled: readonly Instruction[] = messageOf(tx).instructions;
    expect(decompiled.map(programOf)).toEqual(allInstructionsOf(built).map(programOf));
  });
});

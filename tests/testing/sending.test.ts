import {
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  isSolanaError,
  type KeyPairSigner,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  signTransaction,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { buildBuy, createHeavenClient, explainTransactionFailure, quoteBuy } from '../../src/index.js';
import { findAssociatedTokenAddress } from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

let ledger: EmbeddedLedger;
let wallet: KeyPairSigner;
beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  wallet = await generateKeyPairSigner();
  ledger.setBalance(wallet.address, 5_000_000_000n);
});

async function trade() {
  const client = createHeavenClient({ rpc: ledger.rpc });
  const { mint, configVersion } = ledger.pools.creator;
  const quote = await quoteBuy(client, { mint, configVersion, maxSolSpend: 1, slippageBps: 50 });
  const built = await buildBuy(client, {
    payer: wallet.address,
    quoteResponse: quote,
    encodedUserDefinedEventData: '',
  });
  const signed = await signTransaction([wallet.keyPair], built.transaction);
  return { quote, built, tx: getBase64EncodedWireTransaction(signed) };
}

const send = (tx: Base64EncodedWireTransaction, options: { readonly skipPreflight?: boolean } = {}) =>
  ledger.rpc.sendTransaction(tx, { encoding: 'base64', ...options }).send();
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
const statusOf = async (signature: Signature) => {
  const { value } = await ledger.rpc.getSignatureStatuses([signature]).send();
  return value[0];
};

describe('a transaction that is sent to the embedded ledger', () => {
  test('is executed, and its status says so', async () => {
    const { quote, tx } = await trade();
    const { mint, tokenProgram } = ledger.pools.creator;
    const signature = await send(tx);
    expect(await statusOf(signature)).toMatchObject({ err: null, confirmationStatus: 'confirmed' });

    const account = await findAssociatedTokenAddress({ owner: wallet.address, mint, tokenProgram });
    const data = ledger.getAccount(account)?.data as Uint8Array;
    expect(new DataView(data.buffer, data.byteOffset).getBigUint64(64, true)).toBe(quote.details.amountOut);
  });

  test('a second time does nothing more', async () => {
    const { tx } = await trade();
    const signature = await send(tx);
    const reserves = ledger.getAccount(ledger.pools.creator.pool)?.data;
    expect(explainTransactionFailure((await failureOf(send(tx))) as Error)?.message).toContain(
      'AlreadyProcessed',
    );
    expect(await send(tx, { skipPreflight: true })).toBe(signature);
    expect(ledger.getAccount(ledger.pools.creator.pool)?.data).toBe(reserves);
  });

  test("without its signature, or with another's, is rejected", async () => {
    const { built } = await trade();
    const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE;
    expect(isSolanaError(await failureOf(send(built.tx)), code)).toBe(true);
    const wrong = getBase64EncodedWireTransaction({
      ...built.transaction,
      signatures: { [wallet.address]: new Uint8Array(64).fill(3) as never },
    });
    expect(isSolanaError(await failureOf(send(wrong)), code)).toBe(true);
  });

  test('that is too late is rejected', async () => {
    const { tx } = await trade();
    ledger.setSlot(ledger.slot + 151n);
    const error = await failureOf(send(tx));
    expect(
      isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE),
    ).toBe(true);
    expect(explainTransactionFailure(error as Error)?.message).toMatch(/blockhash/i);
  });

  test('that would fail is rejected with the reason, or pays its fee if the preflight is skipped', async () => {
    const { tx } = await trade();
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: 3_000_000_000_000n });
    const refused = explainTransactionFailure((await failureOf(send(tx))) as Error);
    expect(refused?.programError?.name).toBe('ExceededSlippage');
    expect(ledger.getAccount(wallet.address)?.lamports).toBe(5_000_000_000n);

    const signature = await send(tx, { skipPreflight: true });
    const status = await statusOf(signature);
    expect(explainTransactionFailure({ err: status?.err ?? null })?.programError?.name).toBe(
      'ExceededSlippage',
    );
    expect(ledger.getAccount(wallet.address)?.lamports).toBe(5_000_000_000n - 5_000n - 8_000_000n);
  });

  test('whose payer has nothing leaves no trace', async () => {
    const { tx } = await trade();
    ledger.setAccount(wallet.address, undefined);
    const signature = await send(tx, { skipPreflight: true });
    expect(await statusOf(signature)).toBeNull();
  });

  test('with invalid bytes is rejected', async () => {
    const error = await failureOf(send('AAAA' as Base64EncodedWireTransaction));
    expect((error as Error).message).toContain('not a base64 transaction');
    expect((await failureOf(ledger.rpc.sendTransaction('AAAA' as never).send())) as Error).toBeInstanceOf(
      Error,
    );
  });
});

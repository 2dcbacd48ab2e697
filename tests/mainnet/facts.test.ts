import {
  type Address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  signTransaction,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  buildSell,
  createHeavenClient,
  fetchPoolSnapshot,
  listTrades,
  quoteBuy,
  quoteSell,
} from '../../src/index.js';
import {
  decodeEvent,
  findAssociatedTokenAddress,
  findPoolAddress,
  findProtocolConfigAddress,
  getBuyInstruction,
  getSellInstruction,
  parseSellInstruction,
} from '../../src/program/index.js';
import { addressNamed } from '../support/addresses.js';
import { hexOf } from '../support/bytes.js';
import { client, ledger, locatorOf, termsOf, useLedger } from '../support/ledger.js';
import { CAPTURED, capturedAccount, statedOf } from './accounts.js';
import { encode } from './encode.js';
import { FACTS, SELL } from './facts.js';

useLedger();

describe('derived addresses', () => {
  const { light_mint, light_sol_pool, light_vault, protocol_config_v2, wsol_vault } = CAPTURED;
  const { config_1, wsol_vault_of_config_1 } = FACTS;
  const config2 = protocol_config_v2.expected.address as Address;
  const light = light_mint.expected.address as Address;
  const token2022 = light_vault.input.owner as Address;
  const lightVault = { owner: config2, mint: light, tokenProgram: token2022 };
  const solVault = (config: string) => ({
    owner: config as Address,
    mint: wsol_vault_of_config_1.input.mint as Address,
  });

  test.each([
    ['config 1', config_1.expected, () => findProtocolConfigAddress({ version: 1 })],
    ['config 2', config2, () => findProtocolConfigAddress({ version: 2 })],
    ["LIGHT's pool", light_sol_pool.expected.address, () => findPoolAddress({ mint: light })],
    ["LIGHT's vault", light_vault.expected.address, () => findAssociatedTokenAddress(lightVault)],
    [
      "config 1's SOL",
      wsol_vault_of_config_1.expected,
      () => findAssociatedTokenAddress(solVault(config_1.expected)),
    ],
    ["config 2's SOL", wsol_vault.expected.address, () => findAssociatedTokenAddress(solVault(config2))],
  ])('%s: %s', async (_, address, find) => {
    expect(await find()).toBe(address);
  });
});

describe('a sell on mainnet', () => {
  const { tokens, minimum, fees, event } = SELL;
  const gross = BigInt(event.quote_out);
  const totalFee = fees.protocol + fees.creator;
  const params = { amountIn: tokens, minimumAmountOut: minimum, encodedUserDefinedEventData: '' };

  test('has the data that its builder writes', () => {
    const accounts = {
      tokenAProgram: addressNamed('token program'),
      liquidityPoolState: addressNamed('pool'),
      user: addressNamed('user'),
      tokenAMint: addressNamed('mint'),
      userTokenAVault: addressNamed('user tokens'),
      userTokenBVault: addressNamed('user sol'),
      tokenAVault: addressNamed('vault a'),
      tokenBVault: addressNamed('vault b'),
      protocolConfig: addressNamed('config'),
    };
    const instruction = getSellInstruction({ ...accounts, params });
    expect(hexOf(instruction.data)).toBe(SELL.data);
    expect(parseSellInstruction(instruction).data).toEqual({ params });
    const limits = { minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
    const buy = getBuyInstruction({ ...accounts, params: { maxSolSpend: 1n, ...limits } });
    expect(hexOf(buy.data.subarray(0, 8))).toBe(FACTS.discriminators.cases[0]?.expected);
  });

  test('emitted the event that is decoded, field by field', () => {
    const bytes = encode('TradeEvent', event);
    expect(hexOf(bytes.subarray(0, 8))).toBe(FACTS.discriminators.cases[1]?.expected);
    const decoded = decodeEvent(bytes);
    expect(decoded?.name).toBe('TradeEvent');
    expect(statedOf(decoded!.data, event)).toEqual(event);
  });

  test('is quoted to the lamport, by the fees of config 2 at its price, and leaves its reserves and event', async () => {
    const { pool, mint, tokenProgram } = ledger.pools.creator;
    ledger.setReserves(pool, SELL.before);
    ledger.setSolPrice(SELL.price);
    const wallet = await generateKeyPairSigner();
    const owner = wallet.address;
    ledger.setBalance(owner, 1_000_000_000n);
    const account = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
    ledger.setTokenAccount(account, tokenProgram, { mint, owner, amount: tokens });

    const quoteResponse = await quoteSell(client, { ...termsOf(), amountIn: tokens });
    const amountOut = gross - totalFee;
    expect(quoteResponse.details).toMatchObject({ amountOut, totalFee, fees });
    const { transaction } = await buildSell(client, { payer: owner, quoteResponse });
    const tx = getBase64EncodedWireTransaction(await signTransaction([wallet.keyPair], transaction));
    await ledger.rpc.sendTransaction(tx, { encoding: 'base64', skipPreflight: true }).send();
    const { trades } = await listTrades(createHeavenClient({ rpc: ledger.rpc }), { pool, limit: 1 });
    expect(trades).toMatchObject([{ side: 'sell', amountIn: tokens, amountOut, totalFee }]);
    expect(statedOf(trades[0]!.event!, event)).toEqual(event);
  });
});

test('of the transmissions of a feed the last counts, wherever it stands', async () => {
  const { input, expected } = FACTS.feed_of_five;
  const { address, owner } = capturedAccount('chainlink_sol_usd');
  ledger.setAccount(address, { owner, data: encode(input.account, input.fields) });
  const { answer, decimals, timestamp } = expected;
  const { solPrice } = await fetchPoolSnapshot(client, locatorOf(termsOf()));
  expect(solPrice).toMatchObject({
    answer: BigInt(answer),
    decimals: Number(decimals),
    updatedAt: BigInt(timestamp),
  });
  // At $82 LIGHT's market cap is above $100,000, where the protocol's fee is 0.5 %; at the older prices it isn't.
  const { details } = await quoteBuy(client, { ...termsOf(), maxSolSpend: 1 });
  expect(details.fees.protocol).toBe(5_000_000n);
});

import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type BuiltProCreate,
  buildProCreate,
  isHeavenError,
  type SlotFeeConfiguration,
} from '../../../src/index.js';
import { CHAINLINK_STORE_PROGRAM_ADDRESS } from '../../../src/program/constants.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  type FeeBracket,
  findAssociatedTokenAddress,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  parseCreateProLiquidityPoolInstruction,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../../src/program/index.js';
import { encodeLookupTable } from '../../../src/testing/encode.js';
import { addressNamed, LOOKUP_TABLE_PROGRAM_ADDRESS, STRANGER, WALLET } from '../../support/addresses.js';
import { CATCH_ALL } from '../../support/amounts.js';
import { errorOf, expectRefusal } from '../../support/errors.js';
import { client, ledger, useLedger } from '../../support/ledger.js';
import { messageOf } from '../../support/transactions.js';
import { ownWarnings } from '../../support/warnings.js';

const MOST_BYTES = 1232;
const SUPPLY = 1_000_000_000_000_000n;

/** Market cap brackets of so many basis points each; the last one is the catch-all. */
const brackets = (...bps: readonly number[]): FeeBracket[] =>
  bps.map((fee, index) => ({
    marketCapUpperBound: index === bps.length - 1 ? CATCH_ALL : 100_000_000_000n * BigInt(index + 1),
    buyFeeBps: fee,
    sellFeeBps: fee + 1,
  }));

/** No fee, whatever a program makes of a list that is not there. */
const NO_FEE = { brackets: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 0, sellFeeBps: 0 }], count: 1 };

/** A slot schedule of so many brackets, the fee falling by 10 basis points from one to the next. */
function schedule(count: number, change: Partial<SlotFeeConfiguration> = {}): SlotFeeConfiguration {
  const steps = Array.from({ length: count }, (_, index) => ({
    buyFeeBps: 4_500 - 10 * index,
    sellFeeBps: 4_600 - 10 * index,
    slotOffsetUpperbound: 5 * (index + 1),
  }));
  return { brackets: steps, maxSlotOffset: 5 * count, maxFeeBps: 4_600, enabled: true, ...change };
}

const FULL = {
  encodedUserDefinedEventData: 'x'.repeat(64),
  creatorTradingFee: brackets(400, 300, 200, 100),
  reflectionTradingFee: brackets(40, 30, 20, 10),
  liquidityProviderTradingFee: brackets(80, 60, 40, 20),
  creatorSlotTradingFee: schedule(42),
} as const;

const payer = WALLET;
const creator = STRANGER;
const mint = addressNamed('mint');
const lutAddress = addressNamed('lookup table');
const config = await findProtocolConfigAddress({ version: 3 });
/** What the launches of config version 3 share. */
const shared = [
  HEAVEN_PROGRAM_ADDRESS,
  config,
  await findAssociatedTokenAddress({ owner: config, mint: WRAPPED_SOL_MINT_ADDRESS }),
  WRAPPED_SOL_MINT_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
];

const putTable = (fields: Partial<Parameters<typeof encodeLookupTable>[0]> = {}) =>
  ledger.setAccount(lutAddress, {
    owner: LOOKUP_TABLE_PROGRAM_ADDRESS,
    data: encodeLookupTable({ addresses: shared, ...fields }),
  });

/** Gives the creator tokens. Returns the account that holds them. */
async function putTokens(amount = SUPPLY, tokenProgram: Address = TOKEN_PROGRAM_ADDRESS) {
  const account = await findAssociatedTokenAddress({ owner: creator, mint, tokenProgram });
  ledger.setTokenAccount(account, tokenProgram, { mint, owner: creator, amount });
  return account;
}

useLedger();
beforeEach(async () => {
  ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 6, supply: SUPPLY });
  await putTokens();
  putTable();
});

const creating = (change: object = {}): Promise<BuiltProCreate> =>
  buildProCreate(client, {
    payer,
    creator,
    configVersion: 3,
    mint,
    initialTokenAAmount: 400_000_000_000_000n,
    initialTokenBAmount: 100_000_000_000n,
    lutAddress,
    ...change,
  });

/** The exchange's instruction, read from the base64 of a transaction. */
function creationIn({ tx }: BuiltProCreate) {
  const { instructions } = messageOf(tx, { [lutAddress]: shared });
  return parseCreateProLiquidityPoolInstruction(instructions.at(-1)!);
}

describe('a creation', () => {
  const NO_MARKET_CAP_FEES = {
    creatorTradingFee: NO_FEE,
    reflectionTradingFee: NO_FEE,
    liquidityProviderTradingFee: NO_FEE,
  };
  const FEATURES = {
    enableSwap: true,
    enableDepositLiquidity: true,
    enableWithdrawLiquidity: true,
    enableUpdateCreatorTradingFee: true,
    enableSameSlotTrading: false,
    enableSandwichResistantMode: false,
  };

  test('without options has the documented features and no fees of its own', async () => {
    const built = await creating();
    expect(creationIn(built).data).toEqual({
      protocolConfigVersion: 3,
      params: {
        encodedUserDefinedEventData: '',
        initialTokenAAmount: 400_000_000_000_000n,
        initialTokenBAmount: 100_000_000_000n,
        ...NO_MARKET_CAP_FEES,
        creatorSlotTradingFee: null,
        ...FEATURES,
      },
    });
    // isqrt(4e14 * 1e11)
    expect(built.lpTokens).toBe(6_324_555_320_336n);
    expect(built.requiredSigners).toEqual([payer, creator]);
    // The assumptions that it rests on, and nothing else.
    expect(built.warnings).toEqual([
      { code: 'unverified-assumption', message: expect.stringContaining('(A1, A2, A8 in') },
    ]);
  });

  test.each(Object.entries(FEATURES))('switches %s alone', async (name, byDefault) => {
    const { params } = creationIn(await creating({ features: { [name]: !byDefault } })).data;
    expect(params).toMatchObject({ ...FEATURES, [name]: !byDefault });
  });

  test.each(Object.keys(NO_MARKET_CAP_FEES))('with %s alone sets no other fee', async (name) => {
    const { params } = creationIn(await creating({ [name]: brackets(100, 50) })).data;
    const fees = { ...NO_MARKET_CAP_FEES, [name]: { brackets: brackets(100, 50), count: 2 } };
    expect(params).toMatchObject({ ...fees, creatorSlotTradingFee: null });
  });

  test('of one unit and one lamport is possible, by one wallet', async () => {
    const initial = { initialTokenAAmount: 1n, initialTokenBAmount: 1n };
    const { lpTokens, requiredSigners } = await creating({ ...initial, payer: creator });
    expect(lpTokens).toBe(1n);
    expect(requiredSigners).toEqual([creator]);
  });

  test('of a Token-2022 token uses its own program and token account', async () => {
    const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;
    ledger.setMint(mint, tokenProgram, { decimals: 9, supply: SUPPLY });
    const tokenAccount = await putTokens(SUPPLY, tokenProgram);
    const { accounts } = creationIn(await creating());
    expect(accounts).toMatchObject({
      tokenAProgram: { address: tokenProgram },
      tokenProgram: { address: TOKEN_PROGRAM_ADDRESS },
      userTokenAVault: { address: tokenAccount },
      tokenAVault: { address: await findAssociatedTokenAddress({ owner: config, mint, tokenProgram }) },
    });
  });

  test('with a lookup table that holds nothing of its config is built, with a warning', async () => {
    const codesWith = async (addresses: Address[]) => {
      putTable({ addresses });
      return ownWarnings(await creating()).map(({ code }) => code);
    };
    const [program = mint, , vault = mint, ...others] = shared;
    expect(await codesWith([program, ...others])).toEqual(['useless-lookup-table']);
    expect(await codesWith([])).toEqual(['useless-lookup-table']);
    expect([await codesWith([config]), await codesWith([vault])]).toEqual([[], []]);
    // The slot of a read, and the addresses that were added in it.
    putTable({ lastExtendedSlot: ledger.slot, lastExtendedStart: 1 });
    const [warning] = ownWarnings(await creating());
    expect(warning?.message).toMatch(/were added in this slot, and can be used from the next/);
    const tooLarge = await errorOf(() => creating({ ...FULL, encodedUserDefinedEventData: 'x'.repeat(300) }));
    expect(tooLarge).toMatchObject({
      code: 'transaction-too-large',
      message: expect.stringContaining(warning!.message),
    });
    putTable({ lastExtendedSlot: ledger.slot - 1n, lastExtendedStart: 1 });
    expect(ownWarnings(await creating())).toEqual([]);
  });

  test('with too few tokens is built, with a warning', async () => {
    await putTokens(399_999_999_999_999n);
    expect(ownWarnings(await creating()).map(({ code }) => code)).toEqual(['insufficient-balance']);
    await putTokens(400_000_000_000_000n);
    expect(ownWarnings(await creating())).toEqual([]);
  });
});

describe('the size', () => {
  const sizeOf = async (change: object) => {
    try {
      return (await creating(change)).size;
    } catch (error) {
      if (!isHeavenError(error, 'transaction-too-large')) throw error;
      const { size } = error.context;
      expect(error.context).toEqual({ size, limit: MOST_BYTES, excess: size - MOST_BYTES });
      return size;
    }
  };

  test('of the largest creation fits with the lookup table', async () => {
    expect(await sizeOf(FULL)).toBe(1110);
    const { params } = creationIn(await creating(FULL)).data;
    expect(params).toMatchObject({
      encodedUserDefinedEventData: FULL.encodedUserDefinedEventData,
      creatorTradingFee: { brackets: FULL.creatorTradingFee, count: 4 },
      creatorSlotTradingFee: { ...FULL.creatorSlotTradingFee, count: 42, enabled: 1 },
    });
  });

  test('grows with the event data up to the limit, and is rejected one byte later', async () => {
    const withEventData = (bytes: number) =>
      sizeOf({ ...FULL, encodedUserDefinedEventData: 'x'.repeat(bytes) });
    const most = 64 + MOST_BYTES - 1110;
    expect(await withEventData(most)).toBe(MOST_BYTES);
    expect(await withEventData(most + 1)).toBe(MOST_BYTES + 1);
  });

  test('is over the limit without what the lookup table saves', async () => {
    putTable({ addresses: [] });
    const without = await sizeOf(FULL);
    // It saves 31 bytes of each of eight addresses, and costs 34 itself.
    expect(without).toBe(1110 + 8 * 31 - 34);
    // What was added in this very slot can't be used yet.
    putTable({ lastExtendedSlot: ledger.slot });
    expect(await sizeOf(FULL)).toBe(without);
  });
});

describe('a creation rejects', () => {
  describe('fees over the config’s highest', () => {
    /** A basis point under what each row has where it says. */
    const most = 4_599;

    test.each([
      ['creatorTradingFee[0].sellFeeBps', { creatorTradingFee: brackets(most) }],
      ['creatorTradingFee[1].sellFeeBps', { creatorTradingFee: brackets(1, most) }],
      ['creatorSlotTradingFee.brackets[0].sellFeeBps', { creatorSlotTradingFee: schedule(1) }],
      ['creatorSlotTradingFee.maxFeeBps', { creatorSlotTradingFee: schedule(0, { enabled: false }) }],
    ])('as %s', async (field, change) => {
      const context = { field, feeBps: most + 1, maxFeeBps: most };
      ledger.updateConfig(config, () => ({ maxCreatorTradingFee: most }));
      await expectRefusal(creating(change), 'invalid-fees:feeBps', context);
      ledger.updateConfig(config, () => ({ maxCreatorTradingFee: most + 1 }));
      await expect(creating(change)).resolves.toBeDefined();
    });

    test('but only those of the creator', async () => {
      ledger.updateConfig(config, () => ({ maxCreatorTradingFee: most }));
      const others = { reflectionTradingFee: brackets(most), liquidityProviderTradingFee: brackets(most) };
      await expect(creating(others)).resolves.toBeDefined();
    });
  });

  test('an NFT, but not a token that is merely indivisible', async () => {
    ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 0, supply: 1n });
    await expectRefusal(creating(), 'unsupported-mint', { mint, reason: expect.stringContaining('NFT') });
    ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 0, supply: 2n });
    await expect(creating()).resolves.toBeDefined();
  });

  test('a mint that others can freeze is warned of', async () => {
    ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 6, supply: SUPPLY, freezeAuthority: creator });
    expect(ownWarnings(await creating())).toEqual([
      { code: 'mint-rights', message: expect.stringContaining('can freeze your account.') },
    ]);
  });
});

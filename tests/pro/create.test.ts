import { type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type BuildProCreateInput,
  type BuiltProCreate,
  buildProCreate,
  isHeavenError,
  type SlotFeeConfiguration,
} from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  type FeeBracket,
  findAssociatedTokenAddress,
  findLpPositionAddress,
  findProPoolAddress,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  parseCreateProLiquidityPoolInstruction,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { type EmbeddedLedger, encodeLookupTable } from '../../src/testing/index.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS } from '../support/addresses.js';
import { CATCH_ALL } from '../support/amounts.js';
import { expectRefusal, heavenError } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { messageOf } from '../support/transactions.js';
import { ownWarnings } from '../support/warnings.js';

const MOST_BYTES = 1232;
const SUPPLY = 1_000_000_000_000_000n;
const ADVICE = 'Leave out the slot schedule or brackets and set them once the pool exists.';

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

let payer: Address;
let creator: Address;
let mint: Address;
let tokenAccount: Address;
let config: Address;
let lutAddress: Address;
/** What the launches of config version 3 share. */
let shared: Address[];

const someAddress = async () => (await generateKeyPairSigner()).address;

const putTable = (fields: Partial<Parameters<typeof encodeLookupTable>[0]> = {}) =>
  ledger.setAccount(lutAddress, {
    owner: LOOKUP_TABLE_PROGRAM_ADDRESS,
    data: encodeLookupTable({ addresses: shared, ...fields }),
  });

const putTokens = (
  change: Partial<Parameters<EmbeddedLedger['setTokenAccount']>[2]> = {},
  program: Address = TOKEN_PROGRAM_ADDRESS,
) => ledger.setTokenAccount(tokenAccount, program, { mint, owner: creator, amount: SUPPLY, ...change });

useLedger();
beforeEach(async () => {
  [payer, creator, mint, lutAddress] = await Promise.all([
    someAddress(),
    someAddress(),
    someAddress(),
    someAddress(),
  ]);
  config = await findProtocolConfigAddress({ version: 3 });
  tokenAccount = await findAssociatedTokenAddress({ owner: creator, mint });
  shared = [
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
  ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 6, supply: SUPPLY });
  putTokens();
  putTable();
});

const creating = (change: object = {}): Promise<BuiltProCreate> => {
  const input: BuildProCreateInput = {
    payer,
    creator,
    encodedUserDefinedEventData: '',
    configVersion: 3,
    mint,
    initialTokenAAmount: 400_000_000_000_000n,
    initialTokenBAmount: 100_000_000_000n,
    lutAddress,
    ...change,
  };
  return buildProCreate(client, input);
};

/** The exchange's instruction, read from the base64 of a transaction. */
function creationIn({ tx }: BuiltProCreate) {
  const { instructions } = messageOf(tx, { [lutAddress]: shared });
  return parseCreateProLiquidityPoolInstruction(instructions.at(-1)!);
}

describe('a creation', () => {
  test('puts each account where the program expects it', async () => {
    const built = await creating();
    const { accounts } = creationIn(built);
    const pool = await findProPoolAddress({ mint, creator });
    expect(built.pool).toBe(pool);
    expect(
      Object.fromEntries(Object.entries(accounts).map(([name, account]) => [name, account?.address])),
    ).toEqual({
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      associatedTokenProgram: ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      user: creator,
      payer,
      tokenAMint: mint,
      tokenBMint: WRAPPED_SOL_MINT_ADDRESS,
      userTokenAVault: tokenAccount,
      tokenAVault: await findAssociatedTokenAddress({ owner: config, mint }),
      tokenBVault: await findAssociatedTokenAddress({ owner: config, mint: WRAPPED_SOL_MINT_ADDRESS }),
      liquidityPoolState: pool,
      protocolConfig: config,
      tokenAProgram: TOKEN_PROGRAM_ADDRESS,
      userLpPosition: await findLpPositionAddress({ pool, user: creator }),
      chainlinkProgram: CHAINLINK_STORE_PROGRAM_ADDRESS,
      chainlinkFeed: SOL_USD_FEED_ADDRESS,
    });
    expect(built.requiredSigners).toEqual([payer, creator]);
    expect(ownWarnings(built)).toEqual([]);
  });

  test('without options has the documented features and no fees of its own', async () => {
    expect(creationIn(await creating()).data).toEqual({
      protocolConfigVersion: 3,
      params: {
        encodedUserDefinedEventData: '',
        initialTokenAAmount: 400_000_000_000_000n,
        initialTokenBAmount: 100_000_000_000n,
        creatorTradingFee: NO_FEE,
        reflectionTradingFee: NO_FEE,
        liquidityProviderTradingFee: NO_FEE,
        creatorSlotTradingFee: null,
        enableSameSlotTrading: false,
        enableSandwichResistantMode: false,
        enableDepositLiquidity: true,
        enableWithdrawLiquidity: true,
        enableSwap: true,
        enableUpdateCreatorTradingFee: true,
      },
    });
  });

  const FEATURES = {
    enableSwap: true,
    enableDepositLiquidity: true,
    enableWithdrawLiquidity: true,
    enableUpdateCreatorTradingFee: true,
    enableSameSlotTrading: false,
    enableSandwichResistantMode: false,
  };
  test.each(Object.entries(FEATURES))('switches %s alone', async (name, byDefault) => {
    const { params } = creationIn(await creating({ features: { [name]: !byDefault } })).data;
    expect(params).toMatchObject({ ...FEATURES, [name]: !byDefault });
  });

  test('takes an undefined feature as left out', async () => {
    const { params } = creationIn(await creating({ features: { enableSwap: undefined } })).data;
    expect(params).toMatchObject(FEATURES);
  });

  test.each([
    ['creatorTradingFee', { brackets: brackets(100, 50), count: 2 }],
    ['reflectionTradingFee', { brackets: brackets(100, 50), count: 2 }],
    ['liquidityProviderTradingFee', { brackets: brackets(100, 50), count: 2 }],
  ])('with %s alone sets no other fee', async (name, expected) => {
    const { params } = creationIn(await creating({ [name]: brackets(100, 50) })).data;
    expect(params).toMatchObject({
      creatorTradingFee: NO_FEE,
      reflectionTradingFee: NO_FEE,
      liquidityProviderTradingFee: NO_FEE,
      creatorSlotTradingFee: null,
      [name]: expected,
    });
  });

  test.each([
    ['enabled', schedule(2), 2, 1],
    ['disabled', schedule(2, { enabled: false }), 2, 0],
    ['disabled and empty', { brackets: [], maxSlotOffset: 0, maxFeeBps: 0, enabled: false }, 0, 0],
  ])('takes a slot schedule that is %s', async (_, creatorSlotTradingFee, count, enabled) => {
    const { params } = creationIn(await creating({ creatorSlotTradingFee })).data;
    expect(params.creatorSlotTradingFee).toEqual({ ...creatorSlotTradingFee, count, enabled });
  });

  describe.each(['creatorTradingFee', 'reflectionTradingFee', 'liquidityProviderTradingFee'] as const)(
    'with %s',
    (field) => {
      test('of no brackets sets no fee', async () => {
        const built = await creating({ [field]: [] });
        expect(creationIn(built).data.params[field]).toEqual(NO_FEE);
        expect(ownWarnings(built)).toEqual([]);
      });

      test.each([
        ['one bracket', [100n]],
        ['four brackets', [1n, 2n, 3n, CATCH_ALL - 1n]],
      ])('of %s that end lets the last one cover every market cap, and says so', async (_, bounds) => {
        const given = bounds.map((marketCapUpperBound, index) => ({
          marketCapUpperBound,
          buyFeeBps: index + 1,
          sellFeeBps: index + 2,
        }));
        const built = await creating({ [field]: given });
        expect(creationIn(built).data.params[field]).toEqual({
          brackets: [...given.slice(0, -1), { ...given.at(-1), marketCapUpperBound: CATCH_ALL }],
          count: given.length,
        });
        expect(ownWarnings(built)).toEqual([
          {
            code: 'no-catch-all',
            message: `The last bracket of ${field} ends at ${bounds.at(-1)}, and its fees apply above that too: the transaction sets its bound to ${CATCH_ALL}. For other fees above it, add a bracket with that bound.`,
          },
        ]);
      });
    },
  );

  test.each([
    ['a longer window', schedule(2, { maxSlotOffset: 11 })],
    ['a higher maximum', schedule(2, { maxFeeBps: 4_601 })],
    ['a window without brackets', { brackets: [], maxSlotOffset: 5, maxFeeBps: 1, enabled: false }],
  ])('takes a slot schedule with %s than its brackets', async (_, creatorSlotTradingFee) => {
    const { params } = creationIn(await creating({ creatorSlotTradingFee })).data;
    expect(params.creatorSlotTradingFee).toEqual({
      ...creatorSlotTradingFee,
      count: creatorSlotTradingFee.brackets.length,
      enabled: Number(creatorSlotTradingFee.enabled),
    });
  });

  test('takes fees of up to the highest', async () => {
    const { params } = creationIn(
      await creating({
        creatorTradingFee: brackets(4_999),
        liquidityProviderTradingFee: brackets(9_999),
        reflectionTradingFee: brackets(9_999),
      }),
    ).data;
    expect(params.creatorTradingFee.brackets[0]?.sellFeeBps).toBe(5_000);
    expect(params.reflectionTradingFee?.brackets[0]?.sellFeeBps).toBe(10_000);
  });

  test('gives the creator the root of the product in LP tokens', async () => {
    // isqrt(4e14 * 1e11)
    expect((await creating()).lpTokens).toBe(6_324_555_320_336n);
  });

  test('of one unit and one lamport is possible', async () => {
    const { lpTokens } = await creating({ initialTokenAAmount: 1n, initialTokenBAmount: 1n });
    expect(lpTokens).toBe(1n);
  });

  test('by one wallet has one signer', async () => {
    expect((await creating({ payer: creator })).requiredSigners).toEqual([creator]);
  });

  test('of a Token-2022 token uses its own program and token account', async () => {
    const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;
    ledger.setMint(mint, tokenProgram, { decimals: 9, supply: SUPPLY });
    tokenAccount = await findAssociatedTokenAddress({ owner: creator, mint, tokenProgram });
    putTokens({}, tokenProgram);
    const { accounts } = creationIn(await creating());
    expect(accounts.tokenAProgram.address).toBe(tokenProgram);
    expect(accounts.tokenProgram.address).toBe(TOKEN_PROGRAM_ADDRESS);
    expect(accounts.userTokenAVault.address).toBe(tokenAccount);
    expect(accounts.tokenAVault.address).toBe(
      await findAssociatedTokenAddress({ owner: config, mint, tokenProgram }),
    );
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
  });

  test('says which unconfirmed assumptions it depends on', async () => {
    expect((await creating()).warnings).toEqual([
      { code: 'unverified-assumption', message: expect.stringContaining('(A1, A2, A8 in') },
    ]);
  });

  test('with too few tokens is built, with a warning', async () => {
    putTokens({ amount: 399_999_999_999_999n });
    expect(ownWarnings(await creating()).map(({ code }) => code)).toEqual(['insufficient-balance']);
    putTokens({ amount: 400_000_000_000_000n });
    expect(ownWarnings(await creating())).toEqual([]);
  });

  test('reads everything in two calls', async () => {
    const before = ledger.requests.length;
    await creating(FULL);
    expect(
      ledger.requests
        .slice(before)
        .map(({ method }) => method)
        .sort(),
    ).toEqual(['getLatestBlockhash', 'getMultipleAccounts']);
  });
});

describe('the size', () => {
  const attempt = async (change: object) => {
    try {
      return (await creating(change)).size;
    } catch (error) {
      if (!isHeavenError(error, 'transaction-too-large')) throw error;
      expect(error.message).toContain(ADVICE);
      expect(error.context).toEqual({
        size: error.context.size,
        limit: MOST_BYTES,
        excess: error.context.size - MOST_BYTES,
      });
      return error.context.size;
    }
  };

  test('of the largest creation fits with the lookup table', async () => {
    const size = await attempt(FULL);
    console.log(`the largest pro creation: ${size} of ${MOST_BYTES} bytes`);
    expect(size).toBe(1110);
    expect(creationIn(await creating(FULL)).data.params).toEqual({
      encodedUserDefinedEventData: FULL.encodedUserDefinedEventData,
      initialTokenAAmount: 400_000_000_000_000n,
      initialTokenBAmount: 100_000_000_000n,
      creatorTradingFee: { brackets: FULL.creatorTradingFee, count: 4 },
      reflectionTradingFee: { brackets: FULL.reflectionTradingFee, count: 4 },
      liquidityProviderTradingFee: { brackets: FULL.liquidityProviderTradingFee, count: 4 },
      creatorSlotTradingFee: { ...FULL.creatorSlotTradingFee, count: 42, enabled: 1 },
      enableSameSlotTrading: false,
      enableSandwichResistantMode: false,
      enableDepositLiquidity: true,
      enableWithdrawLiquidity: true,
      enableSwap: true,
      enableUpdateCreatorTradingFee: true,
    });
  });

  test('of one by a single wallet is a signature and an address less', async () => {
    expect(await attempt({ ...FULL, payer: creator })).toBe(1110 - 96);
  });

  test('of one without options leaves room for much more', async () => {
    expect(await attempt({})).toBe(639);
  });

  test('grows with the event data up to the limit, and is rejected one byte later', async () => {
    const withEventData = (bytes: number) =>
      attempt({ ...FULL, encodedUserDefinedEventData: 'x'.repeat(bytes) });
    const most = 64 + MOST_BYTES - 1110;
    expect(await withEventData(most)).toBe(MOST_BYTES);
    expect(await withEventData(most + 1)).toBe(MOST_BYTES + 1);
    expect(await withEventData(1_000)).toBe(1110 + 1_000 - 64);
  });

  test('is over the limit without what the lookup table saves', async () => {
    putTable({ addresses: [] });
    const without = await attempt(FULL);
    // It saves 31 bytes of each of eight addresses, and costs 34 itself.
    expect(without).toBe(1110 + 8 * 31 - 34);
    // What was added in this very slot can't be used yet.
    putTable({ lastExtendedSlot: ledger.slot });
    expect(await attempt(FULL)).toBe(without);
  });
});

describe('a creation rejects', () => {
  const one = { marketCapUpperBound: CATCH_ALL, buyFeeBps: 1, sellFeeBps: 1 };
  const under = (marketCapUpperBound: bigint) => ({ ...one, marketCapUpperBound });

  describe.each(['creatorTradingFee', 'reflectionTradingFee', 'liquidityProviderTradingFee'])(
    'as %s',
    (field) => {
      test.each([
        ['five brackets', brackets(5, 4, 3, 2, 1), 'there are 5'],
        ['bounds that fall', [under(2n), under(1n), one], '[1] does not ascend'],
        ['equal bounds', [under(1n), under(2n), under(2n), one], '[2] does not ascend'],
        ['two catch-alls', [one, one], '[1] does not ascend'],
        ['a bound over the catch-all', [under(CATCH_ALL + 1n)], `over the highest one, ${CATCH_ALL}`],
      ])('%s', async (_, fees, reason) => {
        await expectRefusal(creating({ [field]: fees }), 'invalid-fees', {
          field,
          reason: expect.stringContaining(reason),
        });
      });

      test.each([
        ['a buy fee over 100 %', { buyFeeBps: 10_001 }, 'invalid-fees:feeBps', 'buyFeeBps'],
        ['a sell fee over 100 %', { sellFeeBps: 10_001 }, 'invalid-fees:feeBps', 'sellFeeBps'],
        ['a negative fee', { buyFeeBps: -1 }, 'invalid-amount', 'buyFeeBps'],
        ['a fractional fee', { sellFeeBps: 0.5 }, 'invalid-amount', 'sellFeeBps'],
        ['a fee as a bigint', { buyFeeBps: 5n }, 'invalid-amount', 'buyFeeBps'],
        ['a fee over 32 bits', { buyFeeBps: 2 ** 32 }, 'amount-out-of-range', 'buyFeeBps'],
        ['a missing fee', { sellFeeBps: undefined }, 'invalid-amount', 'sellFeeBps'],
        ['a bound in numbers', { marketCapUpperBound: 5 }, 'invalid-amount', 'marketCapUpperBound'],
        ['a negative bound', { marketCapUpperBound: -1n }, 'invalid-amount', 'marketCapUpperBound'],
      ])('%s', async (_, change, code, name) => {
        const fees = [under(5n), { ...one, ...change }];
        await expectRefusal(creating({ [field]: fees }), code, { field: `${field}[1].${name}` });
      });

      test.each([
        ['a number', 5],
        ['an object', { brackets: [one] }],
        ['a bracket of null', [null]],
      ])('%s', async (_, fees) => {
        await expectRefusal(creating({ [field]: fees }), 'invalid-input');
      });
    },
  );

  describe('as creatorSlotTradingFee', () => {
    const [first, second] = schedule(2).brackets;
    test.each([
      ['43 brackets', schedule(43), 'there are 43'],
      ['none that are enabled', schedule(0, { maxFeeBps: 0 }), 'at least one'],
      ['bounds that fall', schedule(2, { brackets: [second!, first!], maxSlotOffset: 5 }), 'does not ascend'],
      ['equal bounds', schedule(2, { brackets: [first!, first!], maxSlotOffset: 5 }), 'does not ascend'],
      ['a shorter maxSlotOffset', schedule(2, { maxSlotOffset: 9 }), 'maxSlotOffset is 9'],
      ['a lower maxFeeBps', schedule(2, { maxFeeBps: 4_599 }), 'maxFeeBps is 4599'],
    ])('%s', async (_, creatorSlotTradingFee, reason) => {
      await expectRefusal(creating({ creatorSlotTradingFee }), 'invalid-fees', {
        field: 'creatorSlotTradingFee.brackets',
        reason: expect.stringContaining(reason),
      });
    });

    const withFee = (change: object) => schedule(1, { brackets: [{ ...first!, ...change }] });
    test.each([
      ['a number', 5, 'invalid-input', 'creatorSlotTradingFee'],
      ['a list', [first], 'invalid-input', 'creatorSlotTradingFee'],
      ['no list', schedule(1, { brackets: 5 as never }), 'invalid-input', 'creatorSlotTradingFee.brackets'],
      ['a flag of 1', schedule(1, { enabled: 1 as never }), 'invalid-input', 'creatorSlotTradingFee.enabled'],
      [
        'a fractional maximum',
        schedule(1, { maxFeeBps: 0.5 }),
        'invalid-amount',
        'creatorSlotTradingFee.maxFeeBps',
      ],
      [
        'a maximum over 16 bits',
        schedule(1, { maxSlotOffset: 65_536 }),
        'amount-out-of-range',
        'creatorSlotTradingFee.maxSlotOffset',
      ],
      [
        'a fee over 100 %',
        withFee({ buyFeeBps: 10_001 }),
        'invalid-fees:feeBps',
        'creatorSlotTradingFee.brackets[0].buyFeeBps',
      ],
      [
        'a fee over 16 bits',
        withFee({ sellFeeBps: 65_536 }),
        'amount-out-of-range',
        'creatorSlotTradingFee.brackets[0].sellFeeBps',
      ],
      [
        'a bound over 16 bits',
        withFee({ slotOffsetUpperbound: 65_536 }),
        'amount-out-of-range',
        'creatorSlotTradingFee.brackets[0].slotOffsetUpperbound',
      ],
    ])('%s', async (_, creatorSlotTradingFee, code, field) => {
      await expectRefusal(creating({ creatorSlotTradingFee }), code, { field });
    });
  });

  describe('fees over the config’s highest', () => {
    const most = 4_600;
    beforeEach(() => ledger.updateConfig(config, () => ({ maxCreatorTradingFee: most })));

    test.each([
      ['by market cap', { creatorTradingFee: brackets(most) }, 'creatorTradingFee[0].sellFeeBps'],
      [
        'by market cap, in a later bracket',
        { creatorTradingFee: brackets(1, most + 1) },
        'creatorTradingFee[1].buyFeeBps',
      ],
    ])('%s', async (_, change, field) => {
      await expectRefusal(creating(change), 'invalid-fees:feeBps', {
        field,
        feeBps: most + 1,
        maxFeeBps: most,
      });
    });

    test('by slots', async () => {
      await expect(creating({ creatorSlotTradingFee: schedule(1) })).resolves.toBeDefined();
      ledger.updateConfig(config, () => ({ maxCreatorTradingFee: most - 1 }));
      await expectRefusal(creating({ creatorSlotTradingFee: schedule(1) }), 'invalid-fees:feeBps', {
        field: 'creatorSlotTradingFee.brackets[0].sellFeeBps',
        feeBps: most,
        maxFeeBps: most - 1,
      });
    });

    test('as the highest fee of a slot schedule', async () => {
      const field = 'creatorSlotTradingFee.maxFeeBps';
      await expectRefusal(
        creating({ creatorSlotTradingFee: schedule(1, { maxFeeBps: most + 1 }) }),
        'invalid-fees:feeBps',
        { field, feeBps: most + 1, maxFeeBps: most },
      );
    });

    test('but only those of the creator', async () => {
      const others = { reflectionTradingFee: brackets(most), liquidityProviderTradingFee: brackets(most) };
      await expect(creating(others)).resolves.toBeDefined();
    });
  });

  test.each([
    ['a payer that is no address', { payer: 'me' }, 'invalid-address', { field: 'payer' }],
    ['a creator that is no address', { creator: null }, 'invalid-address', { field: 'creator' }],
    ['a mint that is no address', { mint: 'x' }, 'invalid-address', { field: 'mint' }],
    ['a missing lookup table', { lutAddress: undefined }, 'invalid-address', { field: 'lutAddress' }],
    ['event data that is no text', { encodedUserDefinedEventData: 7 }, 'invalid-input', {}],
    ['a config version of text', { configVersion: '3' }, 'invalid-input', { field: 'configVersion' }],
    ['no token A', { initialTokenAAmount: 0n }, 'zero-amount', { field: 'initialTokenAAmount' }],
    ['no SOL', { initialTokenBAmount: 0n }, 'zero-amount', { field: 'initialTokenBAmount' }],
    ['negative SOL', { initialTokenBAmount: -1n }, 'invalid-amount', { field: 'initialTokenBAmount' }],
    ['token A in numbers', { initialTokenAAmount: 5 }, 'invalid-amount', { field: 'initialTokenAAmount' }],
    ['SOL over 64 bits', { initialTokenBAmount: 2n ** 64n }, 'amount-out-of-range', {}],
    ['wrapped SOL as token A', { mint: WRAPPED_SOL_MINT_ADDRESS }, 'unsupported-mint', {}],
    ['a feature of 1', { features: { enableSwap: 1 } }, 'invalid-input', { field: 'features.enableSwap' }],
    [
      'a feature of text',
      { features: { enableDepositLiquidity: 'no' } },
      'invalid-input',
      { field: 'features.enableDepositLiquidity' },
    ],
    ['features of 5', { features: 5 }, 'invalid-input', { field: 'features' }],
    ['features of text', { features: 'x' }, 'invalid-input', { field: 'features' }],
    ['features of a list', { features: [] }, 'invalid-input', { field: 'features' }],
    ['features of true', { features: true }, 'invalid-input', { field: 'features' }],
    ['a compute price of text', { computeUnitPrice: '1' }, 'invalid-input', { field: 'computeUnitPrice' }],
  ])('%s, before any call to the node', async (_, change, code, context) => {
    await expectRefusal(creating(change), code, context);
    expect(ledger.requests).toEqual([]);
  });

  test.each([
    ['enableSwaps', 'enableSwap'],
    ['enableSwpa', 'enableSwap'],
    ['enable_swap', 'enableSwap'],
    ['enableSandwichResistentMode', 'enableSandwichResistantMode'],
    ['enableSameSoltTrading', 'enableSameSlotTrading'],
    ['enableUpdateCreatorFee', 'enableUpdateCreatorTradingFee'],
    ['depositFeeShare', undefined],
  ])('the feature %s, and names the nearest existing one', async (name, meant) => {
    const error = await creating({ features: { [name]: true } }).catch((reason: unknown) => reason);
    expect(error).toEqual(heavenError('invalid-input', { field: `features.${name}` }));
    expect(/; did you mean (\w+)\?$/.exec((error as Error).message)?.[1]).toBe(meant);
  });

  test('a feature with an endless name in few words', async () => {
    const error = await creating({ features: { ['enableSwap'.repeat(10_000)]: true } }).catch(
      (reason: unknown) => reason,
    );
    expect((error as Error).message.length).toBeLessThan(400);
    expect((error as Error).message).not.toContain('did you mean');
  });

  test('an invalid mint', async () => {
    ledger.setAccount(mint, undefined);
    await expectRefusal(creating(), 'account-not-found', { account: 'Mint', address: mint });
    ledger.setMint(mint, SYSTEM_PROGRAM_ADDRESS, { decimals: 6, supply: SUPPLY });
    await expectRefusal(creating(), 'invalid-account-data:found', {
      address: mint,
      found: SYSTEM_PROGRAM_ADDRESS,
    });
    ledger.setAccount(mint, { owner: TOKEN_PROGRAM_ADDRESS, data: new Uint8Array(82) });
    await expectRefusal(creating(), 'invalid-account-data');
  });

  test('an NFT, but not a token that is merely indivisible', async () => {
    ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 0, supply: 1n });
    await expectRefusal(creating(), 'unsupported-mint', { mint, reason: expect.stringContaining('NFT') });
    ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 0, supply: 2n });
    await expect(creating()).resolves.toBeDefined();
  });

  test('a creator without the token, who is named as such', async () => {
    const refused = await expectRefusal(creating({ creator: payer }), 'unusable-account:token account', {
      field: 'creator',
    });
    expect(refused.message).toMatch(
      new RegExp(
        `^The creator ${payer} holds none of the token ${mint}.*Name the wallet that holds the tokens as creator`,
      ),
    );
  });

  test("a token account that can't be debited", async () => {
    const reason = async (text: string) =>
      await expectRefusal(creating(), 'unusable-account:token account', {
        address: tokenAccount,
        reason: expect.stringContaining(text),
      });
    putTokens({ isFrozen: true });
    await reason('is frozen');
    putTokens({ owner: payer });
    await reason(`belongs to ${payer}`);
    putTokens({ mint: payer });
    await reason(`holds the token ${payer}`);
    putTokens({}, TOKEN_2022_PROGRAM_ADDRESS);
    await reason('belongs to the program');
    ledger.setAccount(tokenAccount, { owner: TOKEN_PROGRAM_ADDRESS, data: new Uint8Array(165) });
    await reason('not an initialized token account');
    ledger.setAccount(tokenAccount, undefined);
    await reason('does not exist');
  });

  test.each([1, 2])('config version %i, which is for standard pools', async (configVersion) => {
    await expectRefusal(creating({ configVersion }), 'pool-mismatch:kind', {
      asked: 'pro',
      found: 'standard',
    });
    await expect(creating({ configVersion })).rejects.toThrow(
      `Config version ${configVersion} is for standard pools. A pro pool is created with 3.`,
    );
  });

  test('a config version that does not exist', async () => {
    await expectRefusal(creating({ configVersion: 9 }), 'account-not-found', {
      address: await findProtocolConfigAddress({ version: 9 }),
    });
  });

  test('a config that allows no pools for now', async () => {
    ledger.updateConfig(config, () => ({ allowCreatePool: 0 }));
    await expectRefusal(creating(), 'operation-disabled:create', { configVersion: 3 });
  });

  test('a second pool of the same creator and token, and no other', async () => {
    const { pool } = await ledger.addPool({
      kind: 'pro',
      configVersion: 3,
      mint,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      creator,
      token: { decimals: 6, supply: SUPPLY },
      state: {},
      reserve: { tokenA: 1n, tokenB: 1n },
    });
    const { message } = await expectRefusal(creating(), 'pool-exists', { pool });
    expect(message).toContain(`${pool}. Use that pool, or name another creator.`);
    creator = await someAddress();
    tokenAccount = await findAssociatedTokenAddress({ owner: creator, mint });
    putTokens();
    await expect(creating()).resolves.toBeDefined();
  });

  test("a lookup table that can't be used", async () => {
    const reason = async (text: string) =>
      await expectRefusal(creating(), 'unusable-account:lookup table', {
        address: lutAddress,
        reason: expect.stringContaining(text),
      });
    ledger.setAccount(lutAddress, undefined);
    await reason('does not exist');
    ledger.setAccount(lutAddress, {
      owner: SYSTEM_PROGRAM_ADDRESS,
      data: encodeLookupTable({ addresses: shared }),
    });
    await reason('belongs to');
    ledger.setAccount(lutAddress, { owner: LOOKUP_TABLE_PROGRAM_ADDRESS, data: new Uint8Array(56) });
    await reason('not an initialized lookup table');
    ledger.setAccount(lutAddress, { owner: LOOKUP_TABLE_PROGRAM_ADDRESS, data: new Uint8Array(20) });
    await reason('not an initialized lookup table');
    putTable({ deactivationSlot: ledger.slot - 1n });
    await reason('deactivated');
  });
});

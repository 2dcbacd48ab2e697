import {
  type AccountMeta,
  type Address,
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  isSignerRole,
  isWritableRole,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import * as heaven from '../../src/index.js';
import {
  CreatorTradingFeeClaimStatus,
  getUpdateCreatorTradingFeeReceiverInstruction,
  parseHeavenInstruction,
} from '../../src/program/index.js';
import type { InstructionName } from '../../src/program/instructions/declarations.js';
import { createEmbeddedLedger, type EmbeddedLedger, type SamplePool } from '../../src/testing/index.js';
import { tradeAccounts } from '../../src/testing/samples.js';
import { unsignedTransaction } from '../../src/testing/wire.js';
import { addressNamed } from '../support/addresses.js';
import { CATCH_ALL, SOL } from '../support/amounts.js';
import { launchOf } from '../support/ledger.js';

// Each builder runs with each of its roles lowered. What the exchange needs is what its model writes and has sign.

const SPONSOR = addressNamed('sponsor');
const FUNDER = addressNamed('funder');
const OTHER = addressNamed('other');

interface Scene {
  readonly ledger: EmbeddedLedger;
  readonly client: heaven.HeavenClient;
  readonly pools: EmbeddedLedger['pools'];
}
type Build = (scene: Scene) => Promise<{ readonly instructions: readonly Instruction[] }>;

const own = ({ pools: { pro } }: Scene) => ({ pool: pro.pool, payer: pro.creator });
const bracket = { marketCapUpperBound: CATCH_ALL, buyFeeBps: 33, sellFeeBps: 33 };
const brackets = [bracket];
const liquidity = ({ pools: { pro } }: Scene) => ({ ...pro, payer: pro.creator });

const BUILDERS: { readonly [TName in InstructionName]: Build } = {
  buy: async ({ client, pools: { creator } }) => {
    const quoteResponse = await heaven.quoteBuy(client, terms(creator, { maxSolSpend: 1 }));
    return heaven.buildBuy(client, { payer: creator.creator, quoteResponse });
  },
  sell: async ({ client, pools: { creator } }) => {
    const quoteResponse = await heaven.quoteSell(client, terms(creator, { amountInUi: 1_000 }));
    return heaven.buildSell(client, { payer: creator.creator, quoteResponse });
  },
  pro_buy: async ({ client, pools: { pro } }) => {
    const quoteResponse = await heaven.quoteProBuy(client, terms(pro, { maxSolSpend: 1 }));
    return heaven.buildProBuy(client, { payer: pro.creator, quoteResponse, pool: pro.pool });
  },
  pro_sell: async ({ client, pools: { pro } }) => {
    const quoteResponse = await heaven.quoteProSell(client, terms(pro, { amountInUi: 1_000 }));
    return heaven.buildProSell(client, { payer: pro.creator, quoteResponse, pool: pro.pool });
  },
  add_liquidity_pro_pool: async (scene) => {
    const most = { maxTokenA: 10n ** 12n, maxTokenB: SOL, minLpTokens: 1n };
    return heaven.buildProAddLiquidity(scene.client, { ...liquidity(scene), ...most });
  },
  remove_liquidity_pro_pool: async (scene) => {
    const least = { lpTokensToBurn: SOL, minTokenA: 1n, minTokenB: 1n };
    return heaven.buildProRemoveLiquidity(scene.client, { ...liquidity(scene), ...least });
  },
  transfer_lp_tokens: async (scene) => {
    const { pool, payer: sender } = own(scene);
    return heaven.buildProTransferLp(scene.client, {
      pool,
      payer: FUNDER,
      sender,
      receiver: OTHER,
      amount: 1n,
    });
  },
  create_standard_liquidity_pool: async ({ client, ledger, pools: { creator } }) =>
    heaven.buildCreateStandardLiquidityPool(client, {
      ...launchOf(creator.creator, ledger),
      initialPurchaseAmount: 10n ** 15n,
      mintSigner: await generateKeyPairSigner(),
    }),
  create_pro_liquidity_pool: async ({ client, ledger, pools: { creator } }) =>
    heaven.buildProCreate(client, {
      payer: creator.creator,
      creator: creator.creator,
      configVersion: 3,
      mint: creator.mint,
      initialTokenAAmount: 4_000_000_000_000n,
      initialTokenBAmount: 9n * SOL,
      lutAddress: ledger.lookupTables.pro,
    }),
  claim_standard_creator_trading_fees: async ({ client, pools: { creator } }) =>
    heaven.buildClaimCreatorTradingFees(client, {
      payer: creator.creator,
      mint: creator.mint,
      version: 2,
      amount: 1n,
    }),
  claim_pro_creator_trading_fees: async (scene) => heaven.buildProClaimCreatorFees(scene.client, own(scene)),
  claim_pro_liquidity_provider_trading_fees: async (scene) =>
    heaven.buildProClaimLpFees(scene.client, own(scene)),
  update_creator_trading_fee_receiver: async ({ pools: { creator } }) => {
    const accounts = { ...(await tradeAccounts(creator, creator.creator)), newReceiver: OTHER };
    return { instructions: [getUpdateCreatorTradingFeeReceiverInstruction(accounts)] };
  },
  update_pro_creator_trading_fee_receiver: async (scene) => {
    const { mint, configVersion: version } = scene.pools.pro;
    const update = { ...own(scene), mint, version, newReceiver: OTHER };
    return heaven.buildProUpdateCreatorFeeReceiver(scene.client, update);
  },
  creator_toggle_pro_swap: async (scene) =>
    heaven.buildProToggleSwap(scene.client, { ...own(scene), enabled: false }),
  creator_toggle_pro_deposit: async (scene) =>
    heaven.buildProToggleDeposit(scene.client, { ...own(scene), enabled: false }),
  creator_toggle_pro_withdraw: async (scene) =>
    heaven.buildProToggleWithdraw(scene.client, { ...own(scene), enabled: false }),
  creator_set_pro_market_cap_creator_fee: async (scene) =>
    heaven.buildProSetMarketCapCreatorFee(scene.client, { ...own(scene), brackets }),
  creator_set_pro_market_cap_lp_fee: async (scene) =>
    heaven.buildProSetLpFee(scene.client, { ...own(scene), brackets }),
  creator_set_pro_market_cap_reflection_fee: async (scene) =>
    heaven.buildProSetReflectionFee(scene.client, { ...own(scene), brackets }),
  creator_set_pro_slot_creator_fee: async (scene) => {
    const slots = [{ slotOffsetUpperbound: 9, buyFeeBps: 70, sellFeeBps: 80 }];
    const fee = { brackets: slots, maxSlotOffset: 9, maxFeeBps: 80, enabled: true };
    return heaven.buildProSetSlotCreatorFee(scene.client, { ...own(scene), ...fee });
  },
};

const terms = <T extends object>({ mint, configVersion, pool }: SamplePool, amount: T) => ({
  mint,
  configVersion,
  pool,
  slippageBps: 500,
  ...amount,
});

/** What an instruction needs: who signs, what it writes, and what it is passed writable besides, for the reason that it stands under. */
interface Needs {
  readonly signs: string;
  readonly writes: string;
  /** The published interface declares it writable, so the program rejects it otherwise. The model changes nothing in it. */
  readonly declared?: string;
  /** Confirmed transactions pass it writable. Neither the interface nor the model asks for it. */
  readonly confirmed?: string;
}
const POOL = 'liquidityPoolState';
const SOL_OUT = `${POOL} userTokenBVault tokenBVault protocolConfig`;
const VAULTS = 'userTokenAVault userTokenBVault tokenAVault tokenBVault';
const SWAP: Needs = { signs: 'user', writes: `${POOL} ${VAULTS} protocolConfig`, confirmed: 'user' };
const CREATION = `payer userTokenAVault tokenAVault tokenBVault ${POOL} protocolConfig`;
const LIQUIDITY: Needs = {
  signs: 'user payer',
  writes: `${POOL} ${VAULTS} protocolConfig userLpPosition`,
  // It pays for a position that there isn't yet.
  declared: 'payer',
};
const CLAIM: Needs = { signs: 'user', writes: SOL_OUT, declared: 'userTokenAVault tokenAVault' };
const UPDATE: Needs = { signs: 'user newReceiver', writes: POOL, declared: `${VAULTS} protocolConfig` };
const SETTING: Needs = { signs: 'creator', writes: POOL };

const NEEDS: { readonly [TName in InstructionName]: Needs } = {
  buy: SWAP,
  sell: SWAP,
  pro_buy: SWAP,
  pro_sell: SWAP,
  add_liquidity_pro_pool: LIQUIDITY,
  remove_liquidity_pro_pool: LIQUIDITY,
  transfer_lp_tokens: {
    signs: 'sender payer',
    writes: 'payer senderLpPosition receiverLpPosition',
    declared: POOL,
  },
  create_standard_liquidity_pool: { signs: 'user payer', writes: CREATION },
  create_pro_liquidity_pool: { signs: 'user payer', writes: `${CREATION} userLpPosition` },
  claim_standard_creator_trading_fees: CLAIM,
  claim_pro_creator_trading_fees: CLAIM,
  claim_pro_liquidity_provider_trading_fees: { ...CLAIM, writes: `${SOL_OUT} userLpPosition` },
  update_creator_trading_fee_receiver: UPDATE,
  update_pro_creator_trading_fee_receiver: UPDATE,
  creator_toggle_pro_swap: SETTING,
  creator_toggle_pro_deposit: SETTING,
  creator_toggle_pro_withdraw: SETTING,
  creator_set_pro_market_cap_creator_fee: SETTING,
  creator_set_pro_market_cap_lp_fee: SETTING,
  creator_set_pro_market_cap_reflection_fee: SETTING,
  creator_set_pro_slot_creator_fee: SETTING,
};

async function createScene(): Promise<Scene> {
  const ledger = await createEmbeddedLedger();
  for (const wallet of [SPONSOR, FUNDER, OTHER]) ledger.setBalance(wallet, 100n * SOL);
  const { pool } = ledger.pools.creator;
  ledger.updatePool(pool, () => ({ creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed }));
  return { ledger, client: heaven.createHeavenClient({ rpc: ledger.rpc }), pools: ledger.pools };
}

const alone = (instruction: Instruction) =>
  getBase64EncodedWireTransaction(
    unsignedTransaction(0, SPONSOR, SPONSOR, [instruction]),
  ) as Base64EncodedWireTransaction;

const WRITABLE = 1;
const SIGNER = 2;
const NO_ROLE = { [WRITABLE]: 'writable', [SIGNER]: 'a signer' } as const;
type Bit = keyof typeof NO_ROLE;

/** The instruction with less of a role, wherever it names the account. */
const lowered = (instruction: Instruction, address: Address, bit: Bit): Instruction => ({
  ...instruction,
  accounts: (instruction.accounts ?? []).map((meta) =>
    meta.address === address ? ({ address, role: meta.role & ~bit } as AccountMeta) : meta,
  ),
});

/** What a builder's instructions are and do, one transaction each, so that nothing else lends an account its role. */
async function outcomesOf(name: InstructionName) {
  const scene = await createScene();
  const { ledger } = scene;
  const { programAddress } = ledger;
  const { instructions } = await BUILDERS[name](scene);
  const outcomes = [];
  for (const built of instructions) {
    const isExchange = built.programAddress === programAddress;
    const names = isExchange ? Object.keys(parseHeavenInstruction(built as never).accounts) : [];
    // Another one pays than the one who trades, so that each has only its own role.
    const accounts = (built.accounts ?? []).map(({ address, role }, index) => ({
      address: names[index] === 'payer' ? FUNDER : address,
      role,
    }));
    const instruction: Instruction = { ...built, accounts };
    const failures = new Map<string, unknown>();
    for (const [index, { address, role }] of accounts.entries())
      for (const bit of [WRITABLE, SIGNER] as const) {
        if ((role & bit) === 0) continue;
        const failure = await failureOf(ledger, alone(lowered(instruction, address, bit)));
        failures.set(`${names[index] ?? index} ${bit}`, failure);
      }
    const before = accounts.map(({ address }) => ledger.getAccount(address));
    const { err, logs } = await ledger.execute(alone(instruction));
    const after = accounts.map(({ address }) => ledger.getAccount(address));
    const written = accounts.flatMap((_, at) => (before[at] === after[at] ? [] : [names[at] ?? `${at}`]));
    outcomes.push({ isExchange, accounts, names, failures, err, logs, written });
  }
  return outcomes;
}

/** Why it fails. Nothing is kept of it. */
async function failureOf(ledger: EmbeddedLedger, tx: Base64EncodedWireTransaction): Promise<unknown> {
  const config = { encoding: 'base64', replaceRecentBlockhash: true } as const;
  const { value } = await ledger.rpc.simulateTransaction(tx, config).send();
  return JSON.parse(JSON.stringify(value.err, (_, part) => (typeof part === 'bigint' ? Number(part) : part)));
}

const words = (text = '') => text.split(' ').filter(Boolean);

describe.each(Object.keys(NEEDS) as InstructionName[])('%s', async (name) => {
  const outcomes = await outcomesOf(name);
  const [exchange] = outcomes.filter(({ isExchange }) => isExchange);
  const { signs, writes, declared, confirmed } = NEEDS[name];
  const failureWithout = (account: string, bit: Bit) => exchange?.failures.get(`${account} ${bit}`);

  test('runs as it is built', () => {
    expect(outcomes.filter(({ err }) => err !== null)).toEqual([]);
  });
  test.each(words(signs))('needs %s as a signer', (account) => {
    expect(failureWithout(account, SIGNER)).toEqual({ InstructionError: [0, { Custom: 3010 }] });
  });
  test.each(words(writes))('writes %s', (account) => {
    expect(exchange?.written).toContain(account);
    expect(failureWithout(account, WRITABLE)).toEqual({ InstructionError: [0, { Custom: 2000 }] });
  });
  test.runIf(declared).each(words(declared))(
    'is passed %s writable for the published interface',
    (account) => {
      expect(exchange?.written).not.toContain(account);
      expect(failureWithout(account, WRITABLE)).toEqual({ InstructionError: [0, { Custom: 2000 }] });
    },
  );
  test.runIf(confirmed).each(words(confirmed))('is passed %s writable as in confirmed ones', (account) => {
    expect(exchange?.written).not.toContain(account);
    expect(failureWithout(account, WRITABLE)).toBeNull();
  });
  test('is passed no other role', () => {
    const { accounts = [], names = [] } = exchange ?? {};
    const having = (has: (role: number) => boolean) =>
      names.filter((_, index) => has(accounts[index]?.role ?? 0));
    expect(having(isSignerRole).sort()).toEqual(words(signs).sort());
    const writable = [writes, declared, confirmed].flatMap(words);
    expect(having(isWritableRole).sort()).toEqual([...new Set(writable)].sort());
  });
  test('is built with no role in another instruction that nothing needs', () => {
    // An account that is there already isn't created.
    const idle = outcomes
      .filter(({ isExchange, written }) => !isExchange && written.length > 0)
      .flatMap(({ failures, logs }) =>
        [...failures].filter(([, err]) => err === null).map(([role]) => `${role} ${logs[0]}`),
      );
    expect(idle).toEqual([]);
  });
});

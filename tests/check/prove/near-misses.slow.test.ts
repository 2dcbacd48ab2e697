import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { infer, type ProofObservation } from '../../../src/check/prove/infer.js';
import { editedConfigs } from '../../../src/check/prove/scenarios/edited-configs.js';
import { randomTrades } from '../../../src/check/prove/scenarios/random-trades.js';
import { transferFees } from '../../../src/check/prove/scenarios/transfer-fees.js';
import { toSwapState } from '../../../src/index.js';
import {
  CONFIG,
  FEE_BRACKETS,
  MINT,
  POOL,
  SLOT_BRACKETS,
  TRANSFER_FEE_EXTENSION,
} from '../../../src/pool/layout.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../../src/program/index.js';
import { view } from '../../../src/solana/account-data.js';
import type { EngineOutcome } from '../../../src/testing/engine.js';
import {
  createEmbeddedLedger,
  type EmbeddedLedger,
  type ExchangeBehavior,
} from '../../../src/testing/index.js';
import { modelEngine } from '../../../src/testing/simulate.js';
import { groundOf, runOn, verdictsOf } from './trades-support.js';

// Programs that do nearly as assumed: none of them may be confirmed.

/** `was`: the accounts before the trade. */
type Change = (
  outcome: EngineOutcome,
  was: (address: Address) => { readonly data: Uint8Array } | undefined,
) => EngineOutcome;

/** A ledger whose engine changes what the model makes of a trade. */
async function ledgerWith(change: Change): Promise<EmbeddedLedger> {
  let slot = () => 0n;
  const model = modelEngine(HEAVEN_PROGRAM_ADDRESS, () => slot());
  const isTrade = ({ err, logs }: EngineOutcome) =>
    err === null && logs.some((line) => /Instruction: (Pro)?(Buy|Sell)/.test(line));
  const ledger = await createEmbeddedLedger({
    engine: {
      run: async (cluster, tx) => {
        const outcome = await model.run(cluster, tx);
        return isTrade(outcome) ? change(outcome, (address) => cluster.getAccount(address)) : outcome;
      },
    },
  });
  slot = () => ledger.slot;
  return ledger;
}

/** Changes a number of the pool of a trade. */
const changed =
  (offset: number, value: (before: bigint) => bigint) =>
  (outcome: EngineOutcome): EngineOutcome => ({
    ...outcome,
    accounts: new Map(
      [...outcome.accounts].map(([address, account]) => {
        if (account.owner !== HEAVEN_PROGRAM_ADDRESS || account.data.length !== POOL.size)
          return [address, account];
        const data = account.data.slice();
        const fields = view(data);
        fields.setBigUint64(offset, value(fields.getBigUint64(offset, true)), true);
        return [address, { ...account, data }];
      }),
    ),
  });

const verdictsWith = async (change: (outcome: EngineOutcome) => EngineOutcome) => {
  const ground = { ...(await groundOf(['creator'])), open: () => ledgerWith(change) };
  const journal = await runOn(ground, [randomTrades({ tradesPerPool: 12 })]);
  return verdictsOf(journal, 'sell', 'event', 'counters', 'A7.length');
};

const RIGHT = {
  sell: 'confirmed as-computed',
  event: 'confirmed as-computed',
  counters: 'confirmed as-computed',
  'A7.length': 'confirmed four',
};

describe('a trade that also', () => {
  const twice = (outcome: EngineOutcome): EngineOutcome => ({
    ...outcome,
    logs: outcome.logs.flatMap((line) => (line.startsWith('Program data:') ? [line, line] : [line])),
  });
  test.each<[string, (outcome: EngineOutcome) => EngineOutcome, Partial<typeof RIGHT>]>([
    ['does nothing else', (outcome) => outcome, {}],
    ['logs its event twice', twice, { event: 'none-fits' }],
    ['changes the LP supply', changed(536, (total) => total + 1n), { counters: 'none-fits' }],
    ['changes the virtual SOL', changed(512, (initial) => initial + 1n), { counters: 'none-fits' }],
    [
      'notes a window of another length',
      changed(472, (slot) => (slot / 8n) * 8n + 1n),
      { counters: 'none-fits', 'A7.length': 'none-fits' },
    ],
  ])('%s', async (_, change, wrong) => {
    expect(await verdictsWith(change)).toEqual({ ...RIGHT, ...wrong });
  });
});

test('a direct observation that fits nothing outweighs one that seems to answer the question', () => {
  const seen = (kind: string, found: string, decides?: 'A7.length'): ProofObservation => ({
    kind,
    what: kind,
    decides,
    size: 1n,
    found,
    predictions: [
      { choice: { 'A7.length': 'four' }, expected: '4' },
      { choice: { 'A7.length': 'one' }, expected: '1' },
    ],
  });
  const verdictOf = (...observations: readonly ProofObservation[]) =>
    infer(observations).find(({ question }) => question.id === 'A7.length')?.verdict;
  expect(verdictOf(seen('trade', '4'), seen('start', '4', 'A7.length'))).toBe('confirmed');
  expect(verdictOf(seen('trade', '4'), seen('start', '8', 'A7.length'))).toBe('none-fits');
  expect(verdictOf(seen('trade', '1'), seen('start', '8', 'A7.length'))).toBe('none-fits');
});

describe('brackets', () => {
  /** The model with the brackets of the pool and the config changed for it. */
  const withBrackets =
    (
      edit: (data: DataView, marketCap: number, slots: number) => void,
    ): NonNullable<ExchangeBehavior['toSwapState']> =>
    (snapshot, options) => {
      const copies = {
        pool: snapshot.data.pool.slice(),
        protocolConfig: snapshot.data.protocolConfig.slice(),
      };
      for (const [account, layout] of [
        ['pool', POOL],
        ['protocolConfig', CONFIG],
      ] as const)
        for (let type = 0; type < 5; type++)
          edit(
            view(copies[account]),
            layout.marketCapBasedFees + type * FEE_BRACKETS.size,
            layout.slotOffsetBasedFees + type * SLOT_BRACKETS.size,
          );
      return toSwapState({ ...snapshot, data: { ...snapshot.data, ...copies } }, options);
    };
  const moveMarketCaps = (by: bigint) =>
    withBrackets((data, marketCap) => {
      for (let k = 0; k < data.getUint8(marketCap + FEE_BRACKETS.count); k++) {
        const at = marketCap + k * FEE_BRACKETS.bracket + FEE_BRACKETS.upperBound;
        const bound = data.getBigUint64(at, true);
        if (bound > 0n && bound < 2n ** 63n) data.setBigUint64(at, bound + by, true);
      }
    });
  const moveEnd = (by: number) =>
    withBrackets((data, _, slots) => {
      const at = slots + SLOT_BRACKETS.maxOffset;
      const end = data.getUint16(at, true);
      if (end > 0) data.setUint16(at, end + by, true);
    });
  const freeBeyond = withBrackets((data, marketCap) => {
    const count = data.getUint8(marketCap + FEE_BRACKETS.count);
    // Unused brackets are all zeros.
    if (count > 0 && count < 4) data.setUint8(marketCap + FEE_BRACKETS.count, count + 1);
  });

  test.each([
    ['that end before their market cap', moveMarketCaps(-1n), 2],
    ['that end a unit of market cap later', moveMarketCaps(1n), 2],
    ['of a schedule that ends a slot earlier', moveEnd(-1), 4],
    ['of a schedule that ends a slot later', moveEnd(1), 4],
    ['without a fee beyond the last market cap', freeBeyond, 2],
  ])('%s are not confirmed', async (_, behavior, roundsPerEdit) => {
    const ground = await groundOf(['pro'], (ledger) => ledger.setBehavior({ toSwapState: behavior }));
    const journal = await runOn(ground, [editedConfigs({ roundsPerEdit })]);
    const answers = Object.values(verdictsOf(journal, 'buy', 'sell'));
    expect(answers).toContain('none-fits');
  });
});

describe('a token that withholds', () => {
  interface Withheld {
    readonly amount: bigint;
    readonly rate: bigint;
    readonly maximum: bigint;
  }
  const least = (...amounts: readonly bigint[]) => amounts.reduce((a, b) => (b < a ? b : a));
  const rounded = ({ amount, rate }: Withheld) => (amount * rate + 9_999n) / 10_000n;

  /** Gives the receiver of each trade's tokens what arrives by another formula. */
  const withholding =
    (mint: Address, withheldOf: (withheld: Withheld) => bigint): Change =>
    (outcome, was) => {
      const fields = view(was(mint)!.data);
      const at = TRANSFER_FEE_EXTENSION.newer + MINT.extensions + 4;
      const rate = BigInt(fields.getUint16(at + TRANSFER_FEE_EXTENSION.basisPoints, true));
      const maximum = fields.getBigUint64(at + TRANSFER_FEE_EXTENSION.maximum, true);
      const amountIn = (account: { readonly data: Uint8Array } | undefined) =>
        account === undefined ? 0n : view(account.data).getBigUint64(64, true);
      const gains = [...outcome.accounts].flatMap(([address, account]) =>
        // The vault, with one extension, and the wallet's account, with two.
        [178, 182].includes(account.data.length)
          ? [{ address, account, gain: amountIn(account) - amountIn(was(address)) }]
          : [],
      );
      const [sender, receiver] = [gains.find(({ gain }) => gain < 0n), gains.find(({ gain }) => gain > 0n)];
      if (sender === undefined || receiver === undefined) return outcome;
      const arrived = -sender.gain - withheldOf({ amount: -sender.gain, rate, maximum });
      const data = receiver.account.data.slice();
      view(data).setBigUint64(64, amountIn(was(receiver.address)) + arrived, true);
      const accounts = new Map(outcome.accounts).set(receiver.address, { ...receiver.account, data });
      return { ...outcome, accounts };
    };

  test.each<[string, (withheld: Withheld) => bigint, string]>([
    ['what it should', (by) => least(rounded(by), by.maximum), 'confirmed as-computed'],
    ['a part rounded down', (by) => least((by.amount * by.rate) / 10_000n, by.maximum), 'none-fits'],
    ['no more for a maximum', rounded, 'none-fits'],
    ['nothing beyond its maximum', (by) => (rounded(by) > by.maximum ? 0n : rounded(by)), 'none-fits'],
    [
      'a unit more than its maximum',
      (by) => least(rounded(by), by.maximum + (by.maximum < 2n ** 63n ? 1n : 0n)),
      'none-fits',
    ],
  ])('%s, where no pool has such a token', async (_, withheldOf, verdict) => {
    const ground = await groundOf(['community']);
    const { mint } = ground.pools[0]!;
    const open = () => ledgerWith(withholding(mint, withheldOf));
    const taxed = await runOn({ ...ground, open }, [transferFees({ rates: 4 })]);
    expect(verdictsOf(taxed, 'buy', 'sell')).toEqual({ buy: verdict, sell: verdict });
  });
});

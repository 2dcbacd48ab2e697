// What the creator of a pro pool can change: its fees, step by step, and its switches. Loaded on demand.
import type { Address } from '@solana/kit';
import {
  type BuiltTransaction,
  buildProSetLpFee,
  buildProSetMarketCapCreatorFee,
  buildProSetReflectionFee,
  buildProSetSlotCreatorFee,
  buildProToggleDeposit,
  buildProToggleSwap,
  buildProToggleWithdraw,
  type LiquidityPoolState,
  MAX_FEE_BRACKETS,
  MAX_MARKET_CAP_BOUND,
  MAX_SLOT_FEE_BRACKETS,
  parseAmount,
  toUiAmount,
} from 'heaven-pools';

import type { Connection } from './connection.js';
import { byId, element } from './dom.js';
import { formatBps, formatUsdCompact } from './format.js';
import { Problem } from './messages.js';
import type { Pool } from './pools.js';
import { NO_LIFETIME } from './review.js';
import type { BuildOptions, Plan } from './view-form.js';

const USD_DECIMALS = 6;

/** A step of a fee: up to a market cap in millionths of a dollar, or up to a slot since the launch. */
interface Step {
  readonly to: bigint;
  readonly buyFeeBps: number;
  readonly sellFeeBps: number;
}

interface FeeSetting {
  readonly label: string;
  readonly isBySlot?: boolean;
  readonly now: (pool: LiquidityPoolState) => readonly Step[];
  build(client: Connection['client'], options: Common, steps: readonly Step[]): Promise<BuiltTransaction>;
}

interface Switch {
  readonly label: string;
  readonly feature: 'swap' | 'depositLiquidity' | 'removeLiquidity';
  readonly build: typeof buildProToggleSwap;
}

type Common = BuildOptions & { readonly pool: Address; readonly lifetime: typeof NO_LIFETIME };

const byCap = (
  label: string,
  field: 'liquidityProviderTradingFee' | 'reflectionTradingFee' | 'creatorTradingFee',
  build: typeof buildProSetLpFee,
): FeeSetting => ({
  label,
  now: ({ marketCapBasedFees: { [field]: fee } }) =>
    fee.brackets
      .slice(0, fee.count)
      .map(({ marketCapUpperBound, ...rest }) => ({ ...rest, to: marketCapUpperBound })),
  build: (client, options, steps) =>
    build(client, {
      ...options,
      brackets: steps.map(({ to, ...rest }) => ({ ...rest, marketCapUpperBound: to })),
    }),
});

const SETTINGS: Readonly<Record<string, FeeSetting | Switch>> = {
  lp: byCap('Fee for liquidity providers', 'liquidityProviderTradingFee', buildProSetLpFee),
  reflection: byCap('Fee for token holders (reflection)', 'reflectionTradingFee', buildProSetReflectionFee),
  creator: byCap('Fee for the creator', 'creatorTradingFee', buildProSetMarketCapCreatorFee),
  slots: {
    label: 'Fee for the creator, in the first slots',
    isBySlot: true,
    now: ({ slotOffsetBasedFees: { creatorTradingFee: fee } }) =>
      fee.enabled === 0
        ? []
        : fee.brackets
            .slice(0, fee.count)
            .map(({ slotOffsetUpperbound, ...rest }) => ({ ...rest, to: BigInt(slotOffsetUpperbound) })),
    build: (client, options, steps) =>
      buildProSetSlotCreatorFee(client, {
        ...options,
        brackets: steps.map(({ to, ...rest }) => ({ ...rest, slotOffsetUpperbound: Number(to) })),
        maxSlotOffset: Number(steps.at(-1)?.to ?? 0n),
        maxFeeBps: Math.max(0, ...steps.flatMap(({ buyFeeBps, sellFeeBps }) => [buyFeeBps, sellFeeBps])),
        enabled: steps.length > 0,
      }),
  },
  swap: { label: 'Trading', feature: 'swap', build: buildProToggleSwap },
  deposit: { label: 'Deposits', feature: 'depositLiquidity', build: buildProToggleDeposit },
  withdraw: { label: 'Withdrawals', feature: 'removeLiquidity', build: buildProToggleWithdraw },
};

const chosen = (): FeeSetting | Switch =>
  SETTINGS[byId<HTMLSelectElement>('setting').value] as FeeSetting | Switch;

export function fillSettings(): void {
  const options = Object.entries(SETTINGS).map(([value, { label }]) => element('option', { value }, label));
  byId('setting').replaceChildren(...options);
}

const quiet = (text: string) => element('p', { class: 'quiet' }, text);

let drawn = '';

/** Shows the chosen setting's current value. Typed values stay until the pool itself changes. */
export function renderSetting(address: Address | undefined, pool: LiquidityPoolState | undefined): void {
  const setting = chosen();
  const target = byId('setting-fields');
  const now =
    pool === undefined ? [] : 'feature' in setting ? [pool.allowlist[setting.feature]] : setting.now(pool);
  const key = [address, setting.label, ...now.map((one) => Object.values(Object(one)).join() || one)].join(
    ';',
  );
  if (key === drawn) return;
  drawn = key;
  target.replaceChildren(
    ...(pool === undefined
      ? []
      : 'feature' in setting
        ? [quiet(pool.allowlist[setting.feature] === 0 ? 'Off now.' : 'On now.')]
        : stepRows(setting, pool)),
  );
}

/** The steps of a fee, with empty rows for more. */
function stepRows({ isBySlot = false, now }: FeeSetting, pool: LiquidityPoolState): readonly HTMLElement[] {
  const steps = now(pool);
  const rows = isBySlot ? Math.min(steps.length + 2, MAX_SLOT_FEE_BRACKETS) : MAX_FEE_BRACKETS;
  const heads = [isBySlot ? 'Up to slot' : 'Up to a market cap, $', 'Buy, %', 'Sell, %'];
  const cells = Array.from({ length: rows }, (_, row) => {
    const step = steps[row];
    const values = step === undefined ? ['', '', ''] : [boundOf(step, isBySlot), ...feesOf(step)];
    return values.map((value, column) => {
      const input = element('input', {
        type: 'text',
        inputmode: 'decimal',
        autocomplete: 'off',
        'aria-label': `${heads[column]}, step ${row + 1}`,
        'aria-describedby': 'manage-problem',
        placeholder: column === 0 && !isBySlot && step !== undefined ? 'no end' : '',
      });
      input.value = value;
      return input;
    });
  });
  return [
    element(
      'div',
      { class: 'steps', 'aria-hidden': 'true' },
      ...heads.map((head) => element('span', {}, head)),
    ),
    ...cells.map((row) => element('div', { class: 'steps' }, ...row)),
    quiet(
      isBySlot
        ? 'Slots count from the creation of the pool. After the last step the fee by market cap applies. Without a step, the schedule is off.'
        : 'The last step has no end. Without a step, there is no such fee.',
    ),
  ];
}

const boundOf = ({ to }: Step, isBySlot: boolean): string =>
  isBySlot ? String(to) : to >= MAX_MARKET_CAP_BOUND ? '' : toUiAmount(to, USD_DECIMALS);
const feesOf = ({ buyFeeBps, sellFeeBps }: Step) => [buyFeeBps / 100, sellFeeBps / 100].map(String);

/** A percentage from 0 to 100 in basis points. */
export function readPercent(text: string): number | undefined {
  try {
    const bps = Number(parseAmount(text, 2));
    return bps > 10_000 ? undefined : bps;
  } catch {
    return undefined;
  }
}

/** The typed steps. */
function readSteps(isBySlot: boolean): readonly Step[] {
  const rows = [...byId('setting-fields').querySelectorAll('div.steps:not([aria-hidden])')].map((row) =>
    [...row.querySelectorAll('input')].map(({ value }) => value.trim()),
  );
  return rows.flatMap(([to = '', ...fees], index) => {
    if (to === '' && fees.every((fee) => fee === '')) return [];
    const [buyFeeBps, sellFeeBps] = fees.map(readPercent);
    if (buyFeeBps === undefined || sellFeeBps === undefined)
      throw new Problem(
        undefined,
        `Step ${index + 1}: type both fees as percentages from 0 to 100 with at most two decimals, such as 0.5.`,
      );
    return { to: readBound(to, index, isBySlot), buyFeeBps, sellFeeBps };
  });
}

function readBound(text: string, index: number, isBySlot: boolean): bigint {
  if (text === '' && !isBySlot) return MAX_MARKET_CAP_BOUND;
  try {
    return parseAmount(text, isBySlot ? 0 : USD_DECIMALS);
  } catch {
    throw new Problem(
      undefined,
      `Step ${index + 1}: type ${isBySlot ? 'the last slot of the step, such as 15' : 'the market cap in dollars up to which it applies, such as 100000'}.`,
    );
  }
}

/** The plan for the typed change. */
export function planSetting({
  connection: { client },
  pool,
  account,
}: {
  readonly connection: Connection;
  readonly pool: Pool;
  readonly account: LiquidityPoolState;
}): Omit<Plan, 'token'> & Pick<Parameters<typeof planned>[0], 'build'> {
  const setting = chosen();
  const what = setting.label.replace(/^./, (letter) => letter.toLowerCase());
  const common = (options: BuildOptions): Common => ({
    ...options,
    pool: pool.address,
    lifetime: NO_LIFETIME,
  });
  if ('feature' in setting) {
    const enabled = account.allowlist[setting.feature] === 0;
    return planned({
      headline: `You switch ${what} ${enabled ? 'on' : 'off'} in this pool.`,
      facts: [{ term: setting.label, value: enabled ? 'on' : 'off', isStrong: true }],
      build: (options) => setting.build(client, { ...common(options), enabled }),
    });
  }
  const { isBySlot = false } = setting;
  const steps = readSteps(isBySlot);
  const inDollars = (to: bigint) => formatUsdCompact(Number(to) / 10 ** USD_DECIMALS);
  return planned({
    headline: steps.length === 0 ? `You end the ${what}.` : `You change the ${what}.`,
    facts: steps.map(({ to, buyFeeBps, sellFeeBps }) => ({
      term: isBySlot ? `Up to slot ${to}` : to >= MAX_MARKET_CAP_BOUND ? 'Above' : `Up to ${inDollars(to)}`,
      value: `${formatBps(buyFeeBps)} to buy, ${formatBps(sellFeeBps)} to sell`,
    })),
    build: (options) => setting.build(client, common(options), steps),
  });
}

const planned = (
  own: Pick<Plan, 'headline' | 'facts'> & {
    readonly build: (options: BuildOptions) => Promise<BuiltTransaction>;
  },
) => ({
  title: 'Before you change the pool',
  noun: 'change',
  done: 'changed',
  receipt: { title: 'Changed' },
  ...own,
});

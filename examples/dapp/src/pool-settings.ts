// What the creator of a pro pool can change: its fees, step by step, its switches, and who receives its fees. Loaded on demand.
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
  buildProUpdateCreatorFeeReceiver,
  type LiquidityPoolState,
  MAX_FEE_BRACKETS,
  MAX_MARKET_CAP_BOUND,
  MAX_SLOT_FEE_BRACKETS,
  parseAmount,
  parseBps,
  toProFeeSettings,
  toSlotFeeConfiguration,
  toUiAmount,
} from 'heaven-pools';

import { byId, element, quiet, showFieldProblem } from './dom.js';
import { formatBps, formatSol, formatUsdCompact } from './format.js';
import type { LiquidityInput, LiquidityPlan } from './liquidity-build.js';
import { Problem } from './messages.js';
import { state } from './state.js';
import { addressAt, type BuildOptions, FieldProblem, inputAt, showProblem } from './view-form.js';
import { connectWallet, nameOf, signerOf, usableWallets, walletWith } from './wallets.js';

const USD_DECIMALS = 6;

/** Something that the creator can change. */
interface Setting {
  readonly label: string;
  /** Its current values. The fields are drawn again when they change. */
  now(pool: LiquidityPoolState): readonly (bigint | number | string)[];
  fields(pool: LiquidityPoolState): readonly Node[];
  /** The plan for what is typed. */
  plan(input: LiquidityInput): LiquidityPlan;
}

const inSentence = (label: string) => label.replace(/^./, (letter) => letter.toLowerCase());

// Switches

const onOff = (
  label: string,
  feature: 'swap' | 'depositLiquidity' | 'removeLiquidity',
  build: typeof buildProToggleSwap,
): Setting => ({
  label,
  now: ({ allowlist }) => [allowlist[feature]],
  fields: ({ allowlist }) => [quiet(allowlist[feature] === 0 ? 'Off now.' : 'On now.')],
  plan: ({ connection: { client }, locator: { pool }, account }) => {
    const enabled = account.allowlist[feature] === 0;
    const next = enabled ? 'on' : 'off';
    return {
      headline: `You switch ${inSentence(label)} ${next} in this pool.`,
      facts: [{ term: label, value: next, isStrong: true }],
      build: (options) => build(client, { ...options, pool, enabled }),
    };
  },
});

// Fees

/** A step of a fee: up to a market cap in millionths of a dollar, or up to a slot since the launch. */
interface Step {
  readonly to: bigint;
  readonly buyFeeBps: number;
  readonly sellFeeBps: number;
}

type SettingOptions = BuildOptions & { readonly pool: Address };

/** How a kind of steps is shown and read. */
interface StepKind {
  readonly head: string;
  readonly note: string;
  /** What to type as a bound. */
  readonly example: string;
  readonly decimals: number;
  /** The bound of a step without one. */
  readonly end: bigint | undefined;
  rows(steps: number): number;
  inWords(to: bigint): string;
}

const BY_CAP: StepKind = {
  head: 'Up to a market cap, $',
  note: 'The last step has no end. Without a step, there is no such fee.',
  example: 'the market cap in dollars up to which it applies, such as 100000',
  decimals: USD_DECIMALS,
  end: MAX_MARKET_CAP_BOUND,
  rows: () => MAX_FEE_BRACKETS,
  inWords: (to) =>
    to >= MAX_MARKET_CAP_BOUND ? 'Above' : `Up to ${formatUsdCompact(Number(to) / 10 ** USD_DECIMALS)}`,
};

const BY_SLOT: StepKind = {
  head: 'Up to slot',
  note: 'Slots count from the creation of the pool. After the last step the fee by market cap applies. Without a step, the schedule is off.',
  example: 'the last slot of the step, such as 15',
  decimals: 0,
  end: undefined,
  rows: (steps) => Math.min(steps + 2, MAX_SLOT_FEE_BRACKETS),
  inWords: (to) => `Up to slot ${to}`,
};

const fee = (
  label: string,
  kind: StepKind,
  stepsOf: (pool: LiquidityPoolState) => readonly Step[],
  build: (
    client: LiquidityInput['connection']['client'],
    options: SettingOptions,
    steps: readonly Step[],
  ) => Promise<BuiltTransaction>,
): Setting => ({
  label,
  now: (pool) => stepsOf(pool).flatMap(({ to, buyFeeBps, sellFeeBps }) => [to, buyFeeBps, sellFeeBps]),
  fields: (pool) => stepRows(kind, stepsOf(pool)),
  plan: ({ connection: { client }, locator: { pool } }) => {
    const steps = readSteps(kind);
    return {
      headline: `You ${steps.length === 0 ? 'end' : 'change'} the ${inSentence(label)}.`,
      facts: steps.map(({ to, buyFeeBps, sellFeeBps }) => ({
        term: kind.inWords(to),
        value: `${formatBps(buyFeeBps)} to buy, ${formatBps(sellFeeBps)} to sell`,
      })),
      build: (options) => build(client, { ...options, pool }, steps),
    };
  },
});

const feeByCap = (
  label: string,
  field: 'lpFee' | 'reflectionFee' | 'marketCapCreatorFee',
  build: typeof buildProSetLpFee,
): Setting =>
  fee(
    label,
    BY_CAP,
    (pool) => toProFeeSettings(pool)[field].map(({ marketCapUpperBound: to, ...fees }) => ({ to, ...fees })),
    (client, options, steps) =>
      build(client, {
        ...options,
        brackets: steps.map(({ to, ...fees }) => ({ marketCapUpperBound: to, ...fees })),
      }),
  );

const slotFee = fee(
  'Fee for the creator, in the first slots',
  BY_SLOT,
  (pool) => {
    const { enabled, brackets } = toProFeeSettings(pool).slotCreatorFee;
    if (!enabled) return [];
    return brackets.map(({ slotOffsetUpperbound: to, ...fees }) => ({ to: BigInt(to), ...fees }));
  },
  (client, options, steps) => {
    const brackets = steps.map(({ to, ...fees }) => ({ slotOffsetUpperbound: Number(to), ...fees }));
    return buildProSetSlotCreatorFee(client, { ...options, ...toSlotFeeConfiguration(brackets) });
  },
);

/** The steps of a fee, with empty rows for more. */
function stepRows(kind: StepKind, steps: readonly Step[]): readonly HTMLElement[] {
  const heads = [kind.head, 'Buy, %', 'Sell, %'];
  const rows = Array.from({ length: kind.rows(steps.length) }, (_, row) => {
    const step = steps[row];
    const isLast = step !== undefined && step.to === kind.end;
    const values = step && [
      isLast ? '' : toUiAmount(step.to, kind.decimals),
      step.buyFeeBps / 100,
      step.sellFeeBps / 100,
    ];
    return heads.map((head, column) =>
      element('input', {
        type: 'text',
        inputmode: 'decimal',
        autocomplete: 'off',
        'aria-label': `${head}, step ${row + 1}`,
        'aria-describedby': 'manage-problem',
        placeholder: column === 0 && isLast ? 'no end' : '',
        value: String(values?.[column] ?? ''),
      }),
    );
  });
  return [
    element(
      'div',
      { class: 'steps', 'aria-hidden': 'true' },
      ...heads.map((head) => element('span', {}, head)),
    ),
    ...rows.map((inputs) => element('div', { class: 'steps' }, ...inputs)),
    quiet(kind.note),
  ];
}

/** A percentage from 0 to 100 in basis points. */
export function readPercent(text: string): number | undefined {
  try {
    const bps = parseBps(text);
    return bps > 10_000 ? undefined : bps;
  } catch {
    return undefined;
  }
}

/** The typed steps. */
function readSteps(kind: StepKind): readonly Step[] {
  const rows = [...byId('setting-fields').querySelectorAll('div.steps:not([aria-hidden])')].map((row) =>
    [...row.querySelectorAll('input')].map(({ value }) => value.trim()),
  );
  return rows.flatMap(([to = '', ...fees], index) => {
    if (to === '' && fees.every((one) => one === '')) return [];
    const [buyFeeBps, sellFeeBps] = fees.map(readPercent);
    if (buyFeeBps === undefined || sellFeeBps === undefined)
      throw new Problem(
        undefined,
        `Step ${index + 1}: type both fees as percentages from 0 to 100 with at most two decimals, such as 0.5.`,
      );
    return { to: readBound(to, kind, index), buyFeeBps, sellFeeBps };
  });
}

function readBound(text: string, { end, decimals, example }: StepKind, index: number): bigint {
  if (text === '' && end !== undefined) return end;
  try {
    return parseAmount(text, decimals);
  } catch {
    throw new Problem(undefined, `Step ${index + 1}: type ${example}.`);
  }
}

// The receiver of the creator's fees

const RECEIVER = 'receiver';

const receiver: Setting = {
  label: 'Receiver of the creator fees',
  now: ({ creatorTradingFeeReceiver }) => [creatorTradingFeeReceiver, ...usableWallets().map(nameOf)],
  fields: () => {
    const { content } = byId<HTMLTemplateElement>('receiver-field');
    const field = content.cloneNode(true) as DocumentFragment;
    field.querySelector('.row')?.append(...usableWallets().map(walletChip));
    return [field];
  },
  plan: (input) => {
    const { connection, locator, account, owner } = input;
    const { pool, mint, configVersion: version } = locator;
    const { creatorTradingFeeReceiver: before, creatorTradingFees: open } = account;
    const newReceiver = addressAt(RECEIVER, 'the wallet that receives the fees from now on');
    if (newReceiver === before)
      throw new FieldProblem(RECEIVER, 'This wallet receives the creator fees already.');
    const isOwn = newReceiver === owner;
    return {
      headline: `You give the creator fees of this pool to ${isOwn ? 'your own wallet' : 'another wallet'}.`,
      facts: [
        { term: 'Receives the fees from now on', value: newReceiver, isStrong: true },
        { term: 'Received them until now', value: before },
        { term: 'Not claimed yet, for the new receiver', value: formatSol(open) },
      ],
      warnings: [
        'Only the new receiver can claim from now on, also the fees that are not claimed yet. What it has claimed can’t be taken back.',
      ],
      ...(isOwn ? {} : { canSendChanged: false, lastSigner: signerFor(newReceiver, input) }),
      build: (options) =>
        buildProUpdateCreatorFeeReceiver(connection.client, {
          ...options,
          pool,
          mint,
          version,
          newReceiver,
        }),
    };
  },
};

/** Fills in an account that a wallet shares. */
function walletChip(wallet: ReturnType<typeof usableWallets>[number]): HTMLElement {
  const chip = element('button', { type: 'button', class: 'chip' }, `Use ${nameOf(wallet)}`);
  chip.addEventListener('click', async () => {
    showFieldProblem(RECEIVER, undefined);
    try {
      const other = (await connectWallet(wallet)).find(({ address }) => address !== state.account?.address);
      if (other === undefined)
        throw new FieldProblem(
          RECEIVER,
          `${nameOf(wallet)} shares only the account that you use now. Let it share another one with this page.`,
        );
      inputAt(RECEIVER).value = other.address;
    } catch (error) {
      showProblem('manage', error);
    }
  });
  return chip;
}

/** The new receiver's signature, over what the creator has signed. */
function signerFor(
  address: Address,
  { connection }: LiquidityInput,
): NonNullable<LiquidityPlan['lastSigner']> {
  const found = walletWith(address);
  if (found === undefined)
    throw new FieldProblem(
      RECEIVER,
      'This wallet has to sign too, and no wallet in this browser shares this account with the page. Choose its wallet below.',
    );
  const { wallet, account } = found;
  return {
    address,
    status: `Look at ${nameOf(wallet)}: it asks for the signature of the new receiver.`,
    sign: signerOf(wallet, account, connection.chain),
  };
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  lp: feeByCap('Fee for liquidity providers', 'lpFee', buildProSetLpFee),
  reflection: feeByCap('Fee for token holders (reflection)', 'reflectionFee', buildProSetReflectionFee),
  creator: feeByCap('Fee for the creator', 'marketCapCreatorFee', buildProSetMarketCapCreatorFee),
  slots: slotFee,
  receiver,
  swap: onOff('Trading', 'swap', buildProToggleSwap),
  deposit: onOff('Deposits', 'depositLiquidity', buildProToggleDeposit),
  withdraw: onOff('Withdrawals', 'removeLiquidity', buildProToggleWithdraw),
};

const chosen = () => SETTINGS[byId<HTMLSelectElement>('setting').value] as Setting;

export function fillSettings(): void {
  const options = Object.entries(SETTINGS).map(([value, { label }]) => element('option', { value }, label));
  byId('setting').replaceChildren(...options);
}

let drawn = '';

/** Shows the chosen setting's current value. Typed values stay until the pool itself changes. */
export function renderSetting(address: Address | undefined, pool: LiquidityPoolState | undefined): void {
  const setting = chosen();
  const key = [address, setting.label, ...(pool === undefined ? [] : setting.now(pool))].join();
  if (key === drawn) return;
  drawn = key;
  byId('setting-fields').replaceChildren(...(pool === undefined ? [] : setting.fields(pool)));
}

/** The plan for the typed change. */
export const planSetting = (input: LiquidityInput): LiquidityPlan => chosen().plan(input);

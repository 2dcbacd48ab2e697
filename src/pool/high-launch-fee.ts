import type { HeavenWarning } from '../base/warnings.js';
import type { ProtocolConfig } from '../program/accounts.js';
import { toFeeSchedule } from './fee-schedule.js';
import { bpsOf, type Later, warnOfFees } from './high-fee.js';
import type { FeeWarningOptions } from './quote-amounts.js';

/** Warns of the first trades after a launch. The launch's own purchase pays no fee. */
export function highLaunchFee(config: ProtocolConfig, options: FeeWarningOptions): readonly HeavenWarning[] {
  const steps = toFeeSchedule(config).bySlot.map(
    (step): Later => [
      Math.max(bpsOf(step, 'buy'), bpsOf(step, 'sell')),
      `${step.from} slots after the launch`,
      Number(step.from),
    ],
  );
  const what = 'The purchase in a launch pays no fee, but the fees of a trade right after it are up to';
  return warnOfFees(what, steps[0]?.[0] ?? 0, options, () => steps);
}

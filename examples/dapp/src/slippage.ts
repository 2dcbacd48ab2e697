// The slippage: chosen by the page with its reason, one of two presets, or typed.
import { estimateSlippageRoom, type FetchedPoolSnapshot, suggestSlippage } from 'heaven-pools';

import { byId, setText } from './dom.js';
import { formatBps, formatPrice } from './format.js';
import { readSlippage, type Side } from './quote.js';

const field = byId<HTMLInputElement>('slippage');
const panel = byId('slippage-panel');
const button = byId<HTMLButtonElement>('slippage-button');
const presets = () => document.querySelectorAll<HTMLInputElement>('input[name=slippage-preset]');
const chosen = () => [...presets()].find(({ checked }) => checked)?.value;

/** @throws {Problem} if it is not a percentage from 0 to 50 */
export function slippageBps(snapshot: FetchedPoolSnapshot, side: Side): number {
  if (field.value.trim() !== '') return readSlippage(field.value);
  const preset = chosen();
  return preset === undefined || preset === 'auto' ? suggestSlippage(snapshot, side) : readSlippage(preset);
}

/** Shows which slippage is in use, and what it means in this pool. */
export function renderSlippage(snapshot: FetchedPoolSnapshot | undefined, side: Side): void {
  const isAuto = field.value.trim() === '' && (chosen() ?? 'auto') === 'auto';
  let bps: number | undefined;
  try {
    bps = snapshot === undefined ? undefined : slippageBps(snapshot, side);
  } catch {
    bps = undefined;
  }
  setText(
    byId('slippage-now'),
    bps === undefined ? (isAuto ? 'auto' : '?') : `${isAuto ? 'auto ' : ''}${formatBps(bps)}`,
  );
  if (snapshot === undefined || bps === undefined) return;
  const room = `${formatPrice(estimateSlippageRoom(snapshot, side, bps), 2)} SOL`;
  setText(
    byId('slippage-hint'),
    isAuto
      ? `Auto takes ${formatBps(bps)}: in a pool of this size that leaves room for others to ${side} about ${room} first. If the price moves further, nothing is traded.`
      : `If others ${side} more than about ${room} first, nothing is traded.`,
  );
}

export function openSlippage(): void {
  panel.hidden = false;
  button.ariaExpanded = 'true';
}

export function startSlippage(): void {
  button.addEventListener('click', () => {
    panel.hidden = !panel.hidden;
    button.ariaExpanded = String(!panel.hidden);
  });
  for (const preset of presets()) preset.addEventListener('change', () => (field.value = ''));
  field.addEventListener('input', () => {
    const isTyped = field.value.trim() !== '';
    for (const preset of presets()) preset.checked = !isTyped && preset.value === 'auto';
  });
}

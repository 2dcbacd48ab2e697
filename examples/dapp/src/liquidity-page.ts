// The elements of the pools view.
import { element } from './dom.js';
import { card, formEnd, labelledField, shareButtons } from './view-form.js';

const TABS = {
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  earned: 'Fees',
  manage: 'Settings',
  create: 'Create',
};

export type LiquidityTab = keyof typeof TABS;
/** A form of the view. The tab of fees has two. */
export type LiquidityForm = LiquidityTab | 'royalty';

export const FORMS: Readonly<Record<LiquidityForm, { readonly tab: LiquidityTab; readonly label: string }>> =
  {
    deposit: { tab: 'deposit', label: 'Review deposit' },
    withdraw: { tab: 'withdraw', label: 'Review withdrawal' },
    earned: { tab: 'earned', label: 'Review claim of your share' },
    royalty: { tab: 'earned', label: 'Review claim of creator fees' },
    manage: { tab: 'manage', label: 'Review change' },
    create: { tab: 'create', label: 'Review new pool' },
  };

const decimal = { inputmode: 'decimal', placeholder: '0' } as const;
const facts = (id: string) => element('dl', { id, class: 'facts' });

const panel = (name: LiquidityForm, ...children: readonly HTMLElement[]) =>
  element('form', { id: `${name}-form`, novalidate: '' }, ...children, ...formEnd(name, FORMS[name].label));

const panels = (): readonly HTMLElement[] => [
  panel(
    'deposit',
    labelledField('deposit-sol', 'SOL to deposit', {
      ...decimal,
      hint: 'You deposit both sides, at the ratio of the pool.',
    }),
    facts('deposit-facts'),
  ),
  panel(
    'withdraw',
    labelledField(
      'withdraw-lp',
      'LP tokens to return',
      decimal,
      shareButtons('withdraw', 'Part of your share', { 25: '25 %', 50: '50 %', 100: 'Max' }),
    ),
    facts('withdraw-facts'),
  ),
  panel('earned', element('h3', {}, 'As a liquidity provider'), facts('earned-facts')),
  panel('royalty', element('h3', {}, 'As the creator'), facts('royalty-facts')),
  panel(
    'manage',
    element(
      'div',
      { class: 'field' },
      element('label', { for: 'setting' }, 'Setting'),
      element('select', { id: 'setting' }),
    ),
    element('div', { id: 'setting-fields' }),
  ),
  panel(
    'create',
    labelledField('create-mint', 'Token (mint)', {
      hint: 'Any fungible token that your wallet holds.',
      placeholder: 'Address',
    }),
    labelledField('create-tokens', 'Tokens to start with', decimal),
    labelledField('create-sol', 'SOL to start with', {
      ...decimal,
      hint: 'The two amounts set the first price.',
    }),
    labelledField('create-lp-fee', 'Fee for liquidity providers, in percent', {
      ...decimal,
      placeholder: '0.5',
    }),
    labelledField('create-creator-fee', 'Fee for you as the creator, in percent', decimal),
  ),
];

export function renderLiquidityPage(target: HTMLElement): void {
  const tabs = Object.entries(TABS).map(([value, label]) => {
    const input = element('input', { type: 'radio', name: 'liquidity-tab', value });
    input.checked = value === 'deposit';
    return element('label', {}, input, element('span', {}, label));
  });
  target.replaceChildren(
    element(
      'div',
      { class: 'column' },
      card(
        'liquidity-title',
        'Pools',
        element(
          'p',
          { id: 'liquidity-pool', class: 'preview' },
          element('span', { id: 'liquidity-image' }),
          element('span', { id: 'liquidity-name' }),
          element('button', { id: 'liquidity-choose', type: 'button', class: 'chip' }, 'Change'),
        ),
        element(
          'div',
          { class: 'segment wide-tabs', role: 'radiogroup', 'aria-label': 'What to do' },
          ...tabs,
        ),
        ...panels(),
      ),
    ),
    element(
      'div',
      { class: 'column' },
      card(
        'share-title',
        'Your share',
        facts('share-facts'),
        element('p', { id: 'share-note', class: 'quiet' }),
      ),
      card(
        'creator-title',
        'Creator',
        facts('creator-facts'),
        element('p', { id: 'creator-note', class: 'quiet' }),
      ),
      card(
        'liquidity-fees-title',
        'Fees of the pool',
        element('h3', {}, 'By market cap'),
        element('div', { id: 'liquidity-cap-chart' }),
      ),
    ),
  );
}

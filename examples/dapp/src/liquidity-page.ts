// The elements of the pools view.
import { element } from './dom.js';
import { labelledField } from './launch-page.js';

const TABS = [
  ['deposit', 'Deposit'],
  ['withdraw', 'Withdraw'],
  ['earned', 'Fees'],
  ['create', 'Create'],
] as const;

export type LiquidityTab = (typeof TABS)[number][0];

function shares(name: string): HTMLElement {
  const row = element(
    'fieldset',
    { class: 'shares' },
    element('legend', { class: 'hidden' }, 'Part of your share'),
  );
  for (const percent of [25, 50, 100])
    row.append(
      element(
        'button',
        { type: 'button', [`data-${name}`]: String(percent) },
        percent === 100 ? 'Max' : `${percent} %`,
      ),
    );
  return row;
}

const action = (tab: LiquidityTab, label: string) =>
  element('button', { id: `${tab}-build`, class: 'primary big', type: 'submit' }, label);

const panel = (tab: LiquidityTab, ...children: readonly HTMLElement[]) =>
  element(
    'form',
    { id: `${tab}-form`, novalidate: '', 'data-tab': tab },
    ...children,
    element('p', { id: `${tab}-problem`, class: 'problem', role: 'alert', tabindex: '-1', hidden: '' }),
  );

const decimal = { inputmode: 'decimal', placeholder: '0' } as const;

function panels(): readonly HTMLElement[] {
  return [
    panel(
      'deposit',
      labelledField('deposit-sol', 'SOL to deposit', {
        ...decimal,
        hint: 'You deposit both sides, at the ratio of the pool.',
      }),
      element('dl', { id: 'deposit-facts', class: 'facts' }),
      action('deposit', 'Review deposit'),
    ),
    panel(
      'withdraw',
      labelledField('withdraw-lp', 'LP tokens to return', decimal, shares('withdraw')),
      element('dl', { id: 'withdraw-facts', class: 'facts' }),
      action('withdraw', 'Review withdrawal'),
    ),
    panel('earned', element('dl', { id: 'earned-facts', class: 'facts' }), action('earned', 'Review claim')),
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
      element('p', { id: 'create-price', class: 'quiet', role: 'status' }),
      action('create', 'Review new pool'),
    ),
  ];
}

export function renderLiquidityPage(target: HTMLElement): void {
  const tabs = element('div', {
    class: 'segment wide-tabs',
    role: 'radiogroup',
    'aria-label': 'What to do',
  });
  for (const [value, label] of TABS) {
    const input = element('input', { type: 'radio', name: 'liquidity-tab', value });
    input.checked = value === 'deposit';
    tabs.append(element('label', {}, input, element('span', {}, label)));
  }
  target.replaceChildren(
    element(
      'div',
      { class: 'column' },
      element(
        'section',
        { class: 'card', 'aria-labelledby': 'liquidity-title' },
        element('h2', { id: 'liquidity-title' }, 'Liquidity in pro pools'),
        tabs,
        element(
          'p',
          { id: 'liquidity-pool', class: 'preview' },
          element('span', { id: 'liquidity-image' }),
          element('span', { id: 'liquidity-name' }),
          element('button', { id: 'liquidity-choose', type: 'button', class: 'chip' }, 'Change'),
        ),
        ...panels(),
      ),
    ),
    element(
      'div',
      { class: 'column' },
      element(
        'section',
        { class: 'card', 'aria-labelledby': 'share-title' },
        element('h2', { id: 'share-title' }, 'Your share'),
        element('dl', { id: 'share-facts', class: 'facts' }),
        element('p', { id: 'share-note', class: 'quiet' }),
      ),
      element(
        'section',
        { class: 'card', 'aria-labelledby': 'liquidity-fees-title' },
        element('h2', { id: 'liquidity-fees-title' }, 'Fees of the pool'),
        element('h3', {}, 'By market cap'),
        element('div', { id: 'liquidity-cap-chart' }),
      ),
    ),
  );
}

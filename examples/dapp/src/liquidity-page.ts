// The elements of the pools view.
import { element, quiet } from './dom.js';
import { card, formEnd, labelledField, renderColumns, shareButtons } from './view-form.js';

const TABS = {
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  earned: 'Fees',
  manage: 'Settings',
  create: 'Create',
};

export type LiquidityTab = keyof typeof TABS;

/** A form of the view: its tab, the label of its button, and the words of its review. */
const form = (
  tab: LiquidityTab,
  label: string,
  title: string,
  noun: string,
  done: string,
  landed?: string,
) => ({
  tab,
  label,
  title: `Before you ${title}`,
  noun,
  done,
  receipt: { title: landed ?? done.replace(/^./, (letter) => letter.toUpperCase()) },
});

export const FORMS = {
  deposit: form('deposit', 'Review deposit', 'deposit', 'deposit', 'deposited'),
  withdraw: form('withdraw', 'Review withdrawal', 'withdraw', 'withdrawal', 'withdrawn'),
  transfer: form('withdraw', 'Review transfer', 'send your share', 'transfer', 'sent'),
  earned: form('earned', 'Review claim of your share', 'claim', 'claim', 'claimed'),
  royalty: form('earned', 'Review claim of creator fees', 'claim', 'claim', 'claimed'),
  manage: form('manage', 'Review change', 'change the pool', 'change', 'changed'),
  create: form('create', 'Review new pool', 'create the pool', 'new pool', 'created', 'Pool created'),
};

/** Some tabs have two forms. */
export type LiquidityForm = keyof typeof FORMS;

const decimal = { inputmode: 'decimal', placeholder: '0' } as const;
const SHARES = { 25: '25 %', 50: '50 %', 100: 'Max' };
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
      shareButtons('withdraw', 'Part of your share', SHARES),
    ),
    facts('withdraw-facts'),
  ),
  panel(
    'transfer',
    element('h3', {}, 'Send to another wallet'),
    labelledField(
      'transfer-lp',
      'LP tokens to send',
      decimal,
      shareButtons('transfer', 'Part of your share', SHARES),
    ),
    labelledField('transfer-to', 'Receiver', { placeholder: 'Address of a wallet' }),
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
  const chosen = element(
    'p',
    { id: 'liquidity-pool', class: 'preview' },
    element('span', { id: 'liquidity-image' }),
    element('span', { id: 'liquidity-name' }),
    element('button', { id: 'liquidity-choose', type: 'button', class: 'chip' }, 'Change'),
  );
  const choices = { class: 'segment wide-tabs', role: 'radiogroup', 'aria-label': 'What to do' };
  renderColumns(
    target,
    [card('liquidity-title', 'Pools', chosen, element('div', choices, ...tabs), ...panels())],
    [
      card('share-title', 'Your share', facts('share-facts'), quiet('', { id: 'share-note' })),
      card('creator-title', 'Creator', facts('creator-facts'), quiet('', { id: 'creator-note' })),
      card(
        'liquidity-fees-title',
        'Fees of the pool',
        element('h3', {}, 'By market cap'),
        element('div', { id: 'liquidity-cap-chart' }),
      ),
    ],
  );
}

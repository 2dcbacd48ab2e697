// The elements of the launch view.
import { element, quiet } from './dom.js';
import { card, formEnd, labelledField, renderColumns, shareButtons } from './view-form.js';

export const URI_HINT = 'Nobody can change this address after the launch.';

/** The fields for the file that wallets read: the page writes it, the user hosts it, and the page checks it. */
const fileFields = (): HTMLElement =>
  element(
    'fieldset',
    { class: 'group' },
    element('legend', {}, 'Metadata file'),
    quiet(
      'The token names a small file for good, and wallets read the image there. Download it, put it at an address of yours, and paste that address.',
    ),
    element(
      'div',
      { class: 'row' },
      element('button', { id: 'launch-download', type: 'button', class: 'chip' }, 'Download token.json'),
      element(
        'button',
        { id: 'launch-keep', type: 'button', class: 'chip', hidden: '' },
        'Keep it in this page',
      ),
    ),
    quiet('', { id: 'launch-kept', role: 'status' }),
    labelledField(
      'launch-uri',
      'Metadata URL',
      { placeholder: 'https://example.com/token.json', inputmode: 'url', hint: URI_HINT },
      element('ul', { id: 'launch-differences', class: 'warnings', 'aria-label': 'File and form differ' }),
    ),
  );

function form(): HTMLElement {
  const [problem, button] = formEnd('launch', 'Review the launch');
  return element(
    'form',
    { id: 'launch-form', novalidate: '' },
    element(
      'fieldset',
      { id: 'launch-fields', class: 'fields' },
      element('legend', { class: 'hidden' }, 'What to launch'),
      element(
        'div',
        { class: 'pair' },
        labelledField('launch-name', 'Name', { placeholder: 'A token' }),
        labelledField('launch-symbol', 'Symbol', { placeholder: 'TOKEN' }),
      ),
      labelledField('launch-image', 'Image URL', {
        placeholder: 'https://… or ipfs://…',
        inputmode: 'url',
        hint: 'PNG, JPEG, GIF, WebP or AVIF, up to 1 MB, where any site may read it.',
      }),
      labelledField('launch-description', 'Description (optional)'),
      fileFields(),
      labelledField(
        'launch-purchase',
        'Tokens to buy at launch (optional)',
        { placeholder: '0', inputmode: 'decimal' },
        shareButtons('supply', 'Part of the supply', { 0: 'None', 1: '1 %', 5: '5 %', 10: '10 %' }),
        quiet('', { id: 'launch-cost', role: 'status' }),
      ),
    ),
    problem as HTMLElement,
    quiet('', { id: 'launch-progress', role: 'status', hidden: '' }),
    button as HTMLElement,
    element('button', { id: 'launch-stop', type: 'button', hidden: '' }, 'Cancel'),
  );
}

export function renderLaunchPage(target: HTMLElement): void {
  const letter = element('span', { id: 'preview-letter' }, '?');
  const preview = element(
    'p',
    { class: 'preview' },
    element('span', { class: 'token-image large', 'aria-hidden': 'true', id: 'preview-image' }, letter),
    element(
      'span',
      {},
      element('strong', { id: 'preview-name' }, 'Your token'),
      element('span', { id: 'preview-symbol', class: 'quiet' }, 'SYMBOL'),
    ),
  );
  const about =
    'One transaction creates the token, mints its whole supply into a new pool and gives up all rights to the token.';
  renderColumns(
    target,
    [card('launch-title', 'Launch a token', quiet(about), form())],
    [
      card('preview-title', 'How it will look', preview),
      card(
        'launch-fees-title',
        'Fees of the new pool',
        element('p', { id: 'launch-fees-problem', class: 'problem', role: 'alert', hidden: '' }),
        element('h3', {}, 'By slots since the launch'),
        element('div', { id: 'launch-slot-chart' }),
        element('h3', {}, 'By market cap'),
        element('div', { id: 'launch-cap-chart' }),
      ),
    ],
  );
}

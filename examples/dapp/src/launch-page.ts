// The elements of the launch view.
import { element } from './dom.js';

interface FieldOptions {
  readonly hint?: string;
  readonly placeholder?: string;
  readonly inputmode?: string;
}

/** A labelled field with its hint and its problem, all known to screen readers. */
export function labelledField(
  id: string,
  label: string,
  { hint, placeholder = '', inputmode = 'text' }: FieldOptions = {},
  ...more: readonly HTMLElement[]
): HTMLElement {
  const describedBy = `${hint === undefined ? '' : `${id}-hint `}${id}-problem`;
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    element('input', {
      id,
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      inputmode,
      placeholder,
      'aria-describedby': describedBy,
    }),
    ...(hint === undefined ? [] : [element('p', { id: `${id}-hint`, class: 'quiet', role: 'status' }, hint)]),
    ...more,
    element('p', { id: `${id}-problem`, class: 'problem', role: 'alert', hidden: '' }),
  );
}

export const URI_HINT = 'A JSON file with the image and the description. Nobody can change it later.';

function form(): HTMLElement {
  const shares = element(
    'fieldset',
    { class: 'shares' },
    element('legend', { class: 'hidden' }, 'Part of the supply'),
  );
  for (const percent of [0, 1, 5, 10]) {
    shares.append(
      element(
        'button',
        { type: 'button', 'data-supply': String(percent) },
        percent === 0 ? 'None' : `${percent} %`,
      ),
    );
  }
  return element(
    'form',
    { id: 'launch-form', novalidate: '' },
    element(
      'fieldset',
      { id: 'launch-fields', class: 'fields' },
      element('legend', { class: 'hidden' }, 'What to launch'),
      labelledField('launch-name', 'Name', { placeholder: 'A token' }),
      labelledField('launch-symbol', 'Symbol', { placeholder: 'TOKEN' }),
      labelledField('launch-uri', 'Metadata URL', {
        placeholder: 'https://example.com/token.json',
        inputmode: 'url',
        hint: URI_HINT,
      }),
      labelledField(
        'launch-purchase',
        'Tokens to buy at launch (optional)',
        { placeholder: '0', inputmode: 'decimal' },
        shares,
        element('p', { id: 'launch-cost', class: 'quiet', role: 'status' }),
      ),
    ),
    element('p', { id: 'launch-problem', class: 'problem', role: 'alert', tabindex: '-1', hidden: '' }),
    element('p', { id: 'launch-progress', class: 'quiet', role: 'status', hidden: '' }),
    element('button', { id: 'launch-build', class: 'primary big', type: 'submit' }, 'Review the launch'),
    element('button', { id: 'launch-stop', type: 'button', hidden: '' }, 'Cancel'),
  );
}

export function renderLaunchPage(target: HTMLElement): void {
  const card = (id: string, title: string, ...children: readonly HTMLElement[]) =>
    element('section', { class: 'card', 'aria-labelledby': id }, element('h2', { id }, title), ...children);
  target.replaceChildren(
    element(
      'div',
      { class: 'column' },
      card(
        'launch-title',
        'Launch a token',
        element(
          'p',
          { class: 'quiet' },
          'One transaction creates the token, mints its whole supply into a new pool and gives up all rights to the token.',
        ),
        form(),
      ),
    ),
    element(
      'div',
      { class: 'column' },
      card(
        'preview-title',
        'How it will look',
        element(
          'p',
          { class: 'preview' },
          element(
            'span',
            { class: 'token-image large', 'aria-hidden': 'true', id: 'preview-image' },
            element('span', { id: 'preview-letter' }, '?'),
          ),
          element(
            'span',
            {},
            element('strong', { id: 'preview-name' }, 'Your token'),
            element('span', { id: 'preview-symbol', class: 'quiet' }, 'SYMBOL'),
          ),
        ),
      ),
      card(
        'launch-fees-title',
        'Fees of the new pool',
        element('p', { id: 'launch-fees-problem', class: 'problem', role: 'alert', hidden: '' }),
        element('h3', {}, 'By slots since the launch'),
        element('div', { id: 'launch-slot-chart' }),
        element('h3', {}, 'By market cap'),
        element('div', { id: 'launch-cap-chart' }),
      ),
    ),
  );
}

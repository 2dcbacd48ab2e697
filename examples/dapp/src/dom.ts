import { redraw } from './redraw.js';

// All content is inserted as text nodes, so that no token name can inject HTML.

type Child = Node | string;

/** The element of the page with this id. */
export function byId<T extends Element = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found as Element as T;
}

/** A new element. Attributes are also set as text: none of them is a link or a script. */
export function element<TName extends keyof HTMLElementTagNameMap>(
  name: TName,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[TName] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A paragraph that stands back. */
export const quiet = (text = '', attributes: Readonly<Record<string, string>> = {}): HTMLElement =>
  element('p', { class: 'quiet', ...attributes }, text);

const SVG = 'http://www.w3.org/2000/svg';

export function svg(
  name: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly Child[]
): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Sets a text only if it changed, so that screen readers don't read it again. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Shows a text, or hides the element when there is none. */
export function show(target: HTMLElement, text: string | undefined): void {
  setText(target, text ?? '');
  target.hidden = text === undefined;
}

/** Shows what is wrong with a field, or that nothing is. */
export function showFieldProblem(id: string, message: string | undefined, place = `${id}-problem`): void {
  byId(id).ariaInvalid = message === undefined ? null : 'true';
  show(byId(place), message);
}

/** A term, its value, and how to show it. */
export interface Fact {
  readonly term: string;
  readonly value: string | Node;
  /** All digits, shown on hover. */
  readonly exact?: string | undefined;
  readonly isStrong?: boolean | undefined;
  readonly style?: 'impact-mid' | 'impact-high' | 'up' | 'down' | undefined;
}

/** Fills a description list. */
export function setFacts(list: HTMLElement, facts: readonly Fact[]): void {
  const nodes = facts.map(({ term, value, exact, isStrong = false, style }) =>
    element(
      'div',
      isStrong ? { class: 'strong' } : {},
      element('dt', {}, term),
      element(
        'dd',
        {
          ...(exact === undefined || exact === value ? {} : { title: exact }),
          ...(style === undefined ? {} : { class: style }),
        },
        value,
      ),
    ),
  );
  redraw(list, ...nodes);
}

/** Fills a list with a line each, if it has changed. */
export function setLines(list: HTMLElement, lines: readonly string[]): void {
  const there = [...list.children].map(({ textContent }) => textContent);
  if (there.length === lines.length && lines.every((line, index) => line === there[index])) return;
  list.replaceChildren(...lines.map((line) => element('li', {}, line)));
}

export const isBusy = (button: HTMLButtonElement) => button.ariaDisabled === 'true';

/** A busy button keeps its place and focus, and says what it is doing. */
export function setBusy(button: HTMLButtonElement, doing: string | undefined): void {
  button.dataset.label ??= button.textContent ?? '';
  button.ariaDisabled = doing === undefined ? null : 'true';
  setText(button, doing ?? button.dataset.label);
}

/** Opens a modal dialog. Escape, its close button and a click outside close it. */
export function openDialog(id: string): HTMLDialogElement {
  const dialog = byId<HTMLDialogElement>(id);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

/** Closes a dialog on its button and on a click outside. Call it once per dialog. */
export function closesBeside(dialog: HTMLDialogElement, close: () => void = () => dialog.close()): void {
  const isBeside = ({ target, clientX, clientY }: MouseEvent) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
  };
  let beganBeside = false;
  dialog.addEventListener('pointerdown', (event) => {
    beganBeside = isBeside(event);
  });
  dialog.addEventListener('click', (event) => {
    // Not if a text selection ends outside, nor on the second click of a double click that shrank the dialog.
    if (beganBeside && isBeside(event) && event.detail < 2) close();
  });
  dialog.querySelector('button.close')?.addEventListener('click', close);
}

/** A button that copies a text, and says so. */
export function copyButton(text: () => string, label: string): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'chip' }, label);
  button.addEventListener('click', () => {
    void navigator.clipboard?.writeText(text()).then(
      () => setText(button, 'Copied'),
      () => setText(button, 'Not copied'),
    );
    setTimeout(() => setText(button, label), 2_000);
  });
  return button;
}

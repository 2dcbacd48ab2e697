// Everything that is shown goes in as text nodes, so that a token may be called whatever it likes.

type Child = Node | string;

/** The element of the page with this id. */
export function byId<T extends Element = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found as Element as T;
}

/** A new element. Attributes are set as text too: none of them is a link or a script. */
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

/** Sets a text, but leaves it alone if it is the same, so that screen readers don't read it again. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Shows a text, or hides the element when there is none. */
export function show(target: HTMLElement, text: string | undefined): void {
  setText(target, text ?? '');
  target.hidden = text === undefined;
}

/** Shows a figure in short, with all its digits on hover. */
export function setFigure(target: HTMLElement, text: string, exact: string): void {
  setText(target, text);
  if (exact === '' || exact === text) target.removeAttribute('title');
  else target.title = exact;
}

/** A term, what it is, and how it is shown. */
export interface Fact {
  readonly term: string;
  readonly value: string | Node;
  /** All the digits, on hover. */
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
  list.replaceChildren(...nodes);
}

/** Fills a list with a line each, if it has changed. */
export function setLines(list: HTMLElement, lines: readonly string[]): void {
  const there = [...list.children].map(({ textContent }) => textContent);
  if (there.length === lines.length && lines.every((line, index) => line === there[index])) return;
  list.replaceChildren(...lines.map((line) => element('li', {}, line)));
}

export const isBusy = (button: HTMLButtonElement) => button.getAttribute('aria-disabled') === 'true';

/** A busy button stays in its place with the focus on it, and says what it is busy with. */
export function setBusy(button: HTMLButtonElement, doing: string | undefined): void {
  button.dataset.label ??= button.textContent ?? '';
  if (doing === undefined) button.removeAttribute('aria-disabled');
  else button.setAttribute('aria-disabled', 'true');
  setText(button, doing ?? button.dataset.label);
}

/** Opens a dialog over the page. Escape, its close button and a click beside it close it. */
export function openDialog(id: string): HTMLDialogElement {
  const dialog = byId<HTMLDialogElement>(id);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

/** Lets a dialog be closed by its button and by a click beside it. Call it once for each. */
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
    // Not for text that is selected to beyond the edge, nor for the second half of a double click on what has just shrunk.
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

/** Does something when the page gets wider or narrower. A phone's keyboard changes the height alone. */
export function onWidth(act: () => void): void {
  let width = innerWidth;
  addEventListener('resize', () => {
    if (width === innerWidth) return;
    width = innerWidth;
    act();
  });
}

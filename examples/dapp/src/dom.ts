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

/** A term, what it is, and whether it stands out. */
export type Fact = readonly [term: string, value: string, isStrong?: boolean];

/** Fills a description list. */
export function setFacts(list: HTMLElement, facts: readonly Fact[]): void {
  const nodes = facts.map(([term, value, isStrong = false]) =>
    element('div', isStrong ? { class: 'strong' } : {}, element('dt', {}, term), element('dd', {}, value)),
  );
  list.replaceChildren(...nodes);
}

/** Fills a list with a line each. */
export function setLines(list: HTMLElement, lines: readonly string[]): void {
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

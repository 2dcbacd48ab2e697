// Draws again cheaply: an element's size is known without a layout, and only what has changed is touched.

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Place {
  size: Size;
  redraw: () => void;
}

const places = new WeakMap<Element, Place>();
const measure = ({ clientWidth: width, clientHeight: height }: Element): Size => ({ width, height });

const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const place = places.get(target);
    const size = measure(target);
    // The height may change because of what is drawn.
    if (place === undefined || place.size.width === size.width) continue;
    place.size = size;
    requestAnimationFrame(() => place.redraw());
  }
});

/**
 * The size of an element to draw into. It is measured once and after each change of its width, because reading it while
 * drawing forces a layout. Such a change calls `redraw`.
 */
export function sizeOf(target: Element, redraw: () => void): Size {
  const known = places.get(target);
  if (known !== undefined) {
    known.redraw = redraw;
    return known.size;
  }
  const size = measure(target);
  places.set(target, { size, redraw });
  observer.observe(target);
  return size;
}

/** Makes the children of an element like others. Nodes that fit stay in place, and with them focus and open details. */
export function redraw(target: Element, ...next: readonly Node[]): void {
  const before = [...target.childNodes];
  for (const [index, node] of next.entries()) {
    const old = before[index];
    if (old === undefined) target.append(node);
    else if (!old.isEqualNode(node)) change(old, node);
  }
  for (const old of before.slice(next.length)) old.remove();
}

function change(old: ChildNode, next: Node): void {
  if (!(old instanceof Element && next instanceof Element && old.nodeName === next.nodeName)) {
    old.replaceWith(next);
    return;
  }
  for (const { name, value } of next.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes])
    if (!next.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
  redraw(old, ...next.childNodes);
}

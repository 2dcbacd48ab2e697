/**
 * The known name that a misspelt one most likely stands for: the one with the fewest changed, missing, added or swapped letters,
 * regardless of case and underscores. `undefined` if none is close: more than a third of its letters differ.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MOST_LETTERS) return undefined;
  const plain = (text: string) => text.toLowerCase().replaceAll('_', '');
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const letters = plain(candidate);
    const changes = changesBetween(plain(name), letters);
    const isClose = changes <= Math.max(1, Math.floor(letters.length / 3));
    if (isClose && changes < fewest) [nearest, fewest] = [candidate, changes];
  }
  return nearest;
}

/** No name that resembles a field's is longer. It bounds the work that a hostile name makes. */
const MOST_LETTERS = 64;

/** Damerau and Levenshtein's distance: each change of a letter, and each swap of two neighbours, counts as one. */
function changesBetween(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        at(i - 2, j - 2) + (isSwap ? 1 : 2),
      );
      row.push(i * j > 0 ? least : i + j);
    }
  }
  return at(a.length, b.length);
}

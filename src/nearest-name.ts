/**
 * The known name that a misspelt one most likely stands for: the one with the fewest changed, missing, added or swapped letters,
 * regardless of case and underscores. `undefined` if none is close.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll('_', '');
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const changes = changesBetween(plain(name).slice(0, MOST_LETTERS), plain(candidate));
    const isClose = changes <= Math.max(2, Math.floor(candidate.length / 3));
    if (isClose && changes < fewest) [nearest, fewest] = [candidate, changes];
  }
  return nearest;
}

/** No field has a longer name. It bounds the work that a hostile name makes. */
const MOST_LETTERS = 64;

/** Damerau and Levenshtein's distance: each change of a letter, and each swap of two neighbours, counts as one. */
function changesBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (line: readonly number[], index: number) => line[index] as number;
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(before, j - 2) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}

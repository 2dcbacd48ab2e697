/**
 * The known name that a misspelt one most likely stands for: the one with the fewest changed, missing, added or swapped letters,
 * regardless of case and underscores. `undefined` if none is close: more than a third of its letters differ.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LETTERS) return undefined;
  const given = plain(name);
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const letters = plain(candidate);
    const most = Math.max(1, Math.floor(letters.length / 3));
    // Each letter more is a change, so most candidates need no comparison.
    if (Math.abs(given.length - letters.length) > most) continue;
    const changes = changesBetween(given, letters);
    if (changes <= most && changes < fewest) [nearest, fewest] = [candidate, changes];
  }
  return nearest;
}

/** No name that resembles a field's is longer. It bounds the work that a hostile name makes. */
const MAX_LETTERS = 64;

const plain = (text: string) => text.toLowerCase().replaceAll('_', '');

/** Damerau and Levenshtein's distance: each change of a letter, and each swap of two neighbours, counts as one. */
function changesBetween(a: string, b: string): number {
  const width = b.length + 1;
  // Without functions and rows of their own: a hostile body asks for a hundred thousand cells.
  const table = new Uint8Array((a.length + 1) * width);
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const cell = i * width + j;
      let least = i + j;
      if (i > 0 && j > 0) {
        const isSame = a[i - 1] === b[j - 1];
        least = Math.min(
          (table[cell - width] as number) + 1,
          (table[cell - 1] as number) + 1,
          (table[cell - width - 1] as number) + (isSame ? 0 : 1),
        );
      }
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (table[cell - 2 * width - 2] as number) + 1);
      table[cell] = least;
    }
  }
  return table.at(-1) as number;
}

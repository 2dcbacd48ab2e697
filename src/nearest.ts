/** The known name that a misspelt one most likely stands for, if one is near enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | undefined;
  let least = most + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** How many letters must be added, left out, changed or swapped with the next; `enough` stands for that many or more. */
function editDistance(from: string, to: string, enough: number): number {
  if (Math.abs(from.length - to.length) >= enough) return enough;
  let [before, above] = [[] as number[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (above[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (above[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? enough) + 1 : enough,
      );
    }
    [before, above] = [above, current];
  }
  return Math.min(enough, above[to.length] as number);
}

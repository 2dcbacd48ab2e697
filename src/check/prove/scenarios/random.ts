/** Picks one element at random. */
export function pick<T>(random: () => number, things: readonly [T, ...T[]]): T;
export function pick<T>(random: () => number, things: readonly T[]): T | undefined;
export function pick<T>(random: () => number, things: readonly T[]): T | undefined {
  return things[Math.floor(random() * things.length)];
}

/** A whole number from `least` to `most`, with every order of magnitude equally likely. */
export function logUniform(random: () => number, least: bigint, most: bigint): bigint {
  if (most <= least) return least;
  const span = Math.log(Number(most) / Number(least));
  const rough = BigInt(Math.floor(Number(least) * Math.exp(random() * span)));
  // A number has only 53 significant bits.
  const fine = rough + BigInt(Math.floor(random() * 2 ** 20)) * (rough >> 53n);
  return fine < least ? least : fine > most ? most : fine;
}

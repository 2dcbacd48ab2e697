const BACK_OFF = { firstMs: 250, mostMs: 30_000 } as const;

/** How long to wait after a number of failures in a row. Half of it is random, so that clients don't retry all at once. */
export function backOffMs(failures: number): number {
  const most = Math.min(BACK_OFF.mostMs, BACK_OFF.firstMs * 2 ** failures);
  return most / 2 + (Math.random() * most) / 2;
}

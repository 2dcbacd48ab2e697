const BACK_OFF = { firstMs: 250, mostMs: 30_000 } as const;

/** How long to wait after so many failures in a row: half of it fixed, half of it random, so that not all come at once. */
export function backOffMs(failures: number): number {
  const most = Math.min(BACK_OFF.mostMs, BACK_OFF.firstMs * 2 ** failures);
  return most / 2 + (Math.random() * most) / 2;
}

/** When to give up on what should come about by itself, in milliseconds. On a busy machine anything may take long, so this only ends what hangs. */
export const HANG_MS = 300_000;

/** Waits, or stops early when the signal fires or `sooner` resolves. Leaves no timer and no listener behind. */
export const pause = (ms: number, abortSignal: AbortSignal, sooner?: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    abortSignal.addEventListener('abort', end);
    if (abortSignal.aborted) end();
    sooner?.then(end);
  });

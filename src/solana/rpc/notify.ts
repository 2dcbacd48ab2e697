/** Calls an observer. Its own failure doesn't affect the reader. */
export function notify<TEvent>(observer: ((event: TEvent) => void) | undefined, event: TEvent): void {
  const complain = (error: unknown) => console.error('heaven-pools: an observer failed:', error);
  try {
    const outcome: unknown = observer?.(event);
    if (outcome instanceof Promise) outcome.catch(complain);
  } catch (error) {
    complain(error);
  }
}

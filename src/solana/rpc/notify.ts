/** Calls an observer. Its own failure doesn't affect the reader. */
export function notify<TEvent>(observer: ((event: TEvent) => void) | undefined, event: TEvent): void {
  const complain = (error: unknown) => console.error('heaven-pools: an observer failed:', error);
  try {
    // What it returns may be a promise of another realm.
    Promise.resolve(observer?.(event)).catch(complain);
  } catch (error) {
    complain(error);
  }
}

/** Why a watch ended, unless its caller ended it. */
export interface Failure {
  readonly error: unknown;
}

/** An async iterator that yields the newest value of each key with news, and never an older one. */
export function newestOnly<TKey, T>(start: () => void, newest: (key: TKey) => T, stop: () => void) {
  let hasStarted = false;
  let hasEnded = false;
  const news = new Set<TKey>();
  let failure: Failure | undefined;
  const waiting: {
    readonly resolve: (result: IteratorResult<T, undefined>) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  const done = { done: true, value: undefined } as const;

  return {
    offer: (key: TKey) => {
      const first = waiting.shift();
      if (first === undefined) news.add(key);
      else first.resolve({ done: false, value: newest(key) });
    },
    forget: (key: TKey) => void news.delete(key),
    end: (reason: Failure | undefined) => {
      hasEnded = true;
      failure = reason;
      for (const { resolve, reject } of waiting.splice(0)) {
        if (failure === undefined) resolve(done);
        else reject(failure.error);
        failure = undefined;
      }
    },
    next: (): Promise<IteratorResult<T, undefined>> => {
      if (!hasStarted && !hasEnded) {
        hasStarted = true;
        start();
      }
      if (failure !== undefined) {
        const { error } = failure;
        failure = undefined;
        return Promise.reject(error);
      }
      if (hasEnded) return Promise.resolve(done);
      for (const key of news) {
        news.delete(key);
        return Promise.resolve({ done: false, value: newest(key) });
      }
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return: (): Promise<IteratorResult<T, undefined>> => {
      stop();
      failure = undefined;
      return Promise.resolve(done);
    },
  };
}

/** Why a watch ended, if not because its caller ended it. */
export interface Failure {
  readonly error: unknown;
}

/** An async iterator that has the newest value, and nothing older, for the one who asks next. */
export function newestOnly<T>(start: () => void, newest: () => T, stop: () => void) {
  let hasStarted = false;
  let hasEnded = false;
  let hasNews = false;
  let failure: Failure | undefined;
  const waiting: {
    readonly resolve: (result: IteratorResult<T, undefined>) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  const done = { done: true, value: undefined } as const;

  return {
    offer: () => {
      const first = waiting.shift();
      if (first === undefined) hasNews = true;
      else first.resolve({ done: false, value: newest() });
    },
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
      if (hasNews) {
        hasNews = false;
        return Promise.resolve({ done: false, value: newest() });
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

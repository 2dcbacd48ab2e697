/**
 * A bounded cache of two generations. When the younger one is full, it drops the older one. An entry that is used moves to
 * the younger one.
 */
export function createRecent<TValue>(most: number) {
  let young = new Map<string, TValue>();
  let old = new Map<string, TValue>();
  const set = (key: string, value: TValue) => {
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };
  return {
    get: (key: string): TValue | undefined => {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    forget: (key: string): void => {
      young.delete(key);
      old.delete(key);
    },
  };
}

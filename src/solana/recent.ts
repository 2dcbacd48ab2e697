/** What was used lately, by its key. */
export interface Recent<TValue> {
  get(key: string): TValue | undefined;
  set(key: string, value: TValue): void;
}

/** A bounded memory of two generations: once the younger is full, the older is forgotten. What is used goes to the younger. */
export function createRecent<TValue>(most: number): Recent<TValue> {
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
    get: (key) => {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
  };
}

import { useSyncExternalStore } from 'react';

// Some browsers refuse storage. The settings then last until the page is closed.
const storage = (() => {
  try {
    return localStorage;
  } catch {
    const values = new Map<string, string>();
    return {
      getItem: (name: string) => values.get(name),
      setItem: (name: string, value: string) => void values.set(name, value),
    };
  }
})();

function subscribe(changed: () => void) {
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}

/** A setting of the page, remembered by the browser: any text, or one of some choices, as a later version may have others. */
export function useSetting<T extends string>(name: string, byDefault: T, choices?: Record<T, unknown>) {
  const stored = useSyncExternalStore(subscribe, () => storage.getItem(name)) as T | null | undefined;
  const set = (next: T) => {
    storage.setItem(name, next);
    dispatchEvent(new StorageEvent('storage'));
  };
  const isKnown = stored != null && (choices === undefined || stored in choices);
  return [isKnown ? stored : byDefault, set] as const;
}

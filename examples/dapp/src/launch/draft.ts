import { useState } from 'react';

const drafts = new Map<string, object>();

/** What was typed in a form, and how to change a part of it: it is still there after a look at another view. */
export function useDraft<T extends object>(name: string, empty: T): [T, (part: Partial<T>) => void] {
  const kept = () => (drafts.get(name) ?? empty) as T;
  const [draft, setDraft] = useState(kept);
  const change = (part: Partial<T>) => {
    const next = { ...kept(), ...part };
    drafts.set(name, next);
    setDraft(next);
  };
  return [draft, change];
}

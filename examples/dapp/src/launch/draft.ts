import { useState } from 'react';

const drafts = new Map<string, unknown>();

/** What was typed in a form: it is still there after a look at another view. */
export function useDraft<T>(name: string, empty: T): [T, (next: T) => void] {
  const [draft, setDraft] = useState(() => (drafts.get(name) ?? empty) as T);
  const keep = (next: T) => {
    drafts.set(name, next);
    setDraft(next);
  };
  return [draft, keep];
}

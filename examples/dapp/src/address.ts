// The address of the page holds what can be linked to and reloaded: the view, the node and the pool.
import { useSyncExternalStore } from 'react';

function subscribe(changed: () => void) {
  addEventListener('popstate', changed);
  return () => removeEventListener('popstate', changed);
}

/** The address of the page. Components that use it follow it. */
export const useAddress = (): URL => new URL(useSyncExternalStore(subscribe, () => location.href));

export function navigate({ view, ...params }: { view?: string; rpc?: string; pool?: string }): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(params)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (view !== undefined) url.hash = view;
  history.replaceState(history.state, '', url);
  dispatchEvent(new PopStateEvent('popstate'));
}

import { useQuery, useQueryClient } from '@tanstack/react-query';

/** A setting of the page, kept in the query cache and remembered by the browser. */
export function useSetting<T extends string>(name: string, byDefault: T): [T, (value: T) => void] {
  const queries = useQueryClient();
  const queryKey = ['setting', name];
  const read = () => {
    try {
      return (localStorage.getItem(name) as T | null) ?? byDefault;
    } catch {
      // Some browsers refuse storage.
      return byDefault;
    }
  };
  const { data = byDefault } = useQuery({
    queryKey,
    queryFn: read,
    initialData: read,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const set = (value: T) => {
    queries.setQueryData(queryKey, value);
    try {
      localStorage.setItem(name, value);
    } catch {
      // The choice then lasts until the page is reloaded.
    }
  };
  return [data, set];
}

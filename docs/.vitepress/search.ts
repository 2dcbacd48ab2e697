/** Pages for those who work on the library. The site's menu and search leave them out. */
export const repositoryPages: readonly string[] = ['architecture.md', 'maintaining.md', 'performance.md'];

export const isSearched = (page: string): boolean => ![...repositoryPages, 'changelog.md'].includes(page);

/** The words of a text. A name has its parts too, so that "sell" finds `quoteSell`. The site gets this, and what follows, as text. */
export const tokenize = (text: string): string[] =>
  text.split(/[\n\r\p{Z}\p{P}]+/u).flatMap((word) => {
    const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
    return parts.length > 1 ? [word, ...parts] : parts;
  });

/**
 * Guides come before the API reference, but for a function that is searched for by its name. VitePress passes the word of the index
 * that was found, in lower case.
 */
export const boostDocument = (id: string, term: string, { title = '' }: { title?: string } = {}): number => {
  if (!/\/api\//.test(id)) return 8;
  return /^[a-z]/.test(title) && title.toLowerCase() === term ? 64 : 1;
};

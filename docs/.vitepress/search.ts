/** Pages for those who work on the library. The site's menu and search leave them out. */
export const repositoryPages: readonly string[] = ['maintaining.md', 'performance.md'];

export const isSearched = (page: string): boolean => !repositoryPages.includes(page);

/** The words of a text. A name has its parts too, so that "sell" finds `quoteSell`. The site gets this, and what follows, as text. */
export const tokenize = (text: string): string[] =>
  text.split(/[\n\r\p{Z}\p{P}]+/u).flatMap((word) => {
    const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
    return parts.length > 1 ? [word, ...parts] : parts;
  });

/** Guides and functions come before the types of the API reference. A function's anchor is its name, in lower camel case. */
export const boostDocument = (id: string): number => (/\/api\/(?!.*#[a-z])/.test(id) ? 1 : 2);

/** Pages for those who work on the library. The site's menu and search leave them out. */
export const repositoryPages: readonly string[] = ['architecture.md', 'maintaining.md', 'performance.md'];

export const isSearched = (page: string): boolean => !repositoryPages.includes(page);

/**
 * Guides come before the API reference, but for the very name of a function. The site gets this as text: it can't use
 * anything around it.
 */
export const boostDocument = (id: string): number => (id.includes('/api/') ? 1 : 2);

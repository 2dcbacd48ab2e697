/** Of the guides' words the page of figures has many, and what is looked for is not there. */
export const isSearched = (page: string): boolean => page !== 'performance.md';

/**
 * Guides come before the API reference, but for the very name of a function. The site gets this as text: it can't use
 * anything around it.
 */
export const boostDocument = (id: string): number => (id.includes('/api/') ? 1 : 2);

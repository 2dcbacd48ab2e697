/** `token_a_mint` -> `tokenAMint`. A leading underscore stays. */
export const toCamelCase = (name: string): string =>
  name.replace(/(?<=[^_])_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `tokenAMint` -> `token_a_mint`. */
export const toSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

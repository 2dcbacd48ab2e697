// The commands load this when they run; printing help doesn't load it.
export { createKeyPairSignerFromBytes } from '@solana/kit';
export { parseJson, stringifyJson } from '../../http/json.js';
export { snakeCaseKeys } from '../../http/names.js';
export * from '../../index.js';
export { priceOf } from '../../pool/quote.js';
export { LiquidityPoolType } from '../../program/types.js';
export { CREATED_NAMES, ownershipInWords, tokenName, unnamedPart } from '../../review/inspection-words.js';
export { versionInWords } from '../../review/words.js';
export { maxTransactionBytes } from '../../solana/limits.js';
export { TOKEN_2022_PROGRAM_ADDRESS } from '../../solana/programs.js';
export { suffixMatcher } from '../../standard/grind-mint-address.js';
export { connect, connectOrEmbed, programOf } from './cluster.js';

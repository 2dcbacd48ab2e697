// The commands load this when they run; printing help doesn't load it.
export { createKeyPairSignerFromBytes } from '@solana/kit';
export * from 'heaven-pools';
export { answerOf, parseJson, stringifyJson } from 'heaven-pools/http';
export { snakeCaseKeys } from '../../http/names.js';
export { describe } from '../../input.js';
export { SUFFIX_IN_WORDS, suffixMatcher } from '../../standard/mint-key.js';
export { connect, programOf } from './cluster.js';

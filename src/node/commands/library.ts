// The commands load this when they run; printing help doesn't load it.
export { createKeyPairSignerFromBytes } from '@solana/kit';
export { downloadProofSource } from '../../check/prove/download-source.js';
export { createSampleProofSource } from '../../check/prove/ground.js';
export { isContradicted } from '../../check/prove/proof.js';
export { proveProgram } from '../../check/prove/prove-program.js';
export { describeProof, describeProofAsMarkdown } from '../../check/prove/report.js';
export { stringifyDeployment } from '../../deployment-file.js';
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

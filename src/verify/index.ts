export { replayPool, replayTransactions } from './replay.js';
export { reasonsOf, replayFindingsOf, replayTableOf, summaryOf, tableOf } from './report.js';
export { ALTERNATIVES } from './rows/alternatives.js';
export * from './source.js';
export { ledgerOf, type OpenLedger, openPrograms } from './stage.js';
export { OPERATIONS, type VerifyReport, type VerifyRow, verifyOperations } from './verify.js';

export { reasonsOf, summaryOf, tableOf } from './report.js';
export * from './source.js';
export { ledgerOf, type OpenLedger, openPrograms } from './stage.js';
export { OPERATIONS, type VerifyReport, type VerifyRow, verifyOperations } from './verify.js';

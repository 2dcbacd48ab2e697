// What comes after a quote: building, reviewing, signing and sending. Loaded on demand.
export { buildTrade, reviewTransaction } from './review.js';
export { closeSheet, openSheet, renderMoved } from './sheet.js';
export { tradeOperation } from './trade-operation.js';

// What comes after a quote: building, reviewing, signing and sending. Loaded on demand.
export { buildTrade, rentOf, returnedRentOf, reviewTransaction } from './review.js';
export { checksInWords } from './send.js';
export { closeSheet, type Operation, openSheet, renderMoved } from './sheet.js';
export type { Leg, ReceiptView, ReviewView } from './sheet-view.js';

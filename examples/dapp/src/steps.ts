// What comes after a quote: building, reviewing, signing and sending. Loaded on demand.
export { inspectTransaction, refreshLifetime } from 'heaven-pools';
export { buildTrade, reviewTransaction } from './review.js';
export { renderReview } from './review-card.js';
export { checksInWords, readSigned, sendAndFollow } from './send.js';

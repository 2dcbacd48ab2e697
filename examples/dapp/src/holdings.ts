// Loaded once a wallet is connected.
export { createSpendStore } from 'heaven-pools';

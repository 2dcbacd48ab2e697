// What no first quote needs: loaded by the first one who does, so that the page is there sooner.
export { createSolanaRpcSubscriptions } from '@solana/kit';
export {
  buildTrade,
  findPools,
  getWalletBalances,
  maximumSpend,
  quoteBest,
  suggestPriorityFee,
  watchPool,
} from 'heaven-pools';

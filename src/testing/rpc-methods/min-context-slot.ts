import { configOf, integerOf, type RpcMethods, RpcRefusal } from './rpc.js';

const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

/** The position of the options among each method's params, for methods that take `minContextSlot`. */
const OPTIONS_AT: Readonly<Record<string, number>> = {
  getAccountInfo: 1,
  getBalance: 1,
  getBlockHeight: 0,
  getEpochInfo: 0,
  getFeeForMessage: 1,
  getLatestBlockhash: 0,
  getMultipleAccounts: 1,
  getProgramAccounts: 1,
  getSignaturesForAddress: 1,
  getSlot: 0,
  getTokenAccountsByOwner: 2,
  isBlockhashValid: 1,
  sendTransaction: 1,
  simulateTransaction: 1,
};

/** Makes the methods reject requests with a later `minContextSlot` than the ledger's slot. */
export const minContextSlotKept = (methods: RpcMethods, slot: () => bigint): RpcMethods =>
  Object.fromEntries(
    Object.entries(methods).map(([name, run]) => {
      const at = OPTIONS_AT[name];
      if (at === undefined) return [name, run];
      return [
        name,
        (params: readonly unknown[]) => {
          const { minContextSlot } = configOf(params[at]);
          const isGiven = minContextSlot !== undefined && minContextSlot !== null;
          if (isGiven && integerOf(minContextSlot, 'minContextSlot') > slot()) {
            const data = { contextSlot: slot() };
            const message = 'Minimum context slot has not been reached';
            throw new RpcRefusal(MIN_CONTEXT_SLOT_NOT_REACHED, message, data);
          }
          return run(params);
        },
      ];
    }),
  );

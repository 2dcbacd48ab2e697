import {
  type HeavenClient,
  type HeavenSubmitRpc,
  isHeavenError,
  type SubmitOptions,
  type SubmitResult,
  submitTransaction,
} from 'heaven-pools';

/**
 * Sends a signed transaction and follows it until its outcome is certain, however long the node is silent. The same bytes run at
 * most once. Sign nothing else for this trade before.
 */
export async function settle(
  client: HeavenClient<HeavenSubmitRpc>,
  bytes: Parameters<typeof submitTransaction>[1],
  options: SubmitOptions,
): Promise<SubmitResult> {
  for (let mayBeUnderWay = options.mayBeUnderWay; ; mayBeUnderWay = true) {
    try {
      return await submitTransaction(client, bytes, { ...options, mayBeUnderWay });
    } catch (error) {
      if (!isHeavenError(error, 'outcome-unknown')) throw error;
      console.error(error.message);
    }
  }
}

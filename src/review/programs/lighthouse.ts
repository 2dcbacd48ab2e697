import { isLighthouseAssertion } from '../../solana/lighthouse.js';
import { listed, say } from '../prose.js';
import { makeStep, type PlainInstruction, type Step } from '../step.js';

/** An assertion of Lighthouse. Its other instructions write to accounts of its own, and no wallet adds them. */
export function lighthouseStep(instruction: PlainInstruction): Step | undefined {
  if (!isLighthouseAssertion(instruction)) return undefined;
  const { accounts } = instruction;
  const addresses = accounts.map(({ address }) => address);
  const about = addresses.length === 0 ? 'the clock' : listed(addresses, ' and ');
  const inWords = say`Fail the transaction unless ${about} ${accounts.length > 1 ? 'are' : 'is'} as the wallet that added this expects`;
  return makeStep('lighthouse', 'Assert', { accounts: { ...accounts }, data: {} }, inWords);
}

import { styleText } from 'node:util';
import type { Address } from '@solana/kit';
import {
  buildBuy,
  formatAmount,
  type HeavenClient,
  quoteBuy,
  reviewTransaction,
  shortenAddress,
} from 'heaven-pools';
import { stringifyJson } from 'heaven-pools/http';

import { snakeCaseKeys } from '../http/names.js';

/** LIGHT, whose pool exists on mainnet and, with the same values, on the embedded ledger. */
const mint = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;
const DECIMALS = 9;
const payer = '4vQpohTywkQyTjERdKPwSyXTAdkbQcYHvKGTqRaVTAJs' as Address;

/** Shows the person who has started the server a quote and a transaction that it answers, and what to try next. */
export async function firstScreen(url: string, client: HeavenClient): Promise<string> {
  const terms = { mint, configVersion: 2, maxSolSpend: 1.5, slippageBps: 50 };
  const quoteResponse = await quoteBuy(client, terms);
  const built = await buildBuy(client, { payer, quoteResponse });
  const { steps } = await reviewTransaction(client, built, {
    names: { [payer]: 'your wallet', [mint]: 'LIGHT', [built.pool]: 'the pool' },
    decimals: { [mint]: DECIMALS },
  });
  const trade = { programId: client.deployment.programAddress, ...terms };
  const shortened = { ...trade, programId: shortenAddress(trade.programId), mint: shortenAddress(mint) };
  const inJson = (fields: object) => stringifyJson(snakeCaseKeys(fields));

  const expected = formatAmount(quoteResponse.details.amountOut, DECIMALS);
  const least = formatAmount(quoteResponse.minimumOut, DECIMALS);
  return `Every path, with its fields and an example: ${bold(`${url}/`)}

${bold('POST /quote/buy')} ${dim(inJson(shortened))}
  ${trade.maxSolSpend} SOL buys about ${expected} LIGHT, at least ${least}.
${bold('POST /tx/buy')} ${dim(`{"payer":"${shortenAddress(payer)}","quote_response":{…},"encoded_user_defined_event_data":""}`)}
${steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n')}

${bold('Next')}
${isInRepository ? SCRIPTS : ''}  curl ${url}/quote/buy -H 'content-type: application/json' -d '${inJson(trade)}'
`;
}

/** Whether an npm script of the repository started this, so that the others work too. */
const isInRepository = process.env.npm_package_name === 'heaven-pools';
const bold = (text: string) => styleText('bold', text);
const dim = (text: string) => styleText('dim', text);
const SCRIPTS = `  docs/embedded-ledger.md   ${dim('what this ledger has of a cluster, and what it lacks')}
  npm run dapp   ${dim('opens the example page')}
  npm test       ${dim('runs the fast tests')}
`;

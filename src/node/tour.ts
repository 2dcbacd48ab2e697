import type { Address, Base64EncodedWireTransaction } from '@solana/kit';

import { parseJson, stringifyJson } from '../http/json.js';
import { describeTransaction } from '../transaction/describe.js';

export interface TourConfig {
  readonly url: string;
  readonly programAddress: Address;
  readonly configVersion: number;
  readonly mint: Address;
  readonly payer: Address;
  readonly print: (line: string) => void;
}

type Json = Readonly<Record<string, unknown>>;

/** One worked example of each path, over real HTTP, with the transactions decoded back into readable steps. */
export async function takeTour({
  url,
  programAddress,
  configVersion,
  mint,
  payer,
  print,
}: TourConfig): Promise<void> {
  const post = async (path: string, body: Json): Promise<Json> => {
    print(`\nPOST ${path}`);
    print(`  ${shorten(stringifyJson(body))}`);
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stringifyJson(body),
    });
    const text = await response.text();
    print(`  ${response.status} ${shorten(text)}`);
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
    return parseJson(text) as Json;
  };
  const build = async (path: string, quote: Json) => {
    const { tx } = await post(path, {
      payer,
      quote_response: quote,
      encoded_user_defined_event_data: 'tour',
    });
    for (const [index, step] of describeTransaction(tx as Base64EncodedWireTransaction, {
      programAddress,
    }).entries()) {
      print(`    ${index + 1}. ${step}`);
    }
  };
  const pool = { program_id: programAddress, mint };
  const terms = { ...pool, config_version: configVersion, slippage_bps: 50 };
  await post('/data/pool-state', pool);
  await build('/tx/buy', await post('/quote/buy', { ...terms, max_sol_spend: 1.5 }));
  await build('/tx/sell', await post('/quote/sell', { ...terms, amount_in_ui: 1000 }));
}

const shorten = (text: string) =>
  text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;

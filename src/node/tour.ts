import type { Address, Base64EncodedWireTransaction } from '@solana/kit';
import { type HeavenClient, inspectTransaction } from 'heaven-pools';
import { parseJson, stringifyJson } from 'heaven-pools/http';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';

/** LIGHT, whose pool exists on mainnet and, with the same values, on the embedded ledger. */
const mint = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;
const configVersion = 2;
/** A wallet to trade and launch with. */
const payer = 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD' as Address;

type Json = Readonly<Record<string, unknown>>;

/** Runs one example of each path over real HTTP, and decodes the transactions into readable steps. */
export async function takeTour(
  url: string,
  client: HeavenClient,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { programAddress } = client.deployment;
  const post = async (path: string, body: Json): Promise<Json> => {
    print(`\nPOST ${path}`);
    print(`  ${stringifyJson(body)}`);
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stringifyJson(body),
      signal,
    });
    const text = await response.text();
    print(`  ${response.status} ${shorten(text)}`);
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
    return parseJson(text) as Json;
  };
  const build = async (path: string, body: Json) => {
    const { tx } = await post(path, body);
    const { instructions } = await inspectTransaction(tx as Base64EncodedWireTransaction, { client });
    for (const [index, { description }] of instructions.entries()) print(`    ${index + 1}. ${description}`);
  };
  const event = { encoded_user_defined_event_data: 'tour' };
  const pool = { program_id: programAddress, mint };
  const terms = { ...pool, config_version: configVersion, slippage_bps: 50 };

  const { data } = (await post('/data/pool-info', pool)) as { readonly data: Json };
  await post('/data/pool-state', pool);
  await post('/data/protocol-config-state', { program_id: programAddress, version: configVersion });
  const buy = await post('/quote/buy', { ...terms, max_sol_spend: 1.5 });
  await build('/tx/buy', { payer, quote_response: buy, ...event });
  const sell = await post('/quote/sell', { ...terms, amount_in_ui: 1000 });
  await build('/tx/sell', { payer, quote_response: sell, ...event });
  if (data.is_creator_fee_claimable === true) {
    const receiver = data.current_creator_fee_recipient;
    const claim = { payer: receiver, amount: 0n, version: configVersion };
    await build('/tx/claim-creator-trading-fees', { ...pool, ...claim });
  }
  const launch = { program_id: programAddress, config_version: 1 };
  const share = { initial_purchase_percent: 5, slippage: 0.01 };
  const purchase = await post('/quote/initial-buy', { ...launch, ...share });
  print('\nLooking for a mint address that ends in 777 …');
  await build('/tx/create-standard-liquidity-pool', {
    ...launch,
    ...event,
    payer,
    creator: payer,
    name: 'A token',
    symbol: 'TOKEN',
    uri: 'https://example.com/token.json',
    initial_purchase_amount: purchase.token_amount,
    max_sol_spend: purchase.cost_sol,
    lut_address: COMMUNITY_LOOKUP_TABLE_ADDRESS,
  });
}

const shorten = (text: string) =>
  text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;

import { type Address, getAddressEncoder } from '@solana/kit';

import { anchorDiscriminator } from '../support/anchor.js';
import { bytesOf } from '../support/bytes.js';

// Writes accounts and events by offset, so that the tests read bytes that the library's layouts had no part in.

type Value = string | number | boolean | readonly Value[] | Fields;
export interface Fields {
  readonly [name: string]: Value | undefined;
}

/** Each with its size, then its fields: name, offset, type. Left out is what no account or event here has. */
const LAYOUTS = `
FeeBracket 16 market_cap_upper_bound:0:u64 buy_fee_bps:8:u32 sell_fee_bps:12:u32
FeeBrackets 72 brackets:0:FeeBracket count:64:u8
MarketCapFees 360 protocol_trading_fee:0:FeeBrackets creator_trading_fee:144:FeeBrackets
Info 88 creator:0:key update_authority:32:key open_at:64:u64 created_at:72:u64 protocol_config_version:80:u16 type:82:u8
  pool_authority_bump:83:u8 temp_sol_holder_bump:84:u8
Reserve 72 token_a:0:u64 token_b:8:u64 snapshot_slot:16:u64 snapshot_a:24:u64 snapshot_b:32:u64
  accumulated_fee_per_lp_token:40:u64 initial_a:48:u64 initial_b:56:u64 leader_slot_window:64:u8
LpSupply 40 initial:0:u64 total:8:u64 unlocked:16:u64 locked:24:u64
LpToken 48 supply:0:LpSupply decimals:40:u8
TokenInfo 65 mint:0:key decimals:32:u8 owner:33:key
Allowlist 7 swap:0:u8 same_slot_trading:3:u8
FeatureFlags 8 sandwich_resistant_mode:0:u8
account:LiquidityPoolState 2304 info:8:Info market_cap_based_fees:96:MarketCapFees reserve:456:Reserve lp_token:528:LpToken
  protocol_trading_fees:576:u64 creator_trading_fees:584:u64 created_at_slot:632:u64
  creator_trading_fees_claimed_by_creator:592:u64 creator_trading_fees_claimed_by_others:600:u64
  trading_volume_usd:640:f64 creator_trading_fee_trading_volume_threshold:648:f64
  creator_trading_fee_trading_volume_threshold_reached_unix_timestamp:656:u64
  token_a_vault:664:key token_b_vault:696:key protocol_config:728:key key:760:key
  token_a:792:TokenInfo token_b:857:TokenInfo allowlist:922:Allowlist
  feature_flags:929:FeatureFlags taxable_side:937:u8 taxable_side_type:938:u8
  creator_trading_fee_distribution:939:u8 creator_trading_fee_claim_status:940:u8
  fee_configuration_mode:941:u8 is_migrated:942:u8 creator_trading_fee_receiver:2272:key
account:ProtocolConfig 1792 initial_token_b_amount:16:f64 initial_token_a_amount:24:u64 unstaked_wsol_reserve:32:u64
  pool_count:64:u64 max_supply_per_wallet:72:u64 market_cap_based_fees:88:MarketCapFees
  creator_trading_fee_trading_volume_threshold:80:f64 buffer_bps:448:u16
  auto_staking_threshold_bps:450:u16 version:452:u16 protocol_config_state_bump:454:u8
  allow_create_pool:455:u8 supported_pool_type:456:u8 default_leader_slot_window:457:u8
  auto_staking_enabled:458:u8 leader_slot_window:459:u8 sandwich_resistence_enabled:460:u8
  token_a_decimals:461:u8 migration_market_cap_threshold:462:u16 max_creator_trading_fee:472:u32
account:Transmissions 200 version:8:u8 state:9:u8 owner:10:key writer:74:key description:106:text decimals:138:u8
  latest_round_id:143:u32 granularity:147:u8 live_length:148:u32 live_cursor:152:u32
  transmissions:200:Transmission
Transmission 48 slot:0:u64 timestamp:8:u32 answer:16:u64
TokenAccount 165 mint:0:key owner:32:key amount:64:u64 state:108:u8 is_native_option:109:u32 is_native:113:u64
Extension 4 type:0:u16 length:2:u16
TokenAccountWithTransferFee 182 token:0:TokenAccount account_type:165:u8 extensions:166:Extension withheld_amount:174:u64
Mint 82 mint_authority_option:0:u32 supply:36:u64 decimals:44:u8 is_initialized:45:bool freeze_authority_option:46:u32
TransferFee 18 epoch:0:u64 maximum:8:u64 bps:16:u16
TransferFeeConfig 108 config_authority:0:key withdraw_authority:32:key withheld_amount:64:u64 older:72:TransferFee newer:90:TransferFee
MintWithTransferFee 278 mint:0:Mint account_type:165:u8 extensions:166:Extension transfer_fee_config:170:TransferFeeConfig
event:TradeEvent 80 base_reserve:8:u64 quote_reserve:16:u64 total_creator_trading_fees:24:u64 total_fee_paid:32:u64
  price_sol_usd:40:f64 base_in:48:u64 base_out:56:u64 quote_in:64:u64 quote_out:72:u64
`;

interface Layout {
  readonly namespace: 'account' | 'event' | undefined;
  readonly size: number;
  readonly fields: Map<string, readonly [offset: number, type: string]>;
}

const layouts = new Map<string, Layout>();
for (const block of LAYOUTS.trim().split(/\n(?! )/)) {
  const [names, size, ...fields] = block.split(/\s+/) as [string, string, ...string[]];
  const [name, namespace] = names.split(':').reverse() as [string, Layout['namespace']];
  const entries = fields.map((field) => {
    const [label, offset, type] = field.split(':') as [string, string, string];
    return [label, [Number(offset), type]] as const;
  });
  layouts.set(name, { namespace, size: Number(size), fields: new Map(entries) });
}

const WRITERS: Readonly<Record<string, (data: DataView, at: number, value: Value) => void>> = {
  u8: (data, at, value) => data.setUint8(at, Number(value)),
  u16: (data, at, value) => data.setUint16(at, Number(value), true),
  u32: (data, at, value) => data.setUint32(at, Number(value), true),
  u64: (data, at, value) => data.setBigUint64(at, BigInt(value as string), true),
  f64: (data, at, value) => data.setFloat64(at, value as number, true),
  bool: (data, at, value) => data.setUint8(at, value === true ? 1 : 0),
  key: (data, at, value) => bytesIn(data, at).set(getAddressEncoder().encode(value as Address)),
  text: (data, at, value) => bytesIn(data, at).set(new TextEncoder().encode(value as string)),
};

const bytesIn = ({ buffer }: DataView, at: number) => new Uint8Array(buffer, at);

function write(data: DataView, at: number, type: string, value: Value): void {
  const layout = layouts.get(type);
  if (!layout) WRITERS[type]!(data, at, value);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) write(data, at + index * layout.size, type, item);
  else
    for (const [name, item] of Object.entries(value)) {
      const field = layout.fields.get(name);
      if (!field) throw new Error(`No offset of ${type}.${name} is known`);
      write(data, at + field[0], field[1], item);
    }
}

/** An account's or an event's bytes: zero, but for the fields stated. Transmissions follow the feed's header. */
export function encode(name: string, fields: Fields): Uint8Array {
  const { namespace, size } = layouts.get(name)!;
  const { transmissions: ring = [] } = fields;
  const bytes = new Uint8Array(size + (ring as readonly Value[]).length * 48);
  if (namespace) bytes.set(bytesOf(anchorDiscriminator(namespace, name)));
  write(new DataView(bytes.buffer), 0, name, fields);
  return bytes;
}

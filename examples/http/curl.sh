#!/usr/bin/env bash
# Every path of the HTTP interface with curl, and what it answers.
#
#   npm start                      # in one terminal: serves the embedded ledger
#   bash examples/http/curl.sh     # in another; BASE_URL=http://host:port for a server elsewhere
#
# Each call below can be copied as it stands, given the addresses up here; $answer is the text that curl printed for the call
# before. `expect` and its kin say what the answer is: its status and every field that it has, each with a pattern of its JSON
# text; a field with a question mark may be missing. The first answer that is otherwise ends the script.

set -euf -o pipefail
export LC_ALL=C

BASE_URL=${BASE_URL:-http://127.0.0.1:3000}
BASE_URL=${BASE_URL%/}

# ---------------------------------------------------------------- addresses on the embedded ledger

PROGRAM=HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o

# A standard pool with config 2: its token, its address, and its creator, who receives its fees.
MINT=LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777
POOL=EkU9zGSkUnVVK6nhmPSqnxqcKPzt1PicrCjdxSbWo9uA
CREATOR=2n9aWiccPaoXoRnrxso8ZpX8KhGCnG7AHndmsVimDmvA

# A pro pool, and its creator, whose liquidity is in it.
PRO_MINT=BBvk6eZV8BUTpWwqxnoHRYgN99NxVTuXkgGJRnQwAuC3
PRO_POOL=5wqza9XPzBqcq8KA3T9rdhFBt9aVLLn9QJAbpVqS7n8N
PRO_CREATOR=4vQpohTywkQyTjERdKPwSyXTAdkbQcYHvKGTqRaVTAJs

# The lookup tables for launches with config 1, and for pro pools.
LOOKUP_TABLE=3DENDMbqpVuarsEvk3MYJMpcZqsrQanK8Z8cVeDf53oR
PRO_LOOKUP_TABLE=3oDEwcYYAbaggf9ewqmCkKToLYeAgZ6uDqZsPcWahx6m

# Any wallets: nothing is signed and nothing is sent.
WALLET=9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin
OTHER_WALLET=HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny

# ---------------------------------------------------------------- patterns of JSON text

INTEGER='[0-9]+'
POSITIVE='[1-9][0-9]*'
SIGNED='-?[0-9]+'
NUMBER='[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?'
FLAG='(true|false)'
TEXT='".+"'
ADDRESS='"[1-9A-HJ-NP-Za-km-z]{32,44}"'
BASE64='"([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"'

# ---------------------------------------------------------------- how answers are checked

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
: >"$scratch/posted"
calls=0
call='' # the one whose answer is being looked at

fail() {
  printf 'FAIL %s: %s\n\nrequest:\n%.4000s\n\nanswer: %s %s\n' "$call" "$1" "${data:-(no body)}" "${status:-none}" "$type" >&2
  head -c 4000 "$scratch/body" >&2 2>/dev/null || true
  echo >&2
  exit 1
}

# The call before was answered as it should.
passed() {
  if [ -n "$call" ]; then
    calls=$((calls + 1))
    printf 'ok   %s%s\n' "$call" "$outcome"
  fi
  call=''
}

# curl itself, keeping the answer for the checks.
curl() {
  passed
  local argument previous='' method=GET path=''
  data=''
  for argument; do
    case $argument in
      "$BASE_URL"*) path=${argument#"$BASE_URL"} ;;
      @-) data=$(cat) ;;
    esac
    case $previous in
      -X) method=$argument ;;
      -d) method=POST ;;
    esac
    previous=$argument
  done
  call="$method $path" outcome='' status='' type='' leaves=''
  : >"$scratch/body"
  local answered
  answered=$(printf '%s' "$data" | command curl --silent --show-error --max-time 60 \
    --dump-header "$scratch/headers" --output "$scratch/body" --write-out '%{http_code} %{content_type}' "$@") ||
    fail "no answer from $BASE_URL; npm start serves one"
  status=${answered%% *} type=${answered#* } answer=$(cat "$scratch/body")
  if [ "$method" = POST ]; then printf '%s\n' "$path" >>"$scratch/posted"; fi
}

# JSON as lines of a path and a value: {"a":[{"b":1}]} is `a[].b 1`.
flatten() {
  local token depth=0 at='' is_key=no
  local -a paths=('') kinds=('')
  grep -oE '"([^"\\]|\\.)*"|[][{}:,]|[^][{}:,"[:space:]]+' | while IFS= read -r token; do
    case $is_key$token in
      *'{')
        depth=$((depth + 1)) is_key=yes
        paths[depth]=$at kinds[depth]=object
        ;;
      *'[')
        depth=$((depth + 1)) at=$at'[]'
        paths[depth]=$at kinds[depth]=list
        ;;
      *'}' | *']') depth=$((depth - 1)) is_key=no ;;
      *:) is_key=no ;;
      *,)
        at=${paths[depth]}
        if [ "${kinds[depth]}" = object ]; then is_key=yes; fi
        ;;
      yes*)
        token=${token#\"}
        at=${paths[depth]}${paths[depth]:+.}${token%\"}
        ;;
      *) printf '%s %s\n' "$at" "$token" ;;
    esac
  done
}

# The JSON text of a value in the last answer; the whole of it is in $answer.
value() { grep -F "$1 " <<<"$leaves" | sed -n "s/^$1 //p"; }

has_status() {
  [ "$status" = "$1" ] || fail "the status is $status in place of $1"
}

# expect STATUS [FIELD[?]=PATTERN]…: JSON with exactly these fields. Those with a question mark may be missing.
expect() {
  has_status "$1"
  shift
  [ "$type" = application/json ] || fail "the type is $type in place of application/json"
  leaves=$(flatten <"$scratch/body") || fail 'the body is not valid JSON'
  local field name pattern wrong missing
  local -a names=() patterns=()
  for field; do
    name=${field%%=*} pattern=${field#*=}
    case $name in
      *'?') name=${name%'?'} ;;
      *) names+=("$name") ;;
    esac
    patterns+=("^$(sed 's/[].[]/\\&/g' <<<"$name") ($pattern)\$")
  done
  # grep ends with 1 when it has nothing to show.
  wrong=$(grep -vE -f <(printf '%s\n' "${patterns[@]}") <<<"$leaves") || [ $? = 1 ]
  [ -z "$wrong" ] || fail "this is not documented, or not as it should be: ${wrong%%$'\n'*}"
  missing=$(printf '%s\n' "${names[@]}" | grep -vxF -f <(sed 's/ .*//' <<<"$leaves" | sort -u)) || [ $? = 1 ]
  [ -z "$missing" ] || fail "${missing%%$'\n'*} is missing"
}

# A value of the last answer is this.
is() {
  [ "$(value "$1")" = "$2" ] || fail "$1 is $(value "$1") in place of $2"
}

# expect_error STATUS CODE [FIELD=PATTERN]…: an error whose details are these.
expect_error() {
  local expected=$1 code=$2
  shift 2
  expect "$expected" error.code="\"$code\"" error.message="$TEXT" "${@/#/error.}"
  outcome=": $expected $code"
}

# What is to be known before signing, for people.
WARNINGS=('details.warnings[].code?="[a-z-]+"' "details.warnings[].message?=$TEXT")

# What stands behind a quote.
QUOTE_DETAILS=(
  details.pool="$ADDRESS"
  details.amount_in="$POSITIVE"
  details.amount_out="$POSITIVE"
  details.total_fee="$INTEGER"
  details.transfer_fee="$INTEGER"
  details.price_before="$NUMBER"
  details.price_after="$NUMBER"
  details.price_impact_bps="$NUMBER"
  details.market_cap_usd="$NUMBER"
  details.sol_price_usd="$NUMBER"
  details.slot="$POSITIVE"
  'details.exact.amount_in?="[0-9]+"'
  'details.exact.minimum_out?="[0-9]+"'
  "${WARNINGS[@]}"
)
for fee in protocol liquidity_provider creator creator_protocol reflection; do
  QUOTE_DETAILS+=("details.fees.$fee=$INTEGER" "details.fee_rates.$fee=$INTEGER")
done

# What stands behind a transaction: a line for each instruction, and who has yet to sign.
TRANSACTION_DETAILS=(
  details.size="$POSITIVE"
  'details.required_signers[]'="$ADDRESS"
  details.last_valid_block_height="$POSITIVE"
  'details.instructions[]'="$TEXT"
  "${WARNINGS[@]}"
)

# expect_transaction SIGNERS [FIELD=PATTERN]…: a transaction that so many have to sign, and these fields. None of them has
# signed yet, or $signed of them.
expect_transaction() {
  local signers=$1 index signatures=0
  shift
  expect 200 tx="$BASE64" "${TRANSACTION_DETAILS[@]}" "$@"
  hex=$(value tx | tr -d '"' | base64 --decode | od -An -v -tx1 | tr -d ' \n') || fail 'tx is not base64'
  is details.size $((${#hex} / 2))
  [ ${#hex} -le 2464 ] || fail "tx has $((${#hex} / 2)) bytes and may have 1232"
  # So many signatures of 64 bytes each, the message's version 0, and how many wallets sign it.
  [ $((16#${hex:0:2})) = "$signers" ] || fail "tx has room for $((16#${hex:0:2})) signatures in place of $signers"
  [ "${hex:2+128*signers:4}" = "$(printf '80%02x' "$signers")" ] || fail 'tx is not a transaction of version 0'
  for ((index = 0; index < signers; index++)); do
    case ${hex:2+128*index:128} in *[!0]*) signatures=$((signatures + 1)) ;; esac
  done
  [ "$signatures" = "${signed:-0}" ] || fail "tx holds $signatures signatures in place of ${signed:-0}"
  signers=$((signers - signatures))
  [ "$(grep -cF 'details.required_signers[] ' <<<"$leaves")" = "$signers" ] || fail "$signers wallets have yet to sign"
}

# The transaction holds this integer, as 64 bits: no digit of it was lost.
holds() {
  local bytes
  bytes=$(printf '%016x' "$1" | sed -E 's/(..)(..)(..)(..)(..)(..)(..)(..)/\8\7\6\5\4\3\2\1/')
  case $hex in *"$bytes"*) ;; *) fail "tx does not hold $1" ;; esac
}

# The body has this text.
shows() {
  grep -qF -- "$1" "$scratch/body" || fail "the body does not show $1"
}

# The answer has this header.
has_header() {
  grep -qixF -- "$1" <(tr -d '\r' <"$scratch/headers") || fail "the headers do not have $1"
}

# ================================================================ data

# A pool in a person's terms: UI amounts, percentages, US dollars.
POOL_INFO=(
  data.classification='"(Community|Creator|Pro|Unknown)"'
  data.creator="$ADDRESS"
  data.current_base_reserve="$NUMBER"
  data.current_quote_reserve="$NUMBER"
  data.current_buy_fee_pct="$NUMBER"
  data.current_sell_fee_pct="$NUMBER"
  data.current_creator_fee_claim_by_creator="$NUMBER"
  data.current_creator_fee_claim_status='"(Unclaimed|Submitted|Processed|Unknown)"'
  data.current_creator_fee_collected_sol="$NUMBER"
  data.current_creator_fee_collected_usd="$NUMBER"
  data.current_creator_fee_distribution='"(Community|Creator|Blocked|Shared|Unknown)"'
  data.current_creator_fee_recipient="$ADDRESS"
  data.current_market_cap_usd="$NUMBER"
  data.current_sol_price_usd="$NUMBER"
  data.current_trading_volume_usd="$NUMBER"
  data.is_creator_fee_claimable="$FLAG"
  data.is_migrated="$FLAG"
  data.migration_market_cap_threshold="$INTEGER"
  data.protocol_config_version="$INTEGER"
  data.trading_volume_threshold_usd="$NUMBER"
)

curl "$BASE_URL/data/pool-info" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "mint": "$MINT"
}
END
expect 200 "${POOL_INFO[@]}"
is data.classification '"Creator"'
is data.current_creator_fee_recipient "\"$CREATOR\""
is data.is_creator_fee_claimable true

# A pro pool by its address.
curl "$BASE_URL/data/pool-info" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "mint": "$PRO_MINT",
  "pool": "$PRO_POOL"
}
END
expect 200 "${POOL_INFO[@]}"
is data.classification '"Pro"'
is data.creator "\"$PRO_CREATOR\""

# The fees that pools and configs have: five of each, 4 brackets by market cap, 42 by slot.
FEES=()
for fee in protocol_trading_fee liquidity_provider_trading_fee creator_trading_fee creator_trading_fee_protocol_fee \
  reflection_trading_fee; do
  FEES+=(
    "market_cap_based_fees.$fee.brackets[].market_cap_upper_bound=$INTEGER"
    "market_cap_based_fees.$fee.brackets[].buy_fee_bps=$INTEGER"
    "market_cap_based_fees.$fee.brackets[].sell_fee_bps=$INTEGER"
    "market_cap_based_fees.$fee.count=[0-4]"
    "slot_offset_based_fees.$fee.brackets[].slot_offset_upperbound=$INTEGER"
    "slot_offset_based_fees.$fee.brackets[].buy_fee_bps=$INTEGER"
    "slot_offset_based_fees.$fee.brackets[].sell_fee_bps=$INTEGER"
    "slot_offset_based_fees.$fee.max_slot_offset=$INTEGER"
    "slot_offset_based_fees.$fee.max_fee_bps=$INTEGER"
    "slot_offset_based_fees.$fee.count=$INTEGER"
    "slot_offset_based_fees.$fee.enabled=[01]"
  )
done

# The whole account of a pool, native amounts to the last digit.
POOL_STATE=(
  info.creator="$ADDRESS"
  info.update_authority="$ADDRESS"
  info.open_at="$INTEGER"
  info.created_at="$INTEGER"
  info.protocol_config_version="$INTEGER"
  info.type="$INTEGER"
  info.pool_authority_bump="$INTEGER"
  info.temp_sol_holder_bump="$INTEGER"
  "${FEES[@]}"
  reserve.token_a="$INTEGER"
  reserve.token_b="$INTEGER"
  reserve.snapshot_slot="$INTEGER"
  reserve.snapshot_a="$INTEGER"
  reserve.snapshot_b="$INTEGER"
  reserve.accumulated_fee_per_lp_token="$SIGNED"
  reserve.initial_a="$INTEGER"
  reserve.initial_b="$INTEGER"
  reserve.leader_slot_window="$INTEGER"
  lp_token.supply.initial="$INTEGER"
  lp_token.supply.total="$INTEGER"
  lp_token.supply.unlocked="$INTEGER"
  lp_token.supply.locked="$INTEGER"
  lp_token.supply.burnt="$INTEGER"
  lp_token.decimals="$INTEGER"
  protocol_trading_fees="$INTEGER"
  creator_trading_fees="$INTEGER"
  creator_trading_fees_claimed_by_creator="$INTEGER"
  creator_trading_fees_claimed_by_others="$INTEGER"
  liquidity_provider_trading_fees="$INTEGER"
  creator_trading_fee_protocol_fees="$INTEGER"
  reflection_trading_fees="$INTEGER"
  created_at_slot="$INTEGER"
  trading_volume_usd="$NUMBER"
  creator_trading_fee_trading_volume_threshold="$INTEGER"
  creator_trading_fee_trading_volume_threshold_reached_unix_timestamp="$INTEGER"
  token_a_vault="$ADDRESS"
  token_b_vault="$ADDRESS"
  protocol_config="$ADDRESS"
  key="$ADDRESS"
  token_a.mint="$ADDRESS"
  token_a.decimals="$INTEGER"
  token_a.owner="$ADDRESS"
  token_b.mint='"So11111111111111111111111111111111111111112"'
  token_b.decimals=9
  token_b.owner="$ADDRESS"
  allowlist.swap=[01]
  allowlist.remove_liquidity=[01]
  allowlist.deposit_liquidity=[01]
  allowlist.same_slot_trading=[01]
  allowlist.update_creator_trading_fee=[01]
  feature_flags.sandwich_resistant_mode=[01]
  taxable_side="$INTEGER"
  taxable_side_type="$INTEGER"
  creator_trading_fee_distribution="$INTEGER"
  creator_trading_fee_claim_status="$INTEGER"
  fee_configuration_mode="$INTEGER"
  is_migrated=[01]
  creator_trading_fee_receiver="$ADDRESS"
  # The account's bytes, in base64: an addition to the documented fields.
  data='"[A-Za-z0-9+/]+={0,2}"'
)

curl "$BASE_URL/data/pool-state" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "mint": "$MINT"
}
END
expect 200 "${POOL_STATE[@]}"
is key "\"$POOL\""
is reserve.initial_a 1000000000000000000

# Any pool by its address.
curl "$BASE_URL/data/pool-state" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "pool": "$PRO_POOL"
}
END
expect 200 "${POOL_STATE[@]}"
is token_a.mint "\"$PRO_MINT\""

CONFIG_STATE=(
  create_pool_fee="$INTEGER"
  initial_token_b_amount="$INTEGER"
  initial_token_a_amount="$INTEGER"
  unstaked_wsol_reserve="$INTEGER"
  total_sol_spent="$INTEGER"
  total_msol_received="$INTEGER"
  total_realized_profit="$INTEGER"
  pool_count="$INTEGER"
  max_supply_per_wallet="$INTEGER"
  creator_trading_fee_trading_volume_threshold="$INTEGER"
  "${FEES[@]}"
  buffer_bps="$INTEGER"
  auto_staking_threshold_bps="$INTEGER"
  version="$INTEGER"
  protocol_config_state_bump="$INTEGER"
  allow_create_pool=[01]
  supported_pool_type="$INTEGER"
  default_leader_slot_window="$INTEGER"
  auto_staking_enabled=[01]
  leader_slot_window="$INTEGER"
  sandwich_resistence_enabled=[01]
  token_a_decimals="$INTEGER"
  migration_market_cap_threshold="$INTEGER"
  max_creator_trading_fee="$INTEGER"
)

curl "$BASE_URL/data/protocol-config-state" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "version": 2
}
END
expect 200 "${CONFIG_STATE[@]}"
is version 2
is max_supply_per_wallet 18446744073709551615

# A wallet's liquidity in a pro pool.
curl "$BASE_URL/data/lp-balance" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "pool": "$PRO_POOL",
  "user": "$PRO_CREATOR"
}
END
expect 200 lp_token_balance="$POSITIVE" reward_debt="$SIGNED" pending_fees="$INTEGER" lp_position_address="$ADDRESS" exists=true \
  details.stored_pending_fees="$INTEGER" details.accumulated_fee_per_lp_token="$INTEGER" \
  details.fee_per_lp_token_unit=1000000000 details.lp_supply="$POSITIVE"

# A wallet without any: no error, but zeros.
curl "$BASE_URL/data/lp-balance" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "pool": "$PRO_POOL",
  "user": "$WALLET"
}
END
expect 200 lp_token_balance=0 reward_debt=0 pending_fees=0 lp_position_address="$ADDRESS" exists=false \
  details.stored_pending_fees="$INTEGER" details.accumulated_fee_per_lp_token="$INTEGER" \
  details.fee_per_lp_token_unit=1000000000 details.lp_supply="$POSITIVE"

# ================================================================ standard pools: quotes and trades

# What 1.5 SOL buy.
curl "$BASE_URL/quote/buy" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "config_version": 2,
  "mint": "$MINT",
  "max_sol_spend": 1.5,
  "slippage_bps": 50
}
END
expect 200 \
  config_version=2 \
  max_lamport_spend=1500000000 \
  max_sol_spend='1\.5' \
  minimum_out="$POSITIVE" \
  minimum_out_ui="$NUMBER" \
  details.pool="$ADDRESS" \
  mint="\"$MINT\"" \
  program_id="\"$PROGRAM\"" \
  slippage_bps=50 \
  "${QUOTE_DETAILS[@]}"
quote=$answer minimum_out=$(value minimum_out)

# The quote goes on as the text that it came in.
curl "$BASE_URL/tx/buy" -H 'content-type: application/json' -d @- <<END
{
  "payer": "$WALLET",
  "quote_response": $quote,
  "encoded_user_defined_event_data": ""
}
END
expect_transaction 1
holds 1500000000
holds "$minimum_out"
holds 40000000 # the priority fee by default

# With a text of your own in the program's event, and a priority fee of your choice.
curl "$BASE_URL/tx/buy" -H 'content-type: application/json' -d @- <<END
{
  "payer": "$WALLET",
  "quote_response": $quote,
  "encoded_user_defined_event_data": "campaign:42",
  "compute_unit_limit": 180000,
  "compute_unit_price": 9007199254740993
}
END
expect_transaction 1
holds 9007199254740993

# What 9007199.254740993 tokens give: as an integer of native units this is more than a double can hold.
curl "$BASE_URL/quote/sell" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "config_version": 2,
  "mint": "$MINT",
  "amount_in_ui": 9007199.254740993,
  "slippage_bps": 100
}
END
expect 200 \
  amount_in=9007199254740993 \
  amount_in_ui='9007199\.25474099[0-9]' \
  config_version=2 \
  minimum_out="$POSITIVE" \
  minimum_out_ui="$NUMBER" \
  details.pool="$ADDRESS" \
  mint="\"$MINT\"" \
  program_id="\"$PROGRAM\"" \
  slippage_bps=100 \
  "${QUOTE_DETAILS[@]}"
is details.exact.amount_in '"9007199254740993"'
quote=$answer minimum_out=$(value minimum_out)

curl "$BASE_URL/tx/sell" -H 'content-type: application/json' -d @- <<END
{
  "payer": "$WALLET",
  "quote_response": $quote,
  "encoded_user_defined_event_data": ""
}
END
expect_transaction 1
holds 9007199254740993
holds "$minimum_out"

# All that the creator of the pool has earned; an amount of lamports claims so much of it.
curl "$BASE_URL/tx/claim-creator-trading-fees" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$CREATOR",
  "mint": "$MINT",
  "version": 2,
  "amount": 0
}
END
expect_transaction 1

# ================================================================ launching a token

# What 5 % of the tokens cost at the launch, with 1 % to spare.
curl "$BASE_URL/quote/initial-buy" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "config_version": 1,
  "initial_purchase_percent": 5,
  "slippage_bps": 100
}
END
expect 200 \
  cost_lamports="$POSITIVE" \
  cost_sol="$NUMBER" \
  cost_usd="$NUMBER" \
  token_amount=50000000000000000 \
  token_amount_ui=50000000 \
  details.least_lamports="$POSITIVE" \
  details.fees.protocol="$INTEGER" \
  details.fees.liquidity_provider="$INTEGER" \
  details.fees.creator="$INTEGER" \
  details.fees.creator_protocol="$INTEGER" \
  details.fees.reflection="$INTEGER" \
  details.total_fee=0 \
  details.market_cap_usd="$NUMBER" \
  details.slot="$POSITIVE" \
  "${WARNINGS[@]}"
token_amount=$(value token_amount) cost_sol=$(value cost_sol) cost_lamports=$(value cost_lamports)

# The server finds the new mint's address, which ends in 777, and its signature is in the transaction already.
curl "$BASE_URL/tx/create-standard-liquidity-pool" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$WALLET",
  "creator": "$WALLET",
  "config_version": 1,
  "name": "A token",
  "symbol": "TOKEN",
  "uri": "https://example.com/token.json",
  "initial_purchase_amount": $token_amount,
  "max_sol_spend": $cost_sol,
  "lut_address": "$LOOKUP_TABLE",
  "encoded_user_defined_event_data": ""
}
END
signed=1 expect_transaction 2 mint='"[1-9A-HJ-NP-Za-km-z]{29,41}777"'
holds "$token_amount"
holds "$cost_lamports"

# ================================================================ pro pools: quotes and trades

curl "$BASE_URL/quote/pro/buy" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "config_version": 3,
  "pool": "$PRO_POOL",
  "mint": "$PRO_MINT",
  "max_sol_spend": 0.25,
  "slippage_bps": 50
}
END
expect 200 \
  config_version=3 \
  max_lamport_spend=250000000 \
  max_sol_spend='0\.25' \
  minimum_out="$POSITIVE" \
  minimum_out_ui="$NUMBER" \
  details.pool="$ADDRESS" \
  mint="\"$PRO_MINT\"" \
  program_id="\"$PROGRAM\"" \
  slippage_bps=50 \
  "${QUOTE_DETAILS[@]}"
quote=$answer minimum_out=$(value minimum_out)

curl "$BASE_URL/tx/pro/buy" -H 'content-type: application/json' -d @- <<END
{
  "payer": "$WALLET",
  "pool": "$PRO_POOL",
  "quote_response": $quote,
  "encoded_user_defined_event_data": ""
}
END
expect_transaction 1
holds 250000000
holds "$minimum_out"

curl "$BASE_URL/quote/pro/sell" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "config_version": 3,
  "pool": "$PRO_POOL",
  "mint": "$PRO_MINT",
  "amount_in_ui": 1000.000001,
  "slippage_bps": 50
}
END
expect 200 \
  amount_in=1000000001 \
  amount_in_ui='1000\.000001' \
  config_version=3 \
  minimum_out="$POSITIVE" \
  minimum_out_ui="$NUMBER" \
  details.pool="$ADDRESS" \
  mint="\"$PRO_MINT\"" \
  program_id="\"$PROGRAM\"" \
  slippage_bps=50 \
  "${QUOTE_DETAILS[@]}"
quote=$answer minimum_out=$(value minimum_out)

# One wallet pays, another one, the source, sells its tokens: both sign.
curl "$BASE_URL/tx/pro/sell" -H 'content-type: application/json' -d @- <<END
{
  "payer": "$WALLET",
  "source": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "quote_response": $quote,
  "encoded_user_defined_event_data": ""
}
END
expect_transaction 2
holds 1000000001
holds "$minimum_out"

# ================================================================ pro pools: creation and liquidity

# The answer is tx and pool, the new pool's address.
curl "$BASE_URL/tx/pro/create" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$WALLET",
  "creator": "$CREATOR",
  "config_version": 3,
  "mint": "$MINT",
  "initial_token_a_amount": 9007199254740993,
  "initial_token_b_amount": 5000000000,
  "lut_address": "$PRO_LOOKUP_TABLE",
  "encoded_user_defined_event_data": "",
  "features": {
    "enable_swap": true,
    "enable_deposit_liquidity": true,
    "enable_withdraw_liquidity": true,
    "enable_update_creator_trading_fee": true,
    "enable_same_slot_trading": false,
    "enable_sandwich_resistant_mode": false
  },
  "creator_trading_fee": [
    { "market_cap_upper_bound": 100000000000, "buy_fee_bps": 100, "sell_fee_bps": 150 },
    { "market_cap_upper_bound": 9223372036854775807, "buy_fee_bps": 50, "sell_fee_bps": 50 }
  ],
  "creator_slot_trading_fee": {
    "brackets": [{ "slot_offset_upperbound": 15, "buy_fee_bps": 1000, "sell_fee_bps": 1000 }],
    "max_slot_offset": 15,
    "max_fee_bps": 1000,
    "enabled": true
  },
  "reflection_trading_fee": [
    { "market_cap_upper_bound": 9223372036854775807, "buy_fee_bps": 10, "sell_fee_bps": 10 }
  ],
  "liquidity_provider_trading_fee": [
    { "market_cap_upper_bound": 9223372036854775807, "buy_fee_bps": 20, "sell_fee_bps": 20 }
  ]
}
END
expect_transaction 2 pool="$ADDRESS"
holds 9007199254740993
holds 5000000000
holds 9223372036854775807

# Tokens and SOL in the pool's ratio, at most these amounts; 0 accepts any number of LP tokens.
curl "$BASE_URL/tx/pro/add-liquidity" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "mint": "$PRO_MINT",
  "config_version": 3,
  "max_token_a": 1000000000000,
  "max_token_b": 1000000000,
  "min_lp_tokens": 0
}
END
expect_transaction 1
holds 1000000000

curl "$BASE_URL/tx/pro/remove-liquidity" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "mint": "$PRO_MINT",
  "config_version": 3,
  "lp_tokens_to_burn": 1234567891,
  "min_token_a": 1,
  "min_token_b": 1
}
END
expect_transaction 1
holds 1234567891

# LP tokens for another wallet. A payer that is not the sender signs too.
curl "$BASE_URL/tx/pro/transfer-lp" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$WALLET",
  "pool": "$PRO_POOL",
  "sender": "$PRO_CREATOR",
  "receiver": "$OTHER_WALLET",
  "amount": 2345678912
}
END
expect_transaction 2
holds 2345678912

curl "$BASE_URL/tx/pro/claim-lp-fees" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL"
}
END
expect_transaction 1

# ================================================================ pro pools: what their creators do

curl "$BASE_URL/tx/pro/claim-creator-fees" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "amount": 0
}
END
expect_transaction 1

curl "$BASE_URL/tx/pro/toggle-swap" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "enabled": false
}
END
expect_transaction 1

curl "$BASE_URL/tx/pro/toggle-deposit" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "enabled": false
}
END
expect_transaction 1

curl "$BASE_URL/tx/pro/toggle-withdraw" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "enabled": false
}
END
expect_transaction 1

# Fees by market cap in millionths of a US dollar, from the lowest bound up; the last is the largest 64-bit integer.
curl "$BASE_URL/tx/pro/set-reflection-fee" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "brackets": [
    { "market_cap_upper_bound": 9223372036854775807, "buy_fee_bps": 10, "sell_fee_bps": 10 }
  ]
}
END
expect_transaction 1
holds 9223372036854775807

curl "$BASE_URL/tx/pro/set-lp-fee" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "brackets": [
    { "market_cap_upper_bound": 9223372036854775807, "buy_fee_bps": 20, "sell_fee_bps": 20 }
  ]
}
END
expect_transaction 1
holds 9223372036854775807

curl "$BASE_URL/tx/pro/set-market-cap-creator-fee" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "brackets": [
    { "market_cap_upper_bound": 9007199254740993, "buy_fee_bps": 100, "sell_fee_bps": 150 },
    { "market_cap_upper_bound": 9223372036854775807, "buy_fee_bps": 50, "sell_fee_bps": 50 }
  ]
}
END
expect_transaction 1
holds 9007199254740993
holds 9223372036854775807

# Fees by slots since the launch.
curl "$BASE_URL/tx/pro/set-slot-creator-fee" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "brackets": [
    { "slot_offset_upperbound": 5, "buy_fee_bps": 5000, "sell_fee_bps": 4000 },
    { "slot_offset_upperbound": 15, "buy_fee_bps": 1000, "sell_fee_bps": 1000 }
  ],
  "max_slot_offset": 15,
  "max_fee_bps": 5000,
  "enabled": true
}
END
expect_transaction 1

# The creator fees go to another wallet from now on: both sign, the current receiver first.
curl "$BASE_URL/tx/pro/update-creator-fee-receiver" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "mint": "$PRO_MINT",
  "version": 3,
  "new_receiver": "$OTHER_WALLET"
}
END
expect_transaction 2

# ================================================================ errors

# A path that is not served.
curl "$BASE_URL/quote/everything" -H 'content-type: application/json' -d '{}'
expect_error 404 unknown-path 'details.paths[]'="$TEXT"

# Another method than POST.
curl "$BASE_URL/quote/buy"
expect_error 405 method-not-allowed
has_header 'allow: POST'

# A body that is not valid JSON.
curl "$BASE_URL/quote/buy" -H 'content-type: application/json' -d '{"mint":'
expect_error 400 malformed-json

# A body of another type: what curl says without a header.
curl "$BASE_URL/quote/buy" -d '{}'
expect_error 415 unsupported-media-type

# A body over 16 KiB.
curl "$BASE_URL/quote/buy" -H 'content-type: application/json' -d @- < <(printf '%20000s' '{}')
expect_error 413 body-too-large

# Fields that are missing or wrong are named by their JSON path.
curl "$BASE_URL/tx/pro/set-lp-fee" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "payer": "$PRO_CREATOR",
  "pool": "$PRO_POOL",
  "brackets": [
    { "market_cap_upper_bound": 9223372036854775807, "buy_fee_bps": "ten", "sell_fee_bps": 10 }
  ]
}
END
expect_error 400 invalid-request 'details.fields[].field="brackets\.0\.buy_fee_bps"' 'details.fields[].message'="$TEXT"

# A program that is not served here.
curl "$BASE_URL/data/pool-info" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "11111111111111111111111111111111",
  "mint": "$MINT"
}
END
expect_error 422 unknown-program-id details.field='"program_id"' details.expected="\"$PROGRAM\""

# A mint without a pool.
curl "$BASE_URL/data/pool-info" -H 'content-type: application/json' -d @- <<END
{
  "program_id": "$PROGRAM",
  "mint": "$WALLET"
}
END
expect_error 404 pool-not-found details.mint="\"$WALLET\"" details.pool="$ADDRESS"

# ================================================================ documents

# The interface for people.
curl "$BASE_URL/"
has_status 200
has_header 'content-type: text/html; charset=utf-8'
shows '<code>/tx/pro/set-slot-creator-fee</code>'

# The interface for machines. Every path in it was called above.
curl "$BASE_URL/openapi.json"
has_status 200
has_header 'content-type: application/json'
shows '"openapi":"3.1.0"'
shows '"/tx/pro/transfer-lp":{"post":'
forgotten=$(grep -oE '"/[a-z/-]+":\{"post"' "$scratch/body" | cut -d '"' -f 2 | grep -vxF -f "$scratch/posted") || [ $? = 1 ]
[ -z "$forgotten" ] || fail "this is in it and was not called: $forgotten"

# Whether the server runs, and whether it can read the chain. An id of yours comes back.
curl "$BASE_URL/healthz" -H 'x-request-id: check-1'
expect 200 status='"ok"'
has_header 'x-request-id: check-1'

curl "$BASE_URL/readyz"
expect 200 status='"ready"' 'ledger?="embedded"'

# Counters for Prometheus.
curl "$BASE_URL/metrics"
has_status 200
case $type in text/plain*) ;; *) fail "the type is $type in place of text/plain" ;; esac
shows 'heaven_http_requests_total{path="/quote/buy",status="200"}'

# What a browser asks before a page of another origin may call.
curl "$BASE_URL/quote/buy" -X OPTIONS -H 'origin: https://app.example' \
  -H 'access-control-request-method: POST' -H 'access-control-request-headers: content-type'
has_status 204
has_header 'access-control-allow-origin: *'
has_header 'access-control-allow-methods: POST'
has_header 'access-control-allow-headers: content-type, x-request-id'

passed
echo "$calls calls checked"

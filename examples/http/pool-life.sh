#!/usr/bin/env bash
# The whole life of a pro pool with curl: each transaction is built by a path, signed here, sent, and read back.
#
#   npm start                           # in one terminal: serves the embedded ledger, and a node at /rpc
#   bash examples/http/pool-life.sh     # in another; BASE_URL=http://host:port for a server elsewhere
#
# The two wallets are new ones, with SOL of the ledger's faucet. Signing takes Node, for its ed25519; all else is curl.
# The first answer that is not as it should be ends the script.

set -euf -o pipefail
export LC_ALL=C

BASE_URL=${BASE_URL:-http://127.0.0.1:3000}
BASE_URL=${BASE_URL%/}

PROGRAM=HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o
MINT=LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777 # a token with a standard pool, to buy some of
LOOKUP_TABLE=3oDEwcYYAbaggf9ewqmCkKToLYeAgZ6uDqZsPcWahx6m
EVERYTHING=9223372036854775807 # the upper bound of the last bracket

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "FAIL $*" >&2
  exit 1
}

# ---------------------------------------------------------------- keys and signatures

cat >"$scratch/keys.cjs" <<'END'
const { createPrivateKey, createPublicKey, generateKeyPairSync, sign } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');

const publicBytes = (key) => Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x, 'base64url');
const base58 = (bytes) => {
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let text = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n) text = digits[rest % 58n] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
};

const [, , command, ...args] = process.argv;
if (command === 'new') {
  // new FILE: makes a key and prints its address.
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(args[0], privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  console.log(base58(publicBytes(privateKey)));
} else {
  // sign TX FILE...: signs a base64 transaction with each key and prints it.
  const tx = Buffer.from(args[0], 'base64');
  // The number of signatures, 64 bytes for each, and the message: its version, 3 bytes of header, the number of accounts
  // and their addresses, the signers first.
  const message = tx.subarray(1 + 64 * tx[0]);
  for (const file of args.slice(1)) {
    const key = createPrivateKey(readFileSync(file));
    const signer = Array.from({ length: tx[0] }, (_, index) => index).find((index) =>
      message.subarray(5 + 32 * index, 37 + 32 * index).equals(publicBytes(key)),
    );
    if (signer === undefined) throw new Error(`${file} is not asked to sign this transaction`);
    sign(null, message, key).copy(tx, 1 + 64 * signer);
  }
  console.log(tx.toString('base64'));
}
END
keys() { node "$scratch/keys.cjs" "$@"; }

# ---------------------------------------------------------------- calls

# post PATH BODY: the answer's text in $answer, its status in $status.
post() {
  status=$(curl --silent --show-error --max-time 60 --output "$scratch/answer" --write-out '%{http_code}' \
    -H 'content-type: application/json' -d "$2" "$BASE_URL$1") || fail "no answer from $BASE_URL; npm start serves one"
  answer=$(cat "$scratch/answer")
}

# call PATH BODY: a path that must succeed.
call() {
  post "$@"
  [ "$status" = 200 ] || fail "$1 answered $status: $answer"
}

# rpc METHOD PARAMS: a method of the node, whose result is in $answer.
rpc() {
  call /rpc "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}"
  case $answer in *'"error":'*) fail "$1: $answer" ;; esac
}

# field NAME: the first value of that name in $answer.
field() { grep -oE "\"$1\":(\"[^\"]*\"|[^],}]+)" <<<"$answer" | sed -n "1s/^\"$1\"://;1s/\"//g;1p"; }

# is NAME VALUE: the answer's field has this value.
is() { [ "$(field "$1")" = "$2" ] || fail "$1 is $(field "$1") in place of $2: $answer"; }

balance() {
  rpc getBalance "[\"$1\"]"
  field value
}

# confirmed SIGNATURE: waits until it has succeeded, and two slots longer. Reads are cached for less than a slot, and a wallet
# can't buy and sell in one slot.
confirmed() {
  local slot since tries=0
  while :; do
    rpc getSignatureStatuses "[[\"$1\"]]"
    case $answer in
      *'"value":[null]'*) ;;
      *'"err":null'*) break ;;
      *) fail "the transaction $1 failed: $answer" ;;
    esac
    tries=$((tries + 1))
    [ "$tries" -lt 50 ] || fail "the transaction $1 was not confirmed"
    sleep 0.2
  done
  since=$(sed -E 's/.*"value":\[\{"slot":([0-9]+).*/\1/' <<<"$answer")
  while rpc getSlot '[]' && slot=$(field result) && [ "$slot" -lt $((since + 2)) ]; do sleep 0.2; done
}

# send KEY...: signs the transaction of the answer, sends it, and waits for it.
send() {
  local tx
  tx=$(keys sign "$(field tx)" "${@/#/$scratch/}")
  rpc sendTransaction "[\"$tx\",{\"encoding\":\"base64\"}]"
  confirmed "$(field result)"
}

# build PATH FIELDS KEY...: builds what the path is for, with these fields beside the program, the pool and who pays, and sends
# it.
build() {
  local path=$1 fields=$2
  shift 2
  call "$path" "{\"program_id\":\"$PROGRAM\",\"payer\":\"$CREATOR\",\"pool\":\"$POOL\",$fields}"
  send "$@"
}

pool_state() { call /data/pool-state "{\"program_id\":\"$PROGRAM\",\"pool\":\"$POOL\"}"; }

lp_balance() {
  call /data/lp-balance "{\"program_id\":\"$PROGRAM\",\"pool\":\"$POOL\",\"user\":\"$1\"}"
  field lp_token_balance
}

tokens() {
  rpc getTokenAccountsByOwner "[\"$1\",{\"mint\":\"$MINT\"},{\"encoding\":\"jsonParsed\"}]"
  field amount
}

# more WHAT AFTER BEFORE: it is more than before.
more() { [ "$2" -gt "$3" ] || fail "$1 is $2 after $3"; }

brackets() { echo "[{\"market_cap_upper_bound\":$EVERYTHING,\"buy_fee_bps\":$1,\"sell_fee_bps\":$1}]"; }

# ================================================================ two wallets with SOL

CREATOR=$(keys new "$scratch/creator")
TRADER=$(keys new "$scratch/trader")
for wallet in "$CREATOR" "$TRADER"; do
  rpc requestAirdrop "[\"$wallet\",20000000000]"
  confirmed "$(field result)"
  [ "$(balance "$wallet")" = 20000000000 ] || fail "$wallet did not get its SOL"
  echo "airdrop            $wallet has 20 SOL"
done

# ================================================================ tokens, and a pool of them

call /quote/buy "{\"program_id\":\"$PROGRAM\",\"config_version\":2,\"mint\":\"$MINT\",\"max_sol_spend\":5,\"slippage_bps\":100}"
minimum=$(field minimum_out)
call /tx/buy "{\"payer\":\"$CREATOR\",\"quote_response\":$answer,\"encoded_user_defined_event_data\":\"\"}"
send creator
held=$(tokens "$CREATOR")
[ "$held" -ge "$minimum" ] || fail "5 SOL bought $held units, and the quote promised $minimum"
echo "buy tokens         5 SOL for $held units"

call /tx/pro/create "{
  \"program_id\": \"$PROGRAM\",
  \"payer\": \"$CREATOR\",
  \"creator\": \"$CREATOR\",
  \"config_version\": 3,
  \"mint\": \"$MINT\",
  \"initial_token_a_amount\": $((held / 2)),
  \"initial_token_b_amount\": 2000000000,
  \"lut_address\": \"$LOOKUP_TABLE\",
  \"encoded_user_defined_event_data\": \"\",
  \"creator_trading_fee\": $(brackets 100)
}"
POOL=$(field pool)
send creator
pool_state
is key "$POOL"
is creator "$CREATOR"
echo "create             $POOL holds $(field token_a) units and $(field token_b) lamports"

# ================================================================ fees

build /tx/pro/set-lp-fee "\"brackets\":$(brackets 30)" creator
build /tx/pro/set-reflection-fee "\"brackets\":$(brackets 10)" creator
build /tx/pro/set-market-cap-creator-fee "\"brackets\":$(brackets 70)" creator
build /tx/pro/set-slot-creator-fee \
  '"brackets":[{"slot_offset_upperbound":5,"buy_fee_bps":200,"sell_fee_bps":200}],"max_slot_offset":5,"max_fee_bps":200,"enabled":true' creator
pool_state
for fee in 30 10 70 200; do
  case $answer in *"\"buy_fee_bps\":$fee,"*) ;; *) fail "the pool has no fee of $fee basis points" ;; esac
done
echo "set fees           LP 30, reflection 10, creator 70 bps; 200 in the first slots"

# ================================================================ liquidity

before=$(lp_balance "$CREATOR")
build /tx/pro/add-liquidity \
  "\"mint\":\"$MINT\",\"config_version\":3,\"max_token_a\":$((held / 4)),\"max_token_b\":1000000000,\"min_lp_tokens\":1" creator
after=$(lp_balance "$CREATOR")
more 'the LP balance' "$after" "$before"
echo "add liquidity      $((after - before)) LP tokens, $after in all"

# ================================================================ trades of somebody else

quote="\"program_id\":\"$PROGRAM\",\"config_version\":3,\"mint\":\"$MINT\",\"pool\":\"$POOL\",\"slippage_bps\":100"
call /quote/pro/buy "{$quote,\"max_sol_spend\":0.5}"
minimum=$(field minimum_out)
call /tx/pro/buy "{\"payer\":\"$TRADER\",\"pool\":\"$POOL\",\"quote_response\":$answer,\"encoded_user_defined_event_data\":\"\"}"
send trader
bought=$(tokens "$TRADER")
[ "$bought" -ge "$minimum" ] || fail "0.5 SOL bought $bought units, and the quote promised $minimum"
echo "buy                0.5 SOL for $bought units"

sol=$(balance "$TRADER")
call /quote/pro/sell "{$quote,\"amount_in_ui\":$((bought / 2000000000))}"
call /tx/pro/sell "{\"payer\":\"$TRADER\",\"pool\":\"$POOL\",\"quote_response\":$answer,\"encoded_user_defined_event_data\":\"\"}"
send trader
more "the trader's SOL" "$(balance "$TRADER")" "$sol"
left=$(tokens "$TRADER")
more 'what was bought' "$bought" "$left"
echo "sell               $((bought - left)) units for $(($(balance "$TRADER") - sol)) lamports"

# ================================================================ what the trades paid

pool_state
fees=$(field creator_trading_fees)
more "the creator's fees" "$fees" 0
build /tx/pro/claim-creator-fees '"amount":0' creator
pool_state
is creator_trading_fees 0
echo "claim creator fees $fees lamports"

sol=$(balance "$CREATOR")
build /tx/pro/claim-lp-fees '"compute_unit_price":0' creator
claimed=$(($(balance "$CREATOR") - sol + 5000))
more 'what the LP fees paid' "$claimed" 0
echo "claim LP fees      $claimed lamports"

# ================================================================ features off and on

for feature in swap deposit withdraw; do
  case $feature in
    swap) flag=swap ;;
    deposit) flag=deposit_liquidity ;;
    withdraw) flag=remove_liquidity ;;
  esac
  build "/tx/pro/toggle-$feature" '"enabled":false' creator
  pool_state
  is "$flag" 0
  if [ "$feature" = swap ]; then
    post /quote/pro/buy "{$quote,\"max_sol_spend\":0.5}"
    is code operation-disabled
    is operation swap
  fi
  build "/tx/pro/toggle-$feature" '"enabled":true' creator
  pool_state
  is "$flag" 1
  echo "toggle             $feature off and on"
done

# ================================================================ liquidity to somebody else, and out

build /tx/pro/transfer-lp "\"sender\":\"$CREATOR\",\"receiver\":\"$TRADER\",\"amount\":1000000000" creator
[ "$(lp_balance "$TRADER")" = 1000000000 ] || fail "the trader did not get the LP tokens"
echo "transfer LP        1000000000 LP tokens to $TRADER"

before=$(lp_balance "$CREATOR")
build /tx/pro/remove-liquidity \
  "\"mint\":\"$MINT\",\"config_version\":3,\"lp_tokens_to_burn\":$((before / 2)),\"min_token_a\":1,\"min_token_b\":1" creator
[ "$(lp_balance "$CREATOR")" = $((before - before / 2)) ] || fail 'the LP tokens were not burnt'
echo "remove liquidity   $((before / 2)) LP tokens"

# ================================================================ the fees to somebody else: both sign

build /tx/pro/update-creator-fee-receiver "\"mint\":\"$MINT\",\"version\":3,\"new_receiver\":\"$TRADER\"" creator trader
pool_state
is creator_trading_fee_receiver "$TRADER"
echo "fee receiver       $TRADER"
echo 'done'

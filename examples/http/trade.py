"""A buy over HTTP: quote, build, sign, send, and follow it until its outcome is certain.

    npm start                          in one terminal: the embedded ledger, with a node at /rpc
    python3 examples/http/trade.py     in another; needs `pip install cryptography`

On mainnet, set BASE_URL to your server, RPC_URL to your node and KEYPAIR to a key file of solana-keygen. It then spends real money.
A server that isn't yours can build anything: check what it built before you sign (docs/signing.md).
"""

import base64
import json
import os
import time
import urllib.error
import urllib.request

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

BASE_URL = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
RPC_URL = os.environ.get("RPC_URL", BASE_URL + "/rpc")
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{url}: {error.read().decode()}") from error


def rpc(method, *params):
    response = post(RPC_URL, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    if "error" in response:
        raise RuntimeError(response["error"]["message"])
    return response["result"]


def base58(data):
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def sign(tx, key):
    """A transaction of version 0 with one signature: their number, the signature, the message."""
    data = base64.b64decode(tx)
    if data[0] != 1:
        raise SystemExit("Somebody else has to sign this too.")
    signature = key.sign(data[65:])
    return base64.b64encode(b"\1" + signature + data[65:]).decode(), base58(signature)


def submit(signed, signature, last_valid_block_height):
    """Sends the same bytes until they landed, failed or expired. They run at most once.

    Several machines may answer behind one address. One that is behind doesn't know the transaction yet, so a missing status proves
    something only if it is as of the slot of the block height, or a later one.
    """
    while True:
        try:
            epoch = rpc("getEpochInfo", {"commitment": "confirmed"})
            found = rpc("getSignatureStatuses", [signature], {"searchTransactionHistory": True})
            [status] = found["value"]
            if status and status["confirmationStatus"] != "processed":
                return "landed" if status["err"] is None else f"failed: {status['err']}"
            is_current = found["context"]["slot"] >= epoch["absoluteSlot"]
            if status is None and is_current and epoch["blockHeight"] > last_valid_block_height:
                return "expired"
            rpc("sendTransaction", signed, {"encoding": "base64", "skipPreflight": True})
        except Exception as error:
            print(f"this proves nothing, so it goes on: {error}")
        time.sleep(2)


if "KEYPAIR" in os.environ:
    with open(os.environ["KEYPAIR"], encoding="utf8") as file:
        key = Ed25519PrivateKey.from_private_bytes(bytes(json.load(file)[:32]))
else:
    key = Ed25519PrivateKey.generate()
payer = base58(key.public_key().public_bytes_raw())
if "KEYPAIR" not in os.environ:
    rpc("requestAirdrop", payer, 2_000_000_000)

quote = post(
    f"{BASE_URL}/quote/buy",
    {
        "program_id": "HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o",
        "config_version": 2,
        "mint": "LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777",
        "max_sol_spend": "0.5",
        "slippage_bps": 50,
    },
)
for warning in quote["details"]["warnings"]:
    print(warning["message"])
built = post(
    f"{BASE_URL}/tx/buy",
    {"payer": payer, "quote_response": quote, "encoded_user_defined_event_data": ""},
)
signed, signature = sign(built["tx"], key)
print(f"{signature}: at least {quote['minimum_out']} units for 0.5 SOL")
print(submit(signed, signature, int(built["details"]["last_valid_block_height"])))

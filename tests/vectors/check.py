#!/usr/bin/env python3
"""Recomputes the test vectors of this folder and the facts of tests/mainnet from their inputs, and compares all that they state.

Written from docs/protocol.md and Solana's public formats, not from the library's code. It needs Python 3 only:

    python3 tests/vectors/check.py [file or folder]...

In the files every integer is a string of digits, a JSON number is an f64, and bytes are hex (discriminators and
instruction data) or base64. A vector's `input` holds for each of its `cases`, whose own `input` adds to it. The exit
code is 0 if every case is equal, 1 otherwise.
"""

import base64, functools, hashlib, json, math, struct, sys
from pathlib import Path

# ---------------------------------------------------------------------------------------------- bytes and addresses
U64 = 2**64 - 1
B58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

def ceil_div(a, b):
    return -(-a // b)

def b58decode(text):
    return sum(B58.index(char) * 58**n for n, char in enumerate(reversed(text))).to_bytes(32, "big")

def b58encode(data):
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = B58[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text

def discriminator(namespace, name):
    return hashlib.sha256(f"{namespace}:{name}".encode()).digest()[:8]

P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P

def is_on_curve(data):
    """Whether 32 bytes are a point of ed25519 (RFC 8032, 5.1.3): whether (y^2 - 1) / (d y^2 + 1) has a root."""
    y = int.from_bytes(data, "little") % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    return y < P and (square == 0 or pow(square, (P - 1) // 2, P) == 1)

def pda(program, *seeds):
    """The program derived address and its bump: the first bump from 255 down that leaves the curve."""
    for bump in range(255, -1, -1):
        parts = [*seeds, bytes([bump]), b58decode(program), b"ProgramDerivedAddress"]
        digest = hashlib.sha256(b"".join(parts)).digest()
        if not is_on_curve(digest):
            return b58encode(digest), bump
    raise ValueError("no bump leaves the curve")

PROGRAM, WSOL = "HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o", "So11111111111111111111111111111111111111112"
STORE, FEED = "HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny", "CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt"
METAPLEX, SYSTEM = "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s", "1" * 32
SYSVAR_INSTRUCTIONS, RENT = "Sysvar1nstructions1111111111111111111111111", "SysvarRent111111111111111111111111111111111"
TOKEN, TOKEN_2022 = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
ATA_PROGRAM, BUDGET = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "ComputeBudget111111111111111111111111111111"

def config_address(version, program=PROGRAM):
    return pda(program, b"protocol_config_state", int(version).to_bytes(2, "big"))

def pool_address(kind, mint, creator=None, program=PROGRAM):
    creators = [b58decode(creator)] if kind == "pro" else []
    return pda(program, b"liquidity_pool_state", b58decode(mint), b58decode(WSOL), *creators)

def position_address(pool, user, program=PROGRAM):
    return pda(program, b"user_lp_position", b58decode(pool), b58decode(user))

def ata(owner, mint, token_program):
    return pda(ATA_PROGRAM, b58decode(owner), b58decode(token_program), b58decode(mint))

def metadata_address(mint):
    return pda(METAPLEX, b"metadata", b58decode(METAPLEX), b58decode(mint))

def check_address(i):
    return {
        "config": lambda: config_address(i["version"], i["program"]),
        "pool": lambda: pool_address(i["pool_kind"], i["mint"], i.get("creator"), i["program"]),
        "position": lambda: position_address(i["pool"], i["user"], i["program"]),
        "associated": lambda: ata(i["owner"], i["mint"], i["token_program"]),
    }[i["address"]]()[0]

# ------------------------------------------------------------------------------------------------------------ layouts
# name: fields in order. T*n is n of them, T[] a Vec, T? an Option, str a string. Fields named _ are padding.
STRUCTS = {
    line.split()[0]: [field.split(":") for field in line.split()[1:]]
    for line in """
FeeBracket market_cap_upper_bound:u64 buy_fee_bps:u32 sell_fee_bps:u32
FeeBrackets brackets:FeeBracket*4 count:u8 _:u8*7
SlotFeeBracket buy_fee_bps:u16 sell_fee_bps:u16 slot_offset_upperbound:u16
SlotFeeBrackets brackets:SlotFeeBracket*42 max_slot_offset:u16 max_fee_bps:u16 count:u8 enabled:u8 _:u8*4
MarketCapFees protocol_trading_fee:FeeBrackets liquidity_provider_trading_fee:FeeBrackets creator_trading_fee:FeeBrackets creator_trading_fee_protocol_fee:FeeBrackets reflection_trading_fee:FeeBrackets
SlotFees protocol_trading_fee:SlotFeeBrackets liquidity_provider_trading_fee:SlotFeeBrackets creator_trading_fee:SlotFeeBrackets creator_trading_fee_protocol_fee:SlotFeeBrackets reflection_trading_fee:SlotFeeBrackets _:u8*6
Info creator:key update_authority:key open_at:u64 created_at:u64 protocol_config_version:u16 type:u8 pool_authority_bump:u8 temp_sol_holder_bump:u8 _:u8*3
Reserve token_a:u64 token_b:u64 snapshot_slot:u64 snapshot_a:u64 snapshot_b:u64 accumulated_fee_per_lp_token:u64 initial_a:u64 initial_b:u64 leader_slot_window:u8 _:u8*7
LpSupply initial:u64 total:u64 unlocked:u64 locked:u64 burnt:u64
LpToken supply:LpSupply decimals:u8 _:u8*7
TokenInfo mint:key decimals:u8 owner:key
Allowlist swap:u8 remove_liquidity:u8 deposit_liquidity:u8 same_slot_trading:u8 update_creator_trading_fee:u8 _:u8*2
FeatureFlags sandwich_resistant_mode:u8 _:u8*7
LiquidityPoolState info:Info market_cap_based_fees:MarketCapFees reserve:Reserve lp_token:LpToken protocol_trading_fees:u64 creator_trading_fees:u64 creator_trading_fees_claimed_by_creator:u64 creator_trading_fees_claimed_by_others:u64 liquidity_provider_trading_fees:u64 creator_trading_fee_protocol_fees:u64 reflection_trading_fees:u64 created_at_slot:u64 trading_volume_usd:f64 creator_trading_fee_trading_volume_threshold:f64 creator_trading_fee_trading_volume_threshold_reached_unix_timestamp:u64 token_a_vault:key token_b_vault:key protocol_config:key key:key token_a:TokenInfo token_b:TokenInfo allowlist:Allowlist feature_flags:FeatureFlags taxable_side:u8 taxable_side_type:u8 creator_trading_fee_distribution:u8 creator_trading_fee_claim_status:u8 fee_configuration_mode:u8 is_migrated:u8 _:u8*13 slot_offset_based_fees:SlotFees creator_trading_fee_receiver:key
ProtocolConfig create_pool_fee:u64 initial_token_b_amount:f64 initial_token_a_amount:u64 unstaked_wsol_reserve:u64 total_sol_spent:u64 total_msol_received:u64 total_realized_profit:u64 pool_count:u64 max_supply_per_wallet:u64 creator_trading_fee_trading_volume_threshold:f64 market_cap_based_fees:MarketCapFees buffer_bps:u16 auto_staking_threshold_bps:u16 version:u16 protocol_config_state_bump:u8 allow_create_pool:u8 supported_pool_type:u8 default_leader_slot_window:u8 auto_staking_enabled:u8 leader_slot_window:u8 sandwich_resistence_enabled:u8 token_a_decimals:u8 migration_market_cap_threshold:u16 _:u8*8 max_creator_trading_fee:u32 slot_offset_based_fees:SlotFees
Mint mint_authority_option:u32 _:key supply:u64 decimals:u8 is_initialized:bool freeze_authority_option:u32 _:key
TransferFee epoch:u64 maximum:u64 bps:u16
TransferFeeConfig config_authority:key withdraw_authority:key withheld_amount:u64 older:TransferFee newer:TransferFee
Extension type:u16 length:u16
MintWithTransferFee mint:Mint _:u8*83 account_type:u8 extensions:Extension*1 transfer_fee_config:TransferFeeConfig
TokenAccount mint:key owner:key amount:u64 _:u8*36 state:u8 is_native_option:u32 is_native:u64 delegated_amount:u64 _:u8*36
TokenAccountWithTransferFee token:TokenAccount account_type:u8 extensions:Extension*2 withheld_amount:u64
Transmission slot:u64 timestamp:u32 _:u8*4 answer:i128 _:u8*16
Transmissions version:u8 state:u8 owner:key proposed_owner:key writer:key description:text decimals:u8 flagging_threshold:u32 latest_round_id:u32 granularity:u8 live_length:u32 live_cursor:u32 historical_cursor:u32 _:u8*40
UserLpPosition pool:key user:key lp_token_balance:u64 reward_debt:u64 pending_fees:u64 bump:u8
BuyParams max_sol_spend:u64 minimum_amount_out:u64 encoded_user_defined_event_data:str
SellParams amount_in:u64 minimum_amount_out:u64 encoded_user_defined_event_data:str
AddLiquidityParams max_token_a:u64 max_token_b:u64 min_lp_tokens:u64
RemoveLiquidityParams lp_tokens_to_burn:u64 min_token_a:u64 min_token_b:u64
CreateStandardLiquidityPoolParams encoded_user_defined_event_data:str initial_purchase_amount:u64 max_sol_spend:u64
FeeBracketsParams brackets:FeeBracket[] count:u8
SlotFeeBracketsParams brackets:SlotFeeBracket[] max_slot_offset:u16 max_fee_bps:u16 count:u8 enabled:u8
CreateProLiquidityPoolParams encoded_user_defined_event_data:str initial_token_a_amount:u64 initial_token_b_amount:u64 creator_trading_fee:FeeBracketsParams reflection_trading_fee:FeeBracketsParams? liquidity_provider_trading_fee:FeeBracketsParams? creator_slot_trading_fee:SlotFeeBracketsParams? enable_same_slot_trading:bool enable_sandwich_resistant_mode:bool enable_deposit_liquidity:bool enable_withdraw_liquidity:bool enable_swap:bool enable_update_creator_trading_fee:bool
TradeEvent base_reserve:u64 quote_reserve:u64 total_creator_trading_fees:u64 total_fee_paid:u64 price_sol_usd:f64 base_in:u64 base_out:u64 quote_in:u64 quote_out:u64
UserDefinedEvent liquidity_pool_id:key instruction_name:str base64_data:str
MigrationEvent market_cap:f64
HighReflectionFeeEvent liquidity_pool_id:key reflection_fee_amount:u64 total_reflection_fees:u64
CreateStandardLiquidityPoolEvent pool_id:key payer:key creator:key mint:key config_version:u16 initial_token_reserve:u64 initial_virtual_wsol_reserve:u64
CreateLiquidityPoolEvent liquidity_pool_id:key user:key base_token_input_transfer_fee_amount:u64 quote_token_input_transfer_fee_amount:u64 base_token_input_amount:u64 quote_token_input_amount:u64 lp_token_output_amount:u64 locked_lp:bool
CreatingLiquidityPoolEvent id:key base:key quote:key base_amount:u64 quote_amount:u64
""".strip().splitlines()
}
SIZES = {"LiquidityPoolState": 2304, "ProtocolConfig": 1792, "UserLpPosition": 97}
SCALARS = {"u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q", "f64": "<d", "bool": "<?"}
EVENTS = {discriminator("event", name): name for name in STRUCTS if name.endswith("Event")}

class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at
    def take(self, size):
        assert self.at + size <= len(self.data), f"{len(self.data)} bytes, more expected"
        self.at += size
        return self.data[self.at - size : self.at]
    def compact(self):
        """Solana's compact-u16."""
        byte = self.read("u8")
        return byte & 127 | (self.compact() << 7 if byte > 127 else 0)
    def read(self, kind):
        if kind in SCALARS:
            return struct.unpack(SCALARS[kind], self.take(struct.calcsize(SCALARS[kind])))[0]
        if kind == "i128":
            return int.from_bytes(self.take(16), "little", signed=True)
        if kind == "key":
            return b58encode(self.take(32))
        if kind == "str":
            return self.take(self.read("u32")).decode()
        if "*" in kind:
            item, count = kind.split("*")
            return [self.read(item) for _ in range(int(count))]
        fields = [(name, self.read(kind)) for name, kind in STRUCTS[kind]]
        return {name: value for name, value in fields if name != "_"}

def write(kind, value):
    """Borsh of an instruction's arguments."""
    if kind in SCALARS:
        return struct.pack(SCALARS[kind], int(value))
    if kind == "str":
        return write("u32", len(value.encode())) + value.encode()
    if kind.endswith("?"):
        return b"\0" if value is None else b"\1" + write(kind[:-1], value)
    if kind.endswith("[]"):
        return write("u32", len(value)) + b"".join(write(kind[:-2], item) for item in value)
    if "*" in kind:
        item, count = kind.split("*")
        rest = int(count) - len(value or [])
        empty = 0 if item in SCALARS else {name: 0 for name, _ in STRUCTS[item]}
        return b"".join(write(item, each) for each in [*(value or []), *[empty] * rest])
    return b"".join(write(kind, value.get(name)) for name, kind in STRUCTS[kind])

def fixed(kind, value):
    """An account's field, of a fixed size; what is not stated is zero."""
    if kind in SCALARS:
        return struct.pack(SCALARS[kind], float(value or 0) if kind == "f64" else int(value or 0))
    if kind == "i128":
        return int(value or 0).to_bytes(16, "little", signed=True)
    if kind == "key":
        return b58decode(value or SYSTEM)
    if kind == "text":
        return (value or "").encode().ljust(32, b"\0")
    if "*" in kind:
        item, count = kind.split("*")
        return b"".join(fixed(item, each) for each in [*(value or []), *[None] * (int(count) - len(value or []))])
    value, fields = value or {}, STRUCTS[kind]
    assert set(value) <= {name for name, _ in fields}, f"{kind} has {fields}"
    return b"".join(fixed(part, value.get(name)) for name, part in fields)

def encode_account(name, fields):
    """Transmissions stand behind the feed's header."""
    ring = fields.get("transmissions", [])
    head = discriminator("account", name) if name in {*SIZES, "Transmissions"} else b""
    body = fixed(name, {field: value for field, value in fields.items() if field != "transmissions"})
    return head + body + b"".join(fixed("Transmission", each) for each in ring)

def read_account(name, data):
    reader = Reader(data)
    assert reader.take(8) == discriminator("account", name), f"not the discriminator of {name}"
    fields = reader.read(name)
    assert reader.at == SIZES[name], f"{name} has {reader.at} bytes"
    return fields

def read_feed(data):
    assert data[:8] == discriminator("account", "Transmissions"), "not a price feed"
    length, cursor = Reader(data, 148).read("u32"), Reader(data, 152).read("u32")
    latest = Reader(data, 200 + 48 * ((cursor + length - 1) % length)).read("Transmission")
    return {"decimals": data[138], "answer": latest["answer"], "timestamp": latest["timestamp"]}

def read_mint(data, epoch):
    """SPL Token's mint; behind it, on Token-2022, the extensions: type u16, length u16, value."""
    reader, fee = Reader(data), None
    mint = reader.read("Mint")
    if len(data) > 165:
        assert data[165] == 1, "an account type other than mint"
        reader.at = 166
        while reader.at + 4 <= len(data):
            kind, body = reader.read("u16"), Reader(reader.take(reader.read("u16")))
            if kind == 1:
                terms = body.read("TransferFeeConfig")
                fee = terms["newer" if int(epoch) >= terms["newer"].pop("epoch") else "older"]
    fee = {name: fee[name] for name in ("bps", "maximum")} if fee and fee["bps"] else None
    return {"supply": mint["supply"], "decimals": mint["decimals"], "transfer_fee": fee}

def check_account(i):
    readers = {"Mint": lambda data: read_mint(data, i["epoch"]), "Transmissions": read_feed}
    return readers.get(i["account"], functools.partial(read_account, i["account"]))(base64.b64decode(i["data"]))

def check_event(i):
    reader = Reader(base64.b64decode(i["data"]))
    name = EVENTS[reader.take(8)]
    shorter = name == "TradeEvent" and len(reader.data) == 8 + 32  # as it once was
    fields = {field: reader.read(kind) for field, kind in STRUCTS[name][: 4 if shorter else None]}
    assert reader.at == len(reader.data), "bytes left behind the event"
    return {"event": name, "fields": fields}

# ------------------------------------------------------------------------------------------- rates in force, quotes
KINDS = [name for name, _ in STRUCTS["MarketCapFees"]]
STANDARD, LOCAL = 2, 1

@functools.lru_cache(None)
def decoded(name, text):
    return read_account(name, base64.b64decode(text))

def market_cap(a, b, supply, answer, decimals):
    return b * supply * answer // (a * 10 ** (9 + decimals))

class Scene:
    """A pool, its config, the price feed and the token's mint at a slot and in an epoch."""
    def __init__(self, i):
        data = {**i["accounts"], **({"feed": i["feed"]} if "feed" in i else {})}
        self.pool, self.config = decoded("LiquidityPoolState", data["pool"]), decoded("ProtocolConfig", data["config"])
        self.feed = read_feed(base64.b64decode(data["feed"]))
        self.mint = read_mint(base64.b64decode(data["mint"]), i["epoch"])
        self.slot, self.reserve = int(i["slot"]), self.pool["reserve"]
        self.a, self.b = self.reserve["token_a"], self.reserve["token_b"]
        self.bps = {side: [self.rate(kind, side) for kind in KINDS] for side in ("buy", "sell")}
    def market_cap(self):
        """In the unit of the brackets' bounds: whole dollars in standard pools, millionths in pro pools."""
        units = 1 if self.pool["info"]["type"] == STANDARD else 10**6
        return market_cap(self.a, self.b, self.mint["supply"], self.feed["answer"] * units, self.feed["decimals"])
    def rate(self, kind, side):
        source = self.pool if self.pool["fee_configuration_mode"] == LOCAL else self.config
        schedule, offset = source["slot_offset_based_fees"][kind], self.slot - self.pool["created_at_slot"]
        if schedule["enabled"] and offset <= schedule["max_slot_offset"]:
            for bracket in schedule["brackets"][: schedule["count"]]:
                if bracket["slot_offset_upperbound"] >= offset:
                    return bracket[f"{side}_fee_bps"]
        by_cap, cap = source["market_cap_based_fees"][kind], self.market_cap()
        brackets = by_cap["brackets"][: by_cap["count"]]
        reached = [bracket for bracket in brackets if cap <= bracket["market_cap_upper_bound"]] or brackets[-1:]
        return reached[0][f"{side}_fee_bps"] if reached else 0
    def curve(self, amount, side):
        """What the pool gives for an amount: in a window that has begun, no more than at the noted reserves."""
        reserve, sides = self.reserve, ("b", "a") if side == "buy" else ("a", "b")
        into, out = (reserve[f"token_{name}"] for name in sides)
        given = out * amount // (into + amount)
        now, noted = (slot // (4 * (reserve["leader_slot_window"] or 1)) for slot in (self.slot, reserve["snapshot_slot"]))
        resistant = self.pool["feature_flags"]["sandwich_resistant_mode"] and now == noted
        if resistant and reserve["snapshot_a"] and reserve["snapshot_b"]:
            into, out = (reserve[f"snapshot_{name}"] for name in sides)
            given = min(given, out * amount // (into + amount))
        return given
    def transfer_fee(self, amount):
        fee = self.mint["transfer_fee"]
        return min(ceil_div(amount * fee["bps"], 10000), fee["maximum"]) if fee else 0
    def buy(self, spend):
        fees = [spend * bps // 10000 for bps in self.bps["buy"]]
        net = max(0, spend - sum(fees))
        out = self.curve(net, "buy")
        withheld = self.transfer_fee(out)
        return {"fees": fees, "traded": net, "out": out, "withheld": withheld, "arrives": out - withheld,
                "reserve_a": self.a - out, "reserve_b": self.b + net}
    def sell(self, amount):
        withheld = self.transfer_fee(amount)
        gross = self.curve(amount - withheld, "sell")
        fees = [gross * bps // 10000 for bps in self.bps["sell"]]
        return {"fees": fees, "traded": amount - withheld, "out": gross, "withheld": withheld,
                "arrives": gross - sum(fees), "reserve_a": self.a + amount - withheld, "reserve_b": self.b - gross}
    def refusal(self, side, trade):
        """Why a pool does not make a trade, by the codes of docs/errors.md."""
        most = self.b - (self.reserve["initial_b"] if self.pool["info"]["type"] == STANDARD else 0)
        exceeded = "fees-exceed-amount" if sum(self.bps[side]) >= 10000 else None
        if side == "buy" and exceeded:
            return exceeded
        if max(trade["reserve_a"], trade["reserve_b"]) > U64 or (side == "sell" and trade["out"] > most):
            return "insufficient-liquidity"
        return exceeded
    def least_input(self, side, wanted):
        """The least input whose trade gives at least what is wanted. Fees round down one by one, so more input may
        give less, by one lamport for each kind of fee at most: trying starts that far below."""
        trade, slack, whole = getattr(self, side), len(KINDS), 10000 - sum(self.bps[side])
        if side == "buy":
            net = least(lambda net: self.curve(net, side) - self.transfer_fee(self.curve(net, side)) >= wanted)
            spend = net and max(1, (net - slack) * 10000 // whole)
            while net and trade(spend)["arrives"] < wanted:
                spend += 1
            return spend
        gross, amount = max(1, (wanted - slack) * 10000 // whole), 0
        while True:  # the amounts that reach each next gross: none between them gives another one
            reached = least(lambda amount: self.curve(amount, side) >= gross)
            amount = reached and least(lambda amount: amount - self.transfer_fee(amount) >= reached)
            if not amount or trade(amount)["arrives"] >= wanted:
                return amount
            gross = trade(amount)["out"] + 1

def least(holds):
    """The least u64 above 0 of which `holds`, for conditions that go on holding; None if there is none."""
    low, high = 0, U64
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high if holds(high) else None

def check_quote(i):
    scene, side, amount, slippage = Scene(i), i["side"], int(i["amount"]), int(i["slippage_bps"])
    needed = amount if i["exact"] == "in" else scene.least_input(side, amount)
    if needed is None:
        return {"refused": "insufficient-liquidity"}
    trade = getattr(scene, side)(needed)
    refusal, most = scene.refusal(side, trade), ceil_div(needed * (10000 + slippage), 10000)
    if refusal:
        return {"refused": refusal}
    if i["exact"] == "in":
        return {**trade, "minimum": trade["arrives"] * (10000 - slippage) // 10000}
    return {"least": needed, "most": most} if most <= U64 else {"refused": "amount-out-of-range"}

def initial_cost(tokens, a=10**18, b=35 * 10**9):
    return ceil_div(b * tokens, a - tokens)

def check_initial_purchase(i):
    config = decoded("ProtocolConfig", i["config"])
    b = round(config["initial_token_b_amount"] * 10**9)
    cost = initial_cost(int(i["tokens"]), config["initial_token_a_amount"], b)
    return {"cost": ceil_div(cost * (10000 + int(i["slippage_bps"])), 10000)}

def check_liquidity(i):
    n = {name: int(value) for name, value in i.items() if name not in ("liquidity", "stated")}
    if i["liquidity"] == "first":
        return {"lp_tokens": math.isqrt(n["token_a"] * n["token_b"])}
    if i["liquidity"] == "fees":
        accrued = n["lp_token_balance"] * n["accumulated_fee_per_lp_token"] // 10**9
        return {"pending_fees": max(0, n["pending_fees"] + accrued - n["reward_debt"])}
    a, b, total = n["reserve_a"], n["reserve_b"], n["lp_total"]
    if i["liquidity"] == "withdraw":
        return {"token_a": n["lp_tokens"] * a // total, "token_b": n["lp_tokens"] * b // total}
    shares = [n[name] * total // reserve for name, reserve in (("max_token_a", a), ("max_token_b", b)) if name in n]
    lp = min(shares)
    return {"lp_tokens": lp, "token_a": ceil_div(lp * a, total), "token_b": ceil_div(lp * b, total)}

# ------------------------------------------------------------------------------------------------------- instructions
LISTS = dict(line.split(": ") for line in """
SWAP14: token_a_program token_b_program associated_token_program system_program liquidity_pool_state:w user:s token_a_mint token_b_mint user_token_a_vault:w user_token_b_vault:w token_a_vault:w token_b_vault:w protocol_config:w instruction_sysvar_account_info
LIQUIDITY: token_a_program token_b_program associated_token_program system_program liquidity_pool_state:w user:s payer:ws token_a_mint token_b_mint user_token_a_vault:w user_token_b_vault:w token_a_vault:w token_b_vault:w protocol_config:w user_lp_position:w
CREATE: token_program associated_token_program system_program user:s payer:ws token_a_mint token_b_mint user_token_a_vault:w token_a_vault:w token_b_vault:w liquidity_pool_state:w protocol_config:w token_a_program
CLAIM: token_a_program token_b_program system_program liquidity_pool_state:w user:s token_a_mint token_b_mint user_token_a_vault:w user_token_b_vault:w token_a_vault:w token_b_vault:w protocol_config:w user_lp_position:w
TRANSFER: system_program liquidity_pool_state:w sender:s payer:ws receiver sender_lp_position:w receiver_lp_position:w
SET: liquidity_pool_state:w creator:s
PRICE: chainlink_program chainlink_feed
""".strip().splitlines())
LISTS["TRADE"] = LISTS["SWAP14"].replace("user:s", "user:ws")  # confirmed trades pass the user writable
INSTRUCTIONS = {}
for line in """
buy pro_buy | params:BuyParams | TRADE PRICE
sell pro_sell | params:SellParams | TRADE PRICE
add_liquidity_pro_pool | params:AddLiquidityParams | LIQUIDITY PRICE
remove_liquidity_pro_pool | params:RemoveLiquidityParams | LIQUIDITY PRICE
transfer_lp_tokens | amount:u64 | TRANSFER
create_standard_liquidity_pool | protocol_config_version:u16 params:CreateStandardLiquidityPoolParams | CREATE PRICE
create_pro_liquidity_pool | protocol_config_version:u16 params:CreateProLiquidityPoolParams | CREATE user_lp_position:w PRICE
creator_set_pro_market_cap_creator_fee creator_set_pro_market_cap_lp_fee creator_set_pro_market_cap_reflection_fee | fees:FeeBrackets | SET
creator_set_pro_slot_creator_fee | fees:SlotFeeBrackets | SET
creator_toggle_pro_deposit creator_toggle_pro_swap creator_toggle_pro_withdraw | enabled:bool | SET
claim_pro_creator_trading_fees claim_standard_creator_trading_fees | amount:u64 | SWAP14 PRICE
claim_pro_liquidity_provider_trading_fees | | CLAIM PRICE
update_creator_trading_fee_receiver update_pro_creator_trading_fee_receiver | | SWAP14 new_receiver:s
""".strip().splitlines():
    names, fields, accounts = (part.split() for part in line.split("|"))
    marked = " ".join(LISTS.get(account, account) for account in accounts).split()
    for name in names:
        INSTRUCTIONS[name] = [field.split(":") for field in fields], [(mark + ":").split(":")[:2] for mark in marked]
FIXED = {"token_program": TOKEN, "token_b_program": TOKEN, "token_b_mint": WSOL, "associated_token_program": ATA_PROGRAM,
         "system_program": SYSTEM, "instruction_sysvar_account_info": SYSVAR_INSTRUCTIONS, "chainlink_program": STORE,
         "chainlink_feed": FEED}

def derive(name, i):
    """The address of an account of an instruction: one of the input's own, a program's, or a derived one."""
    if name in i or name in FIXED:
        return i.get(name) or FIXED[name]
    if name == "liquidity_pool_state":
        return pool_address("standard", i["token_a_mint"])[0]
    if name.endswith("_lp_position"):
        return position_address(derive("liquidity_pool_state", i), i[name.split("_")[0]])[0]
    config = config_address(i["config_version"])[0]
    if name == "protocol_config":
        return config
    owner = i["user"] if name.startswith("user") else config
    return ata(owner, i["token_a_mint"], i["token_a_program"])[0] if "token_a" in name else ata(owner, WSOL, TOKEN)[0]

def instruction(name, args, i):
    fields, accounts = INSTRUCTIONS[name]
    assert set(args) == {field for field, _ in fields}, f"{name} takes {fields}"
    data = discriminator("global", name) + b"".join(write(kind, args[field]) for field, kind in fields)
    return PROGRAM, [(derive(account, i), role) for account, role in accounts], data

def show(program, accounts, data):
    return {"program": program, "accounts": accounts, "data": data.hex()}

def check_instruction(i):
    return show(*instruction(i["instruction"], i["args"], i))

# ------------------------------------------------------------------------------------------------- whole transactions
def open_ata(payer, owner, mint, token_program):
    account = ata(owner, mint, token_program)[0]
    accounts = [(payer, "ws"), (account, "w"), (owner, ""), (mint, ""), (SYSTEM, ""), (token_program, "")]
    return ATA_PROGRAM, accounts, b"\1"  # CreateIdempotent

def launch(i):
    """A new mint with its metadata, the whole supply, both authorities given up; then the pool."""
    mint, user, payer = i["token_a_mint"], i["user"], i["payer"]
    account = ata(user, mint, TOKEN_2022)[0]
    texts = b"".join(write("str", i[name]) for name in ("name", "symbol", "uri"))
    # seller fee 0, no creators, not sold, final, fungible, no collection, uses, details or rules, 9 decimals, no print
    create = b"\x2a\0" + texts + bytes(2) + b"\0\0\0\2" + bytes(4) + b"\1\x09" + b"\0"
    metaplex = [(metadata_address(mint)[0], "w"), (METAPLEX, ""), (mint, "ws"), (user, "s"), (payer, "ws"), (user, ""),
                (SYSTEM, ""), (SYSVAR_INSTRUCTIONS, ""), (TOKEN_2022, "")]
    yield SYSTEM, [(mint, "ws")], write("u32", 8) + write("u64", 0)  # Allocate
    yield METAPLEX, metaplex, create
    yield open_ata(payer, user, mint, TOKEN_2022)
    yield TOKEN_2022, [(mint, "w"), (account, "w"), (user, "s")], b"\7" + write("u64", i["supply"])  # MintTo
    for authority in (0, 1):  # SetAuthority of minting and of freezing: none
        yield TOKEN_2022, [(mint, "w"), (user, "s")], bytes([6, authority, 0])

def compose(i):
    """The instructions of a transaction, in order."""
    name, user, payer = i["instruction"], i["user"], i["payer"]
    wsol, steps = ata(user, WSOL, TOKEN)[0], []
    if i["version"] == "0":  # SetComputeUnitLimit, SetComputeUnitPrice
        steps += [(BUDGET, [], b"\2" + write("u32", i["compute_unit_limit"]))]
        steps += [(BUDGET, [], b"\3" + write("u64", i["compute_unit_price"]))]
    params = i["args"].get("params", {})
    wrapped = {"buy": "max_sol_spend", "pro_buy": "max_sol_spend", "add_liquidity_pro_pool": "max_token_b"}.get(name)
    takes_sol = ["user_token_b_vault", "w"] in INSTRUCTIONS[name][1]
    steps += launch(i) if name == "create_standard_liquidity_pool" else []
    if takes_sol and (i["wrap"] == "associated" or not wrapped):
        steps.append(open_ata(user, user, WSOL, TOKEN))
    if takes_sol and i["wrap"] == "associated" and wrapped:
        steps.append((SYSTEM, [(user, "ws"), (wsol, "w")], write("u32", 2) + write("u64", params[wrapped])))  # Transfer
        steps.append((TOKEN, [(wsol, "w"), (RENT, "")], b"\x11"))  # SyncNative
    if takes_sol and name not in ("sell", "pro_sell", "add_liquidity_pro_pool"):
        steps.append(open_ata(payer, user, i["token_a_mint"], i["token_a_program"]))
    steps.append(instruction(name, i["args"], i))
    if takes_sol and i["wrap"] == "associated":
        steps.append((TOKEN, [(wsol, "w"), (user, "w"), (user, "s")], b"\x09"))  # CloseAccount
    return steps

def parse_transaction(data, tables):
    """Version, lifetime, version 1's config, instructions with the message's roles, signers, signatures, addresses."""
    reader = Reader(data)
    config, signatures = None, None
    if data[0] != 0x81:
        signatures = [reader.take(64) for _ in range(reader.compact())]
    version = reader.read("u8") & 127
    signers, readonly_signed, readonly = reader.take(3)
    if version == 1:
        mask, lifetime, count = reader.read("u32"), b58encode(reader.take(32)), reader.read("u8")
        keys = [reader.read("key") for _ in range(reader.read("u8"))]
        assert mask < 32 and mask & 3 in (0, 3), "an invalid config mask"
        names = {3: "priority_fee", 4: "compute_unit_limit", 8: "data_size_limit", 16: "heap"}
        config = {names[bit]: reader.read("u64" if bit == 3 else "u32") if mask & bit else None for bit in names}
        headers = [(reader.read("u8"), reader.read("u8"), reader.read("u16")) for _ in range(count)]
        raw = [(program, list(reader.take(accounts)), reader.take(size)) for program, accounts, size in headers]
    else:
        keys = [reader.read("key") for _ in range(reader.compact())]
        lifetime = b58encode(reader.take(32))
        raw = [(reader.read("u8"), list(reader.take(reader.compact())), reader.take(reader.compact()))
               for _ in range(reader.compact())]
    static = len(keys)
    roles = ["ws"] * (signers - readonly_signed) + ["s"] * readonly_signed
    roles += ["w"] * (static - signers - readonly) + [""] * readonly
    if version == 0:
        writable, others = [], []
        for _ in range(reader.compact()):
            table = tables[reader.read("key")]
            writable += [table[n] for n in reader.take(reader.compact())]
            others += [table[n] for n in reader.take(reader.compact())]
        keys, roles = keys + writable + others, roles + ["w"] * len(writable) + [""] * len(others)
    signatures = signatures or [reader.take(64) for _ in range(signers)]
    assert reader.at == len(data) and len(signatures) == signers, "bytes left, or another number of signatures"
    assert len(set(keys)) == len(keys), "an address stands twice"
    steps = [(keys[program], [(keys[n], roles[n]) for n in accounts], body) for program, accounts, body in raw]
    used = {program for program, _, _ in raw} | {n for _, accounts, _ in raw for n in accounts} | {0}
    assert used == set(range(len(keys))), "an address that no instruction uses"
    return version, lifetime, config, steps, keys[:signers], signatures, keys[:static]

def check_transaction(i):
    """Composes the instructions from the input, and looks for them in the stated message, whose order of accounts with
    equal rights is up to its writer."""
    stated, tables = i["stated"]["transaction"], {table["address"]: table["addresses"] for table in i["tables"]}
    data = base64.b64decode(stated)
    version, lifetime, config, found, signers, signatures, static = parse_transaction(data, tables)
    roles, steps = {i["payer"]: "ws"}, compose(i)
    for program, accounts, _ in steps:
        for key, role in [*accounts, (program, "")]:
            roles[key] = "".join(mark for mark in "ws" if mark in role + roles.get(key, ""))
    limits = {name: i[name] for name in ("compute_unit_limit", "data_size_limit")}
    fee = ceil_div(int(i["compute_unit_limit"]) * int(i["compute_unit_price"]), 10**6)
    differences = compare(
        {"version": version, "lifetime": lifetime, "payer": static[0], "signers": sorted(signers), "config": config,
         "signed": any(map(any, signatures)), "fits": len(data) <= (1232, 4096)[version] and len(static) <= 64,
         "instructions": [show(*step) for step in found]},
        {"version": i["version"], "lifetime": i["blockhash"], "payer": i["payer"],
         "signers": sorted(key for key, role in roles.items() if "s" in role),
         "config": {"priority_fee": fee, **limits, "heap": None} if version == 1 else None, "signed": False, "fits": True,
         "instructions": [show(to, [(key, roles[key]) for key, _ in accounts], body) for to, accounts, body in steps]})
    return {"transaction": "; ".join(differences) or stated, "size": len(data), "signers": sorted(signers)}

# ----------------------------------------------------------------------------------------------------- tests/mainnet
MAINNET = Path(__file__).resolve().parents[1] / "mainnet"

@functools.lru_cache(None)
def captured():
    return {name: vector["input"] for name, vector in read_file(MAINNET / "accounts.json")}

def captured_data(name):
    return encode_account(captured()[name]["account"], captured()[name]["fields"])

def captured_scene():
    names = {"pool": "light_sol_pool", "config": "protocol_config_v2", "feed": "chainlink_sol_usd", "mint": "light_mint"}
    accounts = {kind: base64.b64encode(captured_data(name)) for kind, name in names.items()}
    return Scene({"accounts": accounts, "slot": 411354049, "epoch": 900})

def check_encoding(i):
    """A captured account's address, from its own fields, and its data."""
    fields, data = i["fields"], encode_account(i["account"], i["fields"])
    token = fields.get("token", fields)
    address = {
        "config": lambda: config_address(fields["version"])[0],
        "pool": lambda: pool_address("standard", fields["token_a"]["mint"])[0],
        "associated": lambda: ata(token["owner"], token["mint"], i["owner"])[0],
    }.get(i.get("derived"), lambda: i["address"])()
    return {"address": address, "length": len(data), "sha256": hashlib.sha256(data).hexdigest()}

def check_sell(i):
    reader = Reader(bytes.fromhex(i["data"]))
    assert reader.take(8) == discriminator("global", "sell"), "not a sell"
    args = reader.read("SellParams")
    assert reader.at == len(reader.data), "bytes left behind the arguments"
    amount, a, b = args["amount_in"], int(i["reserve_a"]), int(i["reserve_b"])
    gross = b * amount // (a + amount)
    fees = {name: gross * int(i[f"{name}_bps"]) // 10000 for name in ("protocol_fee", "creator_fee")}
    event = {"base_reserve": a + amount, "quote_reserve": b - gross, "total_fee_paid": sum(fees.values()),
             "price_sol_usd": i["price_sol_usd"], "base_in": amount, "base_out": 0, "quote_in": 0, "quote_out": gross}
    return {"amount_in": amount, "minimum_amount_out": args["minimum_amount_out"], **fees, "event": event}

def check_buy(i):
    """The buy between the reserves that LIGHT's pool noted and its present ones."""
    scene = captured_scene()
    now, scene.a, scene.b = scene.reserve, scene.reserve["snapshot_a"], scene.reserve["snapshot_b"]
    scene.reserve = {**now, "token_a": scene.a, "token_b": scene.b}
    trade = scene.buy(int(i["max_sol_spend"]))
    assert (trade["reserve_a"], trade["reserve_b"]) == (now["token_a"], now["token_b"]), "it leaves other reserves"
    protocol, _, creator, *_ = trade["fees"]
    return {"protocol_fee": protocol, "creator_fee": creator, "net": trade["traded"], "amount_out": trade["out"]}

# ----------------------------------------------------------------------------------------------------------- the check
def canonical(value):
    """As the files write it: integers as digits, and no unused brackets, which are zeros, at the end of a list."""
    if isinstance(value, dict):
        value = {name: canonical(item) for name, item in value.items()}
        while value.get("brackets") and set(value["brackets"][-1].values()) == {"0"}:
            value["brackets"].pop()
        return value
    if isinstance(value, (list, tuple)):
        return [canonical(item) for item in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

def compare(stated, computed, path=""):
    stated, computed = canonical(stated), canonical(computed)
    if isinstance(stated, dict) and isinstance(computed, dict):
        names = [*stated, *(name for name in computed if name not in stated)]
        pairs = [(name, stated.get(name, "(absent)"), computed.get(name, "(absent)")) for name in names]
    elif isinstance(stated, list) and isinstance(computed, list) and len(stated) == len(computed):
        pairs = zip(range(len(stated)), stated, computed)
    else:
        same = type(stated) is type(computed) or {type(stated), type(computed)} == {int, float}
        return [] if same and stated == computed else [f"{path}: stated {stated!s:.90}, computed {computed!s:.300}"]
    return [line for name, left, right in pairs for line in compare(left, right, f"{path}.{name}".lstrip("."))]

CHECKS = {
    "account": check_account, "address": check_address, "quote": check_quote, "liquidity": check_liquidity,
    "initial-purchase": check_initial_purchase, "event": check_event, "instruction": check_instruction,
    "transaction": check_transaction, "discriminator": lambda i: discriminator(i["namespace"], i["name"]).hex(),
    "rates": lambda i: {"market_cap": Scene(i).market_cap(), **Scene(i).bps},
    "encoding": check_encoding, "sell": check_sell, "buy": check_buy,
    "launch": lambda i: {"lamports": initial_cost(*(int(i[name]) for name in ("tokens", "reserve_a", "reserve_b")))},
    "feed": lambda i: read_feed(encode_account(i["account"], i["fields"])),
}

# ------------------------------------------------------------------------------- published figures, captured accounts
def self_test():
    """What the service publishes, and what holds between the captured accounts."""
    at_180 = functools.partial(market_cap, supply=10**18, answer=180 * 10**8)
    yield "35 SOL and all tokens at $180", at_180(10**18, 35 * 10**9, decimals=8), 6300
    yield "115 SOL and 30.43 %, in cents", round(at_180(35 * 10**18 // 115, 115 * 10**9, decimals=4) / 100), 6801429
    state, vault, mint = (captured_data(name) for name in ("light_sol_pool", "light_vault", "light_mint"))
    address = {name: check_encoding(account)["address"] for name, account in captured().items()}
    pool = read_account("LiquidityPoolState", state)
    for field, name in {"key": "light_sol_pool", "protocol_config": "protocol_config_v2",
                        "token_a_vault": "light_vault", "token_b_vault": "wsol_vault"}.items():
        yield f"LIGHT's {field}", pool[field], address[name]
    yield "what vault A holds", Reader(vault, 64).read("u64"), pool["reserve"]["token_a"]
    yield "older transfer fee", read_mint(mint, 837)["transfer_fee"], {"bps": 150, "maximum": U64}
    yield "newer transfer fee", read_mint(mint, 838)["transfer_fee"], None

def read_file(path):
    """The vectors of a file, by their names."""
    vectors = json.loads(path.read_text(), parse_int=float)["vectors"]
    return list(vectors.items()) if isinstance(vectors, dict) else [(vector["id"], vector) for vector in vectors]

def main(arguments):
    figures = list(self_test())
    lines = [f"{name}: {mine}, not {known}" for name, mine, known in figures if mine != known]
    print(f"published and captured figures: {len(figures)}, {len(lines)} differences")
    named = [Path(argument) for argument in arguments or [Path(__file__).resolve().parent, MAINNET]]
    files = [file for path in named for file in (sorted(path.glob("*s.json")) if path.is_dir() else [path])]
    for path in files:
        before, name = len(lines), "/".join(path.parts[-2:])
        cases = [(id, vector, n, case) for id, vector in read_file(path)
                 for n, case in enumerate(vector.get("cases", [vector]))]
        for id, vector, n, case in cases:
            stated, inputs = case["expected"], {**vector["input"], **case["input"]}
            try:
                found = compare(stated, CHECKS[vector["check"]]({**inputs, "stated": stated}))
            except Exception as error:  # an input that can't be read is a difference too
                found = [f"{type(error).__name__}: {error}"]
            lines += [f"{name}: {id}: case {n}: {line}" for line in found]
        print(f"{name}: {len(cases)} cases, {len(lines) - before} differences")
    print(*lines, sep="\n")
    return 1 if lines or not files else 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

//! A buy over HTTP: quote, build, sign, send, and follow it until its outcome is certain.
//!
//!     npm start                                                     in one terminal: the embedded ledger, with a node at /rpc
//!     cargo run --manifest-path examples/http/rust/Cargo.toml       in another
//!
//! On mainnet, set BASE_URL to your server, RPC_URL to your node and KEYPAIR to a key file of solana-keygen. It then spends real money.
//! A server that isn't yours can build anything: check what it built before you sign (docs/signing.md).

use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{json, Value};
use std::{env, error::Error, fs, thread::sleep, time::Duration};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn post(url: &str, body: &Value) -> Result<Value> {
    let request = ureq::post(url).timeout(Duration::from_secs(30));
    match request.send_json(body) {
        Ok(response) => Ok(response.into_json()?),
        Err(ureq::Error::Status(_, response)) => {
            Err(format!("{url}: {}", response.into_string()?).into())
        }
        Err(error) => Err(error.into()),
    }
}

fn rpc(url: &str, method: &str, params: Value) -> Result<Value> {
    let mut answer = post(
        url,
        &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}),
    )?;
    if let Some(message) = answer["error"]["message"].as_str() {
        return Err(format!("{method}: {message}").into());
    }
    Ok(answer["result"].take())
}

/// The outcome, or nothing yet. Sends the bytes again, which run at most once.
///
/// Several machines may answer behind one address. One that is behind doesn't know the transaction yet, so a missing status proves
/// something only if it is as of the slot of the block height, or a later one.
fn outcome(url: &str, signed: &str, signature: &str, last_valid: u64) -> Result<Option<String>> {
    let epoch = rpc(url, "getEpochInfo", json!([{"commitment": "confirmed"}]))?;
    let history = json!({"searchTransactionHistory": true});
    let found = rpc(url, "getSignatureStatuses", json!([[signature], history]))?;
    let status = &found["value"][0];
    if !status.is_null() && status["confirmationStatus"] != "processed" {
        return Ok(Some(match &status["err"] {
            Value::Null => "landed".into(),
            error => format!("failed: {error}"),
        }));
    }
    let number = |value: &Value| value.as_u64().ok_or("not a whole number");
    let is_current = number(&found["context"]["slot"])? >= number(&epoch["absoluteSlot"])?;
    if status.is_null() && is_current && number(&epoch["blockHeight"])? > last_valid {
        return Ok(Some("expired".into()));
    }
    let options = json!({"encoding": "base64", "skipPreflight": true});
    rpc(url, "sendTransaction", json!([signed, options]))?;
    Ok(None)
}

fn main() -> Result<()> {
    let base_url = env::var("BASE_URL").unwrap_or("http://127.0.0.1:3000".into());
    let rpc_url = env::var("RPC_URL").unwrap_or(format!("{base_url}/rpc"));
    let file = env::var("KEYPAIR").ok();
    let seed: [u8; 32] = match &file {
        Some(path) => {
            serde_json::from_str::<Vec<u8>>(&fs::read_to_string(path)?)?[..32].try_into()?
        }
        None => ring::rand::generate(&ring::rand::SystemRandom::new())
            .map_err(|_| "no randomness")?
            .expose(),
    };
    let key = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| "not a key")?;
    let payer = bs58::encode(key.public_key()).into_string();
    if file.is_none() {
        rpc(&rpc_url, "requestAirdrop", json!([payer, 2_000_000_000u64]))?;
    }

    let quote = post(
        &format!("{base_url}/quote/buy"),
        &json!({
            "program_id": "HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o",
            "config_version": 2,
            "mint": "LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777",
            "max_sol_spend": "0.5",
            "slippage_bps": 50,
        }),
    )?;
    for warning in quote["details"]["warnings"]
        .as_array()
        .into_iter()
        .flatten()
    {
        println!("{}", warning["message"].as_str().unwrap_or_default());
    }
    let built = post(
        &format!("{base_url}/tx/buy"),
        &json!({"payer": payer, "quote_response": quote, "encoded_user_defined_event_data": ""}),
    )?;

    // A transaction of version 0 with one signature: their number, the signature, the message.
    let mut data = base64::decode(built["tx"].as_str().ok_or("no transaction")?)?;
    if data[0] != 1 {
        return Err("Somebody else has to sign this too.".into());
    }
    let signature = key.sign(&data[65..]);
    data[1..65].copy_from_slice(signature.as_ref());
    let signature = bs58::encode(signature).into_string();
    println!(
        "{signature}: at least {} units for 0.5 SOL",
        quote["minimum_out"]
    );
    let last_valid = built["details"]["last_valid_block_height"]
        .as_u64()
        .ok_or("no last block height")?;
    let signed = base64::encode(&data);
    loop {
        match outcome(&rpc_url, &signed, &signature, last_valid) {
            Ok(Some(status)) => break println!("{status}"),
            Ok(None) => {}
            Err(error) => println!("this proves nothing, so it goes on: {error}"),
        }
        sleep(Duration::from_secs(2));
    }
    Ok(())
}

// A buy over HTTP: quote, build, sign, send, and follow it until its outcome is certain.
//
//	npm start                            in one terminal: the embedded ledger, with a node at /rpc
//	go run examples/http/go/main.go      in another
//
// On mainnet, set BASE_URL to your server, RPC_URL to your node and KEYPAIR to a key file of solana-keygen. It then spends real money.
// A server that isn't yours can build anything: check what it built before you sign (docs/signing.md).
package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"time"
)

type object = map[string]any

var (
	baseURL = env("BASE_URL", "http://127.0.0.1:3000")
	rpcURL  = env("RPC_URL", baseURL+"/rpc")
	client  = http.Client{Timeout: 30 * time.Second}
)

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func post(url string, body, result any) error {
	text, err := json.Marshal(body)
	check(err)
	response, err := client.Post(url, "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", url, answer)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, result)
}

func rpc(result any, method string, params ...any) error {
	var answer struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := post(rpcURL, object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, &answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: %s", method, answer.Error.Message)
	}
	return json.Unmarshal(answer.Result, result)
}

func base58(data []byte) string {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	number, digit, text := new(big.Int).SetBytes(data), new(big.Int), ""
	for number.Sign() > 0 {
		number.DivMod(number, big.NewInt(58), digit)
		text = string(alphabet[digit.Int64()]) + text
	}
	for _, one := range data {
		if one != 0 {
			break
		}
		text = "1" + text
	}
	return text
}

// The outcome, or nothing yet. Sends the bytes again, which run at most once.
//
// Several machines may answer behind one address. One that is behind doesn't know the transaction yet, so a missing status proves
// something only if it is as of the slot of the block height, or a later one.
func outcome(signed, signature string, lastValidBlockHeight uint64) (string, error) {
	var epoch struct{ AbsoluteSlot, BlockHeight uint64 }
	if err := rpc(&epoch, "getEpochInfo", object{"commitment": "confirmed"}); err != nil {
		return "", err
	}
	var found struct {
		Context struct{ Slot uint64 }
		Value   [1]*struct {
			Err                any
			ConfirmationStatus string
		}
	}
	if err := rpc(&found, "getSignatureStatuses", []string{signature}, object{"searchTransactionHistory": true}); err != nil {
		return "", err
	}
	status := found.Value[0]
	if status != nil && status.ConfirmationStatus != "processed" {
		if status.Err != nil {
			return fmt.Sprintf("failed: %v", status.Err), nil
		}
		return "landed", nil
	}
	isCurrent := found.Context.Slot >= epoch.AbsoluteSlot
	if status == nil && isCurrent && epoch.BlockHeight > lastValidBlockHeight {
		return "expired", nil
	}
	return "", rpc(new(string), "sendTransaction", signed, object{"encoding": "base64", "skipPreflight": true})
}

func main() {
	_, key, err := ed25519.GenerateKey(nil)
	check(err)
	file := os.Getenv("KEYPAIR")
	if file != "" {
		text, err := os.ReadFile(file)
		check(err)
		var numbers []int // a JSON array, where a []byte would be base64
		check(json.Unmarshal(text, &numbers))
		for index, number := range numbers {
			key[index] = byte(number)
		}
	}
	payer := base58(key.Public().(ed25519.PublicKey))
	if file == "" {
		check(rpc(new(string), "requestAirdrop", payer, 2_000_000_000))
	}

	// The quote goes back as its text, so that no digit changes.
	var quote json.RawMessage
	check(post(baseURL+"/quote/buy", object{
		"program_id":     "HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o",
		"config_version": 2,
		"mint":           "LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777",
		"max_sol_spend":  "0.5",
		"slippage_bps":   50,
	}, &quote))
	var terms struct {
		MinimumOut uint64 `json:"minimum_out"`
		Details    struct{ Warnings []struct{ Message string } }
	}
	check(json.Unmarshal(quote, &terms))
	for _, warning := range terms.Details.Warnings {
		fmt.Println(warning.Message)
	}
	var built struct {
		Tx      string
		Details struct {
			LastValidBlockHeight uint64 `json:"last_valid_block_height"`
		}
	}
	check(post(baseURL+"/tx/buy", object{
		"payer": payer, "quote_response": quote, "encoded_user_defined_event_data": "",
	}, &built))

	// A transaction of version 0 with one signature: their number, the signature, the message.
	data, err := base64.StdEncoding.DecodeString(built.Tx)
	check(err)
	if data[0] != 1 {
		log.Fatal("Somebody else has to sign this too.")
	}
	copy(data[1:65], ed25519.Sign(key, data[65:]))
	signature := base58(data[1:65])
	fmt.Printf("%s: at least %d units for 0.5 SOL\n", signature, terms.MinimumOut)
	signed := base64.StdEncoding.EncodeToString(data)
	for ; ; time.Sleep(2 * time.Second) {
		status, err := outcome(signed, signature, built.Details.LastValidBlockHeight)
		if err != nil {
			fmt.Println("this proves nothing, so it goes on:", err)
		}
		if status != "" {
			fmt.Println(status)
			return
		}
	}
}

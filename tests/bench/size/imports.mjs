// What a page imports, of this library, of the floor under it, and of other SDKs: the nearest that each has.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A swap-shaped transaction made with kit and the program clients by hand: wrap SOL, swap, unwrap, budget, base64. */
const swapTransaction = `
import {
  appendTransactionMessageInstructions, compileTransaction, createNoopSigner, createTransactionMessage,
  getBase64EncodedWireTransaction, pipe, setTransactionMessageFeePayer, setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda, getCloseAccountInstruction, getCreateAssociatedTokenIdempotentInstruction, getSyncNativeInstruction,
} from '@solana-program/token';
export async function build({ payer, mint, wrapped, tokenProgram, lamports, lifetime, swap }) {
  const signer = createNoopSigner(payer);
  const [account] = await findAssociatedTokenPda({ owner: payer, mint: wrapped, tokenProgram });
  const [ata] = await findAssociatedTokenPda({ owner: payer, mint, tokenProgram });
  return getBase64EncodedWireTransaction(compileTransaction(pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions([
      getSetComputeUnitLimitInstruction({ units: 200_000 }),
      getSetComputeUnitPriceInstruction({ microLamports: 1n }),
      getCreateAssociatedTokenIdempotentInstruction({ payer: signer, ata, owner: payer, mint }),
      getTransferSolInstruction({ source: signer, destination: account, amount: lamports }),
      getSyncNativeInstruction({ account }),
      swap,
      getCloseAccountInstruction({ account, destination: payer, owner: signer }),
    ], message),
  )));
}`;

const ours = './dist/index.js';
const kit = '@solana/kit';
const orcaCore = '@orca-so/whirlpools-core';
const orcaClient = '@orca-so/whirlpools-client';
const meteora = '@meteora-ag/cp-amm-sdk';
const launch = '@meteora-ag/dynamic-bonding-curve-sdk';
const raydium = '@raydium-io/raydium-sdk-v2';
const pump = '@pump-fun/pump-swap-sdk';
const web3 = '@solana/web3.js';
const names = (list, from) => `export { ${list} } from '${from}';`;
const all = (from) => `export * from '${from}';`;

/** Found in the root: the built package and its dependencies. */
const row = (title, code) => ({ title, code, peer: false });
/** Found in tests/bench/. */
const peer = (title, code, remark = '') => ({ title, code, remark, peer: true });

export const groups = [
  {
    title: 'A quote of state at hand',
    rows: [
      row('**heaven-pools** `computeBuy`', names('computeBuy', ours)),
      peer('whirlpools-core `swapQuoteByInputToken`', names('swapQuoteByInputToken', orcaCore)),
      peer('cp-amm-sdk `swapQuoteExactInput`', names('swapQuoteExactInput', meteora)),
      peer('dynamic-bonding-curve-sdk `swapQuoteExactIn`', names('swapQuoteExactIn', launch)),
      peer('raydium-sdk-v2 `CurveCalculator`', names('CurveCalculator', raydium)),
      peer('pump-swap-sdk `buyQuoteInput`', names('buyQuoteInput', pump)),
    ],
  },
  {
    title: 'Raw accounts to a quote',
    rows: [
      row(
        '**heaven-pools** `decodePoolSnapshot`, `toSwapState`, `computeBuy`, `computeSell`',
        names('computeBuy, computeSell, decodePoolSnapshot, toSwapState', ours),
      ),
      row('**heaven-pools/core**, all of it', all('./dist/core.js')),
      peer(
        'whirlpools-client decoders, whirlpools-core `swapQuoteByInputToken`',
        `${names('getWhirlpoolDecoder, getTickArrayDecoder, getOracleDecoder', orcaClient)} ${names('swapQuoteByInputToken', orcaCore)}`,
      ),
      peer(
        'raydium-sdk-v2 layouts, `CurveCalculator`',
        names('CpmmPoolInfoLayout, CpmmConfigInfoLayout, CurveCalculator', raydium),
      ),
      peer(
        'pump-swap-sdk `PUMP_AMM_SDK` (offline), `buyQuoteInput`',
        names('PUMP_AMM_SDK, buyQuoteInput', pump),
      ),
    ],
  },
  {
    title: 'A node to a quote',
    rows: [
      row('**heaven-pools** `createHeavenClient`, `quoteBuy`', names('createHeavenClient, quoteBuy', ours)),
      row('floor: kit `createSolanaRpc`', names('createSolanaRpc', kit)),
      peer(
        'kit `createSolanaRpc`, whirlpools-client `fetchWhirlpool`, whirlpools-core `swapQuoteByInputToken`',
        `${names('createSolanaRpc', kit)} ${names('fetchWhirlpool, fetchAllTickArray, fetchOracle', orcaClient)} ${names('swapQuoteByInputToken', orcaCore)}`,
      ),
      peer(
        'cp-amm-sdk `CpAmm` on web3.js `Connection`',
        `${names('CpAmm', meteora)} ${names('Connection', web3)}`,
        'the class also builds',
      ),
      peer(
        'dynamic-bonding-curve-sdk `DynamicBondingCurveClient` on web3.js `Connection`',
        `${names('DynamicBondingCurveClient', launch)} ${names('Connection', web3)}`,
        'the class also builds',
      ),
      peer(
        'raydium-sdk-v2 `Raydium` on web3.js `Connection`',
        `${names('Raydium', raydium)} ${names('Connection', web3)}`,
        'the class also builds',
      ),
      peer(
        'pump-swap-sdk `OnlinePumpAmmSdk` on web3.js `Connection`',
        `${names('OnlinePumpAmmSdk, buyQuoteInput', pump)} ${names('Connection', web3)}`,
      ),
    ],
  },
  {
    title: 'A node to an unsigned transaction',
    rows: [
      row(
        '**heaven-pools** `createHeavenClient`, `quoteBuy`, `buildBuy`',
        names('createHeavenClient, quoteBuy, buildBuy', ours),
      ),
      row('floor: kit, token, system, compute-budget: a swap by hand', swapTransaction),
      peer(
        'whirlpools-client `getSwapV2Instruction`',
        names('getSwapV2Instruction', orcaClient),
        'the instruction alone',
      ),
      peer(
        'pump-swap-sdk `OnlinePumpAmmSdk`, `PUMP_AMM_SDK`',
        `${names('OnlinePumpAmmSdk, PUMP_AMM_SDK', pump)} ${names('Connection, VersionedTransaction, TransactionMessage', web3)}`,
      ),
    ],
  },
  {
    title: 'A remote service to a quote and a transaction',
    rows: [row('**heaven-pools** `createRemoteClient`', names('createRemoteClient', './dist/http.js'))],
  },
  {
    title: 'Everything',
    rows: [
      row('**heaven-pools** and `heaven-pools/program`', `${all(ours)} ${all('./dist/program.js')}`),
      row('floor: kit', all(kit)),
      peer(
        'whirlpools-client and whirlpools-core',
        `${all(orcaClient)} ${all(orcaCore)}`,
        'no rpc, no builder of whole transactions',
      ),
      peer('cp-amm-sdk', all(meteora)),
      peer('dynamic-bonding-curve-sdk', all(launch)),
      peer('raydium-sdk-v2', all(raydium)),
      peer('pump-swap-sdk', all(pump)),
    ],
  },
];

/** Found in examples/, which doesn't have this package: a whole page, and React by itself. */
export const form = {
  title: 'the swap form of `examples/react`, beside React',
  code: `import './react/main.tsx';`,
  react: `
import * as react from 'react';
import { createRoot } from 'react-dom/client';
import * as runtime from 'react/jsx-runtime';
globalThis.kept = [react, createRoot, runtime];`,
  alias: {
    'heaven-pools': join(root, 'dist/index.js'),
    'heaven-pools/testing': join(root, 'dist/testing.js'),
  },
};

import { type Address, getBase58Decoder, type Signature } from '@solana/kit';
import { getTransferCheckedInstruction, getTransferInstruction } from '@solana-program/token';
import { getBuyInstruction } from '../program/instructions.js';
import { readWireTransaction } from '../solana/message.js';
import { TOKEN_PROGRAM_ADDRESS } from '../solana/programs.js';
import { eventLog } from './programs/exchange/exchange.js';
import type { TransactionRecord } from './rpc-methods/history.js';
import {
  createSamplePool,
  createSamplePoolFields,
  GENESIS,
  type SamplePool,
  sampleAddress,
  tradeAccounts,
} from './samples.js';
import { wireTransaction } from './wire.js';

/** The last buy in LIGHT/SOL before its accounts were captured, which left the sample pool's reserves. */
const LAST_BUY = {
  lamports: 2_974_457_039n,
  net: 2_929_840_184n,
  fees: 44_616_855n,
  tokens: 195_707_570_900_467n,
} as const;

/** The last buy of the sample pool `creator`, as it is in the ledger's history. */
export async function sampleTransaction(programAddress: Address): Promise<TransactionRecord> {
  const { pool, state } = await createSamplePool((await createSamplePoolFields()).creator, programAddress);
  const user = await sampleAddress('buyer');
  const { buy, transfers, userTokenAVault } = await lastBuy(pool, user, programAddress);
  const signature = new Uint8Array(64).fill(7);
  // Any 32 bytes will do as an expired block hash.
  const tx = wireTransaction(0, user, pool.pool, buy, signature);
  const { staticAccounts: keys } = readWireTransaction(tx);
  const event = eventLog('TradeEvent', {
    baseReserve: state.reserve.tokenA,
    quoteReserve: state.reserve.tokenB,
    totalCreatorTradingFees: state.creatorTradingFees,
    totalFeePaid: LAST_BUY.fees,
    priceSolUsd: Number(GENESIS.solPrice),
    baseIn: 0n,
    baseOut: LAST_BUY.tokens,
    quoteIn: LAST_BUY.net,
    quoteOut: 0n,
  });
  const zeros = keys.map(() => 0n);
  const received = {
    accountIndex: keys.indexOf(userTokenAVault),
    mint: pool.mint,
    owner: user,
    programId: pool.tokenProgram,
    uiTokenAmount: {
      amount: `${LAST_BUY.tokens}`,
      decimals: 9,
      uiAmount: 195_707.570_900_467,
      uiAmountString: '195707.570900467',
    },
  };
  return {
    signature: getBase58Decoder().decode(signature) as Signature,
    slot: GENESIS.slot,
    blockTime: GENESIS.unixTimestamp,
    err: null,
    tx,
    version: 0,
    accounts: keys,
    meta: {
      err: null,
      status: { Ok: null },
      fee: 5_000n,
      preBalances: zeros,
      postBalances: zeros,
      rewards: [],
      loadedAddresses: { writable: [], readonly: [] },
      innerInstructions: [
        {
          index: 0,
          instructions: transfers.map(({ programAddress: program, accounts, data }) => ({
            programIdIndex: keys.indexOf(program),
            accounts: accounts.map(({ address }) => keys.indexOf(address)),
            data: getBase58Decoder().decode(data),
            stackHeight: 2,
          })),
        },
      ],
      logMessages: successOf(programAddress, 1, [
        'Program log: Instruction: Buy',
        ...successOf(TOKEN_PROGRAM_ADDRESS, 2),
        ...successOf(pool.tokenProgram, 2),
        event,
      ]),
      preTokenBalances: [],
      postTokenBalances: [received],
    },
  };
}

/** The buy and the program's transfers for it. */
async function lastBuy(pool: SamplePool, user: Address, programAddress: Address) {
  const { mint, tokenProgram, tokenAVault, tokenBVault, protocolConfig } = pool;
  const accounts = await tradeAccounts(pool, user);
  const { userTokenAVault, userTokenBVault } = accounts;
  const { lamports, tokens } = LAST_BUY;
  const params = {
    maxSolSpend: lamports,
    minimumAmountOut: (tokens * 99n) / 100n,
    encodedUserDefinedEventData: '',
  };
  const buy = getBuyInstruction({ ...accounts, params }, { programAddress });
  const paid = { source: userTokenBVault, destination: tokenBVault, authority: user, amount: lamports };
  const bought = {
    source: tokenAVault,
    mint,
    destination: userTokenAVault,
    authority: protocolConfig,
    amount: tokens,
    decimals: 9,
  };
  const transfers = [
    getTransferInstruction(paid),
    getTransferCheckedInstruction(bought, { programAddress: tokenProgram }),
  ];
  return { buy, transfers, userTokenAVault };
}

const successOf = (program: string, height: number, inside: readonly string[] = []) => [
  `Program ${program} invoke [${height}]`,
  ...inside,
  `Program ${program} success`,
];

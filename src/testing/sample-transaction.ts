import {
  type AccountMeta,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  type Instruction,
  mergeBytes,
  pipe,
  type Signature,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferCheckedInstruction, getTransferInstruction } from '@solana-program/token';

import { findAssociatedTokenAddress } from '../program/addresses.js';
import { TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../program/constants.js';
import { tradeEventDeclaration } from '../program/events.js';
import { getBuyInstruction } from '../program/instructions.js';
import { encoderFor } from '../solana/codec.js';
import { hexBytes } from '../solana/define-instruction.js';
import type { TransactionRecord } from './rpc-methods/history.js';
import { GENESIS, type SamplePool, sampleAddress } from './samples.js';

/** The last buy in LIGHT/SOL before its accounts were captured: it led to the sample pool's reserves. */
const LAST_BUY = {
  lamports: 2_974_457_039n,
  net: 2_929_840_184n,
  fees: 44_616_855n,
  tokens: 195_707_570_900_467n,
  creatorFees: 420_891_248_646n,
  reserveA: 103_927_583_151_068_173n,
  reserveB: 1_558_777_720_473n,
} as const;

/** The last buy of the sample pool `creator`, as the ledger's history has it. */
export async function sampleTransaction(
  pool: SamplePool,
  programAddress: SamplePool['pool'],
): Promise<TransactionRecord> {
  const user = await sampleAddress('buyer');
  const { mint, tokenProgram, tokenAVault, tokenBVault, protocolConfig } = pool;
  const userTokenAVault = await findAssociatedTokenAddress({ owner: user, mint, tokenProgram });
  const userTokenBVault = await findAssociatedTokenAddress({ owner: user, mint: WRAPPED_SOL_MINT_ADDRESS });
  const buy = getBuyInstruction(
    {
      tokenAProgram: tokenProgram,
      liquidityPoolState: pool.pool,
      user,
      tokenAMint: mint,
      userTokenAVault,
      userTokenBVault,
      tokenAVault,
      tokenBVault,
      protocolConfig,
      params: {
        maxSolSpend: LAST_BUY.lamports,
        minimumAmountOut: (LAST_BUY.tokens * 99n) / 100n,
        encodedUserDefinedEventData: '',
      },
    },
    { programAddress },
  );
  const calls: readonly Instruction[] = [
    getTransferInstruction({
      source: userTokenBVault,
      destination: tokenBVault,
      authority: user,
      amount: LAST_BUY.lamports,
    }),
    getTransferCheckedInstruction(
      {
        source: tokenAVault,
        mint,
        destination: userTokenAVault,
        authority: protocolConfig,
        amount: LAST_BUY.tokens,
        decimals: 9,
      },
      { programAddress: tokenProgram },
    ),
  ];
  const unsigned = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(user, message),
    // Any 32 bytes will do for a block hash that is long over.
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: pool.pool as string as Blockhash, lastValidBlockHeight: 0n },
        message,
      ),
    (message) => appendTransactionMessageInstructions([buy], message),
    compileTransaction,
  );
  const signatureBytes = new Uint8Array(64).fill(7) as SignatureBytes;
  const tx = getBase64EncodedWireTransaction({ ...unsigned, signatures: { [user]: signatureBytes } });
  const { staticAccounts: keys } = getCompiledTransactionMessageDecoder().decode(unsigned.messageBytes);
  const event = mergeBytes([
    hexBytes(tradeEventDeclaration.discriminator),
    encoderFor({
      name: tradeEventDeclaration.name,
      fields: { ...tradeEventDeclaration.fields, ...tradeEventDeclaration.laterFields },
    }).encode({
      baseReserve: LAST_BUY.reserveA,
      quoteReserve: LAST_BUY.reserveB,
      totalCreatorTradingFees: LAST_BUY.creatorFees,
      totalFeePaid: LAST_BUY.fees,
      priceSolUsd: Number(GENESIS.solPrice),
      baseIn: 0n,
      baseOut: LAST_BUY.tokens,
      quoteIn: LAST_BUY.net,
      quoteOut: 0n,
    }) as Uint8Array,
  ]);
  const run = (program: string, height: number, inside: readonly string[]) => [
    `Program ${program} invoke [${height}]`,
    ...inside,
    `Program ${program} success`,
  ];
  const zeros = keys.map(() => 0n);
  return {
    signature: getBase58Decoder().decode(signatureBytes) as Signature,
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
          instructions: calls.map(({ programAddress: program, accounts = [], data }) => ({
            programIdIndex: keys.indexOf(program),
            accounts: (accounts as readonly AccountMeta[]).map(({ address }) => keys.indexOf(address)),
            data: getBase58Decoder().decode(data as Uint8Array),
            stackHeight: 2,
          })),
        },
      ],
      logMessages: run(programAddress, 1, [
        'Program log: Instruction: Buy',
        ...run(TOKEN_PROGRAM_ADDRESS, 2, []),
        ...run(tokenProgram, 2, []),
        `Program data: ${getBase64Decoder().decode(event)}`,
      ]),
      preTokenBalances: [],
      postTokenBalances: [
        {
          accountIndex: keys.indexOf(userTokenAVault),
          mint,
          owner: user,
          programId: tokenProgram,
          uiTokenAmount: {
            amount: `${LAST_BUY.tokens}`,
            decimals: 9,
            uiAmount: 195_707.570_900_467,
            uiAmountString: '195707.570900467',
          },
        },
      ],
    },
  };
}

import { generateKeyPairSigner } from '@solana/kit';

import { findPoolAddress } from '../../../program/addresses.js';
import { getCreateStandardLiquidityPoolInstruction } from '../../../program/instructions.js';
import { findAssociatedTokenAddress } from '../../../solana/derived-addresses.js';
import { TOKEN_2022_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../../../solana/programs.js';
import type { Ledger } from '../../../testing/ledger.js';
import type { Stage } from '../stage.js';
import type { OpenConfig } from './scene.js';

/** The launch instruction that creates the pool, for a mint in the state that the earlier instructions leave. */
export async function standardCreation(
  stage: Stage,
  { address: protocolConfig, fields }: OpenConfig,
  mintFields: Partial<Parameters<Ledger['setMint']>[2]> = {},
) {
  const { programAddress, chainlinkProgram, solUsdFeed } = stage.client.deployment;
  const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;
  const supply = fields.initialTokenAAmount;
  const wallet = await stage.createWallet();
  const { address: mint } = await generateKeyPairSigner();
  stage.ledger.setMint(mint, tokenProgram, { decimals: fields.tokenADecimals, supply, ...mintFields });
  const userTokenAVault = await stage.giveTokens(wallet, { mint, tokenProgram }, supply);
  const instruction = getCreateStandardLiquidityPoolInstruction(
    {
      user: wallet.address,
      payer: wallet.address,
      tokenAMint: mint,
      userTokenAVault,
      tokenAVault: await findAssociatedTokenAddress({ owner: protocolConfig, mint, tokenProgram }),
      tokenBVault: await findAssociatedTokenAddress({
        owner: protocolConfig,
        mint: WRAPPED_SOL_MINT_ADDRESS,
      }),
      liquidityPoolState: await findPoolAddress({ mint }, { programAddress }),
      protocolConfig,
      tokenAProgram: tokenProgram,
      chainlinkProgram,
      chainlinkFeed: solUsdFeed,
      protocolConfigVersion: fields.version,
      params: { encodedUserDefinedEventData: '', initialPurchaseAmount: 0n, maxSolSpend: 0n },
    },
    { programAddress },
  );
  return { instruction, wallet };
}

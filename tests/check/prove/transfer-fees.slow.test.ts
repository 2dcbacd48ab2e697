import { getTransferCheckedInstruction } from '@solana-program/token';
import { expect, test } from 'vitest';

import {
  addTransferFee,
  editData,
  setTransferFee,
} from '../../../src/check/prove/scenarios/account-edits.js';
import { createStage, setTokens, tokensIn } from '../../../src/check/prove/stage.js';
import { transferFeeOf } from '../../../src/math/transfer-fee.js';
import { createEmbeddedLedger, createSvmEngine } from '../../../src/testing/index.js';

// The real Token-2022, which LiteSVM has.
test.each([
  [150, 1_000_000n],
  [1, 1_000n],
  [1_000, 10n],
])('a token edited to withhold %i basis points, at most %i, does so', async (rate, maximum) => {
  const ledger = await createEmbeddedLedger({ engine: await createSvmEngine({ programs: {} }) });
  const { mint, tokenAVault, tokenProgram } = ledger.pools.community;
  addTransferFee(ledger, mint, tokenAVault);
  editData(ledger, mint, (data) => setTransferFee(data, rate, maximum));
  const stage = createStage(ledger);
  const wallet = await stage.createWallet();
  const source = await stage.giveTokens(wallet, { mint, tokenProgram }, 0n);
  expect(ledger.getAccount(source)?.data.length).toBe(182);
  for (const amount of [1n, 9_999n, 10_001n, 123_456_789n]) {
    setTokens(ledger, source, amount);
    const transfer = getTransferCheckedInstruction(
      { source, mint, destination: tokenAVault, authority: wallet, amount, decimals: 9 },
      { programAddress: tokenProgram },
    );
    const ran = await stage.run([transfer], wallet);
    expect(ran.reason).toBeUndefined();
    const arrived =
      tokensIn(ran.after(tokenAVault), tokenAVault) - tokensIn(ran.before(tokenAVault), tokenAVault);
    expect(arrived).toBe(amount - transferFeeOf(amount, { basisPoints: BigInt(rate), maximum }));
  }
});

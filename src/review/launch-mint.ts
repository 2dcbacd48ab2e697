import type { Address } from '@solana/kit';
import type { TransactionMismatchKind } from '../base/errors.js';
import type { BuildCreateStandardLiquidityPoolInput } from '../operations/standard/create-standard-liquidity-pool.js';
import { plainAddress } from '../solana/addresses.js';
import type { LoadedInstruction, LoadedTransaction } from '../solana/message.js';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from '../solana/programs.js';
import { isPartialSigner } from '../transaction/built.js';
import { difference, notAskedFor } from './explain.js';
import { stepOf } from './read-step.js';

/**
 * The mint that a launch would create: the one that the metadata program names, or else the signer that is not one of the
 * launch's wallets. It may be any suitable address; the comparison makes sure that it is the same throughout.
 */
export function launchMintOf(
  { wire, instructions }: LoadedTransaction,
  { mintSigner, payer, creator, feePayer }: BuildCreateStandardLiquidityPoolInput,
  suffix: string,
): Address {
  const wallets = [payer, creator, feePayer ?? payer].map(plainAddress);
  const index = instructions.findIndex(
    ({ programAddress }) => programAddress === TOKEN_METADATA_PROGRAM_ADDRESS,
  );
  const mint =
    instructions[index]?.accounts[2]?.address ??
    wire.signatures.find(({ address }) => !wallets.includes(address))?.address;
  const refuse = (kind: TransactionMismatchKind, message: string, asked?: unknown) =>
    notAskedFor(
      difference(kind, message, { ...(index < 0 ? {} : { instruction: index }), asked, found: mint }),
    );
  if (mint === undefined) throw refuse('rights', 'no mint signs it');
  const wanted = isPartialSigner(mintSigner) ? mintSigner.address : undefined;
  if (wanted !== undefined && mint !== wanted)
    throw refuse('account', `its mint is ${mint}, not ${wanted}`, wanted);
  if (wanted === undefined && !mint.endsWith(suffix))
    throw refuse('account', `its mint ${mint} does not end in ${suffix}`, suffix);
  if (wallets.includes(mint)) throw refuse('account', `its mint ${mint} is a wallet of the launch`);
  if (!wire.signatures.some(({ address }) => address === mint))
    throw refuse('rights', `its mint ${mint} does not sign`);
  if (index >= 0 && !instructions.slice(0, index).some((instruction) => provesNew(instruction, mint))) {
    throw refuse(
      'instruction',
      `it does not allocate 0 bytes for its mint ${mint} before it creates it, which would fail if the mint existed. Whoever has the mint's key could create it first and keep the right to take the tokens`,
    );
  }
  return mint;
}

/** Whether an instruction fails if an account exists: `Allocate` of the System program, for 0 bytes. */
const provesNew = (instruction: LoadedInstruction, account: Address): boolean => {
  const step = stepOf(instruction);
  return (
    step?.program === 'system' &&
    step.name === 'Allocate' &&
    step.accounts.newAccount === account &&
    step.data.space === 0n
  );
};

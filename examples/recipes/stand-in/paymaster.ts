// A paymaster in this process: it pays the fees and the rent of buys on Heaven, up to a limit per user. One on a server does the same.
import {
  type Address,
  getBase64Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit';
import { assertTransactionMatches, type BuyQuote, type HeavenClient, inspectTransaction } from 'heaven-pools';

export interface SponsorRequest {
  readonly payer: Address;
  readonly quoteResponse: BuyQuote;
  readonly transaction: Uint8Array;
}

export function createPaymaster(client: HeavenClient, signer: KeyPairSigner, lamportsPerUser: bigint) {
  const spent = new Map<Address, bigint>();

  /** Signs what it was asked for, unless that costs more than the user has left. */
  return async ({ payer, quoteResponse, transaction }: SponsorRequest): Promise<Uint8Array<ArrayBuffer>> => {
    const tx = getBase64Decoder().decode(transaction);
    // Its own terms, from which it builds the transaction again: the default budget, and no instruction of the user's.
    const input = { payer, quoteResponse, feePayer: signer.address, rentPayer: 'feePayer' } as const;
    await assertTransactionMatches(tx, { function: 'buildBuy', input }, { client });

    const { debits } = await inspectTransaction(tx, { client, owner: signer.address });
    const [debit, ...others] = debits;
    if (debit?.asset !== 'SOL' || typeof debit.amount !== 'bigint' || others.length > 0)
      throw new Error('it takes something unknown from the sponsor');
    // A transaction that fails costs its fee too, so what is signed counts, whatever becomes of it. Nothing is awaited in between: two
    // requests at once can't share what is left.
    const total = (spent.get(payer) ?? 0n) + debit.amount;
    if (total > lamportsPerUser)
      throw new Error(`the limit is ${lamportsPerUser} lamports per user, and this makes it ${total}`);
    spent.set(payer, total);

    const signed = await partiallySignTransaction(
      [signer.keyPair],
      getTransactionDecoder().decode(transaction),
    );
    return Uint8Array.from(getTransactionEncoder().encode(signed));
  };
}

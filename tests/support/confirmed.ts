import {
  type AccountMeta,
  type Address,
  getAccountMetasFromCompiledTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  type Instruction,
} from '@solana/kit';

import { encodedTransaction } from '../../src/testing/rpc-methods/transaction-encoding.js';
import { compileDraft, draftOf } from '../review/support.js';
import { base64Of } from './bytes.js';

/** An executed instruction, with its calls and its logs before and after them. */
export interface Ran {
  readonly instruction: Instruction;
  readonly calls?: readonly Ran[];
  /** Lines that the program printed itself. */
  readonly logs?: readonly string[];
  /** Precompiles log nothing. */
  readonly isSilent?: boolean;
  /** The line with which it failed. */
  readonly failure?: string;
}

export interface TokenHolding {
  readonly account: Address;
  readonly mint: Address;
  readonly before?: bigint;
  readonly after?: bigint;
}

export interface Confirmed {
  readonly feePayer: Address;
  readonly ran: readonly Ran[];
  readonly err?: unknown;
  readonly holdings?: readonly TokenHolding[];
  readonly lookupTables?: Record<Address, Address[]>;
  /** Fields in which the node's answer is wrong. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly encoding?: 'base64' | 'json';
}

const flat = (ran: readonly Ran[], height: number): { readonly ran: Ran; readonly height: number }[] =>
  ran.flatMap((one) => [{ ran: one, height }, ...flat(one.calls ?? [], height + 1)]);

/** The logs that a node returns for it. */
export function logsOf(ran: readonly Ran[], height = 1): string[] {
  return ran.flatMap(({ instruction: { programAddress }, calls = [], logs = [], isSilent, failure }) => {
    if (isSilent) return [];
    return [
      `Program ${programAddress} invoke [${height}]`,
      ...logsOf(calls, height + 1),
      ...logs,
      `Program ${programAddress} consumed 1000 of 200000 compute units`,
      `Program ${programAddress} ${failure === undefined ? 'success' : `failed: ${failure}`}`,
    ];
  });
}

/** A node's response to `getTransaction`, before kit converts the numbers. */
export function confirmed({
  feePayer,
  ran,
  err = null,
  holdings = [],
  lookupTables = {},
  meta = {},
  encoding = 'base64',
}: Confirmed) {
  const instructions = ran.map(({ instruction }) => instruction);
  const unsigned = compileDraft({ ...draftOf(instructions, feePayer), tables: lookupTables });
  const signatures = Object.fromEntries(
    Object.keys(unsigned.signatures).map((signer) => [signer, new Uint8Array(64).fill(9)]),
  );
  const wire = getBase64EncodedWireTransaction({ ...unsigned, signatures } as never);
  const compiled = getCompiledTransactionMessageDecoder().decode(unsigned.messageBytes);
  if (compiled.version === 1) throw new Error('Not of version 1');
  const lookups = ('addressTableLookups' in compiled ? compiled.addressTableLookups : undefined) ?? [];
  const loaded = (list: 'writableIndexes' | 'readonlyIndexes') =>
    lookups.flatMap((lookup) =>
      lookup[list].map((index) => lookupTables[lookup.lookupTableAddress]?.[index] as Address),
    );
  const loadedAddresses = { writable: loaded('writableIndexes'), readonly: loaded('readonlyIndexes') };
  const keys = getAccountMetasFromCompiledTransactionMessage(compiled, loadedAddresses).map(
    ({ address }) => address,
  );
  const base58 = (bytes: ArrayLike<number> | undefined) =>
    getBase58Decoder().decode(Uint8Array.from(bytes ?? []));
  const keyOf = (address: Address) => {
    if (!keys.includes(address)) throw new Error(`The transaction has no account ${address}`);
    return keys.indexOf(address);
  };
  const indexed = ({ instruction }: Ran) => ({
    programIdIndex: keyOf(instruction.programAddress),
    accounts: ((instruction.accounts ?? []) as AccountMeta[]).map(({ address }) => keyOf(address)),
    data: base58(instruction.data as Uint8Array | undefined),
  });
  const balances = (time: 'before' | 'after') =>
    holdings.flatMap(({ account, mint, [time]: amount }) => {
      if (amount === undefined) return [];
      const uiTokenAmount = { amount: `${amount}`, decimals: 9, uiAmount: null, uiAmountString: '' };
      return [{ accountIndex: keyOf(account), mint, uiTokenAmount }];
    });
  const innerInstructions = ran.flatMap(({ calls = [] }, index) => {
    if (calls.length === 0) return [];
    const instructions = flat(calls, 2).map(({ ran, height }) => ({ ...indexed(ran), stackHeight: height }));
    return [{ index, instructions }];
  });
  return {
    slot: 411_354_049,
    blockTime: 1_775_456_070,
    version: 0,
    transaction: encodedTransaction(wire, encoding),
    meta: {
      err,
      fee: 5000,
      status: err === null ? { Ok: null } : { Err: err },
      preBalances: keys.map(() => 1),
      postBalances: keys.map(() => 1),
      rewards: [],
      loadedAddresses,
      logMessages: logsOf(ran),
      innerInstructions,
      preTokenBalances: balances('before'),
      postTokenBalances: balances('after'),
      ...meta,
    },
  };
}

/** A `Program data:` line with an event of little-endian u64 fields (and the price, an f64, as its fifth). */
export function tradeLine(fields: readonly bigint[], price = 82, more = 0): string {
  const bytes = new Uint8Array(8 + (fields.length > 4 ? 72 : 32) + more).fill(0xee);
  const data = new DataView(bytes.buffer);
  data.setBigUint64(0, 0xbddb7fd34ee661een);
  let offset = 8;
  for (const [index, field] of fields.entries()) {
    if (index === 4) {
      data.setFloat64(offset, price, true);
      offset += 8;
    }
    data.setBigUint64(offset, field, true);
    offset += 8;
  }
  return `Program data: ${base64Of(bytes)}`;
}

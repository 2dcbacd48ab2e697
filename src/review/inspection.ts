import type { Address, TransactionVersion } from '@solana/kit';

import type { ComputeBudget, TransactionFees } from '../solana/compute-budget.js';
import type { TransactionAccount } from '../solana/message.js';
import type { InstructionEffect, Movement } from './effects.js';
import type { AccountOwnership } from './ownership.js';
import type { StepProgram } from './step.js';

/** An instruction and what it may do. */
export interface InspectedInstruction {
  readonly programAddress: Address;
  /** The program and the instruction, if both are known. */
  readonly program?: StepProgram | undefined;
  readonly name?: string | undefined;
  readonly description: string;
  /** In order. An address in an unknown lookup table is `undefined`. */
  readonly accounts: readonly TransactionAccount[];
  readonly data: Uint8Array;
  readonly effects: readonly InstructionEffect[];
}

/** The most that a transaction may take from an account, over all its instructions and fees. */
export interface TransactionDebit extends Movement {
  /** The part of the amount that the transaction names, in native units of the asset. */
  readonly named: bigint;
  /** The instructions that take it, from 0. Fees are not among them. */
  readonly instructions: readonly number[];
}

/** What a transaction may pay into an account, over all its instructions. */
export interface TransactionCredit extends Omit<Movement, 'authority'> {
  /** The least that the instructions insist on, in native units of the asset. */
  readonly minimum: bigint;
  /** Whose account it is. An unknown owner also raises a warning. */
  readonly ownership: AccountOwnership;
  /** The instructions that pay, counted from 0. */
  readonly instructions: readonly number[];
}

/** Something that a person must know before signing a transaction. */
export interface InspectionWarning {
  readonly code:
    | 'unknown-recipient'
    | 'anything'
    | 'authority-change'
    | 'account-locked'
    | 'account-frozen'
    | 'tokens-minted'
    | 'withdrawals-disabled'
    | 'delegation'
    | 'high-priority-fee'
    | 'minimum-too-low'
    | 'unchecked-minimum'
    | 'bound-to-fail'
    | 'compute-limit-too-high'
    | 'durable-nonce'
    | 'unresolved-lookup-table'
    | 'account-loaded-twice'
    | 'invalid-signature';
  readonly message: string;
  readonly instruction?: number | undefined;
}

/** What a transaction would do. Amounts are native units. */
export interface TransactionInspection {
  readonly version: TransactionVersion;
  /** Bytes on the wire: at most 1232, and 4096 in version 1. */
  readonly size: number;
  readonly feePayer: Address;
  readonly lifetime:
    | { readonly kind: 'blockhash'; readonly blockhash: string }
    | {
        /** It stays valid until the nonce advances: whoever has it can send it at any time. */
        readonly kind: 'durable-nonce';
        readonly nonce: string;
        readonly nonceAccount: Address | undefined;
        readonly nonceAuthority: Address | undefined;
      };
  readonly instructions: readonly InspectedInstruction[];
  /** Who must sign, the fee payer first, and whether they have. */
  readonly signers: readonly {
    readonly address: Address;
    readonly signature: 'missing' | 'valid' | 'invalid';
  }[];
  readonly computeBudget: ComputeBudget;
  readonly fees: TransactionFees;
  readonly lookupTables: readonly {
    readonly address: Address;
    /** What the transaction loads from it; `undefined` if the table is not known. */
    readonly loads: readonly Address[] | undefined;
    /** Why its contents are unknown. */
    readonly reason?: string | undefined;
  }[];
  readonly debits: readonly TransactionDebit[];
  /** What the owner's accounts may receive, and what the owner's signature sends elsewhere. */
  readonly credits: readonly TransactionCredit[];
  readonly warnings: readonly InspectionWarning[];
  /** Everything above, in lines for people to read. */
  readonly summary: readonly string[];
}

/** An inspection before it is judged and put into words. */
export type Facts = Omit<TransactionInspection, 'warnings' | 'summary'>;

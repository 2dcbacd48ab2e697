import {
  AccountRole,
  type Base64EncodedWireTransaction,
  type Instruction,
  isNone,
  type Option,
} from '@solana/kit';
import { AuthorityType } from '@solana-program/token';

import { toUiAmount } from '../math/units.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../program/constants.js';
import type { InstructionConfig } from '../solana/define-instruction.js';
import type { LookupTables } from '../solana/lookup-table.js';
import {
  type LoadedInstruction,
  loadTransaction,
  lookupTablesOf,
  readWireTransaction,
} from '../solana/message.js';
import { type Step, stepOf } from './step.js';

/**
 * What a transaction does, a line per instruction. For a person to read, not to decide by: {@link inspectTransaction} has it
 * as data.
 *
 * @throws {HeavenError} `malformed-data`
 */
export function describeTransaction(
  tx: Base64EncodedWireTransaction,
  { lookupTables = {}, ...config }: InstructionConfig & { readonly lookupTables?: LookupTables } = {},
): readonly string[] {
  const wire = readWireTransaction(tx);
  const tables = lookupTablesOf(wire).map(
    (table) => [table, { addresses: lookupTables[table] ?? [] }] as const,
  );
  return loadTransaction(wire, new Map(tables)).instructions.map((instruction) =>
    describeInstruction(instruction, stepOf(instruction, config)),
  );
}

/** {@link describeTransaction} for one that was built here, whatever lookup tables it uses. */
export const describeInstructions = (
  instructions: readonly Instruction[],
  config: InstructionConfig,
): readonly string[] =>
  instructions.map((instruction) => {
    const { programAddress, accounts = [], data = new Uint8Array() } = instruction;
    const loaded = { programAddress, accounts, data: Uint8Array.from(data) };
    return describeInstruction(loaded, stepOf(loaded, config));
  });

/** Lamports in SOL, for a person. */
export const sol = (lamports: bigint): string => `${toUiAmount(lamports, 9)} SOL`;

/** An instruction in words. */
export function describeInstruction(instruction: LoadedInstruction, step: Step | undefined): string {
  if (step !== undefined) return describeStep(step);
  const { programAddress, accounts } = instruction;
  const hidden = accounts.filter(({ address }) => address === undefined).length;
  if (hidden > 0) {
    return `An instruction of the program ${programAddress}, ${hidden} of whose accounts are hidden in lookup tables that are not known`;
  }
  const signers = accounts.filter(({ role }) => role >= AccountRole.READONLY_SIGNER).length;
  return `An instruction of the program ${programAddress} that is not understood, with ${signers === 0 ? 'no signature' : 'the rights of a signer'}`;
}

/** A stranger's text, without what can't be seen, breaks the line, or turns the direction of what follows. */
const quoted = (text: unknown): string =>
  JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (hidden) =>
    Array.from(
      { length: hidden.length },
      (_, index) => `\\u${hidden.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

function describeStep({ program, name, accounts, data }: Step): string {
  const amount = data.amount as bigint;
  switch (program) {
    case 'compute-budget':
      return describeBudget(name, data);
    case 'system':
      return describeSystem(name, accounts, data);
    case 'associated-token':
      return name === 'RecoverNestedAssociatedToken'
        ? `Move all of ${accounts.nestedAssociatedAccountAddress} to ${accounts.destinationAssociatedAccountAddress} and close it`
        : `Create the token account ${accounts.ata} of ${accounts.owner} for ${accounts.mint}${name === 'CreateAssociatedToken' ? '' : ' if there is none'}`;
    case 'memo':
      return `Note ${quoted(data.memo)}`;
    case 'token-metadata':
      return `Create the mint ${accounts.mint} and its ${data.isMutable ? 'changeable' : 'final'} metadata: ${quoted(data.name)} (${quoted(data.symbol)}), ${quoted(data.uri)}`;
    case 'exchange':
      return `Exchange: ${name}: ${describeExchange(name, accounts, data)}`;
  }
  switch (name) {
    case 'Transfer':
    case 'TransferChecked':
      return `Transfer ${amount} units${accounts.mint ? ` of ${accounts.mint}` : ''} from ${accounts.source} to ${accounts.destination}`;
    case 'Approve':
    case 'ApproveChecked':
      return `Let ${accounts.delegate} take up to ${amount} units from ${accounts.source}`;
    case 'Revoke':
      return `Take back what others may take from ${accounts.source}`;
    case 'SetAuthority': {
      const type = AuthorityType[data.authorityType as AuthorityType];
      const next = data.newAuthority as Option<string>;
      return isNone(next)
        ? `Give up the ${type} authority of ${accounts.owned}`
        : `Give the ${type} authority of ${accounts.owned} to ${next.value}`;
    }
    case 'MintTo':
    case 'MintToChecked':
      return `Mint ${amount} units to ${accounts.token}`;
    case 'Burn':
    case 'BurnChecked':
      return `Burn ${amount} units of ${accounts.mint} in ${accounts.account}`;
    case 'CloseAccount':
      return `Close ${accounts.account} and pay what is in it to ${accounts.destination}`;
    case 'FreezeAccount':
    case 'ThawAccount':
      return `${name === 'FreezeAccount' ? 'Freeze' : 'Thaw'} ${accounts.account}`;
    case 'SyncNative':
      return `Count the SOL in ${accounts.account} as wrapped`;
    case 'InitializeAccount':
    case 'InitializeAccount2':
    case 'InitializeAccount3':
      return `Make ${accounts.account} a token account of ${accounts.owner ?? data.owner} for ${accounts.mint}`;
    case 'UnwrapLamports':
      return `Unwrap ${isNone(data.amount as Option<bigint>) ? 'all' : sol((data.amount as { readonly value: bigint }).value)} of ${accounts.source} to ${accounts.destination}`;
    case 'WithdrawExcessLamports':
      return `Move the SOL beyond the rent from ${accounts.source} to ${accounts.destination}`;
  }
  return `${spaced(name)} ${Object.values(accounts).join(', ')}`;
}

const spaced = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z0-9])/g, ' ');

function describeBudget(name: string, data: Step['data']): string {
  switch (name) {
    case 'SetComputeUnitLimit':
      return `Allow ${data.units} compute units`;
    case 'SetComputeUnitPrice':
      return `Pay ${data.microLamports} micro-lamports per compute unit`;
    case 'RequestHeapFrame':
      return `Allow a heap of ${data.bytes} bytes`;
    case 'SetLoadedAccountsDataSizeLimit':
      return `Allow ${data.accountDataSizeLimit} bytes of accounts`;
  }
  return `${spaced(name)} (no longer in use)`;
}

function describeSystem(name: string, accounts: Step['accounts'], data: Step['data']): string {
  const amount = sol((data.amount ?? data.lamports ?? data.withdrawAmount ?? 0n) as bigint);
  switch (name) {
    case 'TransferSol':
    case 'TransferSolWithSeed':
      return `Transfer ${amount} from ${accounts.source} to ${accounts.destination}`;
    case 'CreateAccount':
    case 'CreateAccountWithSeed':
    case 'CreateAccountAllowPrefund':
      return `Create the account ${accounts.newAccount} with ${amount}, for the program ${data.programAddress}`;
    case 'Assign':
    case 'AssignWithSeed':
      return `Give the account ${accounts.account} to the program ${data.programAddress}`;
    case 'Allocate':
    case 'AllocateWithSeed':
      return `Give the account ${accounts.newAccount} room for ${data.space} bytes`;
    case 'AdvanceNonceAccount':
      return `Advance the nonce ${accounts.nonceAccount}, which keeps this transaction valid for any time`;
    case 'WithdrawNonceAccount':
      return `Move ${amount} from the nonce account ${accounts.nonceAccount} to ${accounts.recipientAccount}`;
    case 'AuthorizeNonceAccount':
      return `Give the nonce account ${accounts.nonceAccount} to ${data.newNonceAuthority}`;
  }
  return `${spaced(name)} ${Object.values(accounts).join(', ')}`;
}

function describeExchange(name: string, accounts: Step['accounts'], data: Step['data']): string {
  const { tokenAMint: mint = '', liquidityPoolState: pool = '' } = accounts;
  const lamports = (value: unknown) => sol(value as bigint);
  switch (name) {
    case 'buy':
    case 'pro_buy':
      return `pay at most ${lamports(data.maxSolSpend)} for at least ${data.minimumAmountOut} units of ${mint}`;
    case 'sell':
    case 'pro_sell':
      return `sell ${data.amountIn} units of ${mint} for at least ${lamports(data.minimumAmountOut)}`;
    case 'add_liquidity_pro_pool':
      return `deposit at most ${data.maxTokenA} units of ${mint} and ${lamports(data.maxTokenB)} for at least ${data.minLpTokens} LP tokens of ${pool}`;
    case 'remove_liquidity_pro_pool':
      return `burn ${data.lpTokensToBurn} LP tokens of ${pool} for at least ${data.minTokenA} units of ${mint} and ${lamports(data.minTokenB)}`;
    case 'transfer_lp_tokens':
      return `move ${data.amount} LP tokens of ${pool} to ${accounts.receiver}`;
    case 'create_standard_liquidity_pool':
      return `create the pool ${pool} of ${mint} and buy ${data.initialPurchaseAmount} units for at most ${lamports(data.maxSolSpend)}`;
    case 'create_pro_liquidity_pool':
      return `create the pool ${pool} with ${data.initialTokenAAmount} units of ${mint} and ${lamports(data.initialTokenBAmount)}`;
    case 'claim_pro_creator_trading_fees':
    case 'claim_standard_creator_trading_fees':
      return `claim ${data.amount === 0n ? 'all' : lamports(data.amount)} of the creator fees of ${pool}`;
    case 'claim_pro_liquidity_provider_trading_fees':
      return `claim the liquidity provider fees of ${pool}`;
    case 'update_creator_trading_fee_receiver':
    case 'update_pro_creator_trading_fee_receiver':
      return `give the creator fees of ${pool} to ${accounts.newReceiver}`;
    case 'creator_toggle_pro_deposit':
    case 'creator_toggle_pro_swap':
    case 'creator_toggle_pro_withdraw':
      return `${data.enabled ? 'on' : 'off'} in ${pool}`;
  }
  return `in ${pool}`;
}

/** A token in words. */
export const tokenName = (mint: string | undefined): string =>
  mint === undefined
    ? 'an unknown token'
    : mint === WRAPPED_SOL_MINT_ADDRESS
      ? 'wrapped SOL'
      : `the token ${mint}`;

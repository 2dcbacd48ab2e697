import { type Address, getAddressDecoder, isSignerRole, isWritableRole, unwrapOption } from '@solana/kit';
import { getTokenDecoder } from '@solana-program/token';

import { findAssociatedTokenAddress } from '../../solana/derived-addresses.js';
import {
  type Comparison,
  type Demand,
  lighthouseInstructionName,
  readDemands,
} from '../../solana/lighthouse.js';
import { isTokenProgram, SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { TOKEN_ACCOUNT_SIZE } from '../../solana/token-account.js';
import { custom, Failure, notEmulated } from '../failure.js';
import type { Call, Context, Program } from '../runtime.js';
import { clockOf } from '../token-accounts.js';

/** `AssertionFailed` of Lighthouse's published clients. */
const ASSERTION_FAILED = 6001;

/** The assertions that wallets use. All other Lighthouse instructions fail, so that nothing passes unchecked. */
export const lighthouseProgram: Program = {
  units: 1_000,
  run: async (context, call) => {
    const name = lighthouseInstructionName(call);
    if (name === undefined) throw new Failure('InvalidInstructionData');
    const demands = readDemands(call.data);
    if (demands === undefined) throw notEmulated(`this ${name} of Lighthouse`);
    for (const demand of demands) {
      const found = await valueFor(context, call, demand);
      if (isMet(found, demand.comparison, demand.value)) continue;
      const { field, comparison, value } = demand;
      throw custom(
        ASSERTION_FAILED,
        `Program log: Assertion failed: ${field} is ${found ?? 'none'}, and must be ${comparison} ${value ?? 'none'}`,
      );
    }
  },
};

function isMet(found: Demand['value'], comparison: Comparison, value: Demand['value']): boolean {
  if (comparison === '=') return found === value;
  if (comparison === '≠') return found !== value;
  if (typeof found !== 'bigint' || typeof value !== 'bigint') return false;
  switch (comparison) {
    case '>':
      return found > value;
    case '<':
      return found < value;
    case '≥':
      return found >= value;
    case '≤':
      return found <= value;
  }
}

async function valueFor(context: Context, { accounts }: Call, demand: Demand): Promise<Demand['value']> {
  const [target] = accounts;
  if (target === undefined) return clockValue(context, demand);
  const { address, role } = target;
  const account = context.get(address);
  switch (demand.field) {
    case 'lamports':
      return account?.lamports ?? 0n;
    case 'data-length':
      return BigInt(account?.data.length ?? 0);
    case 'program':
      return account?.owner ?? SYSTEM_PROGRAM_ADDRESS;
    case 'is-signer':
      return isSignerRole(role);
    case 'is-writable':
      return isWritableRole(role);
    case 'data':
      return dataValue(account?.data ?? new Uint8Array(), demand);
    case 'is-executable':
    case 'rent-epoch':
      throw notEmulated(`an assertion about ${demand.field}`);
  }
  return await tokenValue(context, address, demand);
}

async function tokenValue(context: Context, address: Address, { field }: Demand): Promise<Demand['value']> {
  const account = context.get(address);
  if (account === undefined || !isTokenProgram(account.owner) || account.data.length < TOKEN_ACCOUNT_SIZE)
    throw new Failure('InvalidAccountData', [`Program log: ${address} is not a token account`]);
  const token = getTokenDecoder().decode(account.data);
  const { mint, owner, amount, delegatedAmount } = token;
  if (field === 'is-associated')
    return address === (await findAssociatedTokenAddress({ owner, mint, tokenProgram: account.owner }));
  return fieldOf(field, {
    mint,
    'token-owner': owner,
    amount,
    delegate: unwrapOption(token.delegate),
    state: BigInt(token.state),
    'native-reserve': unwrapOption(token.isNative),
    'delegated-amount': delegatedAmount,
    'close-authority': unwrapOption(token.closeAuthority),
  });
}

function fieldOf(field: Demand['field'], values: { readonly [field in Demand['field']]?: Demand['value'] }) {
  const value = values[field];
  if (value === undefined) throw notEmulated(`an assertion about ${field}`);
  return value;
}

function dataValue(data: Uint8Array, { at, value }: Demand): Demand['value'] {
  const { offset, bytes, isSigned } = at as NonNullable<Demand['at']>;
  if (offset + BigInt(bytes) > BigInt(data.length))
    throw new Failure('InvalidAccountData', ['Program log: The assertion is about data beyond the end']);
  const part = data.subarray(Number(offset), Number(offset) + bytes);
  if (typeof value === 'string') return getAddressDecoder().decode(part);
  const number = part.reduce((sum, byte, index) => sum | (BigInt(byte) << BigInt(8 * index)), 0n);
  if (typeof value === 'boolean') return number !== 0n;
  return isSigned ? BigInt.asIntN(8 * bytes, number) : number;
}

function clockValue(context: Context, { field }: Demand): Demand['value'] {
  const { slot, epoch, unixTimestamp } = clockOf(context);
  return fieldOf(field, { slot, epoch, 'unix-time': unixTimestamp });
}

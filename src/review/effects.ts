import { type Address, isSignerRole, isWritableRole } from '@solana/kit';
import type { LoadedInstruction } from '../solana/message.js';

/** What a debit takes: lamports, units of a token, or LP tokens of a position. */
export type DebitAsset = 'SOL' | 'token' | 'LP';

/** A maximum in native units of the asset. `all`: whatever the account then holds. `unknown`: the program decides. */
export type AmountAtMost = bigint | 'all' | 'unknown';

/** An amount that leaves an account or reaches it. */
export interface Movement {
  readonly account: Address;
  readonly asset: DebitAsset;
  /** The token's mint, if the asset is a token and its mint is known. */
  readonly mint?: Address | undefined;
  /** Native units of the asset. */
  readonly amount: AmountAtMost;
  /** The address whose signature allows it. */
  readonly authority: Address;
}

/** What an instruction may do to an account. */
export type InstructionEffect =
  | (Movement & {
      readonly kind: 'debit';
      /** The account that receives it, if the instruction names one. */
      readonly destination?: Address | undefined;
      readonly reason:
        | 'transfer'
        | 'rent'
        | 'trade'
        | 'deposit'
        | 'withdrawal'
        | 'burn'
        | 'creation'
        | 'close';
      /** If it is rent, the bytes of each account that is created. The amount is `unknown` unless the cluster's rate is known. */
      readonly accountSizes?: readonly number[] | undefined;
    })
  | (Movement & {
      /** What the exchange pays, or what unwrapping pays out: the account receives something other than what is debited. */
      readonly kind: 'credit';
      /** The least that the instruction insists on, in native units of the asset. */
      readonly minimum: bigint;
    })
  | {
      readonly kind: 'create';
      readonly account: Address;
      readonly what: 'account' | 'token-account' | 'mint' | 'metadata' | 'pool' | 'lp-position';
      readonly owner?: Address | undefined;
      /** Whether it may be there already. */
      readonly isIdempotent: boolean;
    }
  | {
      readonly kind: 'close';
      readonly account: Address;
      readonly destination: Address;
    }
  | {
      /** Somebody else may spend from the account from then on; `null`: nobody may any longer. */
      readonly kind: 'delegate';
      readonly account: Address;
      readonly delegate: Address | null;
      /** Native units of the asset. */
      readonly amount: bigint;
    }
  | {
      /** Somebody else controls the account from then on; `null`: nobody. */
      readonly kind: 'authority';
      readonly account: Address;
      readonly authority: string;
      readonly newAuthority: Address | null;
    }
  | {
      readonly kind: 'mint';
      readonly mint: Address;
      readonly account: Address;
      readonly amount: bigint;
      /** The address whose signature allows it. */
      readonly authority: Address;
    }
  | {
      readonly kind: 'freeze';
      readonly account: Address;
      readonly mint: Address;
      readonly isFrozen: boolean;
      /** The address whose signature allows it. */
      readonly authority: Address;
    }
  | {
      readonly kind: 'setting';
      readonly account: Address;
      /** Whether it switches withdrawals of liquidity off. */
      readonly disablesWithdrawals: boolean;
    }
  | {
      /** The transaction fails if there is an account at this address. */
      readonly kind: 'assert-new';
      readonly account: Address;
    }
  | {
      /** The account gets room for data. From then on it can neither pay fees nor transfer its SOL: a wallet is lost. */
      readonly kind: 'lock';
      readonly account: Address;
    }
  | {
      /** An unknown instruction. It may do anything that these accounts allow. */
      readonly kind: 'anything';
      readonly programAddress: Address;
      /** Accounts that sign, or are writable and known to belong to the owner. */
      readonly accounts: readonly Address[];
      readonly hasHiddenAccounts: boolean;
    };

type Debit = Extract<InstructionEffect, { kind: 'debit' }>;

export const debit = (
  asset: DebitAsset,
  account: Address,
  amount: AmountAtMost,
  authority: Address,
  reason: Debit['reason'],
  more: Partial<Pick<Debit, 'destination' | 'mint' | 'accountSizes'>> = {},
): Debit => ({ kind: 'debit', account, asset, amount, authority, reason, ...more });

export const creation = (
  account: Address,
  what: Extract<InstructionEffect, { kind: 'create' }>['what'],
  owner: Address | undefined,
  isIdempotent = false,
): InstructionEffect => ({ kind: 'create', account, what, owner, isIdempotent });

export const credit = (
  asset: DebitAsset,
  account: Address,
  amount: AmountAtMost,
  minimum: bigint,
  authority: Address,
  mint?: Address,
): InstructionEffect => ({
  kind: 'credit',
  account,
  asset,
  ...(mint === undefined ? {} : { mint }),
  amount,
  minimum,
  authority,
});

export type Credit = Omit<Extract<InstructionEffect, { kind: 'credit' }>, 'kind'>;

/** What an effect pays, if it says to which account. */
export function creditOf(effect: InstructionEffect): Credit | undefined {
  switch (effect.kind) {
    case 'credit':
      return effect;
    case 'mint':
      return { ...effect, asset: 'token', minimum: effect.amount };
    case 'debit': {
      const { destination, asset, mint, amount, authority } = effect;
      if (destination === undefined) return undefined;
      return { account: destination, asset, mint, amount, minimum: 0n, authority };
    }
  }
  return undefined;
}

/** What an unknown instruction may do: whatever its accounts allow. */
export function effectsOfUnknown(
  { programAddress, accounts }: LoadedInstruction,
  isOwn: (account: Address) => boolean,
): readonly InstructionEffect[] {
  const atRisk = new Set<Address>();
  for (const { address, role } of accounts) {
    const hasRights = isSignerRole(role) || isWritableRole(role);
    if (address !== undefined && hasRights && isOwn(address)) atRisk.add(address);
  }
  const hasHiddenAccounts = accounts.some(({ address }) => address === undefined);
  return atRisk.size === 0 && !hasHiddenAccounts
    ? []
    : [{ kind: 'anything', programAddress, accounts: [...atRisk], hasHiddenAccounts }];
}

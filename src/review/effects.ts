import { AccountRole, type Address, isNone, type Option } from '@solana/kit';
import { AuthorityType } from '@solana-program/token';
import { TOKEN_ACCOUNT_RENT } from '../build/wrapped-sol.js';
import { liquidityPoolStateDeclaration, userLpPositionDeclaration } from '../program/accounts.js';
import { TOKEN_2022_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../program/constants.js';
import type { LoadedInstruction } from '../solana/message.js';
import { rentExemption } from '../solana/rent.js';
import type { Step } from './step.js';

/** What a debit takes: lamports, units of a token, or LP tokens of a position. */
export type DebitAsset = 'SOL' | 'token' | 'LP';

/**
 * An amount in native units at most. `all`: whatever the account then holds. `unknown`: the transaction does not say, as the
 * program itself decides.
 */
export type AmountAtMost = bigint | 'all' | 'unknown';

/** What an instruction may do to an account. */
export type InstructionEffect =
  | {
      readonly kind: 'debit';
      readonly account: Address;
      readonly asset: DebitAsset;
      /** The token, if it is one and known. */
      readonly mint?: Address | undefined;
      readonly amount: AmountAtMost;
      /** Who allows it by signing. */
      readonly authority: Address;
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
    }
  | {
      /** What the exchange pays, or an unwrapping: the account receives something else than is debited. */
      readonly kind: 'credit';
      readonly account: Address;
      readonly asset: DebitAsset;
      readonly mint?: Address | undefined;
      readonly amount: AmountAtMost;
      /** The least that the instruction insists on. */
      readonly minimum: bigint;
      /** Whose payout it is: who signs for it. */
      readonly authority: Address;
    }
  | {
      readonly kind: 'create';
      readonly account: Address;
      readonly what: 'account' | 'token-account' | 'mint' | 'metadata' | 'pool' | 'lp-position';
      readonly owner?: Address | undefined;
      /** Whether it may be there already. */
      readonly isIdempotent: boolean;
    }
  | { readonly kind: 'close'; readonly account: Address; readonly destination: Address }
  | {
      /** Another may spend from the account from then on; `null`: nobody any more. */
      readonly kind: 'delegate';
      readonly account: Address;
      readonly delegate: Address | null;
      readonly amount: bigint;
    }
  | {
      /** Something else rules the account from then on; `null`: nobody. */
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
      /** Who allows it by signing. */
      readonly authority: Address;
    }
  | {
      readonly kind: 'freeze';
      readonly account: Address;
      readonly mint: Address;
      readonly isFrozen: boolean;
      /** Who allows it by signing. */
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
      /** It gets room for data, and can from then on neither pay fees nor transfer its SOL: a wallet is lost. */
      readonly kind: 'lock';
      readonly account: Address;
    }
  | {
      /** An instruction that is not understood: it may do anything that these accounts allow. */
      readonly kind: 'anything';
      readonly programAddress: Address;
      /** Those that sign, or are known to belong to the owner and are writable. */
      readonly accounts: readonly Address[];
      readonly hasHiddenAccounts: boolean;
    };

/**
 * The largest token account that Token-2022 makes by itself: 165 bytes, the account type, and the extensions that a mint
 * may ask for (immutable owner 4, transfer fee 12, non-transferable 4, transfer hook 5, pausable 4).
 */
const TOKEN_2022_ACCOUNT_SIZE = 195;

/** Lamports of rent for new accounts. */
const tokenAccountRent = () => rentExemption(TOKEN_2022_ACCOUNT_SIZE);
const positionRent = () => rentExemption(userLpPositionDeclaration.size);
const poolRent = () => rentExemption(liquidityPoolStateDeclaration.size);

/** What an effect pays to whom. */
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

/** What an instruction that is understood may do. */
export const effectsOf = (step: Step): readonly InstructionEffect[] => knownEffectsOf(step) ?? [];

/** The same; `undefined` for an instruction that has a name, but of which nothing is known here. */
export function knownEffectsOf(step: Step): readonly InstructionEffect[] | undefined {
  switch (step.program) {
    case 'system':
      return systemEffects(step);
    case 'token':
    case 'token-2022':
      return tokenEffects(step);
    case 'associated-token':
      return associatedTokenEffects(step);
    case 'token-metadata':
      return metadataEffects(step);
    case 'exchange':
      return exchangeEffects(step);
    case 'compute-budget':
    case 'memo':
      return [];
  }
}

/** What an instruction that is not understood may do: whatever it is given the means for. */
export function effectsOfUnknown(
  { programAddress, accounts }: LoadedInstruction,
  isOwned: (account: Address) => boolean,
  owner: Address | undefined,
): readonly InstructionEffect[] {
  const atRisk = new Set<Address>();
  for (const { address, role } of accounts) {
    if (address === undefined) continue;
    const signs = role >= AccountRole.READONLY_SIGNER && (owner === undefined || address === owner);
    const isWritable = role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER;
    if (signs || (isWritable && isOwned(address))) atRisk.add(address);
  }
  const hasHiddenAccounts = accounts.some(({ address }) => address === undefined);
  return atRisk.size === 0 && !hasHiddenAccounts
    ? []
    : [{ kind: 'anything', programAddress, accounts: [...atRisk], hasHiddenAccounts }];
}

/** For accounts that the parser has seen to be there. */
const at = (address: Address | undefined) => address as Address;

function systemEffects({ name, accounts, data }: Step): readonly InstructionEffect[] | undefined {
  const { source, destination, payer, newAccount, nonceAccount, nonceAuthority } = accounts;
  const owner = data.programAddress as Address;
  switch (name) {
    case 'TransferSol':
    case 'TransferSolWithSeed':
      return [
        {
          kind: 'debit',
          account: at(source),
          asset: 'SOL',
          amount: data.amount as bigint,
          authority: at(accounts.baseAccount ?? source),
          destination: at(destination),
          reason: 'transfer',
        },
      ];
    case 'CreateAccount':
    case 'CreateAccountWithSeed':
    case 'CreateAccountAllowPrefund':
      return [
        ...(payer === undefined
          ? []
          : [
              {
                kind: 'debit',
                account: payer,
                asset: 'SOL',
                amount: (data.lamports ?? data.amount) as bigint,
                authority: payer,
                destination: at(newAccount),
                reason: 'creation',
              } as const,
            ]),
        {
          kind: 'create',
          account: at(newAccount),
          what: 'account',
          owner,
          isIdempotent: name === 'CreateAccountAllowPrefund',
        },
        // The account's own signature allows this: it may be a wallet's, which is then given away with its SOL.
        ...(name === 'CreateAccountAllowPrefund'
          ? [
              {
                kind: 'authority',
                account: at(newAccount),
                authority: 'OwnerProgram',
                newAuthority: owner,
              } as const,
            ]
          : []),
      ];
    case 'Allocate':
    case 'AllocateWithSeed':
      return [
        { kind: 'assert-new', account: at(newAccount) },
        ...(data.space === 0n ? [] : [{ kind: 'lock', account: at(newAccount) } as const]),
        // The one with a seed assigns too.
        ...(data.programAddress === undefined
          ? []
          : [
              {
                kind: 'authority',
                account: at(newAccount),
                authority: 'OwnerProgram',
                newAuthority: owner,
              } as const,
            ]),
      ];
    case 'Assign':
    case 'AssignWithSeed':
      return [
        { kind: 'authority', account: at(accounts.account), authority: 'OwnerProgram', newAuthority: owner },
      ];
    case 'WithdrawNonceAccount':
      return [
        {
          kind: 'debit',
          account: at(nonceAccount),
          asset: 'SOL',
          amount: data.withdrawAmount as bigint,
          authority: at(nonceAuthority),
          destination: at(accounts.recipientAccount),
          reason: 'transfer',
        },
      ];
    case 'InitializeNonceAccount':
    case 'AuthorizeNonceAccount':
      return [
        {
          kind: 'authority',
          account: at(nonceAccount),
          authority: 'Nonce',
          newAuthority: (data.newNonceAuthority ?? data.nonceAuthority) as Address,
        },
      ];
    case 'AdvanceNonceAccount':
    case 'UpgradeNonceAccount':
      return [];
  }
  return undefined;
}

const optional = <T>(option: unknown): T | null => {
  const value = option as Option<T>;
  return isNone(value) ? null : value.value;
};

function tokenEffects({ name, accounts, data }: Step): readonly InstructionEffect[] | undefined {
  const { mint, authority, owner, source, destination, account } = accounts;
  const signer = at(authority ?? owner);
  const amount = data.amount as bigint;
  switch (name) {
    case 'Transfer':
    case 'TransferChecked':
      return [
        {
          kind: 'debit',
          account: at(source),
          asset: 'token',
          mint,
          amount,
          authority: signer,
          destination: at(destination),
          reason: 'transfer',
        },
      ];
    case 'Burn':
    case 'BurnChecked':
      return [
        {
          kind: 'debit',
          account: at(account),
          asset: 'token',
          mint,
          amount,
          authority: signer,
          reason: 'burn',
        },
      ];
    case 'Approve':
    case 'ApproveChecked':
      return [{ kind: 'delegate', account: at(source), delegate: at(accounts.delegate), amount }];
    case 'Revoke':
      return [{ kind: 'delegate', account: at(source), delegate: null, amount: 0n }];
    case 'SetAuthority':
      return [
        {
          kind: 'authority',
          account: at(accounts.owned),
          authority: AuthorityType[data.authorityType as AuthorityType],
          newAuthority: optional<Address>(data.newAuthority),
        },
      ];
    case 'MintTo':
    case 'MintToChecked':
      return [
        {
          kind: 'mint',
          mint: at(mint),
          account: at(accounts.token),
          amount,
          authority: at(accounts.mintAuthority),
        },
      ];
    case 'CloseAccount':
      return [
        { kind: 'close', account: at(account), destination: at(destination) },
        {
          kind: 'debit',
          account: at(account),
          asset: 'SOL',
          amount: 'all',
          authority: signer,
          destination: at(destination),
          reason: 'close',
        },
      ];
    case 'UnwrapLamports':
      return [
        {
          kind: 'debit',
          account: at(source),
          asset: 'token',
          mint: WRAPPED_SOL_MINT_ADDRESS,
          amount: optional<bigint>(data.amount) ?? 'all',
          authority: signer,
          reason: 'transfer',
        },
        {
          kind: 'credit',
          account: at(destination),
          asset: 'SOL',
          amount: optional<bigint>(data.amount) ?? 'all',
          minimum: 0n,
          authority: signer,
        },
      ];
    case 'WithdrawExcessLamports':
      return [
        {
          kind: 'debit',
          account: at(source),
          asset: 'SOL',
          amount: 'all',
          authority: signer,
          destination: at(destination),
          reason: 'transfer',
        },
      ];
    case 'FreezeAccount':
    case 'ThawAccount':
      return [
        {
          kind: 'freeze',
          account: at(account),
          mint: at(mint),
          isFrozen: name === 'FreezeAccount',
          authority: signer,
        },
      ];
    case 'InitializeAccount':
    case 'InitializeAccount2':
    case 'InitializeAccount3':
      return [
        {
          kind: 'create',
          account: at(account),
          what: 'token-account',
          owner: at(owner ?? (data.owner as Address)),
          isIdempotent: false,
        },
      ];
    case 'InitializeMint':
    case 'InitializeMint2':
      return [
        {
          kind: 'create',
          account: at(mint),
          what: 'mint',
          owner: data.mintAuthority as Address,
          isIdempotent: false,
        },
      ];
    case 'InitializeMultisig':
    case 'InitializeMultisig2':
      return [{ kind: 'create', account: at(accounts.multisig), what: 'account', isIdempotent: false }];
    case 'SyncNative':
    case 'InitializeImmutableOwner':
    case 'GetAccountDataSize':
    case 'AmountToUiAmount':
    case 'UiAmountToAmount':
      return [];
  }
  return undefined;
}

function associatedTokenEffects({ name, accounts }: Step): readonly InstructionEffect[] {
  if (name === 'RecoverNestedAssociatedToken') {
    const account = at(accounts.nestedAssociatedAccountAddress);
    const authority = at(accounts.walletAddress);
    return [
      { kind: 'close', account, destination: authority },
      {
        kind: 'debit',
        account,
        asset: 'token',
        mint: accounts.nestedTokenMintAddress,
        amount: 'all',
        authority,
        destination: accounts.destinationAssociatedAccountAddress,
        reason: 'close',
      },
    ];
  }
  const payer = at(accounts.payer);
  const account = at(accounts.ata);
  return [
    {
      kind: 'create',
      account,
      what: 'token-account',
      owner: accounts.owner,
      isIdempotent: name === 'CreateAssociatedTokenIdempotent',
    },
    {
      kind: 'debit',
      account: payer,
      asset: 'SOL',
      amount: accounts.tokenProgram === TOKEN_2022_PROGRAM_ADDRESS ? tokenAccountRent() : TOKEN_ACCOUNT_RENT,
      authority: payer,
      destination: account,
      reason: 'rent',
    },
  ];
}

function metadataEffects({ accounts }: Step): readonly InstructionEffect[] {
  const payer = at(accounts.payer);
  const authority = at(accounts.authority);
  return [
    { kind: 'create', account: at(accounts.mint), what: 'mint', owner: authority, isIdempotent: true },
    {
      kind: 'create',
      account: at(accounts.metadata),
      what: 'metadata',
      owner: accounts.updateAuthority,
      isIdempotent: false,
    },
    ...(accounts.updateAuthority === authority
      ? []
      : [
          {
            kind: 'authority',
            account: at(accounts.metadata),
            authority: 'MetadataUpdate',
            newAuthority: at(accounts.updateAuthority),
          } as const,
        ]),
    // Rent, and a fee that the metadata program sets.
    { kind: 'debit', account: payer, asset: 'SOL', amount: 'unknown', authority: payer, reason: 'creation' },
  ];
}

function exchangeEffects({ name, accounts, data }: Step): readonly InstructionEffect[] | undefined {
  const named = (account: string) => at(accounts[account]);
  const units = (field: string) => data[field] as bigint;
  const assetOf = (account: string): Pick<Credit, 'account' | 'asset' | 'mint'> => {
    const isToken = account.endsWith('Vault');
    return {
      account: named(account),
      asset: isToken ? 'token' : account.endsWith('LpPosition') ? 'LP' : 'SOL',
      ...(isToken ? { mint: named(account === 'userTokenAVault' ? 'tokenAMint' : 'tokenBMint') } : {}),
    };
  };
  const debit = (
    account: string,
    amount: AmountAtMost,
    reason: Extract<InstructionEffect, { kind: 'debit' }>['reason'],
    authority = 'user',
  ): InstructionEffect => ({
    kind: 'debit',
    ...assetOf(account),
    amount,
    authority: named(authority),
    reason,
  });
  const credit = (
    account: string,
    minimum: bigint,
    amount: AmountAtMost = 'unknown',
    authority = 'user',
  ): InstructionEffect => ({
    kind: 'credit',
    ...assetOf(account),
    amount,
    minimum,
    authority: named(authority),
  });
  const setting = (disablesWithdrawals: boolean) =>
    ({ kind: 'setting', account: named('liquidityPoolState'), disablesWithdrawals }) as const;
  const rent = (amount: AmountAtMost) => debit('payer', amount, 'rent', 'payer');
  const create = (account: string, what: 'pool' | 'lp-position', owner: string, isIdempotent: boolean) => ({
    kind: 'create' as const,
    account: named(account),
    what,
    owner: named(owner),
    isIdempotent,
  });
  switch (name) {
    case 'buy':
    case 'pro_buy':
      return [
        debit('userTokenBVault', units('maxSolSpend'), 'trade'),
        credit('userTokenAVault', units('minimumAmountOut')),
      ];
    case 'sell':
    case 'pro_sell':
      return [
        debit('userTokenAVault', units('amountIn'), 'trade'),
        credit('userTokenBVault', units('minimumAmountOut')),
      ];
    case 'add_liquidity_pro_pool':
      return [
        debit('userTokenAVault', units('maxTokenA'), 'deposit'),
        debit('userTokenBVault', units('maxTokenB'), 'deposit'),
        create('userLpPosition', 'lp-position', 'user', true),
        rent(positionRent()),
        credit('userLpPosition', units('minLpTokens')),
      ];
    case 'remove_liquidity_pro_pool':
      return [
        debit('userLpPosition', units('lpTokensToBurn'), 'withdrawal'),
        credit('userTokenAVault', units('minTokenA')),
        credit('userTokenBVault', units('minTokenB')),
      ];
    case 'transfer_lp_tokens':
      return [
        debit('senderLpPosition', units('amount'), 'transfer', 'sender'),
        credit('receiverLpPosition', units('amount'), units('amount'), 'sender'),
        create('receiverLpPosition', 'lp-position', 'receiver', true),
        rent(positionRent()),
      ];
    case 'create_standard_liquidity_pool':
      return [
        create('liquidityPoolState', 'pool', 'user', false),
        // Seeding moves the whole supply.
        debit('userTokenAVault', 'all', 'creation'),
        debit('payer', units('maxSolSpend'), 'trade', 'payer'),
        rent(poolRent() + tokenAccountRent()),
        // The fee that the protocol config sets, and accounts that only the program knows of.
        debit('payer', 'unknown', 'creation', 'payer'),
        credit('userTokenAVault', units('initialPurchaseAmount'), units('initialPurchaseAmount')),
      ];
    case 'create_pro_liquidity_pool':
      return [
        create('liquidityPoolState', 'pool', 'user', false),
        create('userLpPosition', 'lp-position', 'user', false),
        debit('userTokenAVault', units('initialTokenAAmount'), 'creation'),
        debit('payer', units('initialTokenBAmount'), 'creation', 'payer'),
        rent(poolRent() + tokenAccountRent() + positionRent()),
        debit('payer', 'unknown', 'creation', 'payer'),
        credit('userLpPosition', 0n),
        ...(data.enableWithdrawLiquidity ? [] : [setting(true)]),
      ];
    case 'update_creator_trading_fee_receiver':
    case 'update_pro_creator_trading_fee_receiver':
      return [
        {
          kind: 'authority',
          account: named('liquidityPoolState'),
          authority: 'CreatorFeeReceiver',
          newAuthority: named('newReceiver'),
        },
      ];
    // The program is given an account for the token too. Whether it ever pays into it is not known.
    case 'claim_pro_creator_trading_fees':
    case 'claim_standard_creator_trading_fees': {
      const amount = units('amount');
      return [
        credit('userTokenBVault', amount, amount === 0n ? 'unknown' : amount),
        credit('userTokenAVault', 0n),
      ];
    }
    case 'claim_pro_liquidity_provider_trading_fees':
      return [credit('userTokenBVault', 0n), credit('userTokenAVault', 0n)];
    case 'creator_toggle_pro_withdraw':
      return [setting(data.enabled !== true)];
  }
  return name.startsWith('creator_') ? [setting(false)] : undefined;
}

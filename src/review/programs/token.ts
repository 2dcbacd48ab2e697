import { isNone, type Option } from '@solana/kit';
import { AuthorityType, parseTokenInstruction, TokenInstruction } from '@solana-program/token';

import { inSol } from '../../math/units.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../../solana/programs.js';
import { debit } from '../effects.js';
import type { PlainInstruction, Step } from '../step.js';
import { addressesOf, makeStep, nameAndAccounts } from './make-step.js';

const orNull = <T>(option: Option<T>): T | null => (isNone(option) ? null : option.value);

type Parsed = ReturnType<typeof parseTokenInstruction>;
/** Instructions that move tokens or SOL. */
type Moving =
  | TokenInstruction.Transfer
  | TokenInstruction.TransferChecked
  | TokenInstruction.Burn
  | TokenInstruction.BurnChecked
  | TokenInstruction.MintTo
  | TokenInstruction.MintToChecked
  | TokenInstruction.CloseAccount
  | TokenInstruction.UnwrapLamports
  | TokenInstruction.WithdrawExcessLamports;

export function tokenStep(program: 'token' | 'token-2022', instruction: PlainInstruction): Step | undefined {
  const parsed = parseTokenInstruction(instruction);
  const name = TokenInstruction[parsed.instructionType];
  switch (parsed.instructionType) {
    case TokenInstruction.Transfer:
    case TokenInstruction.TransferChecked: {
      const { source, destination, authority } = addressesOf(parsed.accounts);
      const mint = 'mint' in parsed.accounts ? parsed.accounts.mint.address : undefined;
      const { amount } = parsed.data;
      return makeStep(program, name, parsed, {
        inWords: `Transfer ${amount} units${mint === undefined ? '' : ` of ${mint}`} from ${source} to ${destination}`,
        effects: [debit('token', source, amount, authority, 'transfer', { mint, destination })],
        recipients: ['destination'],
        amounts: ['amount'],
      });
    }
    case TokenInstruction.Burn:
    case TokenInstruction.BurnChecked: {
      const { account, mint, authority } = addressesOf(parsed.accounts);
      const { amount } = parsed.data;
      return makeStep(program, name, parsed, {
        inWords: `Burn ${amount} units of ${mint} in ${account}`,
        effects: [debit('token', account, amount, authority, 'burn', { mint })],
        amounts: ['amount'],
      });
    }
    case TokenInstruction.MintTo:
    case TokenInstruction.MintToChecked: {
      const { mint, token: account, mintAuthority: authority } = addressesOf(parsed.accounts);
      const { amount } = parsed.data;
      return makeStep(program, name, parsed, {
        inWords: `Mint ${amount} units of ${mint} to ${account}`,
        effects: [{ kind: 'mint', mint, account, amount, authority }],
        recipients: ['token'],
        amounts: ['amount'],
      });
    }
    case TokenInstruction.CloseAccount: {
      const { account, destination, owner } = addressesOf(parsed.accounts);
      return makeStep(program, name, parsed, {
        inWords: `Close ${account} and pay what is in it to ${destination}`,
        effects: [
          { kind: 'close', account, destination },
          debit('SOL', account, 'all', owner, 'close', { destination }),
        ],
        recipients: ['destination'],
      });
    }
    case TokenInstruction.UnwrapLamports: {
      const { source, destination, authority } = addressesOf(parsed.accounts);
      const lamports = orNull(parsed.data.amount);
      const amount = lamports ?? 'all';
      return makeStep(program, name, parsed, {
        inWords: `Unwrap ${lamports === null ? 'all' : inSol(lamports)} of ${source} to ${destination}`,
        effects: [
          debit('token', source, amount, authority, 'transfer', { mint: WRAPPED_SOL_MINT_ADDRESS }),
          { kind: 'credit', account: destination, asset: 'SOL', amount, minimum: 0n, authority },
        ],
        recipients: ['destination'],
        amounts: ['amount'],
      });
    }
    case TokenInstruction.WithdrawExcessLamports: {
      const { source, destination, authority } = addressesOf(parsed.accounts);
      return makeStep(program, name, parsed, {
        inWords: `Move the SOL beyond the rent from ${source} to ${destination}`,
        effects: [debit('SOL', source, 'all', authority, 'transfer', { destination })],
        recipients: ['destination'],
      });
    }
    default:
      return stillStep(program, name, parsed);
  }
}

/** The step of an instruction that leaves all balances alone. */
function stillStep(
  program: 'token' | 'token-2022',
  name: string,
  parsed: Exclude<Parsed, { readonly instructionType: Moving }>,
): Step | undefined {
  switch (parsed.instructionType) {
    case TokenInstruction.Approve:
    case TokenInstruction.ApproveChecked: {
      const { source: account, delegate } = addressesOf(parsed.accounts);
      const { amount } = parsed.data;
      const ofMint = 'mint' in parsed.accounts ? ` of ${parsed.accounts.mint.address}` : '';
      return makeStep(program, name, parsed, {
        inWords: `Let ${delegate} take up to ${amount} units${ofMint} from ${account}`,
        effects: [{ kind: 'delegate', account, delegate, amount }],
        amounts: ['amount'],
      });
    }
    case TokenInstruction.Revoke: {
      const { source: account } = addressesOf(parsed.accounts);
      return makeStep(program, name, parsed, {
        inWords: `Take back what others may take from ${account}`,
        effects: [{ kind: 'delegate', account, delegate: null, amount: 0n }],
      });
    }
    case TokenInstruction.SetAuthority: {
      const { owned: account } = addressesOf(parsed.accounts);
      const authority = AuthorityType[parsed.data.authorityType];
      const newAuthority = orNull(parsed.data.newAuthority);
      return makeStep(program, name, parsed, {
        inWords:
          newAuthority === null
            ? `Give up the ${authority} authority of ${account}`
            : `Give the ${authority} authority of ${account} to ${newAuthority}`,
        effects: [{ kind: 'authority', account, authority, newAuthority }],
      });
    }
    case TokenInstruction.FreezeAccount:
    case TokenInstruction.ThawAccount: {
      const { account, mint, owner: authority } = addressesOf(parsed.accounts);
      const isFrozen = parsed.instructionType === TokenInstruction.FreezeAccount;
      return makeStep(program, name, parsed, {
        inWords: `${isFrozen ? 'Freeze' : 'Thaw'} ${account}`,
        effects: [{ kind: 'freeze', account, mint, isFrozen, authority }],
      });
    }
    case TokenInstruction.InitializeAccount:
    case TokenInstruction.InitializeAccount2:
    case TokenInstruction.InitializeAccount3: {
      const { account, mint } = addressesOf(parsed.accounts);
      const owner =
        parsed.instructionType === TokenInstruction.InitializeAccount
          ? parsed.accounts.owner.address
          : parsed.data.owner;
      return makeStep(program, name, parsed, {
        inWords: `Make ${account} a token account of ${owner} for ${mint}`,
        effects: [{ kind: 'create', account, what: 'token-account', owner, isIdempotent: false }],
      });
    }
    case TokenInstruction.InitializeMint:
    case TokenInstruction.InitializeMint2: {
      const account = parsed.accounts.mint.address;
      const owner = parsed.data.mintAuthority;
      return makeStep(program, name, parsed, {
        inWords: nameAndAccounts(name, parsed.accounts),
        effects: [{ kind: 'create', account, what: 'mint', owner, isIdempotent: false }],
      });
    }
    case TokenInstruction.InitializeMultisig:
    case TokenInstruction.InitializeMultisig2: {
      const account = parsed.accounts.multisig.address;
      return makeStep(program, name, parsed, {
        inWords: nameAndAccounts(name, parsed.accounts),
        effects: [{ kind: 'create', account, what: 'account', isIdempotent: false }],
      });
    }
    case TokenInstruction.SyncNative:
      return makeStep(program, name, parsed, {
        inWords: `Count the SOL in ${parsed.accounts.account.address} as wrapped`,
      });
    case TokenInstruction.InitializeImmutableOwner:
    case TokenInstruction.GetAccountDataSize:
    case TokenInstruction.AmountToUiAmount:
    case TokenInstruction.UiAmountToAmount:
      return makeStep(program, name, parsed, { inWords: nameAndAccounts(name, parsed.accounts) });
    case TokenInstruction.Batch:
      // It contains further instructions, which nothing here reads.
      return undefined;
  }
}

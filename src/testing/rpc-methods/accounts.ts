import type { Address } from '@solana/kit';

import {
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../program/constants.js';
import { MAX_ACCOUNTS_PER_CALL } from '../../solana/limits.js';
import { accountEncodingOf, encodedAccount, tokenAccountOf, tokenAmountOf } from './account-encoding.js';
import { inContext, type LedgerReads, type RpcMethods } from './ledger-reads.js';
import { addressOf, configOf, listOf } from './params.js';
import { programAccounts } from './program-accounts.js';
import { invalidParams } from './refusal.js';

const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];

/** The methods that read accounts. */
export function accountMethods(ledger: LedgerReads): RpcMethods {
  const { slot, getAccount, listAccounts } = ledger;
  const answer = (value: unknown) => inContext(slot(), value);
  const shown = (address: Address, config: unknown) => {
    const encoding = accountEncodingOf(config);
    const account = getAccount(address);
    return account === undefined ? null : encodedAccount(account, encoding, getAccount);
  };

  return {
    getAccountInfo: ([address, config]) => answer(shown(addressOf(address), config)),
    getBalance: ([address]) => answer(getAccount(addressOf(address))?.lamports ?? 0n),
    getMultipleAccounts: ([addresses, config]) => {
      // Here a node writes base64 unless it is told otherwise.
      const encoded = { encoding: 'base64', ...configOf(config) };
      const asked = listOf(addresses, MAX_ACCOUNTS_PER_CALL, (address) => addressOf(address));
      return answer(asked.map((address) => shown(address, encoded)));
    },
    getProgramAccounts: (params) => programAccounts(ledger, params),
    getTokenAccountBalance: ([address]) => {
      const account = getAccount(addressOf(address));
      if (account === undefined) throw invalidParams('Invalid param: could not find account');
      const token = tokenAccountOf(account);
      if (token === undefined) throw invalidParams('Invalid param: not a Token account');
      return answer(tokenAmountOf(token, getAccount));
    },
    getTokenAccountsByOwner: ([address, filter, config]) => {
      const owner = addressOf(address);
      const { mint, programId } = configOf(filter);
      if ((mint === undefined) === (programId === undefined))
        throw invalidParams('Invalid params: the filter must have either mint or programId.');
      const wantedMint = mint === undefined ? undefined : addressOf(mint, 'mint');
      const wantedProgram = programId === undefined ? undefined : addressOf(programId, 'programId');
      // The ledger has no account of wrapped SOL's mint.
      const isKnown =
        wantedMint === undefined || wantedMint === WRAPPED_SOL_MINT_ADDRESS || getAccount(wantedMint);
      if (!isKnown) throw invalidParams('Invalid param: could not find mint');
      if (wantedProgram !== undefined && !TOKEN_PROGRAMS.includes(wantedProgram))
        throw invalidParams('Invalid param: unrecognized Token program id');
      const encoding = accountEncodingOf(config);
      const found: unknown[] = [];
      for (const [pubkey, account] of listAccounts()) {
        const token = tokenAccountOf(account);
        if (token?.owner !== owner) continue;
        if (wantedMint !== undefined ? token.mint !== wantedMint : account.owner !== wantedProgram) continue;
        found.push({ pubkey, account: encodedAccount(account, encoding, getAccount) });
      }
      return answer(found);
    },
  };
}

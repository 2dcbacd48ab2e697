import type { Address } from '@solana/kit';

import { HeavenError } from '../errors.js';
import type { UiAmount } from '../math/units.js';
import { FEED } from '../pool/layout.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  encodeLiquidityPoolState,
  encodeProtocolConfig,
  encodeUserLpPosition,
  type LiquidityPoolState,
  type ProtocolConfig,
  type UserLpPosition,
} from '../program/accounts.js';
import { findLpPositionAddress } from '../program/addresses.js';
import { CHAINLINK_STORE_PROGRAM_ADDRESS, SOL_USD_FEED_ADDRESS } from '../program/constants.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import { encodeMint, encodePriceFeed, encodeTokenAccount, type MintFields } from './encode.js';
import type { LedgerAccount, LedgerState } from './ledger-state.js';
import { createSamplePool, type SamplePool, type SamplePoolFields } from './samples.js';

/** What a test can set on a ledger. */
export interface LedgerEdits {
  /** Writes an account, or removes it. */
  setAccount(address: Address, account: LedgerAccount | undefined): void;
  /** Gives a wallet SOL, in lamports. */
  setBalance(wallet: Address, lamports: bigint): void;
  /** Moves to a slot. The time and the epoch follow. */
  setSlot(slot: bigint): void;
  /** Sets the rent of new accounts, in lamports per byte. Existing ones keep what they hold. */
  setRent(lamportsPerByte: bigint): void;
  /** Sets the SOL/USD price. */
  setSolPrice(usdPerSol: UiAmount): void;
  /** Changes fields of a pool. */
  updatePool(pool: Address, change: (state: LiquidityPoolState) => Partial<LiquidityPoolState>): void;
  /** Sets a pool's reserves, token A in its native units, token B in lamports. */
  setReserves(pool: Address, reserves: { readonly tokenA?: bigint; readonly tokenB?: bigint }): void;
  /** Changes fields of a protocol config. */
  updateConfig(config: Address, change: (config: ProtocolConfig) => Partial<ProtocolConfig>): void;
  /** Rewrites a mint. */
  setMint(mint: Address, tokenProgram: Address, fields: MintFields): void;
  /** Writes a token account. */
  setTokenAccount(
    address: Address,
    tokenProgram: Address,
    fields: {
      readonly mint: Address;
      readonly owner: Address;
      readonly amount: bigint;
      readonly isFrozen?: boolean;
    },
  ): void;
  /** Writes a user's LP position in a pro pool. */
  setLpPosition(position: Omit<UserLpPosition, 'bump'>): Promise<void>;
  /** Adds another pool to the sample pools. */
  addPool(fields: SamplePoolFields): Promise<SamplePool>;
}

export function ledgerEdits(
  { slot, unixTimestamp, setSlot, setRent, getAccount, write }: LedgerState,
  programAddress: Address,
): LedgerEdits {
  const update = (address: Address, change: (data: Uint8Array) => Uint8Array) => {
    const account = getAccount(address);
    if (account !== undefined) return write(address, { ...account, data: change(account.data) });
    throw new HeavenError('account-not-found', `The embedded ledger has no account ${address}.`, {
      account: 'any',
      address,
    });
  };
  const updatePool: LedgerEdits['updatePool'] = (address, change) =>
    update(address, (data) => {
      const state = decodeLiquidityPoolState(data, address);
      return encodeLiquidityPoolState({ ...state, ...change(state) });
    });
  const setMint: LedgerEdits['setMint'] = (mint, owner, fields) =>
    write(mint, { owner, data: encodeMint(fields) });
  const setTokenAccount: LedgerEdits['setTokenAccount'] = (address, owner, fields) =>
    write(address, { owner, data: encodeTokenAccount(fields) });

  return {
    setAccount: write,
    setBalance: (wallet, lamports) =>
      write(wallet, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array(), lamports }),
    setSlot,
    setRent,
    setSolPrice: (price) => {
      const data = encodePriceFeed({ price, slot: slot(), timestamp: unixTimestamp() - 2n });
      const feed = getAccount(SOL_USD_FEED_ADDRESS);
      // In a feed from a cluster, change only the price: programs also read the rest.
      const isAlike =
        feed?.data.length === data.length &&
        [FEED.decimals, FEED.liveLength].every((at) => feed.data[at] === data[at]);
      const next = isAlike
        ? {
            ...feed,
            data: Uint8Array.from([...feed.data.subarray(0, FEED.ring), ...data.subarray(FEED.ring)]),
          }
        : { owner: CHAINLINK_STORE_PROGRAM_ADDRESS, data };
      write(SOL_USD_FEED_ADDRESS, next);
    },
    updatePool,
    setReserves: (pool, reserves) =>
      updatePool(pool, ({ reserve }) => ({ reserve: { ...reserve, ...reserves } })),
    updateConfig: (address, change) =>
      update(address, (data) => {
        const config = decodeProtocolConfig(data, address);
        return encodeProtocolConfig({ ...config, ...change(config) });
      }),
    setMint,
    setTokenAccount,
    setLpPosition: async (position) => {
      const { pool, user } = position;
      write(await findLpPositionAddress({ pool, user }, { programAddress }), {
        owner: programAddress,
        data: encodeUserLpPosition({ bump: 255, ...position }),
      });
    },
    addPool: async (fields) => {
      const { pool, state, token } = await createSamplePool(fields, programAddress);
      write(pool.pool, { owner: programAddress, data: encodeLiquidityPoolState(state) });
      setMint(pool.mint, pool.tokenProgram, token);
      setTokenAccount(pool.tokenAVault, pool.tokenProgram, {
        mint: pool.mint,
        owner: pool.protocolConfig,
        amount: state.reserve.tokenA,
      });
      return pool;
    },
  };
}

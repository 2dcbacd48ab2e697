import { type Address, getProgramDerivedAddress } from '@solana/kit';
import { assertNames } from '../base/input.js';
import { assertAddress, bytesOfAddress } from './addresses.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from './programs.js';
import { createRecent } from './recent.js';
import { assertWebCrypto } from './web-crypto.js';

const derived = /* @__PURE__ */ createRecent<Promise<Address>>(16_384);

/** Derives an address from checked ones, cached (bounded): it takes some 500 microseconds. A number among the seeds is a big-endian u16. */
export function deriveAddress(
  programAddress: Address,
  seeds: readonly (string | number)[],
  addresses: readonly Address[] = [],
): Promise<Address> {
  const key = [programAddress, ...seeds, ...addresses].join();
  let found = derived.get(key);
  if (found === undefined) {
    found = getProgramDerivedAddress({
      programAddress,
      seeds: [
        ...seeds.map((seed) => (typeof seed === 'string' ? seed : Uint8Array.of(seed >> 8, seed & 0xff))),
        ...addresses.map(bytesOfAddress),
      ],
    }).then(
      ([address]) => address,
      (cause: unknown) => {
        derived.forget(key);
        assertWebCrypto(cause);
        throw cause;
      },
    );
    derived.set(key, found);
  }
  return found;
}

/** The seeds of an associated token account, in order. */
export const ASSOCIATED_TOKEN_SEEDS = ['owner', 'tokenProgram', 'mint'] as const;

/**
 * The associated token account of an owner. A pool's vaults are those of its protocol config ([level M](/protocol)): token B's is
 * one vault for all pools of a config version.
 * @throws {HeavenError} `invalid-address`
 * @example
 * ```ts
 * const account = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS });
 * ```
 */
export async function findAssociatedTokenAddress(seeds: {
  readonly owner: Address;
  readonly mint: Address;
  /** Default: the classic Token program. */
  readonly tokenProgram?: Address;
}): Promise<Address> {
  assertNames(seeds, 'seeds', { owner: 1, mint: 1, tokenProgram: 1 });
  const { owner, mint } = seeds;
  const tokenProgram = seeds.tokenProgram ?? TOKEN_PROGRAM_ADDRESS;
  assertAddress(owner, 'owner');
  assertAddress(mint, 'mint');
  assertAddress(tokenProgram, 'tokenProgram');
  return await deriveAssociatedTokenAddress({ owner, mint, tokenProgram });
}

/** {@link findAssociatedTokenAddress} of checked seeds. */
export const deriveAssociatedTokenAddress = (
  seeds: Readonly<Record<(typeof ASSOCIATED_TOKEN_SEEDS)[number], Address>>,
): Promise<Address> =>
  deriveAddress(
    ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
    [],
    ASSOCIATED_TOKEN_SEEDS.map((name) => seeds[name]),
  );

/** The associated account of a checked owner for wrapped SOL. */
export const deriveWrappedSolAddress = (owner: Address): Promise<Address> =>
  deriveAssociatedTokenAddress({
    owner,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
    mint: WRAPPED_SOL_MINT_ADDRESS,
  });

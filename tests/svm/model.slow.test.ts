import {
  type AccountMeta,
  AccountRole,
  type Address,
  createAddressWithSeed,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
} from '@solana/kit';
import * as budget from '@solana-program/compute-budget';
import * as system from '@solana-program/system';
import * as token from '@solana-program/token';
import { expect, test } from 'vitest';

import {
  TOKEN_PROGRAM_ADDRESS as CLASSIC,
  findAssociatedTokenAddress,
  TOKEN_2022_PROGRAM_ADDRESS as NEWER,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import {
  createEmptyLedger,
  createSvmEngine,
  encodeMint,
  encodeTokenAccount,
  type Ledger,
  type LedgerAccount,
  type MintFields,
} from '../../src/testing/index.js';
import { unsignedTransaction } from '../../src/testing/wire.js';
import { addressNamed, MEMO_PROGRAM_ADDRESS, OTHER_PROGRAM_ADDRESS } from '../support/addresses.js';
import { U64_MAX } from '../support/amounts.js';
import { fc } from '../support/properties.js';

// Random transactions on the model and in LiteSVM, from the same accounts. `MODEL_RUNS=20000` runs longer, `FAST_CHECK_SEED=2`
// takes others.
const RUNS = Number(process.env.MODEL_RUNS ?? 2_000);

interface Case {
  readonly instruction: Instruction | undefined;
  readonly model: unknown;
  readonly program: unknown;
}

/** What stays different. An entry that no longer happens fails, too. */
const DIFFERENCES: readonly { readonly why: string; readonly is: (found: Case) => boolean }[] = [
  {
    why: 'The model counts flat compute units, so a low limit stops it elsewhere',
    is: ({ model, program }) =>
      [model, program].some((err) => JSON.stringify(err)?.includes('ComputationalBudgetExceeded')),
  },
  {
    why: 'Instructions that no builder uses are not emulated, and the log says so',
    is: ({ model }) => JSON.stringify(model)?.includes('UnsupportedProgramId') ?? false,
  },
];

const engine = await createSvmEngine({ programs: {} });

// Accounts, the same for each transaction. An account's name is its address.
const accounts = new Map<Address, LedgerAccount>();
function place(name: string, account: LedgerAccount): Address {
  const address = addressNamed(name);
  accounts.set(address, account);
  return address;
}
const SYSTEM = system.SYSTEM_PROGRAM_ADDRESS;
const inWallet = (name: string, lamports: bigint) =>
  place(name, { owner: SYSTEM, data: new Uint8Array(), lamports });
const payer = inWallet('payer', 100_000_000_000n);
const alice = inWallet('alice', 5_000_000_000n);
const wallets = [payer, alice, inWallet('bob', 650_240n), inWallet('poor', 10_000n)];
const nowhere = ['nothing', 'nothing else'].map(addressNamed);
const odd = [
  place('a wallet with data', { owner: SYSTEM, data: new Uint8Array(8), lamports: 5_000_000n }),
  place('foreign', { owner: OTHER_PROGRAM_ADDRESS, data: new Uint8Array(), lamports: 5_000_000n }),
];

const mintNamed = (name: string, owner: Address, fields: Partial<MintFields>) =>
  place(name, { owner, data: encodeMint({ decimals: 6, supply: 1_000_000n, ...fields }) });
const authorities = { mintAuthority: alice, freezeAuthority: alice };
const fee = { epoch: 0n, basisPoints: 100, maximum: 5_000n };
const transferFee = { older: fee, newer: fee };
const MINTS = {
  classic: [mintNamed('classic', CLASSIC, authorities), CLASSIC],
  fixed: [mintNamed('fixed', CLASSIC, {}), CLASSIC],
  newer: [mintNamed('newer', NEWER, authorities), NEWER],
  withFee: [mintNamed('withFee', NEWER, { ...authorities, transferFee }), NEWER],
  wrappedSol: [WRAPPED_SOL_MINT_ADDRESS, CLASSIC],
} as const;
type MintName = keyof typeof MINTS;
const mintNames = Object.keys(MINTS) as MintName[];
const tokenPrograms = [CLASSIC, NEWER];

/** Token accounts by mint: with much, with nothing and a little, the last at its associated address, and one that is odd. */
const TOKENS = Object.fromEntries(mintNames.map((name) => [name, [] as Address[]])) as Record<
  MintName,
  Address[]
>;
for (const name of mintNames) {
  const [mint, tokenProgram] = MINTS[name];
  const isNative = name === 'wrappedSol';
  const add = (
    address: Address,
    fields: { owner: Address; amount: bigint; isFrozen?: boolean },
    reserve = 1_488_440n,
  ) => {
    const nativeReserve = isNative ? { nativeReserve: reserve } : {};
    const plain = encodeTokenAccount({ mint, ...fields, ...nativeReserve });
    const data = name === 'withFee' ? Uint8Array.of(...plain, 2, 2, 0, 8, 0, ...new Uint8Array(8)) : plain;
    accounts.set(address, {
      owner: tokenProgram,
      data,
      ...(isNative ? { lamports: reserve + fields.amount } : {}),
    });
    TOKENS[name].push(address);
  };
  for (const [index, amount] of [1_000_000n, 0n, 7n].entries()) {
    const owner = wallets[index] as Address;
    const associated = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
    add(index === 2 ? associated : addressNamed(`${name} ${index}`), { owner, amount });
  }
  // Frozen; or, of wrapped SOL, from a time with another rent.
  const isFrozen = isNative ? {} : { isFrozen: true };
  add(addressNamed(`${name} odd`), { owner: alice, amount: 5n, ...isFrozen }, 2_039_280n);
}
const forged = encodeTokenAccount({ mint: MINTS.classic[0], owner: alice, amount: 100n });
odd.push(place('forged', { owner: OTHER_PROGRAM_ADDRESS, data: forged }));
const blank = tokenPrograms.flatMap((owner) =>
  [82, 164, 165, 170, 178, 182].map((size) =>
    place(`${owner} ${size}`, { owner, data: new Uint8Array(size) }),
  ),
);
blank.push(place('poor and blank', { owner: CLASSIC, data: new Uint8Array(165), lamports: 1_000_000n }));
const SEED = 'seed';
const seeded = await createAddressWithSeed({ baseAddress: alice, seed: SEED, programAddress: CLASSIC });
const everywhere = [
  ...wallets,
  ...nowhere,
  ...odd,
  ...mintNames.map((name) => MINTS[name][0]),
  ...Object.values(TOKENS).flat(),
  ...blank,
  seeded,
];

type Random = fc.GeneratorValue;
const oneOf = <T>(g: Random, list: readonly T[]): T => list[g(fc.nat, { max: list.length - 1 })] as T;
/** Mostly one of the first, now and then one of the others. */
const pick = <T>(g: Random, right: readonly T[], wrong: readonly T[]): T =>
  oneOf(g, g(fc.nat, { max: 11 }) === 0 ? wrong : right);
const at = (g: Random, ...right: readonly Address[]) => pick(g, right, everywhere);
const signer = (g: Random, ...right: readonly Address[]) => createNoopSigner(at(g, ...right));
const AMOUNTS = [0n, 1n, 7n, 100n, 650_240n, 1_000_000n, 1_488_440n, 5_000_000n, 4_000_000_000n, U64_MAX];
const SPACES = [0n, 8n, 82n, 165n, 170n, 10_485_760n, 10_485_761n, U64_MAX];
const rents = (g: Random) => pick(g, [1_488_440n, 5_000_000n], AMOUNTS);
const few = (g: Random) => pick(g, [0n, 1n, 5n, 7n, 1_000n], AMOUNTS);

/** A mint, its program, now and then the other one, and its token accounts. */
function tokenIn(g: Random, names: readonly MintName[] = mintNames) {
  const name = pick(g, names, mintNames);
  const [mint, tokenProgram] = MINTS[name];
  const list = TOKENS[name];
  const config = { programAddress: pick(g, [tokenProgram], tokenPrograms) };
  return { name, mint: at(g, mint), tokenProgram, config, from: at(g, ...list), to: at(g, ...list) };
}

const KINDS: readonly ((g: Random) => Instruction | Promise<Instruction>)[] = [
  (g) =>
    system.getTransferSolInstruction({
      source: signer(g, ...wallets),
      destination: oneOf(g, everywhere),
      amount: oneOf(g, AMOUNTS),
    }),
  (g) =>
    system.getCreateAccountInstruction({
      payer: signer(g, ...wallets),
      newAccount: signer(g, ...nowhere),
      lamports: rents(g),
      space: pick(g, [0n, 165n, 170n], SPACES),
      programAddress: oneOf(g, [SYSTEM, ...tokenPrograms]),
    }),
  (g) =>
    system.getCreateAccountWithSeedInstruction({
      payer: signer(g, ...wallets),
      newAccount: at(g, seeded),
      baseAccount: signer(g, alice),
      base: at(g, alice),
      seed: SEED,
      amount: rents(g),
      space: pick(g, [165n], SPACES),
      programAddress: pick(g, [CLASSIC], [SYSTEM, NEWER]),
    }),
  (g) =>
    system.getAllocateInstruction({
      newAccount: signer(g, ...wallets, ...nowhere),
      space: pick(g, [0n, 8n], SPACES),
    }),
  (g) => system.getAssignInstruction({ account: signer(g, alice), programAddress: CLASSIC }),
  (g) => {
    const { from: source, to: destination, config } = tokenIn(g);
    return token.getTransferInstruction(
      { source, destination, authority: signer(g, ...wallets), amount: few(g) },
      config,
    );
  },
  (g) => {
    const { name, mint, from: source, to: destination, config } = tokenIn(g);
    const decimals = pick(g, [name === 'wrappedSol' ? 9 : 6], [0, 6, 9]);
    return token.getTransferCheckedInstruction(
      { source, mint, destination, authority: signer(g, ...wallets), amount: few(g), decimals },
      config,
    );
  },
  (g) => {
    const { mint, config } = tokenIn(g);
    const account = at(g, ...blank, seeded, ...nowhere);
    return token.getInitializeAccount3Instruction({ account, mint, owner: at(g, ...wallets) }, config);
  },
  (g) => {
    const { from: account, config } = tokenIn(g);
    const destination = oneOf(g, everywhere);
    return token.getCloseAccountInstruction({ account, destination, owner: signer(g, ...wallets) }, config);
  },
  (g) => token.getSyncNativeInstruction({ account: at(g, ...TOKENS.wrappedSol) }),
  (g) => {
    const { mint, to, config } = tokenIn(g, ['classic', 'newer', 'withFee', 'fixed']);
    return token.getMintToInstruction(
      { mint, token: to, mintAuthority: signer(g, alice), amount: few(g) },
      config,
    );
  },
  (g) => {
    const { mint: owned, config } = tokenIn(g, ['classic', 'newer', 'fixed']);
    const authorityType = oneOf(g, [token.AuthorityType.MintTokens, token.AuthorityType.FreezeAccount]);
    const newAuthority = oneOf(g, [null, payer]);
    return token.getSetAuthorityInstruction(
      { owned, owner: signer(g, alice), authorityType, newAuthority },
      config,
    );
  },
  async (g) => {
    const { mint, tokenProgram, config } = tokenIn(g);
    const owner = at(g, ...wallets);
    const associated = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
    return token.getCreateAssociatedTokenIdempotentInstruction({
      payer: signer(g, ...wallets),
      ata: at(g, associated),
      owner,
      mint,
      tokenProgram: config.programAddress,
    });
  },
  (g) => budget.getSetComputeUnitLimitInstruction({ units: pick(g, [1_400_000], [100]) }),
  (g) => budget.getSetComputeUnitPriceInstruction({ microLamports: oneOf(g, [0n, 1n, 1_000n, 5_000_000n]) }),
  (g) => ({
    programAddress: MEMO_PROGRAM_ADDRESS,
    accounts: [{ address: at(g, ...wallets), role: AccountRole.READONLY_SIGNER }],
    data: Uint8Array.of(pick(g, [65, 66, 34], [255])),
  }),
  () => ({ programAddress: OTHER_PROGRAM_ADDRESS, accounts: [], data: Uint8Array.of(1) }),
];

/** The instruction; or with a lower role, without an account, or with accounts out of order. */
function damaged(g: Random, instruction: Instruction): Instruction {
  const list = (instruction.accounts ?? []).map(({ address, role }): AccountMeta => ({ address, role }));
  if (list.length === 0) return instruction;
  const index = g(fc.nat, { max: list.length - 1 });
  const meta = list[index] as AccountMeta;
  const damage = g(fc.nat, { max: 39 });
  if (damage < 4) list[index] = { ...meta, role: meta.role & ~AccountRole.WRITABLE };
  else if (damage < 8) list[index] = { ...meta, role: meta.role & ~AccountRole.READONLY_SIGNER };
  else if (damage === 8) list.splice(index, 1);
  else if (damage === 9) list.push(...list.splice(index, 1));
  return { ...instruction, accounts: list };
}

async function transactionIn(g: Random) {
  const instructions: Instruction[] = [];
  for (let more = g(fc.integer, { min: 1, max: 3 }); more > 0; more -= 1)
    instructions.push(damaged(g, await oneOf(g, KINDS)(g)));
  const feePayer = pick(g, [payer], wallets);
  const tx = getBase64EncodedWireTransaction(unsignedTransaction(0, feePayer, SYSTEM, instructions));
  return { instructions, feePayer, tx };
}

const stateOf = (ledger: Ledger) =>
  [...ledger.listAccounts()]
    .map(
      ([address, { owner, lamports, data }]) =>
        `${address} ${owner} ${lamports} ${Buffer.from(data).toString('hex')}`,
    )
    .sort();

/** Runs a transaction on both. Whether they agree. */
async function agree(ledgers: readonly [Ledger, Ledger], g: Random, listed: (found: Case) => boolean) {
  const { instructions, feePayer, tx } = await transactionIn(g);
  const model = await ledgers[0].execute(tx);
  const program = await ledgers[1].execute(tx);
  const [, index] = /"InstructionError":\[(\d+)/.exec(JSON.stringify(program.err)) ?? [];
  const found = { instruction: instructions[Number(index ?? 0)], model: model.err, program: program.err };
  if (listed(found)) return false;
  expect(model.err, JSON.stringify(instructions, shown)).toEqual(program.err);
  expect(model.fee).toBe(program.fee);
  // A failure costs the fee, or not even that.
  const left = ({ accounts }: typeof model) => accounts.get(feePayer)?.lamports;
  if (program.err !== null) expect(left(model)).toBe(left(program));
  expect(stateOf(ledgers[0]), JSON.stringify(instructions, shown)).toEqual(stateOf(ledgers[1]));
  return true;
}
const shown = (_: string, value: unknown) =>
  typeof value === 'bigint'
    ? String(value)
    : ArrayBuffer.isView(value)
      ? Buffer.from(value as Uint8Array).toString('hex')
      : value;

test('the model does what the programs do', async () => {
  const happened = new Map(DIFFERENCES.map(({ why }) => [why, 0]));
  const listed = (found: Case) => {
    if (JSON.stringify(found.model) === JSON.stringify(found.program)) return false;
    const known = DIFFERENCES.find(({ is }) => is(found));
    if (known !== undefined) happened.set(known.why, (happened.get(known.why) ?? 0) + 1);
    return known !== undefined;
  };
  let successes = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const ledgers = [createEmptyLedger(), createEmptyLedger({ engine })] as const;
      for (const ledger of ledgers)
        for (const [address, account] of accounts) ledger.setAccount(address, account);
      for (let more = g(fc.integer, { min: 1, max: 3 }); more > 0; more -= 1)
        if (await agree(ledgers, g, listed)) successes += 1;
        else break;
    }),
    { numRuns: RUNS },
  );
  expect([...happened].filter(([, times]) => times === 0)).toEqual([]);
  expect(successes).toBeGreaterThan(RUNS);
});

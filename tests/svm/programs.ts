import { programOf } from './elf.js';

/**
 * A program that does nothing, and succeeds. It stands in for a program whose code is not at hand, so that the instructions around
 * a call to it can run for real.
 */
export const noopProgram = (): Uint8Array =>
  programOf(`
  b700000000000000                 ; r0 = 0
  9500000000000000                 ; exit`);

/**
 * A program that owns vaults and signs for them, as a multisig or a smart wallet does once its members agree; this one asks nobody. It
 * calls another program with the vault's signature.
 *
 * Its accounts: the vault (of the seeds "vault" and a bump), the program to call, and that call's accounts. Its data: the bump, and that
 * call's data. llvm-mc assembles it with `-triple=bpfel`.
 */
export const vaultProgram = (): Uint8Array =>
  programOf(
    `
  bf16000000000000                 ; r6 = r1                         ; Input: how many accounts, then each of them.
  7968000000000000                 ; r8 = *(u64 *)(r6 + 0)
  0706000008000000                 ; r6 += 8
  b702000001000000                 ; r2 = 1                          ; The first is the vault, which signs from here on.
  7326010000000000                 ; *(u8 *)(r6 + 1) = r2
  18070000000000000000000003000000 ; r7 = 12884901888 ll             ; The heap: 16 bytes per account of the inner call,
  bf79000000000000                 ; r9 = r7                         ; and behind them 56 bytes per account that is there.
  0709000000100000                 ; r9 += 4096
  ; account:
  15082a0000000000                 ; if r8 == 0 goto invoke
  07080000ffffffff                 ; r8 += -1
  7162000000000000                 ; r2 = *(u8 *)(r6 + 0)
  15020900ff000000                 ; if r2 == 255 goto first
  6702000004000000                 ; r2 <<= 4                        ; An account that came before: the same once more.
  18030000000000000000000003000000 ; r3 = 12884901888 ll
  0f32000000000000                 ; r2 += r3
  7924000000000000                 ; r4 = *(u64 *)(r2 + 0)
  7b47000000000000                 ; *(u64 *)(r7 + 0) = r4
  7924080000000000                 ; r4 = *(u64 *)(r2 + 8)
  7b47080000000000                 ; *(u64 *)(r7 + 8) = r4
  05001b0000000000                 ; goto next
  ; first:
  bf64000000000000                 ; r4 = r6
  0704000008000000                 ; r4 += 8                         ; Its address.
  7b47000000000000                 ; *(u64 *)(r7 + 0) = r4
  7b49000000000000                 ; *(u64 *)(r9 + 0) = r4
  0704000020000000                 ; r4 += 32                        ; Its owner.
  7b49200000000000                 ; *(u64 *)(r9 + 32) = r4
  0704000020000000                 ; r4 += 32                        ; Its lamports.
  7b49080000000000                 ; *(u64 *)(r9 + 8) = r4
  7945080000000000                 ; r5 = *(u64 *)(r4 + 8)           ; The length of its data, and the data.
  7b59100000000000                 ; *(u64 *)(r9 + 16) = r5
  0704000010000000                 ; r4 += 16
  7b49180000000000                 ; *(u64 *)(r9 + 24) = r4
  7162010000000000                 ; r2 = *(u8 *)(r6 + 1)            ; Signer.
  7327090000000000                 ; *(u8 *)(r7 + 9) = r2
  7329300000000000                 ; *(u8 *)(r9 + 48) = r2
  7162020000000000                 ; r2 = *(u8 *)(r6 + 2)            ; Writable.
  7327080000000000                 ; *(u8 *)(r7 + 8) = r2
  7329310000000000                 ; *(u8 *)(r9 + 49) = r2
  7162030000000000                 ; r2 = *(u8 *)(r6 + 3)            ; Executable.
  7329320000000000                 ; *(u8 *)(r9 + 50) = r2
  bf46000000000000                 ; r6 = r4                         ; Behind its data are 10240 spare bytes, and then its rent epoch.
  0f56000000000000                 ; r6 += r5
  0706000007280000                 ; r6 += 10247
  57060000f8ffffff                 ; r6 &= -8
  7962000000000000                 ; r2 = *(u64 *)(r6 + 0)
  7b29280000000000                 ; *(u64 *)(r9 + 40) = r2
  0709000038000000                 ; r9 += 56
  ; next:
  0706000008000000                 ; r6 += 8
  0707000010000000                 ; r7 += 16
  0500d5ff00000000                 ; goto account
  ; invoke:
  7962000000000000                 ; r2 = *(u64 *)(r6 + 0)           ; The length of the data: a bump, and what is passed on.
  0706000008000000                 ; r6 += 8
  7b6ae8ff00000000                 ; *(u64 *)(r10 - 24) = r6         ; Seeds: "vault", and the bump.
  b703000001000000                 ; r3 = 1
  7b3af0ff00000000                 ; *(u64 *)(r10 - 16) = r3
  180300007661756c0000000074000000 ; r3 = 500035838326 ll
  7b3af8ff00000000                 ; *(u64 *)(r10 - 8) = r3
  bfa3000000000000                 ; r3 = r10
  07030000f8ffffff                 ; r3 += -8
  7b3ad8ff00000000                 ; *(u64 *)(r10 - 40) = r3
  b703000005000000                 ; r3 = 5
  7b3ae0ff00000000                 ; *(u64 *)(r10 - 32) = r3
  bfa4000000000000                 ; r4 = r10                        ; One signer with these two seeds.
  07040000c8ffffff                 ; r4 += -56
  bfa3000000000000                 ; r3 = r10
  07030000d8ffffff                 ; r3 += -40
  7b3ac8ff00000000                 ; *(u64 *)(r10 - 56) = r3
  b703000002000000                 ; r3 = 2
  7b3ad0ff00000000                 ; *(u64 *)(r10 - 48) = r3
  18080000000000000000000003000000 ; r8 = 12884901888 ll
  7983100000000000                 ; r3 = *(u64 *)(r8 + 16)          ; The second account is the program to call.
  7b3aa0ff00000000                 ; *(u64 *)(r10 - 96) = r3
  bf83000000000000                 ; r3 = r8                         ; Its accounts are the others,
  0703000020000000                 ; r3 += 32
  7b3aa8ff00000000                 ; *(u64 *)(r10 - 88) = r3
  1f37000000000000                 ; r7 -= r3
  7707000004000000                 ; r7 >>= 4
  7b7ab0ff00000000                 ; *(u64 *)(r10 - 80) = r7
  0706000001000000                 ; r6 += 1                         ; and its data is the rest.
  7b6ab8ff00000000                 ; *(u64 *)(r10 - 72) = r6
  07020000ffffffff                 ; r2 += -1
  7b2ac0ff00000000                 ; *(u64 *)(r10 - 64) = r2
  bfa1000000000000                 ; r1 = r10
  07010000a0ffffff                 ; r1 += -96
  bf82000000000000                 ; r2 = r8
  0702000000100000                 ; r2 += 4096
  bf93000000000000                 ; r3 = r9
  1f23000000000000                 ; r3 -= r2
  3703000038000000                 ; r3 /= 56
  b705000001000000                 ; r5 = 1
  85100000ffffffff                 ; call sol_invoke_signed_c
  9500000000000000                 ; exit`,
    'sol_invoke_signed_c',
  );

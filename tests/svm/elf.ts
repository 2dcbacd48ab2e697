const HEADER_SIZE = 64;
const PROGRAM_HEADER_SIZE = 56;
const CODE_OFFSET = HEADER_SIZE + 2 * PROGRAM_HEADER_SIZE;
const STRINGS = '\0.text\0.dynsym\0.dynstr\0';
/** The parts of the dynamic table that the loader reads. */
const TAG = { symbols: 6, relocations: 17, relocationsSize: 18, relocationSize: 19 } as const;
/** Puts the number of a system call into a call of -1. */
const CALL_RELOCATION = 10;
const CALL = Buffer.from('8510 0000 ffff ffff'.replaceAll(' ', ''), 'hex');

/** Numbers of the given sizes in bytes, little-endian. */
const fields = (...values: readonly (readonly [size: 1 | 2 | 4 | 8, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([size, value]) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(value));
      return bytes.subarray(0, size);
    }),
  );
const u64s = (...values: readonly number[]): Buffer => fields(...values.map((value) => [8, value] as const));

/**
 * The file of a program that a Solana cluster loads: an ELF shared object for BPF, in which each address is the offset in the file.
 *
 * @param assembly Each instruction in hexadecimal; what follows a `;` is a comment. The first is the entry point.
 * @param systemCall What a call of -1 calls.
 */
export function programOf(assembly: string, systemCall = ''): Uint8Array {
  const code = Buffer.from(assembly.replaceAll(/;.*|\s/g, ''), 'hex');
  const strings = Buffer.from(`${STRINGS}${systemCall}\0`.padEnd(64, '\0'));
  const symbolsOffset = CODE_OFFSET + code.length;
  // The null symbol, and the system call as a global symbol that is not defined here.
  const symbols = Buffer.concat([Buffer.alloc(24), fields([4, STRINGS.length], [1, 0x10]), Buffer.alloc(19)]);
  const stringsOffset = symbolsOffset + symbols.length;
  const relocationsOffset = stringsOffset + strings.length;
  const calls = Array.from({ length: code.length / 8 }, (_, index) => index * 8).filter((at) =>
    code.subarray(at, at + 8).equals(CALL),
  );
  const relocations = Buffer.concat(
    calls.map((at) => fields([8, CODE_OFFSET + at], [4, CALL_RELOCATION], [4, 1])),
  );
  const dynamicOffset = relocationsOffset + relocations.length;
  const { length } = relocations;
  const listed = [TAG.relocations, relocationsOffset, TAG.relocationsSize, length, TAG.relocationSize, 16];
  const dynamic = u64s(TAG.symbols, symbolsOffset, ...(length === 0 ? [] : listed), 0, 0);
  const sectionsOffset = dynamicOffset + dynamic.length;

  const nameOf = (section: string) => STRINGS.indexOf(`\0${section}\0`) + 1;
  /** Flags: 2 is loaded, 4 executable. */
  const section = (name: string, type: number, flags: number, offset: number, size: number, entrySize = 0) =>
    Buffer.concat([fields([4, nameOf(name)], [4, type]), u64s(flags, offset, offset, size, 0, 8, entrySize)]);
  /** Flags: 1 is executable, 4 readable. */
  const segment = (type: number, flags: number, offset: number, size: number) =>
    Buffer.concat([fields([4, type], [4, flags]), u64s(offset, offset, offset, size, size, 8)]);

  const file = Buffer.concat([
    // Magic; 64 bits, little-endian, version 1. A shared object for BPF, version 1.
    Buffer.from('7f454c46020101000000000000000000', 'hex'),
    fields([2, 3], [2, 247], [4, 1]),
    u64s(CODE_OFFSET, HEADER_SIZE, sectionsOffset),
    fields([4, 0], [2, HEADER_SIZE], [2, PROGRAM_HEADER_SIZE], [2, 2]),
    // Four sections, of which the last has their names.
    fields([2, 64], [2, 4], [2, 3]),
    segment(1, 5, CODE_OFFSET, sectionsOffset - CODE_OFFSET),
    segment(2, 4, dynamicOffset, dynamic.length),
    code,
    symbols,
    strings,
    relocations,
    dynamic,
    Buffer.alloc(64),
    section('.text', 1, 6, CODE_OFFSET, code.length),
    section('.dynsym', 11, 2, symbolsOffset, symbols.length, 24),
    section('.dynstr', 3, 2, stringsOffset, strings.length),
  ]);
  return Uint8Array.from(file);
}

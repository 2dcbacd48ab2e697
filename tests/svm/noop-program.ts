/** The parts of the file: where each is, and its bytes in hexadecimal. What is left out is 0. */
const PARTS: readonly (readonly [offset: number, bytes: string])[] = [
  // ELF header: magic; 64 bits, little-endian, version 1; a shared object for BPF, version 1.
  [0, '7f454c46 02 01 01'],
  [16, '0300 f700 01000000'],
  // Entry point 120, program headers at 64, section headers at 160.
  [24, '7800000000000000 4000000000000000 a000000000000000'],
  // Sizes and numbers: header 64; one program header of 56; three section headers of 64, of which the last names the sections.
  [52, '4000 3800 0100 4000 0300 0200'],
  // Program header: 16 bytes at 120 are loaded, readable and executable, at the same address, aligned to 8.
  [64, '01000000 05000000 7800000000000000 7800000000000000 7800000000000000'],
  [96, '1000000000000000 1000000000000000 0800000000000000'],
  // .text: `mov64 r0, 0`, because 0 is success, and `exit`.
  [120, 'b700000000000000 9500000000000000'],
  // .shstrtab: "\0.text\0.shstrtab\0".
  [136, '00 2e74657874 00 2e7368737472746162 00'],
  // Section headers. The first, at 160, is null. Then .text: program bits, allocated and executable, 16 bytes at 120.
  [224, '01000000 01000000 0600000000000000 7800000000000000 7800000000000000 1000000000000000'],
  [272, '0800000000000000'],
  // .shstrtab: a string table, 17 bytes at 136.
  [288, '07000000 03000000 0000000000000000 0000000000000000 8800000000000000 1100000000000000'],
  [336, '0100000000000000'],
];

/**
 * A program as small as an ELF file with its usual parts can be: it does nothing, and succeeds. It stands in for a program whose
 * code is not at hand, so that the instructions around a call to it can run for real.
 */
export function noopProgram(): Uint8Array {
  const file = new Uint8Array(352);
  for (const [offset, bytes] of PARTS) file.set(Buffer.from(bytes.replaceAll(' ', ''), 'hex'), offset);
  return file;
}

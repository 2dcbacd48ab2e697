/** The parts of the file, in order, in bytes. */
const SIZE = {
  elfHeader: 64,
  programHeader: 56,
  text: 16,
  names: 17,
  padding: 7,
  sectionHeader: 64,
} as const;

const TEXT_AT = SIZE.elfHeader + SIZE.programHeader;
const NAMES_AT = TEXT_AT + SIZE.text;
/** Padded, because section headers are read in place and hold 8-byte words. */
const SECTION_HEADERS_AT = NAMES_AT + SIZE.names + SIZE.padding;

/** The names of the sections. Each section header names its own by the offset in this text. */
const NAMES = '\0.text\0.shstrtab\0';
const NAME_OF = { null: 0, text: NAMES.indexOf('.text'), names: NAMES.indexOf('.shstrtab') } as const;

/** Writes fields one behind the other, as the tables of the ELF specification list them, little-endian. */
function writerAt(view: DataView, start: number) {
  let at = start;
  const writer = {
    bytes: (...values: readonly number[]) => {
      for (const value of values) view.setUint8(at++, value);
      return writer;
    },
    u16: (value: number) => {
      view.setUint16(at, value, true);
      at += 2;
      return writer;
    },
    u32: (value: number) => {
      view.setUint32(at, value, true);
      at += 4;
      return writer;
    },
    u64: (value: number) => {
      view.setBigUint64(at, BigInt(value), true);
      at += 8;
      return writer;
    },
  };
  return writer;
}

interface Section {
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  /** Where it is in the file, and in memory if it is loaded: the loader wants the two to be the same. */
  readonly offset: number;
  readonly size: number;
  readonly alignment: number;
}

// Values of the ELF specification.
const SHARED_OBJECT = 3; // ET_DYN
const BPF = 247; // EM_BPF
const LOADABLE = 1; // PT_LOAD
const EXECUTABLE_AND_READABLE = 1 | 4; // PF_X | PF_R
const PROGRAM_BITS = 1; // SHT_PROGBITS
const STRING_TABLE = 3; // SHT_STRTAB
const ALLOCATED_AND_EXECUTABLE = 2 | 4; // SHF_ALLOC | SHF_EXECINSTR

const SECTIONS: readonly Section[] = [
  // The first is always null.
  { name: NAME_OF.null, type: 0, flags: 0, offset: 0, size: 0, alignment: 0 },
  {
    name: NAME_OF.text,
    type: PROGRAM_BITS,
    flags: ALLOCATED_AND_EXECUTABLE,
    offset: TEXT_AT,
    size: SIZE.text,
    alignment: 8,
  },
  {
    name: NAME_OF.names,
    type: STRING_TABLE,
    flags: 0,
    offset: NAMES_AT,
    size: SIZE.names,
    alignment: 1,
  },
];
const NAMES_SECTION = 2;

/**
 * A program as small as an ELF file with its usual parts can be: it does nothing, and succeeds. It stands in for a
 * program whose code is not at hand, so that the instructions around a call to it can run for real.
 *
 * ```
 *   0  ELF header, 64 bytes
 *  64  program header, 56: what is loaded
 * 120  .text, 16: the code
 * 136  .shstrtab, 17 and 7 of padding: the names of the sections
 * 160  three section headers, 64 each: null, .text, .shstrtab
 * 352  end
 * ```
 */
export function noopProgram(): Uint8Array {
  const file = new Uint8Array(SECTION_HEADERS_AT + SECTIONS.length * SIZE.sectionHeader);
  const view = new DataView(file.buffer);

  writerAt(view, 0)
    .bytes(0x7f, ...new TextEncoder().encode('ELF')) // magic
    .bytes(2, 1, 1, 0) // 64 bits, little-endian, version 1, no particular system
    .u64(0) // padding
    .u16(SHARED_OBJECT)
    .u16(BPF)
    .u32(1) // version
    .u64(TEXT_AT) // entry point: the first instruction
    .u64(SIZE.elfHeader) // where the program headers start
    .u64(SECTION_HEADERS_AT)
    .u32(0) // flags: the first version of the bytecode
    .u16(SIZE.elfHeader)
    .u16(SIZE.programHeader)
    .u16(1) // program headers
    .u16(SIZE.sectionHeader)
    .u16(SECTIONS.length)
    .u16(NAMES_SECTION); // which section holds the names

  writerAt(view, SIZE.elfHeader)
    .u32(LOADABLE)
    .u32(EXECUTABLE_AND_READABLE)
    .u64(TEXT_AT) // in the file
    .u64(TEXT_AT) // virtual address
    .u64(TEXT_AT) // physical address
    .u64(SIZE.text) // bytes in the file
    .u64(SIZE.text) // bytes in memory
    .u64(8); // alignment

  // An instruction is an opcode, two register numbers in one byte, a 16-bit offset and a 32-bit value.
  writerAt(view, TEXT_AT)
    .bytes(0xb7, 0) // mov64 r0,
    .u16(0)
    .u32(0) // 0: what a program returns is in r0, and 0 is success
    .bytes(0x95, 0) // exit
    .u16(0)
    .u32(0);

  writerAt(view, NAMES_AT).bytes(...new TextEncoder().encode(NAMES));

  for (const [index, section] of SECTIONS.entries()) {
    const isLoaded = section.flags !== 0;
    writerAt(view, SECTION_HEADERS_AT + index * SIZE.sectionHeader)
      .u32(section.name)
      .u32(section.type)
      .u64(section.flags)
      .u64(isLoaded ? section.offset : 0) // virtual address
      .u64(section.offset)
      .u64(section.size)
      .u32(0) // link
      .u32(0) // info
      .u64(section.alignment)
      .u64(0); // entry size, for tables
  }
  return file;
}

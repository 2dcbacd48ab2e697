import type { Schema, StructSchema } from '../solana/codec.js';

/** In bytes. */
const SIZES = { bool: 1, u8: 1, u16: 2, u32: 4, u64: 8, f64: 8, pubkey: 32 } as const;

/** Where each field of a struct stands. */
type Offsets<TFields> = {
  readonly [TField in keyof TFields]: TFields[TField] extends StructSchema
    ? Offsets<TFields[TField]['fields']>
    : number;
};

/** How many bytes a value takes, if all values of the schema take the same. */
export function sizeOf(schema: Schema): number {
  if (schema === 'string') throw new TypeError('A string has no fixed size.');
  if (typeof schema === 'string') return SIZES[schema];
  if ('padding' in schema) return schema.padding;
  if ('array' in schema) return schema.length * sizeOf(schema.array);
  if ('fields' in schema) return Object.values(schema.fields).reduce((sum, field) => sum + sizeOf(field), 0);
  throw new TypeError('A vec and an option have no fixed size.');
}

/** Where the fields of a struct stand that begins at `start`. */
export function offsetsOf<TFields extends StructSchema['fields']>(
  fields: TFields,
  start: number,
): Offsets<TFields> {
  const offsets: Record<string, unknown> = {};
  let offset = start;
  for (const [name, schema] of Object.entries(fields)) {
    const isStruct = typeof schema === 'object' && 'fields' in schema;
    offsets[name] = isStruct ? offsetsOf(schema.fields, offset) : offset;
    offset += sizeOf(schema);
  }
  return offsets as Offsets<TFields>;
}

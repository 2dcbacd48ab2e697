import type { ObjectField } from '../src/input/field.js';
import * as types from '../src/program/types.js';
import type { StructSchema } from '../src/solana/codec.js';

// Documents name the program's types. The library doesn't need these names, which are those of the declarations.

const NAMES = new Map<object, string>(
  Object.entries(types).flatMap(([name, value]) =>
    typeof value === 'object' && 'fields' in value ? [[value, upperFirst(name.replace(/Schema$/, ''))]] : [],
  ),
);

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The name of one of the program's types or accounts: `feeBracketSchema` declares `FeeBracket`. */
export function nameOf(schema: StructSchema & { readonly name?: string }): string {
  const name = schema.name ?? NAMES.get(schema);
  if (name === undefined) throw new Error(`A type has no name: ${JSON.stringify(schema)}`);
  return name;
}

/** The name of an object in documents, if it has one. */
export const nameOfObject = ({ name, declared }: ObjectField): string | undefined =>
  declared === undefined ? name : nameOf(declared);

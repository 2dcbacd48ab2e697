import { toSnakeCase } from '../case.js';
import { DECIMAL } from '../math/units.js';
import type { Codec, ObjectCodec, Structure } from './schemas/codec.js';
import { nameOf } from './schemas/details.js';

// The codecs as JSON Schema, with descriptions.

export type JsonSchema = { readonly [keyword: string]: unknown };

const KEYWORDS: Readonly<Record<Exclude<Structure['kind'], 'list' | 'optional' | 'object'>, JsonSchema>> = {
  address: { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' },
  integer: { type: ['integer', 'string'], pattern: '^[0-9]+$', minimum: 0 },
  amount: { type: ['number', 'string'], pattern: DECIMAL.source, minimum: 0 },
  number: { type: 'number', minimum: 0 },
  boolean: { type: 'boolean' },
  string: { type: 'string' },
};

/** The maximum of each integer format. A `number` can't hold these exactly. */
const MAXIMUM = { uint64: 18_446_744_073_709_551_615n, int64: 9_223_372_036_854_775_807n } as const;

/** The description of the field at a path such as `input.quoteResponse.mint`. */
export type Describe = (path: string) => string | undefined;

/** The schema of a codec, with the fields' descriptions. Named schemas go to the components. */
export function jsonSchemaOf(
  codec: Codec<unknown>,
  path: string,
  describe: Describe,
  components: Record<string, unknown>,
  name = nameOf(codec),
): JsonSchema {
  if (name === undefined) return inline(codec, path, describe, components);
  components[name.id] ??= { ...inline(codec, path, describe, components), description: name.description };
  return { $ref: `#/components/schemas/${name.id}` };
}

function inline(
  { of }: Codec<unknown>,
  path: string,
  describe: Describe,
  components: Record<string, unknown>,
): JsonSchema {
  switch (of.kind) {
    case 'object':
      return objectSchema(of, path, describe, components);
    case 'list': {
      const { item, minItems, maxItems } = of;
      return {
        type: 'array',
        items: jsonSchemaOf(item, path, describe, components),
        ...(minItems === undefined ? {} : { minItems }),
        ...(maxItems === undefined ? {} : { maxItems }),
      };
    }
    case 'optional': {
      const { type, ...rest } = jsonSchemaOf(of.present, path, describe, components);
      const isPlain = Object.keys(rest).length === 0;
      return {
        ...(isPlain ? { type: [type, 'null'] } : { anyOf: [{ type, ...rest }, { type: 'null' }] }),
        ...(of.fallback === undefined ? {} : { default: of.fallback }),
      };
    }
    default: {
      const { format } = of.limits;
      const maximum = format === undefined ? {} : { maximum: MAXIMUM[format] };
      return { ...KEYWORDS[of.kind], ...of.limits, ...maximum };
    }
  }
}

function objectSchema(
  { shape, isStrict }: ObjectCodec<unknown>['of'],
  path: string,
  describe: Describe,
  components: Record<string, unknown>,
): JsonSchema {
  const fields = Object.entries(shape);
  const required = fields.filter(([, codec]) => codec.of.kind !== 'optional');
  const property = ([field, codec]: readonly [string, Codec<unknown>]) => {
    const at = `${path}.${field}`;
    const schema = jsonSchemaOf(codec, at, describe, components);
    const description = describe(at);
    return [toSnakeCase(field), description === undefined ? schema : { ...schema, description }] as const;
  };
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(property)),
    ...(required.length === 0 ? {} : { required: required.map(([field]) => toSnakeCase(field)) }),
    ...(isStrict ? { additionalProperties: false } : {}),
  };
}

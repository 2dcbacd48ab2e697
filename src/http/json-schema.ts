import { toSnakeCase } from '../case.js';
import { DECIMAL } from '../math/units.js';
import { type Codec, type ObjectCodec, optional, type Structure } from './schemas/codec.js';
import { type DescribedDetails, nameOf, wordsOf } from './schemas/words.js';

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

/** The schema of a codec, plus `details`. Named schemas go to the components. */
export function jsonSchemaOf(
  codec: Codec<unknown>,
  details: DescribedDetails | undefined,
  components: Record<string, unknown>,
): JsonSchema {
  const name = nameOf(codec);
  if (name === undefined) return inline(codec, details, components);
  components[name.id] ??= { ...inline(codec, details, components), description: name.description };
  return { $ref: `#/components/schemas/${name.id}` };
}

function inline(
  { of }: Codec<unknown>,
  details: DescribedDetails | undefined,
  components: Record<string, unknown>,
): JsonSchema {
  switch (of.kind) {
    case 'object':
      return objectSchema(of, details, components);
    case 'list': {
      const { item, minItems, maxItems } = of;
      return {
        type: 'array',
        items: jsonSchemaOf(item, undefined, components),
        ...(minItems === undefined ? {} : { minItems }),
        ...(maxItems === undefined ? {} : { maxItems }),
      };
    }
    case 'optional': {
      const { type, ...rest } = jsonSchemaOf(of.present, undefined, components);
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
  of: ObjectCodec<unknown>['of'],
  details: DescribedDetails | undefined,
  components: Record<string, unknown>,
): JsonSchema {
  const { shape, isStrict } = of;
  const words = wordsOf(shape);
  const fields = Object.entries(shape);
  const required = fields.filter(([, codec]) => codec.of.kind !== 'optional');
  const property = (codec: Codec<unknown>, description: string | undefined): JsonSchema => {
    const schema = jsonSchemaOf(codec, undefined, components);
    return description === undefined ? schema : { ...schema, description };
  };
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        fields.map(([field, codec]) => [toSnakeCase(field), property(codec, words(field))]),
      ),
      ...(details === undefined ? {} : { details: property(optional(details.codec), details.description) }),
    },
    ...(required.length === 0 ? {} : { required: required.map(([field]) => toSnakeCase(field)) }),
    ...(isStrict ? { additionalProperties: false } : {}),
  };
}

import type * as z from 'zod/mini';
import { toSnakeCase } from '../src/base/case.js';
import { formOf, type LeafForm, type ObjectForm } from '../src/door/forms.js';
import { DECIMAL } from '../src/math/units.js';

// The forms of requests and answers as JSON Schema, with descriptions.

export type JsonSchema = { readonly [keyword: string]: unknown };

const KEYWORDS: Readonly<Record<LeafForm['kind'], JsonSchema>> = {
  address: { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' },
  integer: { type: ['integer', 'string'], pattern: '^[0-9]+$', minimum: 0 },
  small: { type: ['integer', 'string'], pattern: '^[0-9]+$', minimum: 0 },
  amount: { type: ['number', 'string'], pattern: DECIMAL.source, minimum: 0 },
  number: { type: 'number', minimum: 0 },
  flag: { type: 'boolean' },
  text: { type: 'string' },
};

/** The maximum of each integer format. A `number` can't hold these exactly. */
const MAXIMUM = { uint64: 18_446_744_073_709_551_615n, int64: 9_223_372_036_854_775_807n } as const;

/** What a document says of a request or an answer besides its form. */
export interface Remarks {
  /** The description of the field at a path such as `input.quoteResponse.mint`, or of an object with a name. */
  readonly describe: (path: string) => string | undefined;
  /** The value of the field at a path if a request leaves it out. */
  readonly defaultOf?: (path: string) => unknown;
  /** Whether no object has other fields. */
  readonly isClosed?: boolean;
}

/** The JSON Schema of a schema that has a form. Objects with a name go to the components. */
export function jsonSchemaOf(
  schema: z.ZodMiniType,
  path: string,
  remarks: Remarks,
  components: Record<string, unknown>,
): JsonSchema {
  const form = formOf(schema);
  switch (form.kind) {
    case 'object': {
      const { name } = form;
      if (name === undefined) return objectSchema(form, path, remarks, components);
      const description = remarks.describe(name);
      components[name] ??= {
        ...objectSchema(form, path, remarks, components),
        ...(description === undefined ? {} : { description }),
      };
      return { $ref: `#/components/schemas/${name}` };
    }
    case 'list': {
      const { item, length, maxItems = length } = form;
      return {
        type: 'array',
        items: jsonSchemaOf(item, path, remarks, components),
        ...(length === undefined ? {} : { minItems: length }),
        ...(maxItems === undefined ? {} : { maxItems }),
      };
    }
    case 'optional': {
      const { type, ...rest } = jsonSchemaOf(form.present, path, remarks, components);
      const isPlain = Object.keys(rest).length === 0;
      const fallback = remarks.defaultOf?.(path);
      return {
        ...(isPlain ? { type: [type, 'null'] } : { anyOf: [{ type, ...rest }, { type: 'null' }] }),
        ...(fallback === undefined ? {} : { default: fallback }),
      };
    }
    default: {
      const { kind, ...limits } = form;
      const maximum = limits.format === undefined ? {} : { maximum: MAXIMUM[limits.format] };
      return { ...KEYWORDS[kind], ...limits, ...maximum };
    }
  }
}

/** The JSON Schema of an object, in its place. */
export function objectSchema(
  { shape, isStrict }: Omit<ObjectForm, 'kind'>,
  path: string,
  remarks: Remarks,
  components: Record<string, unknown>,
): JsonSchema {
  const fields = Object.entries(shape);
  const required = fields.filter(([, schema]) => formOf(schema).kind !== 'optional');
  const property = ([field, schema]: readonly [string, z.ZodMiniType]) => {
    const at = `${path}.${field}`;
    const described = jsonSchemaOf(schema, at, remarks, components);
    const description = remarks.describe(at);
    return [
      toSnakeCase(field),
      description === undefined ? described : { ...described, description },
    ] as const;
  };
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(property)),
    ...(required.length === 0 ? {} : { required: required.map(([field]) => toSnakeCase(field)) }),
    ...(isStrict || remarks.isClosed ? { additionalProperties: false } : {}),
  };
}

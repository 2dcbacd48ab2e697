import * as z from 'zod/mini';
import { toCamelCase } from '../src/base/case.js';
import { decoderOf, jsonSchemas } from '../src/http/schemas/json.js';
import type { Field } from '../src/input/field.js';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** What a document says of a request or an answer besides its form. */
export interface Remarks {
  /** The description of the field at a path such as `input.quoteResponse.mint`, or of an object with a name. */
  readonly describe: (path: string) => string | undefined;
  /** The value of the field at a path if a request leaves it out. */
  readonly defaultOf?: (path: string) => unknown;
  /** Whether no object has other fields. */
  readonly isClosed?: boolean;
}

/** The JSON Schema of a field's JSON, with remarks. The objects in it that have a name go to the components. */
export function jsonSchemaOf(
  field: Field,
  root: string,
  { describe, defaultOf, isClosed = false }: Remarks,
  components: Record<string, unknown>,
): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(decoderOf(field), {
    io: 'input',
    metadata: jsonSchemas,
    override: ({ zodSchema, jsonSchema, path }) => {
      const at = [root, ...path.filter((part) => part !== 'properties' && part !== 'items')].join('.');
      for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
        const inner = toCamelCase(`${at}.${name}`);
        const fallback = jsonSchema.required?.includes(name) ? undefined : defaultOf?.(inner);
        Object.assign(property, given({ default: fallback, description: describe(inner) }));
      }
      if (isClosed && jsonSchema.type === 'object') jsonSchema.additionalProperties = false;
      const { name } = jsonSchemas.get(zodSchema) ?? {};
      if (name === undefined) return;
      const { name: _, ...named } = jsonSchema;
      components[name] ??= { ...named, ...given({ description: describe(name) }) };
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      jsonSchema.$ref = `#/components/schemas/${name}`;
    },
  });
  return schema;
}

/** The members that have a value. */
const given = (members: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

import type * as z from 'zod/mini';

/** What is documented of a value's range. The functions that take it enforce it. */
export interface Limits {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly format?: 'uint64' | 'int64';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly contentEncoding?: 'base64';
}

/** A value that holds no others. A `small` integer is a `number` in the SDK, others are a `bigint`. */
export type LeafForm = Limits & {
  readonly kind: 'address' | 'integer' | 'small' | 'amount' | 'number' | 'flag' | 'text';
};

export interface ListForm {
  readonly kind: 'list';
  readonly item: z.ZodMiniType;
  /** The number of items, if it is always the same. */
  readonly length?: number;
  readonly maxItems?: number;
  /** Rejects a list of more than {@link maxItems}, before anybody looks at an item. */
  readonly assertCount?: (value: unknown, field: string) => void;
  /** What a list holds, for an error: `brackets`. */
  readonly of?: string;
}

export interface ObjectForm {
  readonly kind: 'object';
  readonly shape: Readonly<Record<string, z.ZodMiniType>>;
  /** Whether unknown fields are rejected. */
  readonly isStrict: boolean;
  /** A name for documents. */
  readonly name?: string | undefined;
}

/** What kind of value a schema takes. The schemas themselves only hold functions, from which nobody can derive another format. */
export type Form =
  | LeafForm
  | ListForm
  | ObjectForm
  | { readonly kind: 'optional'; readonly present: z.ZodMiniType };

// Not zod's own registry, whose types change what a form says of a schema.
const forms = /* @__PURE__ */ new WeakMap<z.ZodMiniType, Form>();

/** A schema whose form is known. */
export function withForm<TSchema extends z.ZodMiniType>(schema: TSchema, form: Form): TSchema {
  forms.set(schema, form);
  return schema;
}

/** The form of a schema that has one. */
export function formOf(schema: z.ZodMiniType): Form {
  const form = forms.get(schema);
  if (form === undefined) throw new Error('A field has no form, so it works only in a local call.');
  return form;
}

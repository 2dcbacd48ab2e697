// Declarations of fields that must not compile, because they differ from the input's interface. Checked by the compiler.

import { fieldsOf } from '../../src/input/check-input.js';
import { checkedBy, optional, text, u64 } from '../../src/input/fields.js';

type Input = { readonly mint: string; readonly note?: string | undefined };
const [mint, note] = [text(), optional(text())];

fieldsOf<Input>()(() => ({ documented: { mint }, local: { note } }));
// @ts-expect-error a field that is not declared
fieldsOf<Input>()(() => ({ documented: { mint }, local: {} }));
// @ts-expect-error a field that the interface doesn't have
fieldsOf<Input>()(() => ({ documented: { mint, keep: u64() }, local: { note } }));
// @ts-expect-error a check of another type
fieldsOf<Input>()(() => ({ documented: { mint: u64() }, local: { note } }));
// @ts-expect-error a check of an optional field that must be there
fieldsOf<Input>()(() => ({ documented: { mint }, local: { note: text() } }));
// @ts-expect-error a field of requests that JSON has no form of
fieldsOf<Input>()(() => ({ documented: { mint: checkedBy<string>(() => {}) }, local: { note } }));

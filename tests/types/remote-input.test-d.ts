// What the remote client takes is what the declarations of the operations' fields say that a request can carry. Checked by the compiler.
import { expectTypeOf } from 'vitest';

import type { KeyOf } from '../../src/base/input.js';
import type { FunctionInput, inputFields, RemoteField } from '../../src/http/schemas/inputs.js';
import type { OperationName } from '../../src/operations.js';

type Declared<TName extends OperationName> = Extract<
  KeyOf<FunctionInput<TName>>,
  keyof ReturnType<(typeof inputFields)[TName]>['documented'] | 'abortSignal'
>;

expectTypeOf<{ [TName in OperationName]: RemoteField<TName> }>().toEqualTypeOf<{
  [TName in OperationName]: Declared<TName>;
}>();

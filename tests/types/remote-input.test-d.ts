// What the remote client takes is what the declarations of the operations' fields say that a request can carry. Checked by the compiler.

import type { KeyOf } from '../../src/base/input.js';
import type { FunctionInput, inputFields, RemoteField } from '../../src/http/schemas/inputs.js';
import type { OperationName } from '../../src/operations/index.js';

type Declared<TName extends OperationName> = Extract<
  KeyOf<FunctionInput<TName>>,
  keyof ReturnType<(typeof inputFields)[TName]>['documented'] | 'abortSignal'
>;

type Differing = {
  [TName in OperationName]:
    | Exclude<RemoteField<TName>, Declared<TName>>
    | Exclude<Declared<TName>, RemoteField<TName>>;
}[OperationName];

// If a name is not assignable to never, `LocalField` lacks a local field, or has a documented one.
export const differing: never = undefined as unknown as Differing;

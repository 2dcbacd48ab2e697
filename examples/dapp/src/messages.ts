import { type ExplainedError, explainError } from 'heaven-pools';

/** The field that an error is about. */
export type Field = NonNullable<ExplainedError['field']> | 'find' | 'rpc';

/** An error that the user sees and can fix. */
export class Problem extends Error {
  readonly field: Field | undefined;

  constructor(field: Field | undefined, message: string) {
    super(message);
    this.field = field;
  }
}

/** An error for the user: what is wrong, and what to do. */
export function explain(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError && /dynamically imported|module script/i.test(error.message))
    return new Problem(undefined, 'A part of the page could not be loaded. Load the page again.');
  const { field, message } = explainError(error);
  return new Problem(field, message);
}

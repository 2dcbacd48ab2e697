/**
 * A failure of LiteSVM in a node's format, such as `{ InstructionError: [0, { Custom: 1 }] }`. It is read from the failure's text,
 * which has the names that nodes use. The error object only has numbers for them, in an order that may change.
 *
 * @param failure The text of a failed transaction: `… { err: InstructionError(0, Custom(1)), meta: …`.
 */
export function transactionErrorIn(failure: string): unknown {
  const [, text = ''] = / \{ err: (.*?), meta: /.exec(failure) ?? [];
  const [name, first, second, code] = text.match(/\w+/g) ?? [];
  if (name === undefined) throw new Error(`LiteSVM failed without a known error: ${failure.slice(0, 200)}`);
  if (first === undefined) return name;
  if (first === 'account_index') return { [name]: { account_index: Number(second) } };
  if (second === undefined) return { [name]: Number(first) };
  return { [name]: [Number(first), second === 'Custom' ? { Custom: Number(code) } : second] };
}

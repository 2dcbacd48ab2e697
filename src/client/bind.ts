/** The functions of a table without their first argument, the client. */
export type Bound<TTable> = {
  // Mapped over the table itself, so that editors show its docstrings.
  readonly [TName in keyof TTable]: TTable[TName] extends (
    client: never,
    ...rest: infer TRest
  ) => infer TResult
    ? (...rest: TRest) => TResult
    : never;
};

/** Binds every function of a table to a client. */
export function bind<
  TClient,
  TTable extends Readonly<Record<string, (client: TClient, ...rest: never) => unknown>>,
>(table: TTable, client: TClient): Bound<TTable> {
  const bound = Object.entries(table).map(([name, call]) => [
    name,
    (...rest: never) => call(client, ...rest),
  ]);
  return Object.fromEntries(bound);
}

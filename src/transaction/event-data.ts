/** A text that the program emits with a transaction. */
export interface EventDataOptions {
  /** Your text, which the program emits as an event, for attribution. Default: empty. */
  readonly encodedUserDefinedEventData?: string | null | undefined;
}

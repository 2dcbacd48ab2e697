import { assertText } from '../solana/codec.js';

/** A text that the program emits with a transaction. */
export interface EventDataOptions {
  /** Your text, which the program emits as an event, for attribution. Default: empty. */
  readonly encodedUserDefinedEventData?: string | null | undefined;
}

export function eventDataOf(input: EventDataOptions): string {
  const text = input.encodedUserDefinedEventData ?? '';
  assertText(text, 'encodedUserDefinedEventData');
  return text;
}

import { getBase64Decoder, mergeBytes } from '@solana/kit';

import { getEventDeclarations, type HeavenEvent } from '../../../program/events.js';
import { encoderFor } from '../../../solana/codec.js';
import { hexBytes } from '../../../solana/define-instruction.js';

export type EventName = HeavenEvent['name'];
/** An event with the fields of its latest version. */
export type EventData<TName extends EventName> = Required<
  Extract<HeavenEvent, { readonly name: TName }>['data']
>;

/** The line that an event is logged with. */
export function eventLog<TName extends EventName>(name: TName, event: EventData<TName>): string {
  const bytes = getEventDeclarations()
    .filter((declaration) => declaration.name === name)
    .flatMap(({ discriminator, fields, laterFields }) => [
      hexBytes(discriminator),
      encoderFor({ name, fields: { ...fields, ...laterFields } }).encode(event) as Uint8Array,
    ]);
  return `Program data: ${getBase64Decoder().decode(mergeBytes(bytes))}`;
}

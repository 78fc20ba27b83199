import { EventEnvelope, type EventType, events } from '@waymark/contracts';

export type ReadEvent =
  | { kind: 'known'; event: EventEnvelope }
  /** Well formed, but of a type from a newer version, which may run beside this one during an upgrade. */
  | { kind: 'unknown'; type: string }
  | { kind: 'malformed'; error: unknown };

const isKnown = (type: unknown): type is EventType => typeof type === 'string' && Object.hasOwn(events, type);

/**
 * Reads a message of the event stream as an event whose data fits its type. The data is returned as it came:
 * a newer version may have added fields.
 */
export function readEvent(message: { json(): unknown }): ReadEvent {
  try {
    const found = message.json();
    const { type } = found as { type?: unknown };
    if (typeof type === 'string' && !isKnown(type)) return { kind: 'unknown', type };
    const event = EventEnvelope.parse(found);
    events[event.type].data.parse(event.data);
    return { kind: 'known', event };
  } catch (error) {
    return { kind: 'malformed', error };
  }
}

/** Reads an event but does not check its data; null for an unknown or malformed one. */
export function readEnvelope(message: { json(): unknown }): EventEnvelope | null {
  try {
    return EventEnvelope.parse(message.json());
  } catch {
    return null;
  }
}

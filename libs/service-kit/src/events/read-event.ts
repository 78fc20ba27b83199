import { EventEnvelope, type EventType, events } from '@waymark/contracts';

export type ReadEvent =
  | { kind: 'known'; event: EventEnvelope }
  /** Well formed, but of a type from a newer version, which may run beside this one during an upgrade. */
  | { kind: 'unknown'; type: string }
  | { kind: 'malformed'; error: unknown };

const isKnown = (type: unknown): type is EventType => typeof type === 'string' && Object.hasOwn(events, type);

/** Reads a message of the event stream as an event. */
export function readEvent(message: { json(): unknown }): ReadEvent {
  try {
    const found = message.json();
    const { type } = found as { type?: unknown };
    if (typeof type === 'string' && !isKnown(type)) return { kind: 'unknown', type };
    return { kind: 'known', event: EventEnvelope.parse(found) };
  } catch (error) {
    return { kind: 'malformed', error };
  }
}

/** Reads an event without validation, for readers of all events; null for unknown and malformed ones. */
export function readTrusted(message: { json(): unknown }): EventEnvelope | null {
  try {
    const event = message.json() as EventEnvelope;
    return isKnown(event.type) ? event : null;
  } catch {
    return null;
  }
}

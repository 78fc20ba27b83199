import { z } from 'zod';
import { events } from '../events/events.ts';
import type { SubscribableEventType } from '../events/webhook-settings.ts';
import { exampleOf } from './examples.ts';

/** An example of the `data` of an event's payload. */
export function exampleData(type: SubscribableEventType): unknown {
  const schema = z.toJSONSchema(events[type].data, { io: 'output' });
  return exampleOf(schema, schema.$defs ?? {});
}

import { z } from 'zod';
import { exampleOf } from '../openapi/examples.ts';
import { events } from './events.ts';
import type { SubscribableEventType } from './webhook-settings.ts';

/** An example of the `data` of an event's payload. */
export function exampleData(type: SubscribableEventType): unknown {
  const schema = z.toJSONSchema(events[type].data, { io: 'output' });
  return exampleOf(schema, schema.$defs ?? {});
}

import { readEvent } from '@waymark/service-kit/events';
import type { Db } from 'mongodb';

/** Throws if a service has published an event that a consumer would park. */
export async function expectValidEvents(database: Db): Promise<void> {
  for await (const { payload } of database.collection<{ payload: string }>('outbox').find()) {
    const read = readEvent({ json: () => JSON.parse(payload) });
    if (read.kind !== 'known')
      throw new Error(`published an event that is ${read.kind}: ${payload}`, { cause: read });
  }
}

import { type AuditAction, publisherOf } from '@waymark/contracts';
import { readEvent } from '@waymark/service-kit/events';
import type { Db } from 'mongodb';

/** Throws if a service has published an event that a consumer would park, or one of another service. */
export async function expectValidEvents(database: Db): Promise<void> {
  const publishers = new Set<string>();
  for await (const { payload } of database.collection<{ payload: string }>('outbox').find()) {
    const read = readEvent({ json: () => JSON.parse(payload) });
    if (read.kind !== 'known')
      throw new Error(`published an event that is ${read.kind}: ${payload}`, { cause: read });
    const { type, action } = read.event;
    for (const published of [type, action as AuditAction | null])
      if (published) publishers.add(publisherOf(published));
  }
  if (publishers.size > 1) throw new Error(`published events of ${[...publishers].join(', ')}`);
}

import { randomUUID } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { type EventEnvelope, eventStream } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { Fault } from './fault.ts';

/** Whole but for its data, so that only the schema of its type refuses it. */
const envelope = (data: unknown) =>
  JSON.stringify({
    id: randomUUID(),
    type: 'decision.created',
    version: 1,
    time: new Date().toISOString(),
    workspace_id: randomUUID(),
    actor: { type: 'service', id: null, name: 'nobody', key_prefix: null },
    action: 'decision.create',
    request_id: null,
    ip: null,
    user_agent: null,
    subject: { type: 'decision', id: randomUUID(), version: 1 },
    data,
    changes: null,
  } satisfies EventEnvelope);
const texts = ['{"id":', '[]', 'null', '{}', envelope('text'), envelope({ id: 7 }), envelope(null)];

/** Events that no service of the product would publish. They are parked, and nobody else sees them. */
export const malformedEvents: Fault = {
  name: 'malformed events',
  targets: ['nats'],
  async begin({ stores }) {
    // NATS may still be starting after an earlier fault.
    const connection = await eventually(() => connect({ servers: stores.nats.url, reconnect: false }));
    for (const text of texts) connection.publish(eventStream('waymark').subject('decision.created'), text);
    await connection.drain();
  },
  end: () => undefined,
};

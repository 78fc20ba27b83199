import { randomUUID } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { eventStream } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { Fault } from './fault.ts';

const envelope = (data: unknown) =>
  JSON.stringify({
    id: randomUUID(),
    type: 'decision.created',
    workspace_id: randomUUID(),
    created_at: new Date().toISOString(),
    data,
  });
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

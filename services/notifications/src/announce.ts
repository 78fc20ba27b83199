import { eventStream } from '@waymark/contracts';
import type { ServiceRuntime } from '@waymark/service-kit/service';

/** Tells the gateways whose inboxes have changed. A lost announcement delays only the bell. */
export type Announce = (userIds: readonly string[]) => void;

export function announcer({ nats, config }: Pick<ServiceRuntime, 'nats' | 'config'>): Announce {
  const subject = eventStream(config.natsPrefix).inboxes;
  return (userIds) => {
    if (userIds.length > 0) nats.connection()?.publish(subject, [...new Set(userIds)].join(' '));
  };
}

import { eventStream } from '@waymark/contracts';
import { followSubject } from '@waymark/service-kit/events';
import type { Runtime } from '@waymark/service-kit/runtime';

/** Runs `onChange` for each user whose inbox has changed. The next announcement makes up for a lost one. */
export function followInboxes(
  { nats, config }: Pick<Runtime, 'nats' | 'config'>,
  onChange: (userId: string) => void,
): void {
  const { inboxes } = eventStream(config.natsPrefix);
  followSubject(nats, inboxes, (userIds) => userIds.split(' ').forEach(onChange));
}

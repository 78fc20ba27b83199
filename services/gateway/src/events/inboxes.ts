import { eventStream } from '@waymark/contracts';
import type { Runtime } from '@waymark/service-kit/runtime';

/** Runs `onChange` for each user whose inbox has changed. The next announcement makes up for a lost one. */
export function followInboxes(
  { nats, config }: Pick<Runtime, 'nats' | 'config'>,
  onChange: (userId: string) => void,
): void {
  const subject = eventStream(config.natsPrefix).inboxes;
  let isSubscribed = false;
  nats.onConnect(async () => {
    if (isSubscribed) return;
    isSubscribed = true;
    for await (const message of nats.subscribe(subject)) message.string().split(' ').forEach(onChange);
  });
}

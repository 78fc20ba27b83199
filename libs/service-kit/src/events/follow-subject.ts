import type { Nats } from './nats.ts';

/** Calls `onMessage` with the text of each message on a subject, from the first connection on. */
export function followSubject(
  nats: Pick<Nats, 'onConnect' | 'subscribe'>,
  subject: string,
  onMessage: (text: string) => void,
): void {
  let isSubscribed = false;
  nats.onConnect(async () => {
    if (isSubscribed) return;
    isSubscribed = true;
    for await (const message of nats.subscribe(subject)) onMessage(message.string());
  });
}

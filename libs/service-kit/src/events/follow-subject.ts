import type { Nats } from './nats.ts';

/**
 * Calls `onMessage` with the text of each message on a subject, from the first connection on, and `onMissed`
 * when messages may have been lost: at each (re)connect, and once the server has the subscription.
 */
export function followSubject(
  nats: Pick<Nats, 'onConnect' | 'subscribe'>,
  subject: string,
  onMessage: (text: string) => void,
  onMissed?: () => void,
): void {
  let isSubscribed = false;
  async function read(): Promise<void> {
    for await (const message of nats.subscribe(subject)) onMessage(message.string());
  }
  nats.onConnect(async (connection) => {
    onMissed?.();
    const reading = isSubscribed ? null : read();
    isSubscribed = true;
    await Promise.all([reading, onMissed && connection.flush().then(onMissed)]);
  });
}

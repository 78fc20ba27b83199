import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { OutboxPublisher } from './outbox-publisher.ts';
import type { OutboxContext, OutboxRow } from './outbox-row.ts';
import { republisher } from './republish.ts';

const rows = Array.from({ length: 250 }, (_, i) => ({ _id: String(i).padStart(3, '0') }) as OutboxRow);

/** Republishes `rows`; `isSent` decides which of them NATS acknowledges. */
function start(isSent: (id: string) => boolean) {
  const sent: string[] = [];
  let inFlight = 0;
  let mostInFlight = 0;
  const publisher: Pick<OutboxPublisher, 'send'> = {
    async send({ _id }) {
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      await setImmediate();
      inFlight -= 1;
      if (isSent(_id)) sent.push(_id);
      return isSent(_id);
    },
  };
  const streams = { info: async () => ({ created: 'once' }) };
  const context = {
    publisher,
    rows: {
      find: ({ $and: [, { _id }] }: { $and: [unknown, { _id: { $gt: string } }] }) => {
        const after = rows.filter((row) => row._id > _id.$gt);
        return { sort: () => ({ limit: (n: number) => ({ toArray: async () => after.slice(0, n) }) }) };
      },
    },
    database: {
      isReady: () => true,
      collection: () => ({ findOne: async () => ({ stream_created: 'once' }) }),
    },
    nats: {
      onConnect: (task: () => void) => task(),
      connection: () => ({}),
      manager: async () => ({ streams }),
    },
    now: Date.now,
    prefix: 'test',
    streamReplicas: 1,
  } as unknown as OutboxContext & { publisher: OutboxPublisher };
  const run = republisher(context);
  return { run: () => run(new AbortController().signal), sent, mostInFlight: () => mostInFlight };
}

it('publishes the latest events again once, in their order, many at once', async () => {
  const republishing = start(() => true);
  await republishing.run();
  await republishing.run();
  expect(republishing.sent).toEqual(rows.map(({ _id }) => _id));
  expect(republishing.mostInFlight()).toBe(100);
});

it('begins again after a failure', async () => {
  let isUp = false;
  const republishing = start((id) => isUp || id !== '150');
  await republishing.run();
  expect(republishing.sent).not.toContain('200');
  isUp = true;
  await republishing.run();
  expect(new Set(republishing.sent).size).toBe(rows.length);
});

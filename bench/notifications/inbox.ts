import { setTimeout } from 'node:timers/promises';
import { newId } from '@waymark/contracts';
import { startMailCatcher } from '@waymark/local-stack';
import { stackClient } from '@waymark/testing';
import type { Document } from 'mongodb';
import { startBench } from '../support/bench.ts';
import { timesAt } from '../support/callers.ts';
import { percentiles } from '../support/quantile.ts';
import { machine } from '../support/table.ts';

/**
 * `npm run bench:inbox [seconds] [notifications]`: how long after its answer a mention is in the inbox and in
 * the queue of mails, alone once a second and while 50 messages a second are posted; then how fast an inbox
 * of many notifications answers.
 */
const SECONDS = Number(process.argv[2] ?? 20);
const NOTIFICATIONS = Number(process.argv[3] ?? 100_000);
const WRITES_PER_SECOND = 50;
/** One of so many messages mentions somebody. */
const MENTION_EVERY = 10;
/** Enough people that nobody gets more mails than an hour allows. */
const PEOPLE = 20;
const WARM_SECONDS = 5;
const ALONE_SECONDS = 10;
const READS = 1_000;
const INSERTED_AT_ONCE = 10_000;

interface Arrivals {
  inInbox: number[];
  inMails: number[];
}

/** Looks until something is found. */
async function until(find: () => Promise<Document | null>): Promise<Document> {
  for (;;) {
    const found = await find();
    if (found) return found;
    await setTimeout(2);
  }
}

const catcher = await startMailCatcher();
const bench = await startBench({
  only: ['accounts', 'decisions', 'threads', 'notifications'],
  env: { SMTP_URL: catcher.url, MAIL_FROM: 'waymark@example.com' },
});
const client = stackClient(new URL(bench.baseUrl).origin, { suffix: 'bench' });
const line = (name: string, times: number[]) =>
  console.log(`${name}, ${times.length} times: ${percentiles(times)}`);
try {
  const { key, ...owner } = await client.workspace();
  const people: Awaited<ReturnType<typeof client.signUp>>[] = [];
  for (let i = 0; i < PEOPLE; i += 1) {
    people.push(await client.signUp(`Person ${i}`));
    await client.addMember(owner, people.at(-1)!, 'member');
  }
  const [ben] = people as [(typeof people)[0]];
  const title = 'Move the lighthouse';
  const decision = await client.call('POST', '/decisions', { key, body: { title } });
  const path = `/decisions/${decision.body.id}/thread`;
  const inbox = async () => (await client.call('GET', '/notifications', { cookie: ben.cookie })).body;

  const collection = bench.mongo.db('waymark_notifications').collection<Document>('notifications');
  const mailed = bench.mongo.db('waymark_accounts').collection<Document>('mailed_notifications');
  let posted = 0;
  let refused = 0;
  async function post({ inInbox, inMails }: Arrivals, every = MENTION_EVERY): Promise<void> {
    posted += 1;
    const isMention = posted % every === 0;
    const { userId } = people[Math.floor(posted / every) % PEOPLE]!;
    const content = isMention ? `What do you think, @[${userId}]?` : `Message ${posted}`;
    const send = () => client.call('POST', path, { key, body: { content } });
    let answer = await send();
    // On a busy machine, more messages are in flight than the share of one key or the services take.
    for (; [429, 503].includes(answer.status); answer = await send()) {
      refused += 1;
      await setTimeout(Number(answer.headers['retry-after']) * 1_000);
    }
    const { status, body, text } = answer;
    if (status !== 201) throw new Error(`a message was answered with ${status}: ${text}`);
    if (!isMention) return;
    const answeredAt = performance.now();
    const told = await until(() => collection.findOne({ user_id: userId, message_id: body.message.id }));
    inInbox.push(performance.now() - answeredAt);
    await until(() => mailed.findOne({ _id: told['_id'] }));
    inMails.push(performance.now() - answeredAt);
  }
  await timesAt(WRITES_PER_SECOND, WARM_SECONDS, () => post({ inInbox: [], inMails: [] }));
  const alone: Arrivals = { inInbox: [], inMails: [] };
  await timesAt(1, ALONE_SECONDS, () => post(alone, 1));
  const arrivals: Arrivals = { inInbox: [], inMails: [] };
  await timesAt(WRITES_PER_SECOND, SECONDS, () => post(arrivals));
  console.log(machine());
  line('a mention is in the inbox after its answer, alone', alone.inInbox);
  line('and in the queue of mails', alone.inMails);
  line(`a mention is in the inbox after its answer, at ${WRITES_PER_SECOND} messages/s`, arrivals.inInbox);
  line('and in the queue of mails', arrivals.inMails);
  console.log(`${refused} times a message was answered with 429 or 503, and sent again`);

  const sample = (await collection.findOne({ user_id: ben.userId }))!;
  for (let inserted = 0; inserted < NOTIFICATIONS; inserted += INSERTED_AT_ONCE) {
    const documents = Array.from({ length: INSERTED_AT_ONCE }, (_, n) => {
      const at = new Date(Date.parse(sample['created_at']) - (inserted + n + 1) * 1_000).toISOString();
      return { ...sample, _id: newId() as never, cause: newId(), created_at: at, listed_at: at };
    });
    await collection.insertMany(documents, { ordered: false });
  }
  const times: number[] = [];
  for (let read = 0; read < READS; read += 1) {
    const startedAt = performance.now();
    if ((await inbox()).data.length < 2) throw new Error('the inbox is empty');
    times.push(performance.now() - startedAt);
  }
  line(`an inbox of ${NOTIFICATIONS} notifications`, times.slice(READS / 10));
} finally {
  client.close();
  await bench.stop();
  await catcher.stop();
}

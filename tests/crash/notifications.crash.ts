import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { type ProductProcesses, startProductProcesses } from './support/product-processes.ts';

const KILLS = 10;
const NODES_BETWEEN_KILLS = 15;

let mongo: MongoClient;
let product: ProductProcesses;
let catcher: MailCatcher;
beforeAll(async () => {
  catcher = await startMailCatcher();
  product = await startProductProcesses({
    only: ['accounts', 'workflows', 'audit', 'notifications'],
    entries: {
      accounts: 'tests/crash/services/accounts-main.ts',
      notifications: 'tests/crash/services/notifications-main.ts',
    },
    env: { SMTP_URL: catcher.url, MAIL_FROM: 'waymark@example.com' },
  });
  mongo = new MongoClient(product.stores.mongoUrl, { readConcern: { level: 'majority' } });
});
afterAll(async () => {
  await mongo?.close();
  await product?.stop();
  await catcher?.stop();
});

interface Told {
  id: string;
  record_id: string;
  read_at: string | null;
}

const asOwner = async (method: string, path: string, body?: object) => {
  const headers = { cookie: product.cookie };
  const answer = await product.call(method, path, { headers, ...(body && { body }) });
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
};
const inbox = async (): Promise<Told[]> => (await asOwner('GET', '/notifications?limit=500')).data;

it(`${KILLS} kills of the services and their stores leave one notification and one mail, at once or daily, for each assignment, and what was read stays read`, async () => {
  const { workspaceId } = product;
  const { user } = await asOwner('GET', '/auth/me');
  const created = await product.call('POST', '/workflows', { body: { workspaceId, title: 'Assigned' } });
  const acknowledged: string[] = [];
  const read = new Map<string, string>();

  /** Assigns a node to the owner with the key; tries again while a store is down. */
  async function assign(): Promise<void> {
    const body = {
      ...{ workspaceId, workflowId: created.body.id, type: 'task', title: 'A node', assignedTo: user.id },
      ...{ positionX: 0, positionY: 0 },
    };
    const headers = { authorization: `Bearer ${product.key}`, 'Idempotency-Key': crypto.randomUUID() };
    await eventually(async () => {
      const answer = await product.call('POST', '/nodes', { headers, body });
      expect(answer.status).toBe(201);
      acknowledged.push(answer.body.id);
    });
  }

  const service = product.processOf('notifications');
  const accounts = product.processOf('accounts');
  /** Between the commit of a mail and the answer to the service that has handed it over. */
  async function killAccounts(): Promise<void> {
    await writeFile(join(product.directory, 'crash-accounts'), '');
    await assign();
    await accounts.exited;
    await accounts.restart();
  }
  const faults = [
    async () => {
      await service.kill('SIGKILL');
      await service.restart();
    },
    // Between the commit of a notification and the acknowledgement of its event.
    async () => {
      await writeFile(join(product.directory, 'crash-notifications'), '');
      await assign();
      await service.exited;
      await service.restart();
    },
    () => product.killStore('nats'),
    () => product.killStore('mongo'),
  ];
  for (let i = 0; i < KILLS; i += 1) {
    const writing = Promise.all(Array.from({ length: NODES_BETWEEN_KILLS }, assign));
    // First, while mails of this hour are left.
    await (i === 0 ? killAccounts() : faults[i % faults.length]!());
    await writing;
    const [told] = await eventually(async () => {
      const unread = (await inbox()).filter(({ read_at }) => read_at === null);
      expect(unread.length).toBeGreaterThan(0);
      return unread;
    });
    await eventually(() => asOwner('PATCH', `/notifications/${told!.id}`, { isRead: true }));
    read.set(told!.id, told!.record_id);
  }
  const all = await eventually(async () => {
    const found = await inbox();
    expect(found.map(({ record_id }) => record_id).sort()).toEqual([...acknowledged].sort());
    return found;
  });
  const stillRead = all.filter(({ read_at }) => read_at !== null);
  // Each was mailed or waits for the daily mail, and none both; what was read before needs no mail.
  const notifications = mongo.db('waymark_notifications').collection<{ _id: string }>('notifications');
  const taken = mongo.db('waymark_accounts').collection<{ _id: string }>('mailed_notifications');
  await eventually(async () => {
    const mailed = catcher.mails.map(({ text }) => /node=(\S+)/.exec(text)![1]!);
    expect(mailed.length).toBeGreaterThan(0);
    // After a kill, the second hand-over may find no place: accounts leaves it out of the daily mail.
    const $nin = await taken.distinct('_id');
    const filter = { digest_at: { $ne: null }, _id: { $nin } } as object;
    const waiting = await notifications.distinct('record_id', filter);
    const unread = (ids: string[]) => ids.filter((id) => ![...read.values()].includes(id)).toSorted();
    expect(unread([...mailed, ...waiting])).toEqual(unread(acknowledged));
    expect(mailed.filter((id, i) => mailed.indexOf(id) < i)).toEqual([]);
  });
  expect(new Map(stillRead.map(({ id, record_id }) => [id, record_id]))).toEqual(read);
});

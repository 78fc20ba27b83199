import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { type ProductProcesses, startProductProcesses } from './support/product-processes.ts';

const KILLS = 10;
const NODES_BETWEEN_KILLS = 15;

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
});
afterAll(async () => {
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

it(`${KILLS} kills of the services and their stores leave one notification, and one mail at most, for each assignment, and what was read stays read`, async () => {
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
    await asOwner('PATCH', `/notifications/${told!.id}`, { isRead: true });
    read.set(told!.id, told!.record_id);
  }
  const all = await eventually(async () => {
    const found = await inbox();
    expect(found.map(({ record_id }) => record_id).sort()).toEqual([...acknowledged].sort());
    return found;
  });
  const stillRead = all.filter(({ read_at }) => read_at !== null);
  const mailed = catcher.mails.map(({ text }) => /node=(\S+)/.exec(text)![1]!);
  expect(mailed.length).toBeGreaterThan(0);
  expect(mailed.filter((id, i) => !acknowledged.includes(id) || mailed.indexOf(id) < i)).toEqual([]);
  expect(new Map(stillRead.map(({ id, record_id }) => [id, record_id]))).toEqual(read);
});

import { afterAll, expect, it } from '@jest/globals';
import type { ServiceName } from '@waymark/contracts';
import { startMailCatcher } from '@waymark/local-stack';
import type { Checkpoint } from '@waymark/service-kit/runtime';
import { eventually } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { newWorkspace } from '../../dev/new-workspace.ts';
import { armCrash } from './support/crash-point.ts';
import { startProductProcesses } from './support/product-processes.ts';

const KILLS = 12;
const NODES_BETWEEN_KILLS = 15;

const catcher = await startMailCatcher();
const product = await startProductProcesses({
  only: ['accounts', 'decisions', 'workflows', 'audit', 'notifications'],
  entries: {
    accounts: 'tests/crash/services/accounts-main.ts',
    notifications: 'tests/crash/services/notifications-main.ts',
  },
  env: { SMTP_URL: catcher.url, MAIL_FROM: 'waymark@example.com' },
});
const mongo = new MongoClient(product.stores.mongoUrl, { readConcern: { level: 'majority' } });
afterAll(async () => {
  await mongo.close();
  await product.stop();
  await catcher.stop();
});

interface Told {
  id: string;
  kind: string;
  record_id: string;
  read_at: string | null;
}

const asOwner = async (
  method: string,
  path: string,
  body?: object,
  { cookie }: { cookie: string } = product,
) => {
  const headers = { cookie };
  const answer = await product.call(method, path, { headers, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
};
const inbox = async (): Promise<Told[]> => (await asOwner('GET', '/notifications?limit=500')).data;

const queue = mongo.db('waymark_accounts').collection('mails');
/** Resolves when every mail is sent. After a kill, one that was on its way waits for the end of its lease. */
const mailsSent = () =>
  eventually(async () => {
    // Otherwise a mail that met killed services a few times waits for minutes.
    await queue.updateMany({}, { $set: { due_at: new Date().toISOString() } });
    expect(await queue.countDocuments()).toBe(0);
  });
const mailsTo = (name: string) => catcher.mails.filter(({ to }) => to === `${name}@example.com`);

/** Kills a service when it reaches a point, which `cause` makes it do, and restarts it after `whileDown`. */
async function crash(
  service: ServiceName,
  point: Checkpoint,
  cause: () => Promise<unknown>,
  whileDown?: () => Promise<unknown>,
): Promise<void> {
  const running = product.processOf(service);
  await armCrash(product, service, point);
  await cause();
  await running.exited;
  await whileDown?.();
  await running.restart();
}

it('a kill after a date was told, in the mail of a day and after a key was told of leaves one notification and one mail of each', async () => {
  const owner = await newWorkspace(product.services.baseUrl, 'due');
  const { workspaceId } = owner;
  const notifications = mongo.db('waymark_notifications').collection('notifications');
  const ofOwner = { workspace_id: workspaceId };
  const expectedBy = new Date(Date.now() + 3_600_000).toISOString();
  await asOwner('POST', '/decisions', { workspaceId, title: 'Move the lighthouse', expectedBy }, owner);
  const subjects = mongo.db('waymark_notifications').collection('subjects');
  await eventually(async () => expect(await subjects.countDocuments(ofOwner)).toBe(1));
  await crash('notifications', 'told', () => {
    const now = new Date().toISOString();
    return subjects.updateOne(ofOwner, { $set: { 'due.outcome_overdue': now, next_due_at: now } });
  });
  await eventually(async () =>
    expect(await notifications.countDocuments({ ...ofOwner, digest_at: { $ne: null } })).toBe(1),
  );
  await crash('notifications', 'handed_over', () =>
    notifications.updateMany(ofOwner, { $set: { digest_at: new Date().toISOString() } }),
  );
  await eventually(async () =>
    expect(await notifications.countDocuments({ ...ofOwner, digest_at: null })).toBe(1),
  );
  await mailsSent();

  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
  const key = await asOwner(
    'POST',
    '/api-keys',
    { workspaceId, name: 'Desk', scopes: ['read'], expiresAt: days(30) },
    owner,
  );
  const keys = mongo.db('waymark_accounts').collection<{ _id: string }>('api_keys');
  await keys.updateOne({ _id: key.id }, { $set: { created_at: days(-30), expires_at: days(6) } });
  // It looks for such keys when it starts, and every ten minutes.
  await crash(
    'accounts',
    'committed',
    // A slow start does not see it ready before it dies.
    () => product.kill('accounts').catch(() => undefined),
    // Otherwise another commit of the start was the first.
    async () => expect(await keys.findOne({ _id: key.id })).toMatchObject({ is_expiry_told: true }),
  );
  await eventually(async () => {
    const { data } = await asOwner('GET', '/notifications', undefined, owner);
    expect(data).toMatchObject([{ kind: 'key_expiring' }, { kind: 'outcome_overdue' }]);
  });
  await eventually(async () =>
    expect(await notifications.countDocuments({ ...ofOwner, mail_at: { $ne: null } })).toBe(0),
  );
  await mailsSent();
  expect(
    mailsTo('due')
      .map(({ subject }) => subject.replace(/^\[.*\] /, '').slice(0, 8))
      .toSorted(),
  ).toEqual(['API key ', 'Your day']);
});

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
  const faults = [
    async () => {
      await service.kill('SIGKILL');
      await service.restart();
    },
    ...(['told', 'handled', 'handed_over'] as const).map(
      (point) => () => crash('notifications', point, assign),
    ),
    () => product.killStore('nats'),
    async () => {
      await mailsSent();
      await product.killStore('mongo');
    },
  ];
  for (let i = 0; i < KILLS; i += 1) {
    const writing: Promise<void>[] = [];
    const write = async () => void writing.push(...Array.from({ length: NODES_BETWEEN_KILLS }, assign));
    // First, while mails of this hour are left, and before one of them is on its way.
    if (i === 0) await crash('accounts', 'committed', write);
    else {
      await write();
      await faults[i % faults.length]!();
    }
    await Promise.all(writing);
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
    const mailed = mailsTo('crash').map(({ text }) => /node=(\S+)/.exec(text)![1]!);
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

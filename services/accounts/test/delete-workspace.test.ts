import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { Deletion } from '../src/store/deletions.ts';
import { statusesOf, useAccounts } from './accounts.ts';

const SERVICES = [
  ...['transfer', 'webhooks', 'notifications', 'search'],
  ...['threads', 'workflows', 'decisions', 'audit'],
];
const MINUTES_MS = 121_000;

type Purge = { is_done: boolean } | 'fails' | 'hangs up';
let calls: string[] = [];
let answerTo: (url: string) => Purge;
/** Whether the next commit is the last of its process. */
let isDying = false;
const callsAbout = (id: string) => calls.filter((url) => url.includes(id)).length;

/** The other services: one server that records each purge and answers as `answerTo` says. */
const others = http.createServer(({ url = '' }, response) => {
  calls.push(url);
  const answer = answerTo(url);
  if (answer === 'hangs up') return response.destroy();
  response.statusCode = answer === 'fails' ? 503 : 200;
  response.end(answer === 'fails' ? '' : JSON.stringify(answer));
});
await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
const urls = SERVICES.map((name) => [`${name.toUpperCase()}_URL`, origin]);
const env = { ...Object.fromEntries(urls), WORKSPACE_DELETION_SWEEP_MS: '20', WORKSPACES_PER_USER: '99' };
const checkpoint = () => {
  if (!isDying) return;
  isDying = false;
  throw new Error('The process died.');
};
const accounts = await useAccounts({ env, seams: { checkpoint } });
afterAll(() => {
  others.close();
  others.closeAllConnections();
});

const owner = await accounts.signUp();
beforeEach(() => {
  calls = [];
  answerTo = () => ({ is_done: true });
});

const deletions = () => accounts.database.collection<Deletion>('workspace_deletions');
const deletion = (id: string) => deletions().findOne({ _id: id });
const isGone = (id: string) => eventually(async () => expect(await deletion(id)).toBeNull());
const purged = (id: string) => eventually(async () => expect((await deletion(id))?.is_purged).toBe(true));

const newWorkspace = async (): Promise<string> =>
  (await owner.call('POST', '/workspaces', { body: { name: 'Another' } })).body.id;
async function deleteWorkspace(id: string): Promise<void> {
  expect((await owner.call('DELETE', `/workspaces/${id}`)).status).toBe(204);
}

describe('DELETE /workspaces/{id}', () => {
  it('removes what accounts stores, and makes every service purge at once and when no late write can come', async () => {
    const id = await newWorkspace();
    const { key } = await accounts.createKey({ ...owner, workspaceId: id });
    const account = { workspaceId: id, name: 'Deployment', role: 'admin' };
    expect((await owner.call('POST', '/service-accounts', { body: account })).status).toBe(201);
    expect((await owner.call('POST', '/invitations', { body: { workspaceId: id } })).status).toBe(201);
    const stored = () =>
      Promise.all(
        ['workspaces', 'members', 'api_keys', 'service_accounts', 'invitations', 'outbox'].map((name) => {
          const filter = name === 'workspaces' ? { _id: id } : { workspace_id: id };
          return accounts.database.collection<{ _id: string }>(name).countDocuments(filter);
        }),
      );
    expect((await stored()).slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
    await deleteWorkspace(id);
    expect((await stored()).slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(await accounts.isUsable(key)).toBe(false);
    await purged(id);
    expect(calls).toHaveLength(SERVICES.length);
    accounts.clock.aheadMs += MINUTES_MS;
    await isGone(id);
    expect(calls).toHaveLength(2 * SERVICES.length);
    expect(await stored()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('calls a service again until its purge is done', async () => {
    answerTo = () => ({ is_done: calls.length % 3 === 0 });
    const id = await newWorkspace();
    await deleteWorkspace(id);
    await purged(id);
    expect(calls).toHaveLength(3 * SERVICES.length);
    accounts.clock.aheadMs += MINUTES_MS;
    await isGone(id);
  });

  it.each(['fails', 'hangs up'] as const)('continues after any call %s', async (failure) => {
    /** For each workspace, the number of the call about it that does not succeed; another one for each. */
    const failing = new Map<string, number>();
    answerTo = (url) => {
      const id = [...failing.keys()].find((one) => url.includes(one));
      if (!id || callsAbout(id) < failing.get(id)!) return { is_done: true };
      failing.delete(id);
      return failure;
    };
    for (let nth = 1; nth <= 2 * SERVICES.length; nth += 1) {
      const id = await newWorkspace();
      failing.set(id, nth);
      await deleteWorkspace(id);
    }
    await eventually(async () => {
      accounts.clock.aheadMs += 10_000;
      expect(await deletions().countDocuments()).toBe(0);
    });
    expect([...failing]).toEqual([]);
  });

  it('leaves a leased deletion to its process, and takes it over when the lease has ended', async () => {
    const at = accounts.clock.inMs;
    const id = newId();
    const due = { _id: id, deleted_at: at(-MINUTES_MS), due_at: at(-1), is_purged: false };
    const lease = { owner: 'another process', ms: 60_000, renewed_at: new Date() };
    await deletions().insertOne({ ...due, lease });
    const other = await newWorkspace();
    await deleteWorkspace(other);
    await purged(other);
    expect(callsAbout(id)).toBe(0);
    expect(await deletion(id)).toMatchObject({ is_purged: false });
    const ended = { 'lease.renewed_at': new Date(Date.now() - lease.ms) };
    await deletions().updateOne({ _id: id }, { $set: ended });
    await isGone(id);
    expect(callsAbout(id)).toBe(SERVICES.length);
  });

  it('continues after a process dies right after the commit', async () => {
    const id = await newWorkspace();
    isDying = true;
    expect((await owner.call('DELETE', `/workspaces/${id}`)).status).toBe(500);
    await purged(id);
  });

  it('succeeds for one of several calls at the same time', async () => {
    const id = await newWorkspace();
    const answers = await Promise.all([1, 2, 3].map(() => owner.call('DELETE', `/workspaces/${id}`)));
    expect(statusesOf(answers).filter((status) => status < 400)).toEqual([204]);
  });
});

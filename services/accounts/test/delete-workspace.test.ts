import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Deletion } from '../src/store/deletions.ts';
import { type Accounts, startForTest } from './accounts.ts';

const SERVICES = ['transfer', 'webhooks', 'search', 'threads', 'workflows', 'decisions', 'audit'];
const MINUTES_MS = 121_000;

/** The other services: one server that records each purge and answers as `answerTo` says. */
let others: http.Server;
let calls: string[] = [];
let answerTo: (count: number) => { is_done: boolean } | 'fails' | 'hangs up';
let accounts: Accounts;

beforeAll(async () => {
  others = http.createServer((request, response) => {
    calls.push(request.url ?? '');
    const answer = answerTo(calls.length);
    if (answer === 'hangs up') return response.destroy();
    response.statusCode = answer === 'fails' ? 503 : 200;
    response.end(answer === 'fails' ? '' : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
  const urls = SERVICES.map((name) => [`${name.toUpperCase()}_URL`, origin]);
  accounts = await startForTest({
    env: { ...Object.fromEntries(urls), WORKSPACE_DELETION_SWEEP_MS: '20' },
  });
});
afterAll(async () => {
  await accounts.stop();
  others.close();
  others.closeAllConnections();
});
beforeEach(() => {
  calls = [];
  answerTo = () => ({ is_done: true });
});

const deletions = () => accounts.database.collection<Deletion>('workspace_deletions');
const deletion = (id: string) => deletions().findOne({ _id: id });
const isGone = (id: string) => eventually(async () => expect(await deletion(id)).toBeNull());
const purged = (id: string) => eventually(async () => expect((await deletion(id))?.is_purged).toBe(true));

async function deletedWorkspace(): Promise<string> {
  const owner = await accounts.signUp();
  await accounts.createKey(owner);
  expect((await owner.call('DELETE', `/workspaces/${owner.workspaceId}`)).status).toBe(204);
  for (const name of ['workspaces', 'members', 'api_keys']) {
    const filter = name === 'workspaces' ? { _id: owner.workspaceId } : { workspace_id: owner.workspaceId };
    expect(await accounts.database.collection<{ _id: string }>(name).countDocuments(filter)).toBe(0);
  }
  return owner.workspaceId;
}

describe('DELETE /workspaces/{id}', () => {
  it('makes every service purge at once, and again when no late write can come', async () => {
    const id = await deletedWorkspace();
    await purged(id);
    expect(calls).toHaveLength(SERVICES.length);
    accounts.clock.aheadMs += MINUTES_MS;
    await isGone(id);
    expect(calls).toHaveLength(2 * SERVICES.length);
    expect(await accounts.database.collection('outbox').countDocuments({ workspace_id: id })).toBe(0);
  });

  it('calls a service again until its purge is done', async () => {
    answerTo = (count) => ({ is_done: count % 3 === 0 });
    const id = await deletedWorkspace();
    await purged(id);
    expect(calls).toHaveLength(3 * SERVICES.length);
    accounts.clock.aheadMs += MINUTES_MS;
    await isGone(id);
  });

  it.each(['fails', 'hangs up'] as const)('continues after any call %s', async (failure) => {
    for (let at = 1; at <= 2 * SERVICES.length; at += 1) {
      calls = [];
      let isBroken = false;
      answerTo = () => {
        if (isBroken || calls.length < at) return { is_done: true };
        isBroken = true;
        return failure;
      };
      const id = await deletedWorkspace();
      await eventually(async () => {
        accounts.clock.aheadMs += 10_000;
        expect(await deletion(id)).toBeNull();
      });
      expect([at, isBroken]).toEqual([at, true]);
    }
  });

  it('leaves a leased deletion to its process, and takes it over when the lease has ended', async () => {
    const at = accounts.clock.inMs;
    const id = crypto.randomUUID();
    const due = { _id: id, deleted_at: at(-MINUTES_MS), due_at: at(-1), is_purged: false };
    const lease = { owner: 'another process', ms: 60_000, renewed_at: new Date() };
    await deletions().insertOne({ ...due, lease });
    const other = await deletedWorkspace();
    await purged(other);
    expect(calls.some((path) => path.includes(id))).toBe(false);
    expect(await deletion(id)).toMatchObject({ is_purged: false });
    const before = calls.length;
    const ended = { 'lease.renewed_at': new Date(Date.now() - lease.ms) };
    await deletions().updateOne({ _id: id }, { $set: ended });
    await isGone(id);
    expect(calls).toHaveLength(before + SERVICES.length);
  });

  it('succeeds for one of several calls at the same time', async () => {
    const owner = await accounts.signUp();
    const answers = await Promise.all(
      [1, 2, 3].map(() => owner.call('DELETE', `/workspaces/${owner.workspaceId}`)),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses[0]).toBe(204);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  });
});

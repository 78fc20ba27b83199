import http from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH, exportCollections, internalHeaders, limits, MEBIBYTE, newId } from '@waymark/contracts';
import type { Database, Lease } from '@waymark/service-kit/store';
import {
  eventually,
  keyPrincipal,
  patience,
  sampleDecision,
  servicePrincipal,
  sessionPrincipal,
  testIdentity,
} from '@waymark/testing';
import { startTransfer } from '../src/service.ts';
import { openStore } from '../src/store/index.ts';
import { startTransferStack } from './transfer-stack.ts';

/** No server listens at this address, so imports stay unfinished. */
const NOWHERE = 'http://127.0.0.1:1';
const { importsUnfinished: LIMIT } = limits;

/** Its leases are short. */
let onCommitted = () => {};
const checkpoint = (point: string) => void (point === 'committed' && onCommitted());
const stack = await startTransferStack({ DECISIONS_URL: NOWHERE }, { checkpoint });
const replica = await startTransfer({ ...stack.env, IMPORT_LEASE_MS: String(patience(2_000)) });
await replica.ready;
afterAll(async () => {
  await replica.stop();
  await stack.stop();
});

function oneDecision() {
  const none = Object.fromEntries(exportCollections.map((name) => [name, []]));
  const counts = Object.fromEntries(exportCollections.map((name) => [name, name === 'decisions' ? 1 : 0]));
  const head = { schema_version: 1, exported_at: new Date().toISOString(), counts };
  return { ...head, workspace: { id: newId(), name: 'Elsewhere' }, ...none, decisions: [sampleDecision()] };
}

/** Imports with a key of the workspace, at the service or at another replica. */
function importInto(
  workspaceId: string,
  { url = stack.url, key = '', address = '', body = oneDecision() as unknown } = {},
) {
  const principal = keyPrincipal({ key_id: workspaceId, workspace_id: workspaceId });
  const headers = {
    ...(key !== '' && { 'Idempotency-Key': key }),
    ...(address !== '' && { [internalHeaders.clientAddress]: address }),
  };
  return stack.callAt(url, principal, 'POST', '/imports', { query: { workspaceId }, body, headers });
}

/** Begins an import whose file the test sends in parts. */
async function slowUpload(workspaceId: string, { url = stack.url, key = '' } = {}) {
  const principal = keyPrincipal({ key_id: workspaceId, workspace_id: workspaceId });
  const token = await testIdentity().sign(principal, 'transfer');
  const request = http.request(`${url}${BASE_PATH}/imports?workspaceId=${workspaceId}`, {
    method: 'POST',
    agent: false,
    headers: {
      [internalHeaders.identity]: token,
      'content-type': 'application/json',
      ...(key !== '' && { 'Idempotency-Key': key }),
    },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    request.on('response', (response) => resolve(response.resume().statusCode));
    request.on('error', reject);
  });
  return { request, status };
}

/** Begins an import whose first chunk is stored. */
async function storedUpload(workspaceId: string, given: { url?: string; key?: string } = {}) {
  const before = await stored('import_chunks', workspaceId);
  const upload = await slowUpload(workspaceId, given);
  upload.request.write(Buffer.alloc(MEBIBYTE, ' '));
  await eventually(async () => expect(await stored('import_chunks', workspaceId)).toBe(before + 1));
  return upload;
}

const purge = (workspaceId: string) =>
  stack.call(servicePrincipal(), 'POST', `/internal/workspaces/${workspaceId}/purge`);
const stored = (name: string, workspaceId: string) =>
  stack.database.collection(name).countDocuments({ workspace_id: workspaceId });

async function expectNothingOf(workspaceId: string): Promise<void> {
  for (const name of ['import_jobs', 'import_uploads', 'import_chunks', 'import_rows', 'outbox']) {
    await eventually(async () => expect([name, await stored(name, workspaceId)]).toEqual([name, 0]));
  }
  const guards = stack.database.collection<{ _id: string }>('workspaces');
  expect(await guards.countDocuments({ _id: workspaceId })).toBe(0);
}

describe('POST /imports', () => {
  it('queues imports of one network behind each other, and names the network only until they finish', async () => {
    const body = oneDecision();
    const jobs = stack.database.collection('import_jobs');
    const address = '2001:db8::1';
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await importInto(newId(), { body, address })).body.id);
    const queued = await jobs.find({ network: '2001:db8:0:0::/64' }).sort({ ahead: 1 }).toArray();
    expect(queued.map(({ _id, ahead }) => [String(_id), ahead])).toEqual(ids.map((id, n) => [id, n]));
    const { jobs: store } = openStore(stack.database as unknown as Database);
    const first = (await store.byId(ids[0]!))!;
    await store.save(first, { status: 'failed', finished_at: new Date().toISOString() });
    expect(await store.byId(first.id)).toMatchObject({ network: null });
    await jobs.updateMany({}, { $set: { status: 'failed' } });
  });

  it.each([
    ['that ends', (request: http.ClientRequest) => request.end()],
    ['that continues', (request: http.ClientRequest) => request.write(Buffer.alloc(MEBIBYTE, ' '))],
  ])('removes an upload %s when its workspace has been deleted', async (_, goOn) => {
    const workspaceId = newId();
    const { request, status } = await storedUpload(workspaceId);
    await eventually(async () => expect((await purge(workspaceId)).body).toEqual({ is_done: true }));
    goOn(request);
    expect(await status).toBe(404);
    await expectNothingOf(workspaceId);
    request.destroy();
  });

  it(`accepts ${LIMIT} unfinished imports of a workspace, also when several replicas get concurrent requests`, async () => {
    const workspaceId = newId();
    const urls = Array.from({ length: 4 * LIMIT }, (_, i) => (i % 2 === 0 ? stack.url : replica.url));
    const answers = await Promise.all(urls.map((url) => importInto(workspaceId, { url })));
    const refused = answers.filter(({ status }) => status !== 202);
    expect(answers.length - refused.length).toBe(LIMIT);
    for (const { status, body } of refused) expect([status, body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
    expect(await stored('import_jobs', workspaceId)).toBe(LIMIT);
  });

  /** Begins as many uploads as the limit allows. */
  async function fill(workspaceId: string, keys: readonly string[] = []): Promise<http.ClientRequest[]> {
    const uploads = [];
    for (let i = 0; i < LIMIT; i += 1) {
      const { request, status } = await storedUpload(workspaceId, { key: keys[i] ?? '' });
      status.catch(() => undefined);
      uploads.push(request);
    }
    return uploads;
  }

  it(`accepts ${LIMIT} concurrent uploads and stores nothing of others, until one ends`, async () => {
    const workspaceId = newId();
    const uploads = await fill(workspaceId);
    for (const given of [{}, { key: newId() }, { url: replica.url }, { url: replica.url, key: newId() }]) {
      const { request, status } = await slowUpload(workspaceId, given);
      request.write(Buffer.alloc(MEBIBYTE, ' '));
      expect(await status).toBe(409);
      request.destroy();
    }
    expect(await stored('import_chunks', workspaceId)).toBe(LIMIT);
    uploads[0]!.destroy();
    await eventually(async () => expect((await importInto(workspaceId)).status).toBe(202));
    for (const request of uploads) request.destroy();
    await eventually(async () => expect(await stored('import_uploads', workspaceId)).toBe(0));
    await eventually(async () => expect(await stored('import_chunks', workspaceId)).toBe(1));
  });

  it('answers a repeated request with its job while the workspace is at its limit, and stores nothing of it', async () => {
    const workspaceId = newId();
    const given = { key: newId(), body: oneDecision() };
    const first = await importInto(workspaceId, given);
    const jobs = stack.database.collection<{ _id: string }>('import_jobs');
    await jobs.updateOne({ _id: first.body.id }, { $set: { status: 'succeeded' } });
    const keys = Array.from({ length: LIMIT }, () => newId());
    await stack.database.collection('import_chunks').deleteMany({ workspace_id: workspaceId });
    const uploads = await fill(workspaceId, keys);
    const again = await importInto(workspaceId, given);
    expect([again.status, again.body.id, again.headers['idempotency-replayed']]).toEqual([
      202,
      first.body.id,
      'true',
    ]);
    const other = await importInto(workspaceId, { ...given, body: oneDecision() });
    expect([other.status, other.body.error]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    const twin = await importInto(workspaceId, { key: keys[0]! });
    expect([twin.status, twin.body.error, twin.headers['retry-after']]).toEqual([409, 'CONFLICT', '1']);
    expect(await stored('import_chunks', workspaceId)).toBe(LIMIT);
    for (const request of uploads) request.destroy();
    await eventually(async () => expect(await stored('import_uploads', workspaceId)).toBe(0));
  });

  it('sets rules of approvals for an admin who is signed in, and for no key', async () => {
    const workspaceId = newId();
    const service_account = { name: 'Pipeline', role: 'admin' } as const;
    for (const [principal, sets_rules] of [
      [sessionPrincipal({ workspaceId, role: 'admin' }), true],
      [keyPrincipal({ workspace_id: workspaceId, service_account }), false],
    ] as const) {
      const given = { query: { workspaceId }, body: oneDecision() };
      const { body } = await stack.call(principal, 'POST', '/imports', given);
      expect(await openStore(stack.database as unknown as Database).jobs.byId(body.id)).toMatchObject({
        sets_rules,
      });
    }
  });

  interface UploadRow {
    _id: string;
    workspace_id: string;
    /** Only uploads of the service have this field. */
    idempotency_id?: string | null;
    lease: Lease;
  }
  const uploadRows = () => stack.database.collection<UploadRow>('import_uploads');
  /** Uploads of other processes with a lease until `timeMs`. */
  const uploadsUntil = (workspace_id: string, timeMs: number): UploadRow[] =>
    Array.from({ length: LIMIT }, () => ({
      _id: newId(),
      workspace_id,
      lease: { owner: 'another process', ms: 0, renewed_at: new Date(timeMs) },
    }));

  it('counts an upload while its process renews the lease, and stops after the process was killed', async () => {
    const workspaceId = newId();
    const rows = uploadRows();
    const { request, status } = await slowUpload(workspaceId, { url: replica.url });
    request.write(' ');
    const leasedUntilMs = async () =>
      (await rows.findOne({ workspace_id: workspaceId }))?.lease.renewed_at.getTime() ?? 0;
    await eventually(async () => (await leasedUntilMs()) > 0);
    const first = await leasedUntilMs();
    await eventually(async () => (await leasedUntilMs()) > first);
    await rows.insertMany(uploadsUntil(workspaceId, Date.now() - 60_000));
    request.end(JSON.stringify(oneDecision()));
    expect(await status).toBe(202);
    expect((await importInto(workspaceId)).status).toBe(202);
  });

  const own = (workspace_id: string) => ({ workspace_id, idempotency_id: { $exists: true } });
  /** Makes the lease expire, as in a longer outage of MongoDB. */
  const endLease = (workspaceId: string) =>
    uploadRows().updateOne(own(workspaceId), {
      $set: { 'lease.renewed_at': new Date(0) },
    });

  it('counts an upload with an expired lease again', async () => {
    const workspaceId = newId();
    const key = newId();
    const { request, status } = await storedUpload(workspaceId, { url: replica.url, key });
    await uploadRows().insertMany(uploadsUntil(workspaceId, Date.now() + 3_600_000).slice(1));
    await endLease(workspaceId);
    await eventually(async () => {
      const upload = await uploadRows().findOne(own(workspaceId));
      expect(upload!.lease.renewed_at.getTime()).toBeGreaterThan(0);
    });
    const twin = await importInto(workspaceId, { key });
    expect([twin.status, twin.body.error]).toEqual([409, 'CONFLICT']);
    expect((await importInto(workspaceId)).body.error).toBe('LIMIT_EXCEEDED');
    request.end(JSON.stringify(oneDecision()));
    expect(await status).toBe(202);
  });

  it('ends an upload with an expired lease when other uploads have used the limit', async () => {
    const workspaceId = newId();
    const { request, status } = await storedUpload(workspaceId, { url: replica.url });
    let answer: number | undefined;
    void status.then((code) => {
      answer = code;
    });
    await uploadRows().insertMany(uploadsUntil(workspaceId, Date.now() + 3_600_000));
    await endLease(workspaceId);
    await eventually(() => {
      request.write(' ');
      expect(answer).toBe(409);
    });
    await eventually(async () => expect(await stored('import_chunks', workspaceId)).toBe(0));
    expect(await stored('import_uploads', workspaceId)).toBe(LIMIT);
    request.destroy();
  });

  it('refuses the job of an upload whose lease expired before other uploads used the limit', async () => {
    const workspaceId = newId();
    const { request, status } = await storedUpload(workspaceId);
    await uploadRows().insertMany(uploadsUntil(workspaceId, Date.now() + 3_600_000));
    await endLease(workspaceId);
    request.end(JSON.stringify(oneDecision()));
    expect(await status).toBe(409);
    expect(await stored('import_uploads', workspaceId)).toBe(LIMIT);
    expect(await stored('import_chunks', workspaceId)).toBe(0);
  });

  it('keeps the file of an import whose commit got no response', async () => {
    const workspaceId = newId();
    let commits = 0;
    onCommitted = () => {
      commits += 1;
      // The first commit begins the upload, the second creates the job.
      if (commits === 2) throw new Error('the response to the commit is lost');
    };
    try {
      expect((await importInto(workspaceId)).status).toBe(500);
    } finally {
      onCommitted = () => {};
    }
    expect(await stored('import_jobs', workspaceId)).toBe(1);
    expect(await stored('import_chunks', workspaceId)).toBe(1);
  });
});

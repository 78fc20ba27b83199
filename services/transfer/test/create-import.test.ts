import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH, exportCollections, internalHeaders, limits, MEBIBYTE, newId } from '@waymark/contracts';
import { identityTokens, type RunningService } from '@waymark/service-kit';
import {
  eventually,
  IDENTITY_SECRET,
  keyPrincipal,
  sampleDecision,
  servicePrincipal,
} from '@waymark/testing';
import { startTransfer } from '../src/service.ts';
import { type Stand, startStand } from './transfer-stand.ts';

/** Nobody listens there: what is begun stays unfinished. */
const NOWHERE = 'http://127.0.0.1:1';
const { importsUnfinished: CAP } = limits;

let stand: Stand;
let replica: RunningService;
beforeAll(async () => {
  stand = await startStand({ DECISIONS_URL: NOWHERE });
  replica = await startTransfer(stand.env);
  await replica.ready;
});
afterAll(async () => {
  await replica.stop();
  await stand.stop();
});

function oneDecision() {
  const none = Object.fromEntries(exportCollections.map((name) => [name, []]));
  const counts = Object.fromEntries(exportCollections.map((name) => [name, name === 'decisions' ? 1 : 0]));
  const head = { schema_version: 1, exported_at: new Date().toISOString(), counts };
  return { ...head, workspace: { id: newId(), name: 'Elsewhere' }, ...none, decisions: [sampleDecision()] };
}

/** As a key of the workspace, of the service or of another replica. */
function importInto(
  workspaceId: string,
  { url = stand.url, key = '', body = oneDecision() as unknown } = {},
) {
  const principal = keyPrincipal({ key_id: workspaceId, workspace_id: workspaceId });
  const headers = key === '' ? {} : { 'Idempotency-Key': key };
  return stand.callAt(url, principal, 'POST', '/imports', { query: { workspaceId }, body, headers });
}

/** An import whose file is sent bit by bit. */
async function slowUpload(workspaceId: string) {
  const principal = keyPrincipal({ workspace_id: workspaceId });
  const token = await identityTokens([IDENTITY_SECRET]).sign(principal);
  const request = http.request(`${stand.url}${BASE_PATH}/imports?workspaceId=${workspaceId}`, {
    method: 'POST',
    agent: false,
    headers: { [internalHeaders.identity]: token, 'content-type': 'application/json' },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    request.on('response', (response) => resolve(response.resume().statusCode));
    request.on('error', reject);
  });
  return { request, status };
}

const purge = (workspaceId: string) =>
  stand.call(servicePrincipal(), 'POST', `/internal/workspaces/${workspaceId}/purge`);
const stored = (name: string, workspaceId: string) =>
  stand.database.collection(name).countDocuments({ workspace_id: workspaceId });

async function expectNothingOf(workspaceId: string): Promise<void> {
  for (const name of ['import_jobs', 'import_chunks', 'import_rows', 'outbox']) {
    await eventually(async () => expect([name, await stored(name, workspaceId)]).toEqual([name, 0]));
  }
  const guards = stand.database.collection<{ _id: string }>('workspaces');
  expect(await guards.countDocuments({ _id: workspaceId })).toBe(0);
}

describe('POST /imports', () => {
  it.each([
    ['that is at its end', (request: http.ClientRequest) => request.end()],
    ['that goes on', (request: http.ClientRequest) => request.write(Buffer.alloc(MEBIBYTE, ' '))],
  ])('leaves nothing of an upload %s when its workspace has been deleted', async (_, goOn) => {
    const workspaceId = newId();
    const { request, status } = await slowUpload(workspaceId);
    request.write(Buffer.alloc(MEBIBYTE, ' '));
    await eventually(async () => expect(await stored('import_chunks', workspaceId)).toBe(1));
    await eventually(async () => expect((await purge(workspaceId)).body).toEqual({ is_done: true }));
    goOn(request);
    expect(await status).toBe(404);
    await expectNothingOf(workspaceId);
    request.destroy();
  });

  it(`takes ${CAP} at a time, of many at once at several replicas no more`, async () => {
    const workspaceId = newId();
    const urls = Array.from({ length: 4 * CAP }, (_, i) => (i % 2 === 0 ? stand.url : replica.url));
    const answers = await Promise.all(urls.map((url) => importInto(workspaceId, { url })));
    const refused = answers.filter(({ status }) => status !== 202);
    expect(answers.length - refused.length).toBe(CAP);
    for (const { status, body } of refused) expect([status, body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
    expect(await stored('import_jobs', workspaceId)).toBe(CAP);
  });

  it('answers a repeat with its job, also when no other would be taken', async () => {
    const workspaceId = newId();
    const twins = await Promise.all(
      Array.from({ length: CAP }, async () => {
        const given = { key: newId(), body: oneDecision() };
        return { given, first: await importInto(workspaceId, given) };
      }),
    );
    expect((await importInto(workspaceId)).body.error).toBe('LIMIT_EXCEEDED');
    expect((await importInto(workspaceId, { key: newId() })).body.error).toBe('LIMIT_EXCEEDED');
    for (const { given, first } of twins) {
      const again = await importInto(workspaceId, given);
      expect([again.status, again.body.id]).toEqual([202, first.body.id]);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    expect(await stored('import_jobs', workspaceId)).toBe(CAP);
    expect(await stored('import_chunks', workspaceId)).toBe(CAP);
  });
});

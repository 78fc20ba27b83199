import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { freePort } from '@waymark/local-stack';
import type { RunningService } from '@waymark/service-kit/process';
import { eventually, httpCall, keyPrincipal, type OneService, startOne } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { startDecisions } from '../src/service.ts';

const database = `t${randomBytes(6).toString('hex')}_starting`;
const mongo = new MongoClient(String(process.env['MONGODB_URL']));
const lock = mongo
  .db(database)
  .collection<{ _id: string; owner: string | null; expires_at: Date }>('schema_lock');
afterAll(() => mongo.close());

it('a process accepts requests and reports ready when its database is ready', async () => {
  const [port, adminPort] = [await freePort(), await freePort()];
  const readiness = () => httpCall(`http://127.0.0.1:${adminPort}`, 'GET', '/readyz');
  await lock.insertOne({ _id: 'lock', owner: 'another', expires_at: new Date(Date.now() + 3_600_000) });
  let one: OneService | undefined;
  try {
    one = await startOne(
      async (env, seams) => {
        const starting: Promise<RunningService> = startDecisions(env, seams);
        await eventually(readiness);
        expect(await readiness()).toMatchObject({ status: 503, text: 'starting\n' });
        const early = httpCall(`http://127.0.0.1:${port}`, 'GET', '/v1/decisions');
        await expect(early).rejects.toThrow('ECONNREFUSED');
        await lock.updateOne({ _id: 'lock' }, { $set: { owner: null } });
        return starting;
      },
      { env: { MONGODB_DATABASE: database, PORT: String(port), ADMIN_PORT: String(adminPort) } },
    );
    expect((await readiness()).status).toBe(200);
    const key = keyPrincipal();
    const list = await one.call(key, 'GET', '/decisions', { query: { workspaceId: key.workspace_id } });
    expect(list.status).toBe(200);
  } finally {
    await one?.stop();
  }
});

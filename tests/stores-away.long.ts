import { Writable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startDecisions } from '@waymark/decisions';
import { startStores } from '@waymark/local-stack';
import { createLogger } from '@waymark/service-kit/process';
import { eventually, keyPrincipal, patience, type Start, startOne, testFolder } from '@waymark/testing';

/** The driver retries after the first failure by itself. After later ones, the service must connect anew. */
const FAILURES = 3;

const dataDir = testFolder();
const { REDIS_URL } = process.env;
// Start the stores that this environment lacks.
const env = { REDIS_URL };
const stores = await startStores({ dataDir, log: () => undefined, env });
const mongo = stores.mongo!;
const nats = stores.nats!;
afterAll(() => Promise.all([mongo.kill(), nats.kill()]));

/** A log that counts how often it reported that MongoDB is away. */
function countingLog() {
  const counted = { outageCount: 0 };
  const output = new Writable({
    write(line, _, done) {
      counted.outageCount += Number(String(line).includes('MongoDB is away'));
      done();
    },
  });
  return { counted, log: createLogger('decisions', 'info', output) };
}

describe('MongoDB is unavailable when a service starts, and again later', () => {
  it('makes requests fail in time but not the process, which recovers when MongoDB is available', async () => {
    await mongo.stop();
    const { counted, log } = countingLog();
    // Do not wait until the service is ready: it has no database yet.
    const start: Start = async (env, seams) => ({
      ...(await startDecisions(env, seams)),
      ready: Promise.resolve(),
    });
    const one = await startOne(start, {
      env: { MONGODB_URL: mongo.url, NATS_URL: nats.url },
      seams: { log },
    });
    try {
      const key = keyPrincipal();
      const list = () => one.call(key, 'GET', '/decisions', { query: { workspaceId: key.workspace_id } });
      const expectAway = async () => {
        const startedAt = performance.now();
        const away = await list();
        expect([away.status, away.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
        expect(Number(away.headers['retry-after'])).toBeGreaterThanOrEqual(1);
        expect(performance.now() - startedAt).toBeLessThan(patience(6_000));
      };
      const expectBack = async () => {
        await mongo.restart();
        await eventually(async () => expect((await list()).status).toBe(200));
      };
      await expectAway();
      await eventually(() => counted.outageCount >= FAILURES);
      await expectBack();
      await mongo.kill();
      for (let i = 0; i < 2; i += 1) await Promise.all([expectAway(), expectAway(), expectAway()]);
      await expectBack();
    } finally {
      await one.stop();
    }
  });
});

describe('NATS is unavailable when a service starts, and again later', () => {
  it('does not block writes or reads, and receives the events when it is available', async () => {
    const start: Start = async (env, seams) => {
      await nats.stop();
      return startDecisions(env, seams);
    };
    const one = await startOne(start, { env: { MONGODB_URL: mongo.url, NATS_URL: nats.url } });
    try {
      const key = keyPrincipal();
      const query = { workspaceId: key.workspace_id };
      const created = await one.call(key, 'POST', '/decisions', { query, body: { title: 'Meanwhile' } });
      expect(created.status).toBe(201);
      const outbox = one.database.collection('outbox');
      expect(await outbox.countDocuments({ pending: true })).toBe(1);
      await nats.restart();
      await eventually(async () => expect(await outbox.countDocuments({ pending: true })).toBe(0));
      await nats.kill();
      const reads: { status: number; ms: number }[] = [];
      for (let i = 0; i < 20; i += 1) {
        const startedAt = performance.now();
        const { status } = await one.call(key, 'GET', '/decisions', { query });
        reads.push({ status, ms: performance.now() - startedAt });
      }
      await one.call(key, 'POST', '/decisions', { query, body: { title: 'Later' } });
      await nats.restart();
      expect(reads.filter(({ status, ms }) => status !== 200 || ms > patience(6_000))).toEqual([]);
      await eventually(async () => expect(await outbox.countDocuments({ pending: true })).toBe(0));
    } finally {
      await one.stop();
    }
  });
});

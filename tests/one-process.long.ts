import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH, services, storingServices } from '@waymark/contracts';
import { findRepositoryRoot, freePort, keepRunning } from '@waymark/local-stack';
import { eventually, httpCall, patience, testEnvironment, testFolder } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { newWorkspace } from '../dev/new-workspace.ts';
import { startInOneProcess } from '../dev/services.ts';

const { NATS_PREFIX, REDIS_PREFIX, MONGODB_URL, NATS_URL, REDIS_URL, ...secrets } = testEnvironment();
const databases = storingServices.map((name) => [
  `${name.toUpperCase()}_MONGODB_DATABASE`,
  `${NATS_PREFIX}_${name}`,
]);
const folder = testFolder();
const mongo = new MongoClient(String(MONGODB_URL));
const decisions = mongo.db(`${NATS_PREFIX}_decisions`);

// Decisions cannot prepare its database: a view has no indexes.
await decisions.createCollection('decisions', { viewOn: 'others', pipeline: [] });
const port = await freePort();
const baseUrl = `http://localhost:${port}${BASE_PATH}`;
const options = {
  root: findRepositoryRoot(),
  port,
  stores: { mongoUrl: String(MONGODB_URL), natsUrl: String(NATS_URL), redisUrl: String(REDIS_URL) },
  secrets: secrets as Record<string, string>,
  logDirectory: folder,
  env: {
    NATS_PREFIX,
    REDIS_PREFIX,
    LIMIT_SCALE: '1000',
    LOG_LEVEL: 'info',
    ...Object.fromEntries(databases),
  },
};
const { running, adminPort } = await startInOneProcess(options, '/livez');
const release = keepRunning(running, () => undefined);
afterAll(async () => {
  release();
  await running.stop();
  await Promise.all(storingServices.map((name) => mongo.db(`${NATS_PREFIX}_${name}`).dropDatabase()));
  await mongo.close();
});

/** The complete lines of the log. */
const logged = () =>
  readFileSync(join(folder, 'waymark.log'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { service: string; msg: string });

const readyLines = () => logged().filter(({ msg }) => msg.endsWith(' is ready'));

async function createDecision({ key, workspaceId }: { key: string; workspaceId: string }) {
  const headers = { authorization: `Bearer ${key}` };
  return httpCall(baseUrl, 'POST', '/decisions', {
    headers,
    query: { workspaceId },
    body: { title: 'One process' },
  });
}

describe('waymark all', () => {
  it('starts a service again whose database is not ready, and keeps the others serving', async () => {
    const probes = [`http://127.0.0.1:${adminPort}/readyz`, new URL('/readyz', baseUrl)];
    const readiness = () => Promise.all(probes.map(async (url) => (await fetch(url)).status));
    const workspace = await newWorkspace(baseUrl, NATS_PREFIX!);
    expect((await createDecision(workspace)).status).toBe(503);
    expect(await readiness()).toEqual([503, 503]);
    await decisions.dropCollection('decisions');
    await eventually(async () => expect((await createDecision(workspace)).status).toBe(201));
    await eventually(async () => expect(await readiness()).toEqual([200, 200]));
    const starts = (name: string) => readyLines().filter(({ service }) => service === name).length;
    // A service responds before it logs that it is ready.
    await eventually(() =>
      expect(Object.keys(services).filter((name) => starts(name) > 1)).toEqual(['decisions']),
    );
  });

  it('logs every service under its own name', () =>
    eventually(() => {
      const names = readyLines().map(({ service }) => service);
      expect([...new Set(names)].sort()).toEqual(Object.keys(services).sort());
    }));

  it('is restarted when it has ended, with all that it acknowledged', async () => {
    const workspace = await newWorkspace(baseUrl, `${NATS_PREFIX}again`);
    const { pid } = running;
    const { body } = await createDecision(workspace);
    await running.kill();
    const { key, workspaceId } = workspace;
    const read = () =>
      httpCall(baseUrl, 'GET', `/decisions/${body.id}`, {
        headers: { authorization: `Bearer ${key}` },
        query: { workspaceId },
      });
    await eventually(async () => expect((await read()).status).toBe(200));
    expect(running.pid).not.toBe(pid);
  });

  it('finishes and exits on SIGTERM', async () => {
    release();
    expect(await running.stop(patience(20_000))).toEqual({ code: 0, signal: null });
  });
});

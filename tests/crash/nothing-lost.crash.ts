import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Decision, ServiceName } from '@waymark/contracts';
import { findRepositoryRoot, freePort, type Stores, startStores } from '@waymark/local-stack';
import { eventually, httpCall } from '@waymark/testing';
import { callApi } from '../../dev/api.ts';
import { readSecrets } from '../../dev/secrets.ts';
import { type RunningServices, startServices } from '../../dev/services.ts';
import { startWriters } from './writers.ts';

const SEED = Number(process.env['CRASH_SEED'] ?? 20261121);
const KILLS = Number(process.env['CRASH_KILLS'] ?? 24);
const WRITERS = 8;
/** Acknowledged writes between two kills: the load goes on while the victim is away and comes back. */
const BETWEEN_KILLS = [10, 60] as const;

/** mulberry32, by Tommy Ettinger (public domain): a run is repeated by its seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

let directory: string;
let stores: Stores;
let running: RunningServices;
let workspaceId: string;
let key: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-crash-'));
  const root = findRepositoryRoot();
  stores = await startStores({ root, dataDir: join(directory, 'data'), log: () => undefined, env: {} });
  running = await startServices({
    root,
    port: await freePort(),
    stores,
    secrets: await readSecrets(directory),
    logDirectory: directory,
    env: { LIMIT_SCALE: '100000', CRASH_DIRECTORY: directory, DEFAULT_PLAN: 'enterprise' },
    entries: { decisions: 'tests/crash/decisions-main.ts', audit: 'tests/crash/audit-main.ts' },
  });
  const body = { email: 'crash@example.com', password: 'correct horse battery', name: 'Crash' };
  const signedUp = await callApi<{ workspaces: { id: string }[] }>(`${running.baseUrl}/auth/sign-up`, {
    method: 'POST',
    body,
  });
  workspaceId = signedUp.body.workspaces[0]!.id;
  const created = await callApi<{ key: string }>(`${running.baseUrl}/api-keys`, {
    method: 'POST',
    headers: { cookie: signedUp.cookie ?? '' },
    body: { workspaceId, name: 'crash', scopes: ['read', 'write'] },
  });
  key = created.body.key;
}, 120_000);

afterAll(async () => {
  await running?.stop();
  await stores?.stop();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

const processOf = (name: ServiceName) => running.processes.find(({ service }) => service === name)!.process;

async function killService(name: ServiceName): Promise<void> {
  const service = processOf(name);
  await service.kill('SIGKILL');
  await service.restart();
}

/** Arms a service's crash point and waits until it has run into it. */
async function crashAtPoint(name: 'decisions' | 'audit'): Promise<void> {
  const service = processOf(name);
  await writeFile(join(directory, `crash-${name}`), '');
  await service.exited;
  await service.restart();
}

async function killStore(name: 'mongo' | 'nats' | 'redis'): Promise<void> {
  const store = stores[name]!;
  await store.kill('SIGKILL');
  await store.restart();
}

const victims: [name: string, kill: () => Promise<void>][] = [
  ['decisions', () => killService('decisions')],
  ['audit', () => killService('audit')],
  ['accounts', () => killService('accounts')],
  ['gateway', () => killService('gateway')],
  ['nats', () => killStore('nats')],
  ['mongo', () => killStore('mongo')],
  ['redis', () => killStore('redis')],
];

async function allDecisions(): Promise<Decision[]> {
  const found: Decision[] = [];
  let cursor: string | null = null;
  do {
    const answer = await httpCall(running.baseUrl, 'GET', '/decisions', {
      query: { workspaceId, limit: 500, ...(cursor && { cursor }) },
      headers: { authorization: `Bearer ${key}` },
    });
    found.push(...answer.body.decisions);
    cursor = answer.body.next_cursor;
  } while (cursor);
  return found;
}

interface Line {
  action?: string;
  resource_id?: string;
}

async function auditedDecisions(): Promise<string[]> {
  const answer = await httpCall(running.baseUrl, 'GET', '/audit-log/export', {
    query: { workspaceId },
    headers: { authorization: `Bearer ${key}` },
  });
  const lines = answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return lines.filter((line) => line.action === 'decision.create').map((line) => line.resource_id!);
}

describe(`${KILLS} kills under load (seed ${SEED})`, () => {
  it('lose no acknowledged write nor its audit entry, and repeat none', async () => {
    const random = seeded(SEED);
    const writers = startWriters({ count: WRITERS, baseUrl: running.baseUrl, key, workspaceId });
    const [least, most] = BETWEEN_KILLS;
    for (let i = 0; i < KILLS; i += 1) {
      await writers.afterMore(least + Math.floor(random() * (most - least)));
      const [, kill] = victims[Math.floor(random() * victims.length)]!;
      await kill();
    }
    await writers.stop();

    const acknowledged = [...writers.ledger.acknowledged.values()].toSorted();
    const stored = (await allDecisions()).map((decision) => decision.id).toSorted();
    expect(stored).toEqual(acknowledged);
    await eventually(async () => {
      expect((await auditedDecisions()).toSorted()).toEqual(acknowledged);
    }, 30_000);
    const verified = await httpCall(running.baseUrl, 'GET', '/audit-log/verify', {
      query: { workspaceId },
      headers: { authorization: `Bearer ${key}` },
    });
    expect(verified.body).toMatchObject({ valid: true, fault: null });
    console.log(
      `${acknowledged.length} writes acknowledged, ${writers.ledger.unknown} answers unknown and repeated`,
    );
  }, 300_000);
});

describe.each(['decisions', 'audit'] as const)('a crash of %s at its worst point', (name) => {
  it('loses nothing and repeats nothing', async () => {
    const before = (await allDecisions()).length;
    const writers = startWriters({ count: WRITERS, baseUrl: running.baseUrl, key, workspaceId });
    for (let i = 0; i < 4; i += 1) {
      await writers.afterMore(20);
      await crashAtPoint(name);
    }
    await writers.stop();
    const stored = (await allDecisions()).map((decision) => decision.id).toSorted();
    expect(stored).toHaveLength(before + writers.ledger.acknowledged.size);
    await eventually(async () => expect((await auditedDecisions()).toSorted()).toEqual(stored), 30_000);
  }, 180_000);
});

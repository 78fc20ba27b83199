import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';
import type { Workspace } from './support/records.ts';

const KILLS = 3;
const WRITES_PER_ROUND = 40;
const WRITERS = 4;

const product = joinProduct();
let workspace: Workspace;
let folder: string;
beforeAll(async () => {
  workspace = await product.workspace();
  folder = await mkdtemp(join(tmpdir(), 'waymark-mirror-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, 'mirror.json');

function startMirror(): ChildProcess {
  const program = new URL('./support/mirror-main.ts', import.meta.url).pathname;
  const args = ['--conditions=x-source', '--disable-warning=ExperimentalWarning', program];
  const url = `${product.url}/v1`;
  const env = { ...process.env, MIRROR_FILE: file(), WAYMARK_URL: url, WAYMARK_API_KEY: workspace.key };
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Kills with SIGKILL, at whatever the program is doing. */
async function kill(mirror: ChildProcess): Promise<void> {
  const exited = once(mirror, 'exit');
  mirror.kill('SIGKILL');
  await exited;
}

const call = (method: string, path: string, body?: object) =>
  product.call(method, path, { key: workspace.key, ...(body && { body }) });

/** Makes random writes, several at once. */
async function write(ids: string[]): Promise<void> {
  const any = () => ids[Math.floor(Math.random() * ids.length)];
  async function one(n: number): Promise<void> {
    const kind = Math.random();
    const id = any();
    if (kind < 0.4 || !id) {
      const created = await call('POST', '/decisions', { title: `Decision ${n}` });
      ids.push(created.body.id);
    } else if (kind < 0.7) {
      await call('PATCH', `/decisions/${id}`, { title: `Changed ${n}`, tags: [`t${n}`] });
    } else if (kind < 0.85) {
      await call('PATCH', `/decisions/${id}`, { outcome: Math.random() < 0.5 ? 'success' : 'failure' });
    } else {
      await call('DELETE', `/decisions/${id}`);
    }
  }
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = 0; n < WRITES_PER_ROUND / WRITERS; n += 1) await one(writer * WRITES_PER_ROUND + n);
  });
  await Promise.all(writers);
}

async function decisions(): Promise<Record<string, unknown>> {
  const { body } = await product.call('GET', '/decisions', { key: workspace.key, query: { limit: 500 } });
  return Object.fromEntries(body.decisions.map((decision: { id: string }) => [decision.id, decision]));
}

it('a mirror that is killed again and again ends equal to the decisions', async () => {
  const ids: string[] = [];
  await write(ids);
  const exported = await product.call('GET', '/export', {
    key: workspace.key,
    query: { workspaceId: workspace.workspaceId },
  });
  let mirror = startMirror();
  for (let round = 1; round <= KILLS; round += 1) {
    const writing = write(ids);
    const before = await eventually(() => readFile(file(), 'utf8'));
    if (round > 1) await eventually(async () => (await readFile(file(), 'utf8')) !== before);
    await kill(mirror);
    mirror = startMirror();
    await writing;
  }
  // Brings back the decisions that were deleted since.
  const begun = await product.call('POST', '/imports', {
    key: workspace.key,
    query: { workspaceId: workspace.workspaceId },
    rawBody: exported.text,
  });
  await eventually(async () => {
    expect((await call('GET', `/imports/${begun.body.id}`)).body.status).toBe('succeeded');
  });
  try {
    await eventually(async () => {
      const { decisions: copied, after } = JSON.parse(await readFile(file(), 'utf8'));
      const { body } = await product.call('GET', '/event-log', { key: workspace.key, query: { after } });
      expect(body.newest).toBe(after);
      expect(copied).toEqual(await decisions());
    });
    expect(Object.keys(await decisions()).length).toBeGreaterThan(0);
  } finally {
    await kill(mirror);
  }
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { eventually, testFolder } from '@waymark/testing';
import { acquirePython } from '../../dev/sdks/python/python-command.ts';
import { joinProduct } from '../support/join-product.ts';
import type { Workspace } from '../support/records.ts';
import type { SdkProgram } from './support/run-sdk.ts';

const KILLS = 3;
const WRITES_PER_ROUND = 40;
const WRITERS = 4;

const root = findRepositoryRoot();
const programs: Record<string, () => Promise<SdkProgram>> = {
  typescript: async () => ({
    command: process.execPath,
    args: ['--conditions=x-source', '--no-warnings', 'docs/mirrors/typescript/mirror.ts'],
  }),
  python: async () => ({
    ...(await acquirePython(join(root, 'sdks/python'), console.error)),
    args: ['docs/mirrors/python/mirror.py'],
  }),
};

const product = joinProduct();
let workspace: Workspace;
let folder: string;
beforeEach(async () => {
  workspace = await product.workspace();
  folder = testFolder();
});

const file = () => join(folder, 'mirror.db');

function startMirror({ command, args, env }: SdkProgram): ChildProcess {
  const own = { MIRROR_FILE: file(), WAYMARK_URL: product.url, WAYMARK_API_KEY: workspace.key };
  const options = { cwd: root, env: { ...process.env, ...env, ...own } };
  return spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Returns the decisions in the mirror, and its position: undefined before it has read all. */
function readMirror() {
  const database = new DatabaseSync(file(), { readOnly: true, timeout: 1_000 });
  try {
    const rows = database.prepare('SELECT data FROM decisions WHERE data IS NOT NULL').all();
    const position = database.prepare('SELECT number FROM position').get();
    const decisions = rows.map((row) => JSON.parse(String(row['data'])));
    return { after: position?.['number'] as number | undefined, decisions: byId(decisions) };
  } finally {
    database.close();
  }
}

const byId = (decisions: readonly { id: string }[]) =>
  Object.fromEntries(decisions.map((decision) => [decision.id, decision]));

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

async function decisions() {
  const { body } = await product.call('GET', '/decisions', { key: workspace.key, query: { limit: 500 } });
  return byId(body.decisions);
}

it.each(Object.keys(programs))('the mirror in %s, killed again and again, ends equal', async (language) => {
  const program = await programs[language]!();
  const ids: string[] = [];
  await write(ids);
  const exported = await product.call('GET', '/export', {
    key: workspace.key,
    query: { workspaceId: workspace.workspaceId },
  });
  let mirror = startMirror(program);
  let last = await eventually(() => readMirror().after ?? Promise.reject(new Error('nothing read')));
  for (let round = 1; round <= KILLS; round += 1) {
    const writing = write(ids);
    last = await eventually(() => {
      const { after } = readMirror();
      expect(after).toBeGreaterThan(last);
      return after!;
    });
    await kill(mirror);
    mirror = startMirror(program);
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
      const { decisions: copied, after } = readMirror();
      const query = { after: after! };
      const { body } = await product.call('GET', '/event-log', { key: workspace.key, query });
      expect(body.newest).toBe(after);
      expect(copied).toEqual(await decisions());
    });
    expect(Object.keys(await decisions()).length).toBeGreaterThan(0);
  } finally {
    await kill(mirror);
  }
});

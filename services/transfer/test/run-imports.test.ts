import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExportCollection, exportCollections, newId } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import { eventually, patience, sampleDecision, undisturbed } from '@waymark/testing';
import { makeZip } from 'client-zip';
import { newImport } from '../src/import/new-import.ts';
import { runImports } from '../src/import/run-imports.ts';
import type { WorkContext } from '../src/import/work/begin-work.ts';
import {
  CHUNK_BYTES,
  type ImportFormat,
  type ImportRecord,
  type ImportStore,
  importStore,
} from '../src/store/index.ts';
import { startTransferStack, type TransferStack } from './transfer-stack.ts';

/** The allowed number of consecutive lost claims. */
const LOST = 5;
const DAY_MS = 86_400_000;

let stack: TransferStack;
let store: ImportStore;
beforeAll(async () => {
  // The service itself never looks for imports; only the replicas of the tests do.
  stack = await startTransferStack({ IMPORT_SWEEP_MS: String(DAY_MS) });
  store = importStore(stack.database as unknown as Database);
});
afterAll(() => stack.stop());

const jobOf = async (id: string) => (await store.jobs.byId(id))!;

function fileOf(records: Partial<Record<ExportCollection, unknown[]>>): Buffer {
  const lists = Object.fromEntries(exportCollections.map((name) => [name, records[name] ?? []]));
  const counts = Object.fromEntries(exportCollections.map((name) => [name, lists[name]!.length]));
  return Buffer.from(JSON.stringify({ schema_version: 1, workspace: {}, counts, ...lists }));
}

/** A file of several chunks, so that a replica can stall in the middle. */
const large = fileOf({
  decisions: Array.from({ length: 3_000 }, () => sampleDecision({ description: 'x'.repeat(1_000) })),
});
const CHUNKS = Math.ceil(large.length / CHUNK_BYTES);

/** Creates a queued dry run that can be claimed from `atMs`. */
async function queued(
  file: Buffer,
  atMs = Date.now(),
  { workspace_id = newId(), ahead = 0, format = 'json' as ImportFormat } = {},
): Promise<ImportRecord> {
  const id = newId();
  const chunks = Math.ceil(file.length / CHUNK_BYTES);
  const expires_at = new Date(atMs + DAY_MS);
  for (let n = 0; n < chunks; n += 1) {
    const data = file.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);
    await store.chunks.add({ workspace_id, import_id: id, n, data, expires_at });
  }
  const ctx = { actor: { type: 'api_key', id: newId(), name: null, key_prefix: null } } as const;
  const job = newImport(
    ctx,
    { workspace_id, dry_run: true, ids: 'keep' },
    { id, format, chunks, ahead, atMs },
  );
  await store.jobs.insert(job);
  return job;
}

/** Removes a test's imports, so that the next test claims only its own. */
async function clear(): Promise<void> {
  await stack.database.collection('import_jobs').updateMany({}, { $set: { status: 'failed' } });
}

interface Replica {
  imports: ReturnType<typeof runImports>;
  /** The imports whose reading has stalled. */
  stuckAt: string[];
  /** Makes the replica save nothing any more, as if its process were killed. */
  die(): Promise<void>;
  /** Lets the replica continue. */
  wake(): void;
}

let replicas: Replica[] = [];

/** Starts a replica that stalls at a chunk of each file. */
function replica(stuckAtChunk = Number.POSITIVE_INFINITY): Replica {
  const stuckAt: string[] = [];
  const woken = Promise.withResolvers<void>();
  let isDead = false;
  const saving = new Set<Promise<boolean>>();
  const stuck: ImportStore = {
    ...store,
    jobs: {
      ...store.jobs,
      async save(...args) {
        if (isDead) await woken.promise;
        const saved = store.jobs.save(...args);
        saving.add(saved);
        return saved.finally(() => saving.delete(saved));
      },
    },
    chunks: {
      ...store.chunks,
      async readAt(importId, offset) {
        if (offset >= stuckAtChunk * CHUNK_BYTES) {
          stuckAt.push(importId);
          await woken.promise;
        }
        return store.chunks.readAt(importId, offset);
      },
    },
  };
  const log = { warn: () => undefined };
  const call = async () => ({ elsewhere: [] });
  const service = { call, log, now: Date.now, store: stuck, leaseMs: DAY_MS } as unknown as WorkContext;
  const imports = runImports(service, DAY_MS);
  const die = async () => {
    isDead = true;
    await Promise.all(saving);
  };
  const made = { imports, stuckAt, die, wake: woken.resolve };
  replicas.push(made);
  return made;
}

/** Makes the lease expire, as after a process was killed. */
const endLease = (id: string) =>
  stack.database
    .collection<{ _id: string }>('import_jobs')
    .updateOne({ _id: id }, { $set: { 'lease.ms': 0 } });

async function stallAndKill(id: string, chunk: number, isFurther = false): Promise<void> {
  const { furthest_piece } = await jobOf(id);
  const killed = replica(chunk);
  await killed.imports.trigger();
  await eventually(() => killed.stuckAt.includes(id));
  // Rows are stored while the file is still being read.
  if (isFurther) await eventually(async () => (await jobOf(id)).furthest_piece > furthest_piece);
  await killed.die();
  await endLease(id);
}

async function ended(id: string): Promise<ImportRecord> {
  await eventually(async () => (await jobOf(id)).finished_at !== null);
  return jobOf(id);
}

afterEach(async () => {
  for (const one of replicas) one.wake();
  await Promise.all(replicas.map(({ imports }) => imports.stop()));
  replicas = [];
  await clear();
});

describe('an import whose process disappears', () => {
  it(`fails after ${LOST} consecutive claims without progress`, async () => {
    const { id } = await queued(large);
    await stallAndKill(id, 3, true);
    // A replica may be killed between two saves of its progress. A later claim that saves more counts anew.
    for (let before = await jobOf(id); before.claims_without_progress < LOST; ) {
      await stallAndKill(id, 3);
      const after = await jobOf(id);
      const isFurther = after.furthest_piece > before.furthest_piece;
      expect(after.claims_without_progress).toBe(isFurther ? 0 : before.claims_without_progress + 1);
      before = after;
    }
    const next = replica();
    await next.imports.trigger();
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      phase: 'reading',
      issues: [
        {
          path: 'reading',
          message: expect.stringMatching(/^The import could not be finished: 5 times in a row/),
        },
      ],
      progress: { total: null },
    });
    const chunks = stack.database.collection('import_chunks');
    await eventually(async () => expect(await chunks.countDocuments({ import_id: id })).toBe(0));
  });

  it('continues after any number of lost claims if each makes progress', async () => {
    const { id } = await queued(large);
    for (const chunk of [1, CHUNKS - 1]) {
      await stallAndKill(id, chunk, true);
      for (let i = 1; i < LOST; i += 1) await stallAndKill(id, chunk);
    }
    expect((await jobOf(id)).fence).toBe(2 * LOST);
    const next = replica();
    await next.imports.trigger();
    expect(await ended(id)).toMatchObject({ status: 'succeeded', issues: [] });
  });

  it('does not count replicas that shut down in order', async () => {
    const { id } = await queued(large);
    for (let i = 0; i < 2 * LOST; i += 1) {
      const { imports, stuckAt, wake } = replica(0);
      await imports.trigger();
      await eventually(() => stuckAt.length > 0);
      const stopped = imports.stop();
      wake();
      await stopped;
      expect(await jobOf(id)).toMatchObject({ claims_without_progress: 0, fence: i + 1 });
      expect(await jobOf(id)).not.toHaveProperty('lease');
    }
  });

  it('runs alone in the next process', async () => {
    const { id: suspect } = await queued(large, Date.now() - 1_000);
    await stallAndKill(suspect, 0);
    const { id: other } = await queued(large);
    const next = replica(0);
    await next.imports.trigger();
    await eventually(() => next.stuckAt.length > 0);
    await next.imports.trigger();
    expect(next.stuckAt).toEqual([suspect]);
    expect((await jobOf(other)).fence).toBe(0);
    next.wake();
    expect(await ended(other)).toMatchObject({ status: 'succeeded' });
  });

  it('waits for an idle process, and a busy process claims no other import before it', async () => {
    const leaseMs = DAY_MS;
    const { id: suspect } = await queued(large, Date.now() - 2_000);
    await stallAndKill(suspect, 0);
    const { id: other } = await queued(large, Date.now() - 1_000);
    expect(await store.jobs.claim({ leaseMs, beside: [newId()] })).toBeNull();
    expect((await store.jobs.claim({ leaseMs, beside: [] }))?.id).toBe(suspect);
    expect((await store.jobs.claim({ leaseMs, beside: [newId()] }))?.id).toBe(other);
  });

  it('is released for another attempt after a delay when a service is unavailable', async () => {
    const { id } = await queued(large);
    const job = (await store.jobs.claim({ leaseMs: DAY_MS, beside: [] }))!;
    await store.jobs.retryLater(job, DAY_MS, 1);
    expect(await store.jobs.claim({ leaseMs: DAY_MS, beside: [] })).toBeNull();
    expect(await jobOf(id)).toMatchObject({ claims_without_progress: 0, failures: 1 });
    await endLease(id);
    expect(await store.jobs.claim({ leaseMs: DAY_MS, beside: [] })).toMatchObject({ id, fence: 2 });
  });
});

describe('the imports of several workspaces', () => {
  it('run one of each workspace at a time in a process, and the first of each before further ones', async () => {
    const [mine, theirs] = [newId(), newId()];
    const ids: string[] = [];
    for (const [i, workspace_id] of [mine, mine, mine, theirs].entries()) {
      const ahead = workspace_id === mine ? i : 0;
      ids.push((await queued(large, Date.now() - 1_000 + i, { workspace_id, ahead })).id);
    }
    const busy = replica(0);
    await busy.imports.trigger();
    await eventually(() => busy.stuckAt.length === 2);
    expect(busy.stuckAt.toSorted()).toEqual([ids[0], ids[3]].toSorted());
    await queued(large, Date.now(), { workspace_id: newId() });
    const claimed = await store.jobs.claim({ leaseMs: DAY_MS, beside: [] });
    expect(claimed?.workspace_id).not.toBe(mine);
  });
});

describe('the reading of a file', () => {
  const PROCESSOR_MAX_MS = patience(30_000);
  const BLOCKED_MAX_MS = patience(1_000);
  const USUAL_MAX_MS = patience(200);

  it('takes little of the process for an archive of hostile front matter', async () => {
    const input = `---\n${']'.repeat(65_000)}\n---\n# T`;
    const files = Array.from({ length: 200 }, (_, i) => ({ name: `${i}.md`, input }));
    const archive = await buffer(makeZip(files));
    const measured = await whileImporting(archive, 'zip');
    expect(measured.job).toMatchObject({ status: 'succeeded', progress: { total: { decisions: 200 } } });
    expect(measured.processorMs).toBeLessThan(PROCESSOR_MAX_MS);
    expect(measured.usualMs).toBeLessThan(USUAL_MAX_MS);
    expect(measured.blockedMs).toBeLessThan(BLOCKED_MAX_MS);
  });

  it('lets other work of the process run', async () => {
    const many = Buffer.from(`{"schema_version":1,"decisions":[${'0,'.repeat(200_000)}0]}`);
    const { job, usualMs, blockedMs } = await whileImporting(many, 'json');
    expect(job.issue_count).toBeGreaterThan(200_000);
    expect(usualMs).toBeLessThan(USUAL_MAX_MS);
    expect(blockedMs).toBeLessThan(BLOCKED_MAX_MS);
  });

  /** Imports a file. The event loop is blocked for `blockedMs` at most, `usualMs` in 99 of 100 samples. */
  function whileImporting(file: Buffer, format: 'json' | 'zip') {
    return undisturbed(
      async () => {
        const { id } = await queued(file, Date.now(), { format });
        const before = process.cpuUsage();
        const delay = monitorEventLoopDelay({ resolution: 5 });
        delay.enable();
        await replica().imports.trigger();
        const job = await ended(id);
        delay.disable();
        const { user, system } = process.cpuUsage(before);
        return {
          job,
          processorMs: (user + system) / 1_000,
          blockedMs: delay.max / 1e6,
          usualMs: delay.percentile(99) / 1e6,
        };
      },
      ({ processorMs, blockedMs, usualMs }) =>
        processorMs < PROCESSOR_MAX_MS && blockedMs < BLOCKED_MAX_MS && usualMs < USUAL_MAX_MS,
    );
  }

  it('limits a portion by its number of characters', async () => {
    const record = 'x'.repeat(400_000);
    const import_id = newId();
    const rows = Array.from({ length: 10 }, (_, seq) => ({
      ...{
        _id: `${import_id}/history/${seq}`,
        import_id,
        workspace_id: newId(),
        collection: 'history' as const,
      },
      ...{ seq, id: String(seq), parent: null, supersedes: null, free_form_bytes: 0, record },
      expires_at: new Date(Date.now() + DAY_MS),
    }));
    await store.rows.add(rows);
    const after = async (seq: number, characters: number) =>
      (await store.rows.after(import_id, 'history', seq, { records: 200, characters })).map((row) => row.seq);
    expect(await after(-1, 1_000_000)).toEqual([0, 1]);
    expect(await after(1, 1_000)).toEqual([2]);
    expect(await after(5, 10_000_000)).toEqual([6, 7, 8, 9]);
  });
});

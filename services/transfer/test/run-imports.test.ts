import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { ApiError, exportCollections, newId } from '@waymark/contracts';
import { type Database, inTransaction } from '@waymark/service-kit/store';
import { eventually, sampleDecision } from '@waymark/testing';
import { newImport } from '../src/import/new-import.ts';
import { runImports } from '../src/import/run-imports.ts';
import type { WorkContext } from '../src/import/work/begin-work.ts';
import { CHUNK_BYTES, type ImportRecord, type ImportStore, openStore } from '../src/store/index.ts';
import { startTransferStack } from './transfer-stack.ts';

/** The allowed number of consecutive lost claims. */
const LOST = 5;
const DAY_MS = 86_400_000;

// The service itself never looks for imports; only the replicas of the tests do.
const stack = await startTransferStack({ IMPORT_SWEEP_MS: String(DAY_MS) });
const store = openStore(stack.database as unknown as Database);
afterAll(() => stack.stop());

const jobOf = async (id: string) => (await store.jobs.byId(id))!;

function fileOf(count: number, description: string): Buffer {
  const none = Object.fromEntries(exportCollections.map((name) => [name, []]));
  const decisions = Array.from({ length: count }, () => sampleDecision({ description }));
  const counts = { decisions: count };
  return Buffer.from(JSON.stringify({ schema_version: 1, workspace: {}, counts, ...none, decisions }));
}

const small = fileOf(1, '');
/** Rows of the first 500 records are stored while a replica waits for the third of three chunks. */
const large = fileOf(1_500, 'x'.repeat(1_000));
const LAST_CHUNK = Math.ceil(large.length / CHUNK_BYTES) - 1;

/** Creates a queued import, by default a check, that can be claimed from `atMs`. */
async function queued(
  file: Buffer,
  atMs = Date.now(),
  {
    workspace_id = newId(),
    user_id = newId(),
    clientAddress = null as string | null,
    ahead = 0,
    dry_run = true,
  } = {},
): Promise<ImportRecord> {
  const id = newId();
  const chunks = Math.ceil(file.length / CHUNK_BYTES);
  const expires_at = new Date(atMs + DAY_MS);
  for (let n = 0; n < chunks; n += 1) {
    const data = file.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);
    await store.chunks.add({ workspace_id, import_id: id, expires_at }, n, data);
  }
  const actor = { type: 'session', id: user_id, name: null, key_prefix: null } as const;
  const session = { session_id: newId(), user_id, user_name: '', membership: null };
  const ctx = { actor, principal: { type: 'session', ...session }, clientAddress } as const;
  const options = { workspace_id, dry_run, ids: 'keep' } as const;
  const job = newImport(ctx, options, { id, format: 'json', chunks, ahead, atMs });
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
  /** The events of the imports, with the id of each import. */
  emitted: [type: string, importId: string][];
  /** Makes the replica save nothing any more, as if its process were killed. */
  die(): Promise<void>;
  /** Lets the replica continue. */
  wake(): void;
}

let replicas: Replica[] = [];

/** Starts a replica that stalls at a chunk of each file. */
function replica(stuckAtChunk = Number.POSITIVE_INFINITY, called: () => void = () => undefined): Replica {
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
  const call = async () => {
    called();
    return { here: [], elsewhere: [], stored: 0, unlike: [], proposed: [] };
  };
  const emitted: Replica['emitted'] = [];
  const emit = (type: string, { data }: { data: { import_id: string } }) =>
    void emitted.push([type, data.import_id]);
  const commit = (_: unknown, work: (tx: object) => Promise<unknown>) =>
    inTransaction(stack.database.client, (session) => work({ session, emit }));
  const service = {
    ...{ call, commit, log, now: Date.now, store: stuck, leaseMs: DAY_MS },
  } as unknown as WorkContext;
  const imports = runImports(service, DAY_MS);
  const die = async () => {
    isDead = true;
    await Promise.all(saving);
  };
  const made = { imports, stuckAt, emitted, die, wake: woken.resolve };
  replicas.push(made);
  return made;
}

/** Makes the lease expire by any clock, as after a process was killed. */
const endLease = (id: string) =>
  stack.database
    .collection<{ _id: string }>('import_jobs')
    .updateOne({ _id: id }, { $set: { 'lease.renewed_at': new Date(0) } });

const claim = (...workspaces: string[]) =>
  store.jobs.claim({
    leaseMs: DAY_MS,
    beside: workspaces.map((workspace_id) => ({ workspace_id, user_id: null, network: null })),
  });

/** Loses claims whose processes are killed before they read anything. */
async function loseClaims(id: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    expect((await claim())?.id).toBe(id);
    await endLease(id);
  }
}

/** Kills a process while it waits for a chunk; with `isFurther`, after it has saved more than any before. */
async function stallAndKill(id: string, chunk: number, isFurther = false): Promise<void> {
  const { furthest_piece } = await jobOf(id);
  const killed = replica(chunk);
  await killed.imports.trigger();
  await eventually(() => killed.stuckAt.includes(id));
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
    await stallAndKill(id, LAST_CHUNK, true);
    // A process may be killed between two saves of its progress. A later one that saves more counts anew.
    const { furthest_piece } = await jobOf(id);
    await stallAndKill(id, LAST_CHUNK);
    const after = await jobOf(id);
    const lost = after.furthest_piece > furthest_piece ? 0 : 1;
    expect(after.claims_without_progress).toBe(lost);
    await loseClaims(id, LOST - lost);
    await replica().imports.trigger();
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
    for (const chunk of [1, LAST_CHUNK]) {
      await stallAndKill(id, chunk, true);
      await loseClaims(id, LOST - 1);
    }
    expect((await jobOf(id)).fence).toBe(2 * LOST);
    await replica().imports.trigger();
    expect(await ended(id)).toMatchObject({ status: 'succeeded', issues: [] });
  });

  it('does not count replicas that shut down in order', async () => {
    const { id } = await queued(small);
    await loseClaims(id, 1);
    for (const fence of [2, 3]) {
      const { imports, stuckAt, wake } = replica(0);
      await imports.trigger();
      await eventually(() => stuckAt.length > 0);
      const stopped = imports.stop();
      wake();
      await stopped;
      expect(await jobOf(id)).toMatchObject({ claims_without_progress: 1, fence });
      expect(await jobOf(id)).not.toHaveProperty('lease');
    }
  });

  it('runs alone in the next process', async () => {
    const { id: suspect } = await queued(small, Date.now() - 1_000);
    await loseClaims(suspect, 1);
    const { id: other } = await queued(small);
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
    const { id: suspect } = await queued(small, Date.now() - 2_000);
    await loseClaims(suspect, 1);
    const { id: other } = await queued(small, Date.now() - 1_000);
    expect(await claim(newId())).toBeNull();
    expect((await claim())?.id).toBe(suspect);
    expect((await claim(newId()))?.id).toBe(other);
  });

  it('is released for another attempt after a delay when a service is unavailable', async () => {
    const { id } = await queued(small);
    await store.jobs.retryLater((await claim())!, DAY_MS, 1);
    expect(await claim()).toBeNull();
    expect(await jobOf(id)).toMatchObject({ claims_without_progress: 0, failures: 1 });
    await endLease(id);
    expect(await claim()).toMatchObject({ id, fence: 2 });
  });
});

it.each([
  ['an import ends with workspace.import_finished', false, 'workspace.import_finished'],
  ['a check ends with its audit entry only', true, 'workspace.imported'],
])('%s', async (_, dry_run, type) => {
  const { id } = await queued(small, Date.now(), { dry_run });
  const { imports, emitted } = replica();
  await imports.trigger();
  expect(await ended(id)).toMatchObject({ status: 'succeeded' });
  expect(emitted).toEqual([[type, id]]);
});

it('an import waits for a service that lacks an operation, as its old replicas do during an upgrade', async () => {
  const { id } = await queued(small, Date.now(), { dry_run: false });
  await replica(undefined, () => {
    throw new ApiError('NOT_FOUND');
  }).imports.trigger();
  // It is left to a short lease.
  await eventually(async () => expect(await jobOf(id)).toMatchObject({ lease: { ms: 2_000 } }));
  expect(await jobOf(id)).toMatchObject({ status: 'running', failures: 0, issues: [] });
  await endLease(id);
  await replica().imports.trigger();
  expect(await ended(id)).toMatchObject({ status: 'succeeded', issues: [] });
});

describe('the imports of several workspaces', () => {
  it('run one of each workspace at a time in a process, and the first of each before further ones', async () => {
    const [mine, theirs] = [newId(), newId()];
    const ids: string[] = [];
    for (const [i, workspace_id] of [mine, mine, mine, theirs].entries()) {
      const ahead = workspace_id === mine ? i : 0;
      ids.push((await queued(small, Date.now() - 1_000 + i, { workspace_id, ahead })).id);
    }
    const busy = replica(0);
    await busy.imports.trigger();
    await eventually(() => busy.stuckAt.length === 2);
    expect(busy.stuckAt.toSorted()).toEqual([ids[0], ids[3]].toSorted());
    await queued(small);
    expect((await claim())?.workspace_id).not.toBe(mine);
  });
});

describe.each([
  ['user', { user_id: newId() }],
  ['network', { clientAddress: '192.0.2.1' }],
])('the imports of one %s', (_, by) => {
  it('run one at a time in a process, whichever their workspaces', async () => {
    const first = await queued(small, Date.now() - 2_000, by);
    await queued(small, Date.now() - 1_000, by);
    const { id: other } = await queued(small);
    const busy = replica(0);
    await busy.imports.trigger();
    await eventually(() => busy.stuckAt.length === 2);
    expect(busy.stuckAt.toSorted()).toEqual([first.id, other].toSorted());
  });
});

it('an import from before a collection existed has counts of it', async () => {
  const job = await queued(small);
  const jobs = stack.database.collection<{ _id: string }>('import_jobs');
  const $unset = { 'progress.done.approval_rules': '', 'progress.stored.approval_rules': '' } as const;
  await jobs.updateOne({ _id: job.id }, { $unset });
  expect((await jobOf(job.id)).progress).toEqual(job.progress);
  await clear();
});

describe('the rows of a file', () => {
  it('are read in portions of a number of characters', async () => {
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

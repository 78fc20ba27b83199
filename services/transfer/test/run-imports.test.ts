import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExportCollection, exportCollections, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { Database } from '@waymark/service-kit/store';
import { eventually, sampleDecision } from '@waymark/testing';
import type { ClientSession } from 'mongodb';
import { CHUNK_BYTES, newImport } from '../src/import/new-import.ts';
import { runImports } from '../src/import/run-imports.ts';
import { type ImportRecord, type ImportStore, importStore } from '../src/store/index.ts';
import { type Stand, startStand } from './transfer-stand.ts';

/** As many claims as may be lost. */
const LOST = 5;
const NOBODY_SWEEPS = String(86_400_000);

let stand: Stand;
let store: ImportStore;
beforeAll(async () => {
  stand = await startStand({ IMPORT_SWEEP_MS: NOBODY_SWEEPS });
  store = importStore(stand.database as unknown as Database);
});
afterAll(() => stand.stop());

const jobOf = async (id: string) => (await store.byId(id))!;

function fileOf(records: Partial<Record<ExportCollection, unknown[]>>): Buffer {
  const lists = Object.fromEntries(exportCollections.map((name) => [name, records[name] ?? []]));
  const counts = Object.fromEntries(exportCollections.map((name) => [name, lists[name]!.length]));
  return Buffer.from(JSON.stringify({ schema_version: 1, workspace: {}, counts, ...lists }));
}

/** Of pieces enough to come to an end in the middle. */
const large = fileOf({
  decisions: Array.from({ length: 3_000 }, () => sampleDecision({ description: 'x'.repeat(1_000) })),
});
const PIECES = Math.ceil(large.length / CHUNK_BYTES);

/** A dry run that is due from then on. */
async function queued(file: Buffer, atMs = Date.now()): Promise<ImportRecord> {
  const workspace_id = newId();
  const id = newId();
  const chunks = Math.ceil(file.length / CHUNK_BYTES);
  const expires_at = new Date(atMs + 86_400_000);
  for (let n = 0; n < chunks; n += 1) {
    const data = file.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);
    await store.addChunk({ workspace_id, import_id: id, n, data, expires_at });
  }
  const ctx = { actor: { type: 'api_key', id: newId(), name: null } } as unknown as RequestContext;
  const job = newImport(
    ctx,
    { workspace_id, dry_run: true, ids: 'keep' },
    { id, format: 'json', chunks, atMs },
  );
  await store.insert(job, undefined as unknown as ClientSession);
  return job;
}

/** Ends what is left of a test's imports, so that the next one's are the only ones that are due. */
async function clear(): Promise<void> {
  await stand.database.collection('import_jobs').updateMany({}, { $set: { status: 'failed' } });
}

interface Replica {
  imports: ReturnType<typeof runImports>;
  /** The pieces that it was stuck at. */
  stuckAt: string[];
  /** From then on it saves nothing. */
  die(): Promise<void>;
  /** Lets it go on. */
  wake(): void;
}

let replicas: Replica[] = [];

/** A replica that is stuck at a piece of each file, and is heard of no more. */
function replica(stuckAtPiece = Number.POSITIVE_INFINITY): Replica {
  const stuckAt: string[] = [];
  const woken = Promise.withResolvers<void>();
  let isDead = false;
  const saving = new Set<Promise<boolean>>();
  const stuck: ImportStore = {
    ...store,
    async save(...args) {
      if (isDead) await woken.promise;
      const saved = store.save(...args);
      saving.add(saved);
      return saved.finally(() => saving.delete(saved));
    },
    async chunk(importId, n) {
      if (n >= stuckAtPiece) {
        stuckAt.push(importId);
        await woken.promise;
      }
      return store.chunk(importId, n);
    },
  };
  const log = { warn: () => undefined };
  const call = async () => ({ elsewhere: [] });
  const runtime = { call, log, now: Date.now } as unknown as ServiceRuntime;
  const imports = runImports({ runtime, store: stuck, everyMs: 86_400_000, leaseMs: 86_400_000 });
  const die = async () => {
    isDead = true;
    await Promise.all(saving);
  };
  const made = { imports, stuckAt, die, wake: woken.resolve };
  replicas.push(made);
  return made;
}

/** As when the process that is at it was killed, and its lease is over. */
const lapse = (id: string) =>
  stand.database
    .collection<{ _id: string }>('import_jobs')
    .updateOne({ _id: id }, { $set: { leased_until: '' } });

async function stuckAndLost(id: string, piece: number, isFurther = false): Promise<void> {
  const { furthest } = await jobOf(id);
  const killed = replica(piece);
  killed.imports.begin();
  await eventually(() => killed.stuckAt.includes(id));
  // What was read by then is stored beside the reading.
  if (isFurther) await eventually(async () => (await jobOf(id)).furthest > furthest);
  await killed.die();
  await lapse(id);
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

describe('an import whose process is lost', () => {
  it(`is given up when none of ${LOST} got further than one before`, async () => {
    const { id } = await queued(large);
    await stuckAndLost(id, 3, true);
    // Each saves what it read as soon as it can: a later one may still come a bit closer to where all end.
    const isLast = async () => (await jobOf(id)).lost_claims === LOST;
    while (!(await isLast())) await stuckAndLost(id, 3);
    expect((await jobOf(id)).fence).toBeLessThan(4 * LOST);
    const next = replica();
    next.imports.begin();
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
    const chunks = stand.database.collection('import_chunks');
    await eventually(async () => expect(await chunks.countDocuments({ import_id: id })).toBe(0));
  });

  it('goes on however often that happens, when each got further', async () => {
    const { id } = await queued(large);
    for (const piece of [1, PIECES - 1]) {
      await stuckAndLost(id, piece, true);
      for (let i = 1; i < LOST; i += 1) await stuckAndLost(id, piece);
    }
    expect((await jobOf(id)).fence).toBe(2 * LOST);
    const next = replica();
    next.imports.begin();
    expect(await ended(id)).toMatchObject({ status: 'succeeded', issues: [] });
  });

  it('does not count those that end in order', async () => {
    const { id } = await queued(large);
    for (let i = 0; i < 2 * LOST; i += 1) {
      const { imports, stuckAt, wake } = replica(0);
      imports.begin();
      await eventually(() => stuckAt.length > 0);
      const stopped = imports.stop();
      wake();
      await stopped;
      expect(await jobOf(id)).toMatchObject({ lost_claims: 0, leased_until: '', fence: i + 1 });
    }
  });

  it('has the next process for itself, and takes no other along', async () => {
    const { id: suspect } = await queued(large, Date.now() - 1_000);
    await stuckAndLost(suspect, 0);
    const { id: other } = await queued(large);
    const next = replica(0);
    next.imports.begin();
    await eventually(() => next.stuckAt.length > 0);
    // A second look would find it.
    next.imports.begin();
    await setTimeout(100);
    expect(next.stuckAt).toEqual([suspect]);
    expect((await jobOf(other)).fence).toBe(0);
    next.wake();
    expect(await ended(other)).toMatchObject({ status: 'succeeded' });
  });

  it('waits for a process without others, and others do not overtake it there', async () => {
    const times = [new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()] as const;
    const { id: suspect } = await queued(large, Date.now() - 2_000);
    await stuckAndLost(suspect, 0);
    const { id: other } = await queued(large, Date.now() - 1_000);
    expect(await store.claim(...times, true)).toBeNull();
    expect((await store.claim(...times, false))?.id).toBe(suspect);
    expect((await store.claim(...times, true))?.id).toBe(other);
  });
});

describe('the reading of a file', () => {
  it('leaves the process free for others', async () => {
    const { id } = await queued(Buffer.from(`{"schema_version":1,"decisions":[${'0,'.repeat(200_000)}0]}`));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const next = replica();
    next.imports.begin();
    expect((await ended(id)).issue_count).toBeGreaterThan(200_000);
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(1_000);
  });

  it('takes no more of large records at once than a portion has', async () => {
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
      expires_at: new Date(Date.now() + 86_400_000),
    }));
    await store.addRows(rows);
    const after = async (seq: number, characters: number) =>
      (await store.rowsAfter(import_id, 'history', seq, { records: 200, characters })).map((row) => row.seq);
    expect(await after(-1, 1_000_000)).toEqual([0, 1]);
    expect(await after(1, 1_000)).toEqual([2]);
    expect(await after(5, 10_000_000)).toEqual([6, 7, 8, 9]);
  });
});

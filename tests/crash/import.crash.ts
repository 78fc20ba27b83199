import { afterAll, describe, expect, it } from '@jest/globals';
import { type ImportJob, limits, type ServiceName, type WorkspaceExport } from '@waymark/contracts';
import type { Lease } from '@waymark/service-kit/store';
import { eventually } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { largeExport } from './support/large-export.ts';
import { startProductProcesses } from './support/product-processes.ts';

const LEASE_MS = 2_000;

const product = await startProductProcesses({
  only: ['accounts', 'decisions', 'workflows', 'threads', 'audit', 'transfer'],
  replicas: { transfer: 2 },
  env: { IMPORT_LEASE_MS: String(LEASE_MS), IMPORT_SWEEP_MS: '100' },
});
const mongo = new MongoClient(product.stores.mongoUrl);
const file = await largeExport(product, { decisions: 6_000, messages: 1_000 });
afterAll(async () => {
  await mongo.close();
  await product.stop();
});

function call(method: string, path: string, { query, body }: { query?: object; body?: unknown } = {}) {
  return product.call(method, path, {
    query: { workspaceId: product.workspaceId, ...query },
    ...(body !== undefined && { body }),
  });
}

const replicasOf = (name: ServiceName) =>
  product.services.processes.filter(({ service }) => service === name).map(({ process }) => process);

async function kill(name: ServiceName): Promise<void> {
  for (const process of replicasOf(name)) await process.kill('SIGKILL');
  await Promise.all(replicasOf(name).map((process) => process.restart()));
}

type StoredJob = ImportJob & { _id: string; fence: number; lease?: Lease };
const jobOf = async (id: string): Promise<StoredJob> =>
  (await mongo.db('waymark_transfer').collection<StoredJob>('import_jobs').findOne({ _id: id }))!;

/**
 * Resolves when `isThere` accepts the state of an unfinished import. The test fails if the import ends before
 * that.
 */
function reaches(id: string, isThere: (job: StoredJob) => boolean): Promise<unknown> {
  return eventually(async () => {
    const job = await jobOf(id);
    if (job.finished_at !== null) throw new Error(`the import has ended in ${job.phase}`);
    return isThere(job);
  });
}

async function begin(ids: ImportJob['ids']): Promise<string> {
  const begun = await call('POST', '/imports', { query: { ids }, body: file });
  expect(begun.status).toBe(202);
  return begun.body.id;
}

/** Expects that the import stored each record of its file once, in addition to the existing ones. */
async function expectStored(id: string, before: WorkspaceExport['counts']) {
  await eventually(async () => (await call('GET', `/imports/${id}`)).body?.finished_at != null);
  const job: ImportJob = (await call('GET', `/imports/${id}`)).body;
  expect(job).toMatchObject({ status: 'succeeded', issues: [] });
  expect(job.progress.stored).toEqual({ ...file.counts, links: 0 });
  const after = (await call('GET', '/export')).body as WorkspaceExport;
  for (const name of ['workflows', 'nodes', 'decisions', 'outcomes', 'threads', 'messages'] as const) {
    expect([name, after.counts[name]]).toEqual([name, before[name] + file.counts[name]]);
    expect(new Set(after[name].map((record) => record.id)).size).toBe(after.counts[name]);
  }
}

describe('an import', () => {
  it('continues after kill -9 of its process in every phase, and stores each record once', async () => {
    const before = (await call('GET', '/export')).body.counts;
    const id = await begin('keep');
    for (const phase of ['reading', 'checking', 'writing'] as const) {
      await reaches(id, (job) => job.phase === phase && job.status === 'running');
      await kill('transfer');
    }
    await reaches(id, ({ progress }) => progress.stored.decisions > limits.importPortionRecords);
    await kill('decisions');
    await kill('transfer');
    await reaches(id, ({ progress }) => progress.stored.messages > 0);
    await kill('threads');
    await expectStored(id, before);
    expect((await jobOf(id)).fence).toBeGreaterThanOrEqual(5);
  });

  it('moves from a hung process to another, and the first stores nothing twice when it continues', async () => {
    const before = (await call('GET', '/export')).body.counts;
    const id = await begin('remap');
    await reaches(id, ({ progress }) => progress.stored.decisions > 0);
    const [one, other] = replicasOf('transfer');
    await Promise.all([one!.kill('SIGSTOP'), other!.kill('SIGSTOP')]);
    const held = await jobOf(id);
    await one!.kill('SIGCONT');
    const renewedMs = (job: StoredJob) => job.lease?.renewed_at.getTime();
    await eventually(async () => renewedMs(await jobOf(id)) !== renewedMs(held));
    // An unchanged fence means that the first process still has the import, so hang that process.
    const isWithOne = (await jobOf(id)).fence === held.fence;
    if (isWithOne) {
      await one!.kill('SIGSTOP');
      await other!.kill('SIGCONT');
      await reaches(id, ({ fence }) => fence > held.fence);
    }
    await reaches(id, ({ phase }) => phase === 'writing');
    await (isWithOne ? one! : other!).kill('SIGCONT');
    await expectStored(id, before);
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceName, storingServices, type WorkspaceExport } from '@waymark/contracts';
import { eventually, httpCall } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { documentsNaming, remainsAfterDeletion } from '../support/documents-naming.ts';
import { largeExport } from './support/large-export.ts';
import { type ProductProcesses, startProductProcesses } from './support/product-processes.ts';

/** Longer than a late write or the lease of a killed process can last. */
const PAST = new Date(Date.now() - 600_000).toISOString();

interface Workspace {
  workspaceId: string;
  key: string;
}

let product: ProductProcesses;
let mongo: MongoClient;
let file: WorkspaceExport;
beforeAll(async () => {
  product = await startProductProcesses({
    only: storingServices,
    entries: { accounts: 'tests/crash/services/accounts-main.ts' },
    env: { WORKSPACE_DELETION_SWEEP_MS: '100', IMPORT_SWEEP_MS: '100', IMPORT_LEASE_MS: '2000' },
  });
  mongo = new MongoClient(product.stores.mongoUrl);
  file = await largeExport(product, { decisions: 3_000, messages: 300 });
});
afterAll(async () => {
  await mongo.close();
  await product.stop();
});

const asOwner = (method: string, path: string, body?: unknown) =>
  httpCall(product.services.baseUrl, method, path, {
    headers: { cookie: product.cookie },
    ...(body !== undefined && { body }),
  });

async function newWorkspace(): Promise<Workspace> {
  const { body: workspace } = await asOwner('POST', '/workspaces', { name: 'Soon gone' });
  const workspaceId = workspace.id as string;
  const scopes = ['read', 'write'];
  const { body } = await asOwner('POST', '/api-keys', { workspaceId, name: 'crash', scopes });
  return { workspaceId, key: body.key };
}

/** Resolves when the import is writing, or done if `until` says so. */
async function beginImport({ workspaceId, key }: Workspace, until: 'writing' | 'done'): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const begun = await httpCall(product.services.baseUrl, 'POST', '/imports', {
    headers,
    query: { workspaceId, ids: 'remap' },
    body: file,
  });
  expect(begun.status).toBe(202);
  await eventually(async () => {
    const { body } = await httpCall(product.services.baseUrl, 'GET', `/imports/${begun.body.id}`, {
      headers,
    });
    return until === 'done' ? body.status === 'succeeded' : body.progress.stored.decisions > 0;
  });
}

/** Whether a service has stored the deletion of a workspace. Search stores it in its own collection. */
const hasTombstone = (service: ServiceName, id: string) => () =>
  mongo
    .db(`waymark_${service}`)
    .collection<{ _id: string; deleted_at?: Date }>(
      service === 'search' ? 'workspaces' : 'deleted_workspaces',
    )
    .findOne({ _id: id, ...(service === 'search' && { deleted_at: { $exists: true } }) })
    .then((found) => found !== null);

/** Ends the leases of killed processes and the time for late writes, as if minutes had passed. */
async function expireLeases(id: string): Promise<void> {
  const deletions = mongo.db('waymark_accounts').collection<{ _id: string }>('workspace_deletions');
  const past = { $set: { deleted_at: PAST, due_at: PAST }, $unset: { lease: '' } } as const;
  await deletions.updateOne({ _id: id }, past);
}

async function expectNothingLeft({ workspaceId }: Workspace): Promise<void> {
  const databases = storingServices.map((service) => ({ service, name: `waymark_${service}` }));
  await eventually(async () => {
    await expireLeases(workspaceId);
    const traces = await documentsNaming(mongo, databases, workspaceId);
    const left = traces.filter((trace) => !remainsAfterDeletion(trace)).map((trace) => trace.slice(0, 200));
    if (left.length > 0) throw new Error(`${left.length} traces, among them ${left.slice(0, 5).join('\n')}`);
  });
}

async function remove({ workspaceId }: Workspace): Promise<void> {
  expect((await asOwner('DELETE', `/workspaces/${workspaceId}`)).status).toBe(204);
}

describe('the deletion of a workspace', () => {
  it.each(storingServices)(
    'continues when %s is killed during it, and removes everything',
    async (victim) => {
      const workspace = await newWorkspace();
      await beginImport(workspace, 'done');
      await remove(workspace);
      await eventually(hasTombstone(victim === 'accounts' ? 'decisions' : victim, workspace.workspaceId));
      await product.kill(victim);
      await expectNothingLeft(workspace);
    },
    180_000,
  );

  it('continues when accounts is killed right after its commit', async () => {
    const workspace = await newWorkspace();
    await beginImport(workspace, 'done');
    await writeFile(join(product.directory, 'crash-accounts'), '');
    const answer = await asOwner('DELETE', `/workspaces/${workspace.workspaceId}`).catch(() => null);
    expect(answer?.status ?? 503).toBe(503);
    await product.processOf('accounts').exited;
    await product.processOf('accounts').restart();
    await expectNothingLeft(workspace);
  });

  it.each([['transfer'], ['decisions'], ['accounts'], ['transfer', 'decisions', 'accounts']] as const)(
    'ends a running import when %s is killed, together with others, and removes all data of both',
    async (...victims) => {
      const workspace = await newWorkspace();
      await beginImport(workspace, 'writing');
      await remove(workspace);
      await Promise.all(victims.map(product.kill));
      await expectNothingLeft(workspace);
    },
    180_000,
  );
});

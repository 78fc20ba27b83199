import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  contentSha256,
  type Decision,
  type ImportJob,
  newId,
  type WorkspaceExport,
} from '@waymark/contracts';
import { type Answer, eventually, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';
import type { Workspace } from './support/records.ts';

/**
 * Imports through the whole product. Each import starts a thread, which loads the contract: half a second of
 * the processor. services/transfer/test/read-files.test.ts has the faults that the reading finds.
 */
const product = joinProduct();

const exported = async ({ key, workspaceId }: Workspace) =>
  (await product.call('GET', '/export', { key, query: { workspaceId } })).body as WorkspaceExport;

async function call({ key, workspaceId }: Workspace, method: string, path: string, body?: object) {
  const input = body ? { body: { workspaceId, ...body } } : { query: { workspaceId } };
  const answer = await product.call(method, path, { key, ...input });
  expect([method, path, answer.status < 300, answer.text]).toEqual([method, path, true, answer.text]);
  return answer.body;
}

/** Creates outcomes, history, links, a graph with special characters and a thread with a resolved message. */
async function fill(workspace: Workspace) {
  const create = (path: string, body: object) => call(workspace, 'POST', path, body);
  const first = await create('/decisions', {
    title: 'First straße',
    description: 'with "quotes", ünïcode 決定 and \u2028',
    optionsConsidered: ['A', { title: 'B', pros: ['p'], cons: ['c'] }],
    tags: ['x', '$y'],
    expectedBy: '2027-01-01',
    outcomeConfidence: 0.25,
  });
  const outcome = { outcome: 'success', outcomeNotes: 'as hoped' };
  await call(workspace, 'PATCH', `/decisions/${first.id}`, outcome);
  const links = { supersedes: first.id, relatesTo: [first.id] };
  const second = await create('/decisions', { title: 'Second', ...links });
  // The history of a decision also names other decisions.
  for (const changed of [{ supersedes: null, relatesTo: [] }, links])
    await call(workspace, 'PATCH', `/decisions/${second.id}`, changed);
  const workflow = await create('/workflows', { title: 'Flow', acyclic: true });
  const place = { workflowId: workflow.id, type: 'task', positionX: -1, positionY: 2 };
  const data = { $set: { 'a.b': [1, null, 'x'] } };
  const source = await create('/nodes', { ...place, title: 'Source', data });
  const target = await create('/nodes', { ...place, title: 'Target' });
  const ends = { workflowId: workflow.id, sourceId: source.id, targetId: target.id };
  const key = workspace.key;
  await product.call('POST', '/edges', { key, body: { ...ends, condition: { if: 'x' } } });
  const path = `/threads/${source.id}`;
  const { message } = (await product.call('POST', path, { key, body: { content: 'Hallo' } })).body;
  const edited = { content: 'Hallo Straße' };
  await product.call('PATCH', `${path}/messages/${message.id}`, { key, body: edited });
  for (const part of ['reactions/heart', 'resolution'])
    await product.call('PUT', `${path}/messages/${message.id}/${part}`, { key });
  return { first, second, workflow, source, target, message };
}

async function imported(
  { key, workspaceId }: Workspace,
  file: string | Buffer | object,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
  person: Pick<Workspace, 'cookie'> | null = null,
): Promise<ImportJob> {
  const rawBody = typeof file === 'string' || Buffer.isBuffer(file) ? file : JSON.stringify(file);
  const input = { ...(person ?? { key }), query: { workspaceId, ...query }, rawBody, headers };
  const { status, body }: Answer = await product.call('POST', '/imports', input);
  expect([status, body.status]).toEqual([202, 'queued']);
  return eventually(async () => {
    const job = (await product.call('GET', `/imports/${body.id}`, { key })).body;
    return job.finished_at !== null && job;
  });
}

/** An export without the parts that may differ: the workspace, times, importers and the order of fields. */
function content(file: WorkspaceExport): Record<string, unknown> {
  const {
    exported_at: _,
    workspace: __,
    ...rest
  } = JSON.parse(JSON.stringify(file).replaceAll(file.workspace.id, 'WORKSPACE')) as WorkspaceExport;
  const text = (item: object) =>
    JSON.stringify(Object.entries({ ...item, imported_by: undefined }).toSorted());
  const plain = Object.entries(rest).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((item) => text(item)) : value,
  ]);
  return Object.fromEntries(plain);
}

/** The same without the order of records: new ids of the same millisecond may change their order. */
const sorted = (records: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(records).map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
  );

/** The same file from another installation: its ids are unknown here and sort in the same order. */
function elsewhere(file: WorkspaceExport): WorkspaceExport {
  const text = JSON.stringify(file);
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  const ids = [...new Set(text.match(uuid))].toSorted();
  const fresh = new Map(ids.map((id) => [id, newId()]));
  return JSON.parse(text.replaceAll(uuid, (id) => fresh.get(id)!));
}

/** The file with some of its parts replaced. */
function withParts(file: WorkspaceExport, parts: Partial<WorkspaceExport>): WorkspaceExport {
  const copy = { ...structuredClone(file), ...parts };
  const counts = Object.keys(file.counts).map((name) => [name, copy[name as 'nodes'].length]);
  return { ...copy, counts: Object.fromEntries(counts) };
}

const pathsOf = (reported: { path: string }[]) => reported.map(({ path }) => path);

const nothing = { workflows: [], nodes: [], edges: [], decisions: [], messages: [] };

/** Nobody changes this workspace, so that all tests use one export of it. */
const source = await product.workspace();
await fill(source);
const own = await exported(source);

describe('an import into an empty workspace', () => {
  const forged = { type: 'session', id: newId(), name: 'Somebody else' } as const;
  const events = ['decision.created', 'workflow.created', 'node.created', 'thread.message_created'];
  let target: Workspace;
  let file: WorkspaceExport;
  let checked: ImportJob;
  let leftByCheck: WorkspaceExport;
  let job: ImportJob;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    target = await product.workspace();
    const { cookie, workspaceId } = target;
    receiver = await startWebhookReceiver();
    await product.call('POST', '/webhooks', { cookie, body: { workspaceId, url: receiver.url, events } });
    file = elsewhere(own);
    for (const one of [...file.decisions, ...file.outcomes, ...file.history]) one.imported_by = forged;
    for (const message of file.messages) Object.assign(message, { author: forged, imported_by: null });
    checked = await imported(target, file, { dryRun: 'true' });
    leftByCheck = await exported(target);
    job = await imported(target, file);
  });

  afterAll(() => receiver.stop());

  it('is checked in a dry run, which stores nothing', () => {
    expect(checked).toMatchObject({ status: 'succeeded', phase: 'checking', dry_run: true });
    expect(checked.progress.total).toEqual(file.counts);
    expect(leftByCheck).toMatchObject(nothing);
  });

  it('restores the export with the same ids and versions', async () => {
    expect(job).toMatchObject({ status: 'succeeded', phase: 'writing', issues: [], warnings: [] });
    const { counts } = file;
    expect(job.progress).toMatchObject({ done: counts, total: counts, stored: counts });
    expect(content(await exported(target))).toEqual(content(file));
    const { id } = file.decisions.find(({ outcome }) => outcome === 'success')!;
    const { data: versions } = await call(target, 'GET', `/decisions/${id}/history`);
    expect(versions).toMatchObject([{ version: 2 }, { version: 1 }]);
  });

  it('names the importer of records with authors, whatever the file says', async () => {
    const { created_by: importer } = job;
    expect(importer).toMatchObject({ type: 'api_key', name: expect.any(String) });
    const copy = await exported(target);
    for (const records of [copy.decisions, copy.outcomes, copy.history, copy.messages]) {
      expect(records.length).toBeGreaterThan(0);
      for (const { imported_by } of records) expect(imported_by).toEqual(importer);
    }
    expect(copy.messages[0]!.author).toEqual(forged);

    const { id } = file.decisions.find(({ outcome }) => outcome === 'success')!;
    expect((await call(target, 'GET', `/decisions/${id}`)).imported_by).toEqual(importer);
    const outcomes = await call(target, 'GET', `/decisions/${id}/outcomes`);
    expect(outcomes.data[0].imported_by).toEqual(importer);
    const { data: versions } = await call(target, 'GET', `/decisions/${id}/history`);
    expect(versions).toMatchObject([{ imported_by: importer }, { imported_by: importer }]);
    const read = (nodeId: string | null, { key }: Workspace) =>
      product.call('GET', `/threads/${nodeId}`, { key });
    const theirs = await read(file.messages[0]!.node_id, target);
    expect(theirs.body.messages[0].imported_by).toEqual(importer);
    expect((await read(own.messages[0]!.node_id, source)).body.messages[0].imported_by).toBeNull();
  });

  it('can be found, sends no webhooks, and has a single audit entry beside that of its check', async () => {
    const { cookie, key, workspaceId } = target;
    const search = async (q: string) =>
      (await product.call('GET', '/search', { key, query: { workspaceId, q } })).body;
    await eventually(async () => {
      const found = await search('STRASSE');
      expect([found.decisions.length, found.nodes.length]).toEqual([1, 1]);
    });
    expect((await search('flow')).workflows).toHaveLength(1);
    await call(target, 'POST', '/decisions', { title: 'The one that is told' });
    await eventually(() => receiver.requests.length > 0);
    expect(receiver.requests).toHaveLength(1);
    await eventually(async () => {
      const log = await product.call('GET', '/audit-log', { cookie, query: { workspaceId } });
      const actions = log.body.data.map(({ action }: { action: string }) => action);
      const ofImports = log.body.data.filter(({ action }: { action: string }) => /\.import/.test(action));
      expect(ofImports).toMatchObject([
        { action: 'workspace.import', changes: null },
        {
          action: 'workspace.import_check',
          changes: {
            records_in_file: { after: Object.values(file.counts).reduce((sum, count) => sum + count) },
            records_here_already: { after: 0 },
            faults: { after: 0 },
          },
        },
      ]);
      expect(actions.filter((action: string) => action.startsWith('decision.'))).toEqual(['decision.create']);
    });
  });

  it('keeps existing records when it is repeated', async () => {
    const [decision] = file.decisions;
    await call(target, 'PATCH', `/decisions/${decision!.id}`, { title: 'Changed since' });
    const check = await imported(target, file, { dryRun: 'true' });
    const again = await imported(target, file);
    expect(again).toMatchObject({ status: 'succeeded', issues: [] });
    expect(check.progress).toEqual(again.progress);
    expect(new Set(Object.values(again.progress.stored))).toEqual(new Set([0]));
    expect(again.progress.present).toEqual(file.counts);
    expect((await call(target, 'GET', `/decisions/${decision!.id}`)).title).toBe('Changed since');
  });
});

describe('an import of records of another workspace', () => {
  let target: Workspace;
  beforeAll(async () => {
    target = await product.workspace();
  });

  it('reports their ids, and stores nothing', async () => {
    const check = await imported(target, own, { dryRun: 'true' });
    const job = await imported(target, own);
    expect([check.status, job.status]).toEqual(['failed', 'failed']);
    expect(check.issues).toEqual(job.issues);
    const taken = ['decisions.0.id', 'outcomes.0.id', 'threads.0.id', 'messages.0.id', 'workflows.0'];
    expect(pathsOf(job.issues)).toEqual(expect.arrayContaining(taken));
    expect(await exported(target)).toMatchObject(nothing);
  });

  it('remaps all ids and every reference to them', async () => {
    const job = await imported(target, own, { ids: 'remap' });
    expect(job).toMatchObject({ status: 'succeeded', issues: [], warnings: [] });
    const copy = await exported(target);
    expect(copy.counts).toEqual(own.counts);
    const ids = new Map<string, string>();
    const pair = (from: { id: string }[], to: { id: string }[], by: (record: never) => string) => {
      for (const record of from) {
        ids.set(to.find((other) => by(other as never) === by(record as never))!.id, record.id);
      }
    };
    for (const name of ['decisions', 'workflows', 'nodes'] as const)
      pair(own[name], copy[name], ({ title }: { title: string }) => title);
    for (const name of ['edges', 'outcomes', 'threads', 'messages'] as const)
      pair(own[name], copy[name], () => '');
    expect([...ids].every(([to, from]) => to !== from)).toBe(true);
    const left = own.decisions.filter(({ id }) => JSON.stringify(copy).includes(id));
    expect(left).toEqual([]);
    const back = (text: string) => [...ids].reduce((all, [to, from]) => all.replaceAll(to, from), text);
    expect(sorted(content(JSON.parse(back(JSON.stringify(copy)))))).toEqual(sorted(content(own)));
  });
});

describe('an import into a workspace with the same records', () => {
  it('accepts its own export as existing records, including the history', async () => {
    expect(own.counts.history).toBeGreaterThan(0);
    const job = await imported(source, own);
    expect(job).toMatchObject({ status: 'succeeded', warnings: [] });
    expect(job.progress.present).toEqual(own.counts);
    expect(content(await exported(source))).toEqual(content(own));
  });

  it('completes an earlier unfinished import of the same file', async () => {
    const file = elsewhere(own);
    const target = await product.workspace();
    await imported(target, withParts(file, { outcomes: [], history: [], messages: [] }));
    const job = await imported(target, file);
    expect(job.progress.stored).toMatchObject({ decisions: 0, outcomes: 1, history: 3, messages: 1 });
    expect(content(await exported(target))).toEqual(content(file));
  });

  it('keeps approvals with the texts that they are about, which count for no rule', async () => {
    const first = await product.workspace();
    const { key, cookie, workspaceId } = first;
    const approve = async (decision: Decision) => {
      const body = { workspaceId, verdict: 'approve', contentSha256: contentSha256(decision) };
      const path = `/decisions/${decision.id}/approvals`;
      expect((await product.call('POST', path, { cookie, body })).status).toBe(201);
    };
    const decision = await call(first, 'POST', '/decisions', { title: 'A' });
    await approve(decision);
    await approve(await call(first, 'PATCH', `/decisions/${decision.id}`, { title: 'B' }));
    const file = elsewhere(await exported(first));
    expect(file.counts.approvals).toBe(2);
    const target = await product.workspace();
    expect((await imported(target, file)).status).toBe('succeeded');
    expect(content(await exported(target))).toEqual(content(file));
    await product.call('PUT', '/approval-rules', {
      cookie: target.cookie,
      body: { workspaceId: target.workspaceId, rules: [{ approvals: 1, authorCounts: true }] },
    });
    const { data, missing } = await call(target, 'GET', `/decisions/${file.decisions[0]!.id}/approvals`);
    expect(data).toMatchObject([
      { state: 'current', counts: false, imported_by: { type: 'api_key' } },
      { state: 'voided', difference: { title: { before: 'A', after: 'B' } } },
    ]);
    expect(missing).toMatchObject({ approvals: 1 });
    expect(key).not.toBe(target.key);
  });

  it('by a key proposes what a rule lets nobody accept without approvals, and says so, as its check does', async () => {
    const target = await product.workspace();
    const { cookie, workspaceId } = target;
    const rules = [{ approvals: 1, mode: 'enforced' }];
    await product.call('PUT', '/approval-rules', { cookie, body: { workspaceId, rules } });
    const [one] = own.decisions;
    const decisions = (['proposed', 'accepted'] as const).map((status) => {
      return { ...one!, id: newId(), supersedes: null, relates_to: [], status };
    });
    const parts = { ...nothing, outcomes: [], history: [], links: [], threads: [], decisions };
    const file = withParts(own, parts);
    const warnings = [{ path: 'decisions.1.status', message: expect.stringContaining('needs approvals') }];
    for (const query of [{ dryRun: 'true' }, {}])
      expect((await imported(target, file, query)).warnings).toEqual(warnings);
    expect(new Set((await exported(target)).decisions.map(({ status }) => status))).toEqual(
      new Set(['proposed']),
    );
  });

  it('sets rules of approvals where there are none, if the importer may, and weakens none', async () => {
    const [first, target] = [await product.workspace(), await product.workspace()];
    const body = {
      workspaceId: first.workspaceId,
      rules: [
        { approvals: 1, mode: 'enforced' },
        { approvals: 2, role: 'admin', decisionType: 'law' },
      ],
    };
    await call(first, 'POST', '/decisions', { title: 'Accepted before the rules', status: 'accepted' });
    await product.call('PUT', '/approval-rules', { cookie: first.cookie, body });
    const file = elsewhere(await exported(first));
    const warned = (message: string, ...places: number[]) => ({
      status: 'succeeded',
      warnings: places.map((i) => ({
        path: `approval_rules.${i}`,
        message: expect.stringContaining(message),
      })),
    });
    const refused = (message: string, ...places: number[]) => ({
      ...warned(message, ...places),
      progress: { left_out: { approval_rules: places.length } },
    });
    const { cookie } = target;
    expect(await imported(target, file)).toMatchObject(refused('only an admin who signs in', 0, 1));
    const set = warned('is set: decisions of ', 0, 1);
    expect(await imported(target, file, { dryRun: 'true' }, {}, { cookie })).toMatchObject(set);
    expect((await exported(target)).approval_rules).toEqual([]);
    const job = await imported(target, file, {}, {}, { cookie });
    expect(job).toMatchObject({ ...set, progress: { stored: { approval_rules: 2 } } });
    expect(content(await exported(target))).toEqual(content(file));

    const [rule] = file.approval_rules;
    const advisory = { ...rule!, decision_type: 'architecture', mode: 'advisory' } as const;
    const weaker = withParts(file, { approval_rules: [rule!, advisory] });
    expect(await imported(target, weaker, {}, {}, { cookie })).toMatchObject(refused('stay as they are', 1));
    expect((await exported(target)).approval_rules).toEqual(file.approval_rules);
  });

  it('keeps forecasts, which an export by a member leaves out while the workspace hides them', async () => {
    const first = await product.workspace();
    const { key, cookie, workspaceId } = first;
    const decision = await call(first, 'POST', '/decisions', { title: 'A' });
    for (const probability of [0.4, 0.6])
      await call(first, 'PUT', `/decisions/${decision.id}/forecast`, { probability });
    const file = elsewhere(await exported(first));
    expect(file.counts.forecasts).toBe(2);
    const target = await product.workspace();
    expect((await imported(target, file)).status).toBe('succeeded');
    expect(content(await exported(target))).toEqual(content(file));
    const body = { hiddenForecasts: true };
    await product.call('PATCH', `/workspaces/${workspaceId}`, { cookie, body });
    await eventually(async () => expect((await exported(first)).forecasts).toEqual([]));
    const whole = await product.call('GET', '/export', { cookie, query: { workspaceId } });
    expect(whole.body.forecasts).toHaveLength(2);
    expect(key).not.toBe(target.key);
  });

  it('skips the outcomes and history of a newer file for a decision that it keeps', async () => {
    const newer = elsewhere(own);
    const changed = newer.decisions.find(({ outcome }) => outcome === 'success')!;
    const history = newer.history.filter(({ decision_id }) => decision_id !== changed.id);
    const older = withParts(newer, { outcomes: [], history });
    const before = older.decisions.find(({ id }) => id === changed.id)!;
    Object.assign(before, { outcome: 'pending', version: 1, updated_at: before.created_at });
    const target = await product.workspace();
    await imported(target, older);
    const check = await imported(target, newer, { dryRun: 'true' });
    const job = await imported(target, newer);
    expect(job).toMatchObject({ status: 'succeeded', warning_count: 2 });
    const { present, left_out } = job.progress;
    expect(check).toMatchObject({ warnings: job.warnings, progress: { present, left_out } });
    const place = newer.history.findIndex(({ decision_id }) => decision_id === changed.id);
    expect(pathsOf(job.warnings)).toEqual(['outcomes.0', `history.${place}`]);
    expect(job.progress).toMatchObject({
      present: { decisions: 2, outcomes: 0, history: 2 },
      left_out: { decisions: 0, outcomes: 1, history: 1 },
    });
    const kept = content(withParts(newer, { outcomes: [], history }))['history'];
    expect(content(await exported(target))).toMatchObject({ outcomes: [], history: kept });
    const forecast = await call(target, 'PATCH', `/decisions/${changed.id}`, { outcomeConfidence: 0.75 });
    expect(forecast.outcome_confidence).toBe(0.75);
  });

  it('restores deleted records, which can be found again, but not in a workflow that is there', async () => {
    const workspace = await product.workspace();
    const { first, workflow, source: node, message } = await fill(workspace);
    const { key, workspaceId } = workspace;
    const file = await exported(workspace);
    const finds = (q: string, decisions: number, nodes: number) =>
      eventually(async () => {
        const { body } = await product.call('GET', '/search', { key, query: { workspaceId, q } });
        expect([body.decisions.length, body.nodes.length]).toEqual([decisions, nodes]);
      });
    const hasNoThreads = () =>
      eventually(async () => expect((await exported(workspace)).threads).toEqual([]));
    await finds('strasse', 1, 1);

    await call(workspace, 'DELETE', `/decisions/${first.id}`);
    await product.call('DELETE', `/threads/${node.id}/messages/${message.id}`, { key });
    await finds('strasse', 0, 0);
    const job = await imported(workspace, file);
    expect(job.progress.stored).toMatchObject({ decisions: 1, outcomes: 1, history: 1, messages: 1 });
    await finds('strasse', 1, 1);
    await call(workspace, 'PATCH', `/decisions/${first.id}`, { title: 'Wholly renamed' });
    await finds('wholly', 1, 0);

    await product.call('DELETE', `/workflows/${workflow.id}`, { key });
    await hasNoThreads();
    await finds('strasse', 0, 0);
    const again = await imported(workspace, file);
    expect(again.progress.stored).toMatchObject({ workflows: 1, nodes: 2, threads: 1, messages: 1 });
    await finds('strasse', 0, 1);

    await product.call('DELETE', `/nodes/${node.id}`, { key });
    await hasNoThreads();
    const partial = await imported(workspace, file);
    expect(partial.progress).toMatchObject({
      stored: { workflows: 0, nodes: 0, edges: 0, threads: 0, messages: 0 },
      present: { workflows: 1, nodes: 1, edges: 0, threads: 0, messages: 0 },
      left_out: { workflows: 0, nodes: 1, edges: 1, threads: 1, messages: 1 },
    });
    const place = file.nodes.findIndex(({ id }) => id === node.id);
    expect(partial.status).toBe('succeeded');
    const graph = [`nodes.${place}`, 'edges.0', 'threads.0', 'messages.0'];
    expect(pathsOf(partial.warnings)).toEqual(expect.arrayContaining(graph));
  });
});

describe('an import of a file', () => {
  it('skips the thread of a node that the file lacks, because an export may precede the event of its deletion', async () => {
    const whole = elsewhere(own);
    const nodes = whole.nodes.filter(({ id }) => id !== whole.threads[0]!.node_id);
    const file = withParts(whole, { nodes, edges: [] });
    const target = await product.workspace();
    const warned = { path: 'threads.0.node_id', message: 'is not among the nodes of the file' };
    for (const ids of ['keep', 'remap']) {
      const job = await imported(target, file, { ids });
      expect(job).toMatchObject({ status: 'succeeded', issues: [], warning_count: 3 });
      expect(pathsOf(job.warnings)).toEqual([warned.path, 'threads.0', 'messages.0']);
      expect(job.progress).toMatchObject({
        stored: { nodes: 1, threads: 0, messages: 0 },
        left_out: { threads: 1, messages: 1 },
      });
    }
    expect(await exported(target)).toMatchObject({ threads: [], messages: [] });
  });

  it('does not close a cycle through an existing link to a deleted decision', async () => {
    const target = await product.workspace();
    const create = (title: string, supersedes: string | null = null) =>
      call(target, 'POST', '/decisions', { title, supersedes });
    const first = await create('First');
    const second = await create('Second', first.id);
    const third = await create('Third');
    const file = await exported(target);
    await call(target, 'DELETE', `/decisions/${first.id}`);
    const changed = file.decisions
      .filter(({ id }) => id !== second.id)
      .map((decision) => ({
        ...decision,
        supersedes: { [first.id]: third.id, [third.id]: second.id }[decision.id] ?? null,
      }));
    // Existing decisions stay as they are, so the import ignores the link of the third one.
    const open = withParts(file, { decisions: changed, links: [], history: [] });
    expect(await imported(target, open, { dryRun: 'true' })).toMatchObject({ status: 'succeeded' });
    const closing = changed
      .filter(({ id }) => id === first.id)
      .map((decision) => ({ ...decision, supersedes: second.id }));
    const circle = withParts(open, { decisions: closing });
    const job = await imported(target, circle);
    expect(job).toMatchObject({ status: 'failed', phase: 'checking' });
    expect(pathsOf(job.issues)).toEqual(['decisions.0.supersedes']);
    const there = (await exported(target)).decisions.map(({ id }) => id);
    expect(there.toSorted()).toEqual([second.id, third.id].toSorted());
  });

  it('is valid with links to deleted records, and gets a warning', async () => {
    const file = elsewhere(own);
    Object.assign(file.decisions[0]!, { supersedes: newId() });
    const job = await imported(await product.workspace(), file);
    expect(job).toMatchObject({ status: 'succeeded', warning_count: 1 });
    expect(job.warnings[0]!.path).toBe('decisions.0.supersedes');
  });
});

describe('an import with faults', () => {
  let target: Workspace;
  beforeAll(async () => {
    target = await product.workspace();
  });

  /** Imports the export with changes. Returns the paths of all faults that the report names. */
  async function faultsOf(change: (file: WorkspaceExport) => string | object): Promise<string[]> {
    const job = await imported(target, change(elsewhere(own)));
    expect(job.status).toBe('failed');
    expect(await exported(target)).toMatchObject(nothing);
    return pathsOf(job.issues);
  }

  it('reports every record that is invalid or there twice, and wrong counts', async () => {
    const found = await faultsOf((file) => {
      const [decision] = file.decisions;
      const id = newId();
      file.decisions.push(decision!, { ...decision!, id: newId(), title: '' });
      file.decisions.push({ ...decision!, id, supersedes: id });
      Object.assign(file, { schema_version: 2 });
      const text = JSON.stringify(file);
      return text.replace('"$set":', '"__proto__":');
    });
    const place = own.nodes.findIndex(({ data }) => '$set' in data);
    expect(found.map((path) => (path.startsWith(`nodes.${place}`) ? 'a node' : path)).toSorted()).toEqual([
      ...['a node', 'counts.decisions', 'decisions.2', 'decisions.3.title', 'decisions.4.supersedes'],
      'schema_version',
    ]);
  });

  it('shows a hundred of a thousand faults, and counts all', async () => {
    const bad = { ...own.decisions[0]!, title: '' };
    const job = await imported(target, { ...own, decisions: Array.from({ length: 1_000 }, () => bad) });
    expect(job.issues).toHaveLength(100);
    expect(job.issue_count).toBeGreaterThanOrEqual(1_000);
  });

  it('reports records without the ones that they belong to, cycles, and edges to unknown nodes', async () => {
    const found = await faultsOf((file) => {
      const [workflow] = file.workflows;
      const [edge] = file.edges;
      const { source_id, target_id } = edge!;
      // The first workflow gets a cycle. A second one has an edge to a node that is nowhere.
      const back = { ...edge!, id: newId(), source_id: target_id, target_id: source_id };
      const other = { ...workflow!, id: newId() };
      const node = { ...file.nodes[0]!, id: newId(), workflow_id: other.id };
      const loose = { ...edge!, id: newId(), workflow_id: other.id, source_id: node.id, target_id: newId() };
      file.edges.push({ ...edge!, id: newId(), workflow_id: newId() }, back, loose);
      file.workflows.push(other);
      file.nodes.push(node);
      Object.assign(file.outcomes[0]!, { decision_id: newId() });
      Object.assign(file.messages[0]!, { thread_id: newId() });
      const [first, second] = file.decisions;
      Object.assign(first!, { supersedes: second!.id });
      return withParts(file, {});
    });
    expect(found.toSorted()).toEqual([
      ...['decisions.0.supersedes', 'decisions.1.supersedes', 'edges.1.workflow_id'],
      ...['messages.0.thread_id', 'outcomes.0.decision_id', 'workflows.0', 'workflows.1'],
    ]);
  });
});

describe('an import of an archive', () => {
  it('restores the decisions that GET /export/madr exported', async () => {
    const archived = await product.workspace();
    const { key, workspaceId } = archived;
    const decisionsOf = async (workspace: Workspace) =>
      (await call(workspace, 'GET', '/decisions')).decisions as { id: string; updated_at: string }[];
    const first = await call(archived, 'POST', '/decisions', { title: 'Use files' });
    await call(archived, 'POST', '/decisions', {
      title: '2025: use PostgreSQL',
      question: 'Which store?',
      description: 'Files do not do.\n\n# Not a section\n\n* one\n  * two',
      status: 'accepted',
      optionsConsidered: ['SQLite', { title: 'PostgreSQL', pros: ['known'], cons: ['a server'] }],
      criteria: ['Durable'],
      resolution: 'PostgreSQL',
      rationale: 'two writers need what is called "transactions"',
      tags: ['data', 'ä: b'],
      supersedes: first.id,
      relatesTo: [first.id],
      decisionType: 'technical',
      decidedBy: 'Ada: "the" first',
      expectedBy: '2027-01-01',
      outcome: 'success',
      outcomeNotes: 'No outage\n\n## since',
    });
    const url = `${product.url}/v1/export/madr?workspaceId=${workspaceId}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const archive = Buffer.from(await response.arrayBuffer());
    const importInto = (workspace: Workspace) =>
      imported(workspace, archive, {}, { 'content-type': 'application/zip' });
    const before = await decisionsOf(archived);
    const again = await importInto(archived);
    const { present, stored } = again.progress;
    expect([again.status, present.decisions, stored.decisions]).toEqual(['succeeded', 2, 0]);
    expect(await decisionsOf(archived)).toEqual(before);

    for (const { id } of before) await call(archived, 'DELETE', `/decisions/${id}`);
    const target = await product.workspace();
    const restored = await importInto(target);
    expect(restored).toMatchObject({ status: 'succeeded', progress: { stored: { decisions: 2 } } });
    const asRecorded = before.map(({ updated_at, ...decision }) => {
      const day = `${updated_at.slice(0, 10)}T00:00:00.000Z`;
      const { created_by } = restored;
      const importer = { created_by: created_by.id, created_by_person: null, imported_by: created_by };
      const author = { ...importer, created_at: day, updated_at: day };
      return { ...decision, ...author, workspace_id: target.workspaceId, version: 1 };
    });
    expect(await decisionsOf(target)).toEqual(asRecorded);
  });

  it('finds members by their names, and scores by the model of the workspace', async () => {
    const workspace = await product.workspace();
    const { cookie, key, userId, workspaceId } = workspace;
    const body = { qualityModel: 'dq-2' };
    await product.call('PATCH', `/workspaces/${workspaceId}`, { cookie, body });
    const people = { deciders: [userId], consulted: ['Platform team', userId] };
    await call(workspace, 'POST', '/decisions', { title: 'Use files', ...people });
    const input = { headers: { authorization: `Bearer ${key}` } };
    const response = await fetch(`${product.url}/v1/export/madr?workspaceId=${workspaceId}`, input);
    const archive = Buffer.from(await response.arrayBuffer());
    expect(archive.includes(userId)).toBe(false);
    await imported(workspace, archive, { ids: 'remap' }, { 'content-type': 'application/zip' });
    const { decisions } = await call(workspace, 'GET', '/decisions');
    const expected = { ...people, quality_model: 'dq-2', quality_score: decisions[1].quality_score };
    expect(decisions).toEqual([expect.objectContaining(expected), expect.objectContaining(expected)]);
  });

  it('refuses another content type', async () => {
    const { key, workspaceId } = source;
    const headers = { 'content-type': 'text/plain' };
    const input = { key, query: { workspaceId }, rawBody: 'x', headers };
    expect((await product.call('POST', '/imports', input)).status).toBe(415);
  });
});

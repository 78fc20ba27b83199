import { describe, expect, it } from '@jest/globals';
import { type ImportJob, newId, type WorkspaceExport } from '@waymark/contracts';
import { type Answer, eventually, type StackClient, startWebhookReceiver } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

type Workspace = Awaited<ReturnType<StackClient['workspace']>>;

const exported = async ({ key, workspaceId }: Workspace) =>
  (await product.call('GET', '/export', { key, query: { workspaceId } })).body as WorkspaceExport;

async function create({ key }: Workspace, path: string, body: object) {
  const answer = await product.call('POST', path, { key, body });
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
}

/** Creates outcomes, history, links, a graph with special characters and a thread with an edited message. */
async function fill(workspace: Workspace) {
  const { key, workspaceId } = workspace;
  const first = await create(workspace, '/decisions', {
    workspaceId,
    title: 'First straße',
    description: 'with "quotes", ünïcode 決定 and \u2028',
    optionsConsidered: ['A', { title: 'B', pros: ['p'], cons: ['c'] }],
    tags: ['x', '$y'],
    expectedBy: '2027-01-01',
    outcomeConfidence: 0.25,
  });
  const patched = await product.call('PATCH', `/decisions/${first.id}`, {
    key,
    body: { workspaceId, outcome: 'success', outcomeNotes: 'as hoped' },
  });
  expect(patched.status).toBe(200);
  const second = await create(workspace, '/decisions', {
    workspaceId,
    title: 'Second',
    supersedes: first.id,
    relatesTo: [first.id],
  });
  // The history of a decision also names other decisions.
  for (const links of [
    { supersedes: null, relatesTo: [] },
    { supersedes: first.id, relatesTo: [first.id] },
  ]) {
    const body = { workspaceId, ...links };
    expect((await product.call('PATCH', `/decisions/${second.id}`, { key, body })).status).toBe(200);
  }
  const workflow = await create(workspace, '/workflows', { workspaceId, title: 'Flow', acyclic: true });
  const node = (title: string, data: object) =>
    create(workspace, '/nodes', {
      workflowId: workflow.id,
      workspaceId,
      type: 'task',
      title,
      positionX: -1,
      positionY: 2,
      data,
    });
  const source = await node('Source', { $set: { 'a.b': [1, null, 'x'] } });
  const target = await node('Target', {});
  await create(workspace, '/edges', {
    workflowId: workflow.id,
    sourceId: source.id,
    targetId: target.id,
    condition: { if: 'x' },
  });
  const { message } = await create(workspace, `/threads/${source.id}`, { content: 'Hallo' });
  await product.call('PATCH', `/threads/${source.id}/messages/${message.id}`, {
    key,
    body: { content: 'Hallo Straße' },
  });
  return { first, second, workflow, source, target, message };
}

async function begin(
  { key, workspaceId }: Workspace,
  file: string | Buffer | object,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const rawBody = typeof file === 'string' || Buffer.isBuffer(file) ? file : JSON.stringify(file);
  return product.call('POST', '/imports', { key, query: { workspaceId, ...query }, rawBody, headers });
}

async function finished({ key }: Workspace, id: string): Promise<ImportJob> {
  let job!: ImportJob;
  await eventually(async () => {
    job = (await product.call('GET', `/imports/${id}`, { key })).body;
    return job.finished_at !== null;
  });
  return job;
}

async function imported(
  workspace: Workspace,
  file: string | Buffer | object,
  query: Record<string, string> = {},
): Promise<ImportJob> {
  const answer = await begin(workspace, file, query);
  expect([answer.status, answer.body.status]).toEqual([202, 'queued']);
  return finished(workspace, answer.body.id);
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

const nothing = { workflows: [], nodes: [], edges: [], decisions: [], messages: [] };

describe('POST /imports', () => {
  it('restores an export into an empty workspace with the same ids', async () => {
    const source = await product.workspace();
    await fill(source);
    const file = elsewhere(await exported(source));
    const target = await product.workspace();
    const job = await imported(target, file);
    expect(job).toMatchObject({ status: 'succeeded', phase: 'writing', issues: [], warnings: [] });
    expect(job.progress).toMatchObject({
      done: file.counts,
      total: file.counts,
      stored: { ...file.counts, links: 0 },
    });
    expect(content(await exported(target))).toEqual(content(file));
    const { key, workspaceId } = target;
    const decision = file.decisions.find(({ outcome }) => outcome === 'success')!;
    const history = await product.call('GET', `/decisions/${decision.id}/history`, {
      key,
      query: { workspaceId },
    });
    expect(history.body.data.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
  });

  it('names the importer of records with authors, whatever the file says', async () => {
    const source = await product.workspace();
    const { source: node } = await fill(source);
    const file = elsewhere(await exported(source));
    const forged = { type: 'session', id: newId(), name: 'Somebody else' } as const;
    for (const one of [...file.decisions, ...file.outcomes, ...file.history]) one.imported_by = forged;
    for (const message of file.messages) Object.assign(message, { author: forged, imported_by: null });
    const target = await product.workspace();
    const { created_by: importer } = await imported(target, file);
    expect(importer).toMatchObject({ type: 'api_key', name: expect.any(String) });
    const copy = await exported(target);
    for (const records of [copy.decisions, copy.outcomes, copy.history, copy.messages]) {
      expect(records.length).toBeGreaterThan(0);
      for (const { imported_by } of records) expect(imported_by).toEqual(importer);
    }
    expect(copy.messages[0]!.author).toEqual(forged);

    const { key, workspaceId } = target;
    const get = async (path: string) =>
      (await product.call('GET', path, { key, query: { workspaceId } })).body;
    const { id } = file.decisions.find(({ outcome }) => outcome === 'success')!;
    expect((await get(`/decisions/${id}`)).imported_by).toEqual(importer);
    expect((await get(`/decisions/${id}/outcomes`)).data[0].imported_by).toEqual(importer);
    const { data: versions } = await get(`/decisions/${id}/history`);
    expect(versions).toMatchObject([{ imported_by: importer }, { version: 1, imported_by: importer }]);
    const theirs = await product.call('GET', `/threads/${file.messages[0]!.node_id}`, { key });
    expect(theirs.body.messages[0].imported_by).toEqual(importer);
    const mine = await product.call('GET', `/threads/${node.id}`, { key: source.key });
    expect(mine.body.messages[0].imported_by).toBeNull();
  });

  it('remaps all ids and every reference to them', async () => {
    const source = await product.workspace();
    await fill(source);
    const file = await exported(source);
    const target = await product.workspace();
    const job = await imported(target, file, { ids: 'remap' });
    expect(job).toMatchObject({ status: 'succeeded', issues: [], warnings: [] });
    const copy = await exported(target);
    expect(copy.counts).toEqual(file.counts);
    const ids = new Map<string, string>();
    const pair = (from: { id: string }[], to: { id: string }[], by: (record: never) => string) => {
      for (const record of from) {
        ids.set(to.find((other) => by(other as never) === by(record as never))!.id, record.id);
      }
    };
    pair(file.decisions, copy.decisions, ({ title }: { title: string }) => title);
    pair(file.workflows, copy.workflows, ({ title }: { title: string }) => title);
    pair(file.nodes, copy.nodes, ({ title }: { title: string }) => title);
    for (const name of ['edges', 'outcomes', 'threads', 'messages'] as const) {
      pair(file[name], copy[name], () => '');
    }
    expect([...ids].every(([to, from]) => to !== from)).toBe(true);
    const left = file.decisions.filter(({ id }) => JSON.stringify(copy).includes(id));
    expect(left).toEqual([]);
    const back = (text: string) => [...ids].reduce((all, [to, from]) => all.replaceAll(to, from), text);
    expect(sorted(content(JSON.parse(back(JSON.stringify(copy)))))).toEqual(sorted(content(file)));
  });

  it('keeps existing records, so that the same file can be imported again', async () => {
    const source = await product.workspace();
    await fill(source);
    const file = elsewhere(await exported(source));
    const target = await product.workspace();
    await imported(target, file);
    const [decision] = file.decisions;
    const { key, workspaceId } = target;
    const body = { workspaceId, title: 'Changed since' };
    await product.call('PATCH', `/decisions/${decision!.id}`, { key, body });
    const again = await imported(target, file);
    expect(again).toMatchObject({ status: 'succeeded', issues: [] });
    expect(again.progress.stored).toEqual(
      Object.fromEntries(Object.keys(file.counts).map((name) => [name, 0])),
    );
    expect(again.progress.present).toEqual({ ...file.counts, links: 0 });
    const found = await product.call('GET', `/decisions/${decision!.id}`, { key, query: { workspaceId } });
    expect([found.status, found.text]).toEqual([200, expect.stringContaining('Changed since')]);
  });

  it('accepts its own export as existing records, including the history', async () => {
    const workspace = await product.workspace();
    await fill(workspace);
    const file = await exported(workspace);
    expect(file.counts.history).toBeGreaterThan(0);
    const job = await imported(workspace, file);
    expect(job).toMatchObject({ status: 'succeeded', warnings: [] });
    expect(job.progress.present).toEqual({ ...file.counts, links: 0 });
    expect(content(await exported(workspace))).toEqual(content(file));
  });

  it('skips the outcomes and history of a newer file for a decision that it keeps', async () => {
    const source = await product.workspace();
    await fill(source);
    const newer = elsewhere(await exported(source));
    const changed = newer.decisions.find(({ outcome }) => outcome === 'success')!;
    const history = newer.history.filter(({ decision_id }) => decision_id !== changed.id);
    const older = withParts(newer, { outcomes: [], history });
    const before = older.decisions.find(({ id }) => id === changed.id)!;
    Object.assign(before, { outcome: 'pending', version: 1, updated_at: before.created_at });
    const target = await product.workspace();
    await imported(target, older);
    const job = await imported(target, newer);
    expect(job).toMatchObject({ status: 'succeeded', warning_count: 2 });
    const place = newer.history.findIndex(({ decision_id }) => decision_id === changed.id);
    expect(job.warnings.map(({ path }) => path)).toEqual(['outcomes.0', `history.${place}`]);
    expect(job.progress).toMatchObject({
      present: { decisions: 2, outcomes: 0, history: 2 },
      left_out: { decisions: 0, outcomes: 1, history: 1 },
    });
    const kept = withParts(newer, { outcomes: [], history });
    expect(content(await exported(target))).toMatchObject({
      outcomes: [],
      history: content(kept)['history'],
    });
    const { key, workspaceId } = target;
    const body = { workspaceId, outcomeConfidence: 0.75 };
    const forecast = await product.call('PATCH', `/decisions/${changed.id}`, { key, body });
    expect([forecast.status, forecast.body.outcome_confidence]).toEqual([200, 0.75]);
  });

  it('completes an earlier unfinished import of the same file', async () => {
    const source = await product.workspace();
    await fill(source);
    const file = elsewhere(await exported(source));
    const target = await product.workspace();
    await imported(target, withParts(file, { outcomes: [], history: [], messages: [] }));
    const job = await imported(target, file);
    expect(job.progress.stored).toMatchObject({ decisions: 0, outcomes: 1, history: 3, messages: 1 });
    expect(content(await exported(target))).toEqual(content(file));
  });

  it('reports the records that an existing workflow lacks and the import skips', async () => {
    const workspace = await product.workspace();
    const { source } = await fill(workspace);
    const file = await exported(workspace);
    const gone = await product.call('DELETE', `/nodes/${source.id}`, { key: workspace.key });
    expect(gone.status).toBe(200);
    await eventually(async () => expect((await exported(workspace)).threads).toEqual([]));
    const job = await imported(workspace, file);
    expect(job.progress).toMatchObject({
      stored: { workflows: 0, nodes: 0, edges: 0, threads: 0, messages: 0 },
      present: { workflows: 1, nodes: 1, edges: 0, threads: 0, messages: 0 },
      left_out: { workflows: 0, nodes: 1, edges: 1, threads: 1, messages: 1 },
    });
    const place = file.nodes.findIndex(({ id }) => id === source.id);
    expect(job).toMatchObject({ status: 'succeeded', warning_count: 4 });
    expect(job.warnings.map(({ path }) => path)).toEqual([
      `nodes.${place}`,
      'edges.0',
      'threads.0',
      'messages.0',
    ]);
  });

  it('skips the thread of a node that the file lacks, because an export may precede the event of its deletion', async () => {
    const source = await product.workspace();
    await fill(source);
    const whole = elsewhere(await exported(source));
    const [thread] = whole.threads;
    const nodes = whole.nodes.filter(({ id }) => id !== thread!.node_id);
    const file = withParts(whole, { nodes, edges: [] });
    const target = await product.workspace();
    const warned = { path: 'threads.0.node_id', message: 'is not among the nodes of the file' };
    const checked = await imported(target, file, { dryRun: 'true' });
    expect(checked).toMatchObject({ status: 'succeeded', warnings: [warned] });
    for (const ids of ['keep', 'remap']) {
      const job = await imported(target, file, { ids });
      expect(job).toMatchObject({ status: 'succeeded', issues: [], warning_count: 3 });
      expect(job.warnings.map(({ path }) => path)).toEqual([warned.path, 'threads.0', 'messages.0']);
      expect(job.progress).toMatchObject({
        stored: { nodes: 1, threads: 0, messages: 0 },
        left_out: { threads: 1, messages: 1 },
      });
    }
    expect(await exported(target)).toMatchObject({ threads: [], messages: [] });
  });

  it('does not close a cycle through an existing link to a deleted decision', async () => {
    const target = await product.workspace();
    const { key, workspaceId } = target;
    const first = await create(target, '/decisions', { workspaceId, title: 'First' });
    const second = await create(target, '/decisions', { workspaceId, title: 'Second', supersedes: first.id });
    const third = await create(target, '/decisions', { workspaceId, title: 'Third' });
    const file = await exported(target);
    const gone = await product.call('DELETE', `/decisions/${first.id}`, { key, query: { workspaceId } });
    expect(gone.status).toBe(204);
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
    for (const dryRun of ['true', 'false']) {
      const job = await imported(target, circle, { dryRun });
      expect(job).toMatchObject({ status: 'failed', phase: 'checking' });
      expect(job.issues.map(({ path }) => path)).toEqual(['decisions.0.supersedes']);
    }
    const there = (await exported(target)).decisions.map(({ id }) => id);
    expect(there.toSorted()).toEqual([second.id, third.id].toSorted());
  });

  it('makes restored records searchable again', async () => {
    const workspace = await product.workspace();
    const { first, workflow, source, message } = await fill(workspace);
    const { key, workspaceId } = workspace;
    const file = await exported(workspace);
    const remove = async (path: string, query = {}) =>
      expect((await product.call('DELETE', path, { key, query })).status).toBeLessThan(300);
    const finds = async (q: string, decisions: number, nodes: number) => {
      const { body } = await product.call('GET', '/search', { key, query: { workspaceId, q } });
      expect([body.decisions.length, body.nodes.length]).toEqual([decisions, nodes]);
    };
    await eventually(() => finds('strasse', 1, 1));

    await remove(`/decisions/${first.id}`, { workspaceId });
    await remove(`/threads/${source.id}/messages/${message.id}`);
    await eventually(() => finds('strasse', 0, 0));
    const job = await imported(workspace, file);
    expect(job.progress.stored).toMatchObject({ decisions: 1, outcomes: 1, history: 1, messages: 1 });
    await eventually(() => finds('strasse', 1, 1));
    const body = { workspaceId, title: 'Wholly renamed' };
    expect((await product.call('PATCH', `/decisions/${first.id}`, { key, body })).status).toBe(200);
    await eventually(() => finds('wholly', 1, 0));

    await remove(`/workflows/${workflow.id}`);
    await eventually(async () => expect((await exported(workspace)).threads).toEqual([]));
    await eventually(() => finds('strasse', 0, 0));
    const again = await imported(workspace, file);
    expect(again.progress.stored).toMatchObject({ workflows: 1, nodes: 2, threads: 1, messages: 1 });
    await eventually(() => finds('strasse', 0, 1));
  });

  it('stores nothing in a dry run, and reports the result of a real one', async () => {
    const source = await product.workspace();
    await fill(source);
    const file = elsewhere(await exported(source));
    const target = await product.workspace();
    const job = await imported(target, file, { dryRun: 'true' });
    expect(job).toMatchObject({ status: 'succeeded', phase: 'checking', dry_run: true });
    expect(job.progress.total).toEqual(file.counts);
    expect(await exported(target)).toMatchObject(nothing);
  });

  it('reports ids of another workspace and stores nothing', async () => {
    const source = await product.workspace();
    await fill(source);
    const file = await exported(source);
    const target = await product.workspace();
    for (const dryRun of ['true', 'false']) {
      const job = await imported(target, file, { dryRun });
      expect(job.status).toBe('failed');
      const paths = job.issues.map(({ path }) => path);
      expect(paths).toEqual(
        expect.arrayContaining([
          'decisions.0.id',
          'outcomes.0.id',
          'threads.0.id',
          'messages.0.id',
          'workflows.0',
        ]),
      );
    }
    expect(await exported(target)).toMatchObject(nothing);
  });

  it('updates the search, sends no webhooks, and writes a single audit entry', async () => {
    const source = await product.workspace();
    await fill(source);
    const file = elsewhere(await exported(source));
    const target = await product.workspace();
    const { key, cookie, workspaceId } = target;
    const receiver = await startWebhookReceiver();
    try {
      const events = ['decision.created', 'workflow.created', 'node.created', 'thread.message_created'];
      await product.call('POST', '/webhooks', { cookie, body: { workspaceId, url: receiver.url, events } });
      await imported(target, file);
      await eventually(async () => {
        const { body } = await product.call('GET', '/search', { key, query: { workspaceId, q: 'STRASSE' } });
        expect(body.decisions).toHaveLength(1);
        expect(body.nodes).toHaveLength(1);
      });
      const { body } = await product.call('GET', '/search', { key, query: { workspaceId, q: 'flow' } });
      expect(body.workflows).toHaveLength(1);
      await create(target, '/decisions', { workspaceId, title: 'The one that is told' });
      await eventually(() => receiver.requests.length > 0);
      expect(receiver.requests).toHaveLength(1);
    } finally {
      await receiver.stop();
    }
    await eventually(async () => {
      const log = await product.call('GET', '/audit-log', { cookie, query: { workspaceId } });
      const actions = log.body.data.map(({ action }: { action: string }) => action);
      expect(actions.filter((action: string) => action === 'workspace.import')).toHaveLength(1);
      expect(actions.filter((action: string) => action.startsWith('decision.'))).toEqual(['decision.create']);
    });
  });

  it('returns the same import for the same Idempotency-Key, and a mismatch for another file', async () => {
    const target = await product.workspace();
    const file = { ...(await exported(target)), workspace: { id: crypto.randomUUID(), name: 'x' } };
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await begin(target, file, {}, headers);
    const second = await begin(target, file, {}, headers);
    expect([second.status, second.body.id]).toEqual([202, first.body.id]);
    const other = await begin(target, `${JSON.stringify(file)} `, {}, headers);
    expect([other.status, other.body.error]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    await finished(target, first.body.id);
  });

  it('refuses another content type', async () => {
    const typed = await begin(await product.workspace(), 'x', {}, { 'content-type': 'text/plain' });
    expect(typed.status).toBe(415);
  });
});

describe('a hostile file', () => {
  async function valid(): Promise<{ target: Workspace; file: WorkspaceExport }> {
    const source = await product.workspace();
    await fill(source);
    return { target: await product.workspace(), file: elsewhere(await exported(source)) };
  }
  type Raw = string | Buffer;
  const text = (file: WorkspaceExport, change: (file: WorkspaceExport) => void): Raw => {
    const copy = structuredClone(file);
    change(copy);
    return JSON.stringify(copy);
  };
  const cases: [string, string, (file: WorkspaceExport) => Raw][] = [
    ['text that is not JSON', '', () => 'hello'],
    ['a list', '', () => '[]'],
    ['another object', 'schema_version', () => '{}'],
    ['an unknown field', 'surprise', () => '{"surprise":1}'],
    [
      'a truncated document',
      'decisions.1',
      (file) => JSON.stringify(file).slice(0, JSON.stringify(file).indexOf('"Second"')),
    ],
    ['data after its end', '', (file) => `${JSON.stringify(file)}{}`],
    [
      'bytes that are not UTF-8',
      'decisions.0',
      (file) => {
        const bytes = Buffer.from(JSON.stringify(file));
        bytes[bytes.indexOf('First')] = 0xff;
        return bytes;
      },
    ],
    [
      'deep nesting',
      'nodes.0',
      (file) =>
        text(file, () => undefined)
          .toString()
          .replace('"data":{', `"data":{"x":${'['.repeat(1_000_000)}`),
    ],
    [
      'a text that is too long',
      'decisions.0',
      (file) => JSON.stringify(file).replace('"First', `"${'x'.repeat(6_000_000)}`),
    ],
    [
      'a wrong type',
      'decisions.0.title',
      (file) => text(file, ({ decisions }) => Object.assign(decisions[0]!, { title: 7 })),
    ],
    [
      'an unknown field of a record',
      'decisions.0',
      (file) => text(file, ({ decisions }) => Object.assign(decisions[0]!, { extra: 7 })),
    ],
    [
      'NUL',
      'decisions.0.title',
      (file) => text(file, ({ decisions }) => Object.assign(decisions[0]!, { title: 'a\0b' })),
    ],
    ['__proto__', 'nodes', (file) => JSON.stringify(file).replace('"$set":', '"__proto__":')],
    [
      'a repeated list',
      'decisions',
      (file) => {
        const [first, second] = file.decisions.map((decision) => JSON.stringify([decision]));
        return JSON.stringify({ ...file, decisions: 0 }).replace(
          '"decisions":0',
          `"decisions":${first},"decisions":${second}`,
        );
      },
    ],
    [
      'a repeated id',
      'decisions.2',
      (file) =>
        text(file, (copy) => {
          copy.decisions.push(copy.decisions[0]!);
          copy.counts.decisions += 1;
        }),
    ],
    [
      'a wrong count',
      'counts.decisions',
      (file) => text(file, ({ counts }) => Object.assign(counts, { decisions: 7 })),
    ],
    [
      'an edge to an unknown node',
      'workflows.0',
      (file) => text(file, ({ edges }) => Object.assign(edges[0]!, { target_id: crypto.randomUUID() })),
    ],
    [
      'an edge without a workflow',
      'edges.0.workflow_id',
      (file) => text(file, ({ edges }) => Object.assign(edges[0]!, { workflow_id: crypto.randomUUID() })),
    ],
    [
      'a cycle in an acyclic workflow',
      'workflows.0',
      (file) =>
        text(file, (copy) => {
          const [edge] = copy.edges;
          copy.edges.push({
            ...edge!,
            id: crypto.randomUUID(),
            source_id: edge!.target_id,
            target_id: edge!.source_id,
          });
          copy.counts.edges += 1;
        }),
    ],
    [
      'an outcome without a decision',
      'outcomes.0.decision_id',
      (file) =>
        text(file, ({ outcomes }) => Object.assign(outcomes[0]!, { decision_id: crypto.randomUUID() })),
    ],
    [
      'a message without a thread',
      'messages.0.thread_id',
      (file) => text(file, ({ messages }) => Object.assign(messages[0]!, { thread_id: crypto.randomUUID() })),
    ],
    [
      'a cycle of decisions',
      'decisions.0.supersedes',
      (file) => text(file, ({ decisions }) => Object.assign(decisions[0]!, { supersedes: decisions[1]!.id })),
    ],
    [
      'a decision that supersedes itself',
      'decisions.0.supersedes',
      (file) => text(file, ({ decisions }) => Object.assign(decisions[0]!, { supersedes: decisions[0]!.id })),
    ],
  ];

  it.each(cases)('with %s ends in a report at %j, and stores nothing', async (_, path, make) => {
    const { target, file } = await valid();
    const job = await imported(target, make(file));
    expect(job.status).toBe('failed');
    expect(job.issues.map((issue) => issue.path).some((found) => found.startsWith(path))).toBe(true);
    expect(await exported(target)).toMatchObject(nothing);
  });

  it('with a thousand faults shows a hundred and counts all', async () => {
    const { target, file } = await valid();
    const bad = { ...file.decisions[0]!, title: '' };
    const job = await imported(target, { ...file, decisions: Array.from({ length: 1_000 }, () => bad) });
    expect(job.issues).toHaveLength(100);
    expect(job.issue_count).toBeGreaterThanOrEqual(1_000);
  });

  it('is valid with links to deleted records, and gets a warning', async () => {
    const { target, file } = await valid();
    const gone = crypto.randomUUID();
    const job = await imported(
      target,
      text(file, ({ decisions }) => Object.assign(decisions[0]!, { supersedes: gone })).toString(),
    );
    expect(job).toMatchObject({ status: 'succeeded', warning_count: 1 });
    expect(job.warnings[0]!.path).toBe('decisions.0.supersedes');
  });
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type SearchResult } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { type DataServices, startDataServices } from './data-services.ts';
import { aDecision, aMessage, aNode, anEvent, aWorkflow } from './records.ts';
import { type SearchServer, startSearchServer } from './search-server.ts';

const run = promisify(execFile);
let data: DataServices;
let stand: SearchServer;
beforeAll(async () => {
  data = await startDataServices();
  stand = await startSearchServer({ env: data.env });
});
afterAll(async () => {
  await stand.stop();
  await data.stop();
});
/** Runs the command as an operator does. */
async function rebuild(): Promise<string> {
  const { stdout } = await runRebuild({});
  return stdout;
}

function runRebuild(more: NodeJS.ProcessEnv) {
  const { MONGODB_DATABASE: SEARCH_MONGODB_DATABASE } = stand.env;
  const env = { ...process.env, ...stand.env, SEARCH_MONGODB_DATABASE, NODE_OPTIONS: '', ...more };
  const command = ['--conditions=x-source', 'apps/cli/src/main.ts', 'search', 'rebuild'];
  return run(process.execPath, command, { cwd: findRepositoryRoot(), env: env as NodeJS.ProcessEnv });
}

const items = () => stand.database.collection('items');
const titlesOf = ({ nodes, decisions, workflows }: SearchResult) =>
  [...nodes, ...decisions, ...workflows].map(({ title }) => title).sort();
const found = async (workspaceId: string, q: string) =>
  titlesOf(await stand.search(workspaceId, q, { limit: 500 }));

/** Adds records of every kind to the data services without publishing an event. */
function fill(workspaceId: string, count: number) {
  for (let i = 0; i < count; i += 1) {
    const workflow = aWorkflow(workspaceId, { title: `word workflow ${i}` });
    const node = aNode(workspaceId, { title: `word node ${i}`, workflow_id: workflow.id });
    const decision = aDecision(workspaceId, { title: `word decision ${i}`, version: 3 });
    const message = aMessage(node.id, `spoken ${i}`);
    data.workflows.set(workflow.id, workflow);
    data.nodes.set(node.id, node);
    data.decisions.set(decision.id, decision);
    data.messages.set(message.id, { workspace_id: workspaceId, version: 1, message });
  }
}

describe('the rebuild command', () => {
  it('rebuilds a lost projection, page by page, for every workspace', async () => {
    const [one, other] = [newId(), newId()];
    fill(one, 150);
    fill(other, 30);
    expect(await rebuild()).toBe(
      (['workflow', 'node', 'decision', 'message'] as const)
        .map((kind) => `${kind}: ${data[`${kind}s`].size} read, 0 removed that no longer exist\n`)
        .join(''),
    );
    expect(await found(one, 'word')).toHaveLength(450);
    expect(await found(one, 'spoken')).toHaveLength(150);
    expect(await found(other, 'word')).toHaveLength(90);
  });

  it('corrects differing records, removes deleted ones and restores existing ones, also at older versions', async () => {
    const workspaceId = newId();
    const kept = aDecision(workspaceId, { title: 'kept word', version: 2 });
    const restored = aDecision(workspaceId, { title: 'restored word', version: 1 });
    const revived = aDecision(workspaceId, { title: 'revived word', version: 1 });
    const vanished = aDecision(workspaceId, { title: 'vanished word' });
    await stand.publish([
      anEvent('decision.created', workspaceId, kept),
      anEvent('decision.created', workspaceId, { ...restored, title: 'newer word', version: 7 }),
      anEvent('decision.deleted', workspaceId, { id: revived.id }, 9),
      anEvent('decision.created', workspaceId, vanished),
    ]);
    await stand.projected();
    for (const decision of [kept, restored, revived]) data.decisions.set(decision.id, decision);
    await items().updateOne({ id: kept.id }, { $set: { folded: 'damaged' } });
    expect(await rebuild()).toContain(`decision: ${data.decisions.size} read, 1 removed`);
    expect(await found(workspaceId, 'word')).toEqual(['kept word', 'restored word', 'revived word']);
    const again = await items().find({ workspace_id: workspaceId }).sort({ _id: 1 }).toArray();
    await rebuild();
    expect(await items().find({ workspace_id: workspaceId }).sort({ _id: 1 }).toArray()).toEqual(again);
  });

  it('keeps serving, and loses no event that arrives meanwhile', async () => {
    const workspaceId = newId();
    fill(workspaceId, 300);
    const existing = [...data.decisions.values()].filter(({ workspace_id }) => workspace_id === workspaceId);
    await stand.publish(existing.map((decision) => anEvent('decision.created', workspaceId, decision)));
    await stand.projected();
    let isOver = false;
    const rebuilding = rebuild().finally(() => {
      isOver = true;
    });
    const late: string[] = [];
    const gone: string[] = [];
    for (let i = 0; !isOver; i += 1) {
      const decision = aDecision(workspaceId, { title: `late ${i}` });
      const removed = existing[i % existing.length]!;
      data.decisions.set(decision.id, decision);
      data.decisions.delete(removed.id);
      await stand.publish([
        anEvent('decision.created', workspaceId, decision),
        anEvent('decision.deleted', workspaceId, { id: removed.id }, 4),
      ]);
      late.push(decision.title);
      gone.push(removed.title);
      expect((await stand.search(workspaceId, 'word decision')).decisions).toHaveLength(20);
      if (gone.length >= existing.length - 20) break;
    }
    await rebuilding;
    await stand.projected();
    await eventually(async () => {
      expect(await found(workspaceId, 'late')).toEqual(late.slice().sort());
      const left = existing.map(({ title }) => title).filter((title) => !gone.includes(title));
      expect(await found(workspaceId, 'word decision')).toEqual(left.sort());
    });
    expect(late.length).toBeGreaterThan(0);
  });

  it('fails when a service does not answer', async () => {
    const failed = runRebuild({ THREADS_URL: 'http://127.0.0.1:1' });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('temporarily unavailable'),
    });
  });
});

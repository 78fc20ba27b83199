import { api, type Schemas } from '../../api/client.ts';
import { newId } from '../../api/new-id.ts';
import { firstStepsTexts as t } from '../../texts/first-steps.ts';

/** The list of decisions reads it without loading this file. */
const KEY = 'waymark.sample';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** The sample decisions: their words are those of the user's language. */
const decisions = () => {
  const { database, delivery, designer, price } = t.sample.decisions;
  return [
    {
      ...database,
      question: database.title,
      status: 'accepted',
      outcomeConfidence: 0.8,
      expectedBy: inDays(60),
    },
    { ...delivery, status: 'accepted', outcomeConfidence: 0.7, outcome: 'success' },
    { ...designer, status: 'accepted', expectedBy: inDays(-7) },
    { ...price, expectedBy: inDays(21) },
  ] as const;
};

/** Creates a workspace with a few decisions and a workflow to look around in. */
export async function createSample(): Promise<Schemas['Workspace']> {
  const workspace = await api.post('/workspaces', { body: { name: t.sample.name } });
  try {
    await fill(workspace.id);
  } catch (error) {
    // A repetition must not leave half a sample behind.
    await api.delete('/workspaces/{id}', { id: workspace.id }).catch(() => undefined);
    throw error;
  }
  localStorage.setItem(KEY, workspace.id);
  return workspace;
}

async function fill(workspaceId: string): Promise<void> {
  for (const body of decisions()) await api.post('/decisions', { body: { workspaceId, ...body } });
  const body = { workspaceId, title: t.sample.workflow, description: '', acyclic: true };
  const workflow = await api.post('/workflows', { body });
  const task = { type: 'task', status: 'todo', positionY: 0 } as const;
  const nodes = t.sample.tasks.map((title, at) => ({ ...task, id: newId(), title, positionX: at * 320 }));
  const edges = nodes.slice(1).map(({ id }, at) => ({ sourceId: nodes[at]!.id, targetId: id }));
  const headers = { 'If-Match': `"v${workflow.version}"` };
  await api.put('/workflows/{id}/graph', { id: workflow.id, body: { nodes, edges } }, { headers });
}

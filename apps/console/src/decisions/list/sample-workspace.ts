import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';

/** The list of decisions reads it without loading this file. */
const KEY = 'waymark.sample';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const decisions = () => [
  {
    title: 'Which database keeps our orders?',
    question: 'Which database keeps our orders?',
    description:
      'Orders are the only data that we must never lose. Two people run the servers, and the year-end peak is ten times a usual day.',
    optionsConsidered: [
      { title: 'PostgreSQL', pros: ['We know it', 'Transactions'], cons: ['Failover needs care'] },
      { title: 'A managed service', pros: ['Nobody is on call for it'], cons: ['Costs three times as much'] },
    ],
    criteria: ['No lost order', 'Two people can run it'],
    resolution: 'A managed service',
    rationale:
      'A managed service costs more, but an outage at night costs more still. We keep PostgreSQL itself, so that we can move back.',
    decisionType: 'architecture',
    tags: ['storage', 'orders'],
    decidedBy: 'Platform team',
    status: 'accepted',
    outcomeConfidence: 0.8,
    expectedBy: inDays(60),
  },
  {
    title: 'Ship every pull request to production on its own',
    rationale: 'Small changes are easier to understand and to take back than a release of two weeks.',
    optionsConsidered: ['One release every two weeks', 'Each change on its own'],
    decisionType: 'process',
    tags: ['delivery'],
    status: 'accepted',
    outcomeConfidence: 0.7,
    outcome: 'success',
    outcomeNotes: 'Incidents fell by **a third** in the first quarter.',
  },
  {
    title: 'Hire a designer before a fifth engineer',
    rationale: 'Support asks the same three questions every day, and all of them are about the forms.',
    decisionType: 'hiring',
    tags: ['people'],
    status: 'accepted',
    expectedBy: inDays(-7),
  },
  {
    title: 'Do we price by seat or by workspace?',
    optionsConsidered: ['By seat', 'By workspace'],
    tags: ['pricing'],
    expectedBy: inDays(21),
  },
];

/** Creates a workspace with a few decisions and a workflow to look around in. */
export async function createSample(): Promise<Schemas['Workspace']> {
  const workspace = await unwrap(api.POST('/workspaces', { body: { name: 'Sample workspace' } }));
  localStorage.setItem(KEY, workspace.id);
  const workspaceId = workspace.id;
  for (const body of decisions()) await unwrap(api.POST('/decisions', { body: { workspaceId, ...body } }));
  const body = { workspaceId, title: 'Move the orders to the new database', description: '', acyclic: true };
  const workflow = await unwrap(api.POST('/workflows', { body }));
  const ids: string[] = [];
  for (const [at, title] of ['Copy the data', 'Compare both for a week', 'Switch the shop over'].entries()) {
    const node = {
      workspaceId,
      workflowId: workflow.id,
      title,
      type: 'task',
      status: 'todo',
      assignedTo: null,
    } as const;
    const positions = { positionX: at * 320, positionY: 0 };
    ids.push((await unwrap(api.POST('/nodes', { body: { ...node, ...positions } }))).id);
  }
  for (const [at, targetId] of ids.slice(1).entries()) {
    const edge = { workflowId: workflow.id, sourceId: ids[at]!, targetId };
    await unwrap(api.POST('/edges', { body: edge }));
  }
  return workspace;
}

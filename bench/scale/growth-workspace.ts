import type http from 'node:http';
import { newId } from '@waymark/contracts';
import { httpCall } from '@waymark/testing';
import type { NewWorkspace } from '../../dev/new-workspace.ts';
import type { Texts } from '../support/texts.ts';

const WORKFLOWS = 8;
const NODES = 50;
const MESSAGES = 20;
/** Occurs in no other text. */
export const RARE_WORD = 'zyzzyva';

/** The records that the measured calls read and change, the same in an installation of any size. */
export interface Scene {
  /** A workflow of moderate size, read and replaced as a whole. */
  graphs: { id: string; nodes: { id: string }[]; edges: object[] }[];
  /** Workflows that get more nodes, and messages on their first node. */
  drafts: { workflowId: string; nodeId: string }[];
  /** A node with a thread. */
  nodeId: string;
  webhookId: string;
}

/** Calls the API as the workspace's owner. Throws if the call fails. */
export type CallAsOwner = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => ReturnType<typeof httpCall>;

export function callsAsOwner(baseUrl: string, { cookie }: NewWorkspace, agent: http.Agent): CallAsOwner {
  return async (method, path, body, headers = {}) => {
    const answer = await httpCall(baseUrl, method, path, { agent, headers: { cookie, ...headers }, body });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };
}

/** Creates these records in a workspace, except the webhook if it exists. */
export async function setScene(
  call: CallAsOwner,
  { workspaceId, receiverUrl }: { workspaceId: string; receiverUrl: string },
): Promise<Scene> {
  const create = async (path: string, body: object) => {
    const { id } = (await call('POST', path, { workspaceId, ...body })).body;
    return id as string;
  };
  const newNode = (workflowId: string) =>
    create('/nodes', { workflowId, type: 'task', title: 'A step', positionX: 0, positionY: 0 });
  const each = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: WORKFLOWS }, make));

  const graphs = await each(async () => {
    const id = await create('/workflows', { title: 'A release' });
    const graph = newGraph();
    await call('PUT', `/workflows/${id}/graph`, graph);
    return { id, ...graph };
  });
  const drafts = await each(async () => {
    const workflowId = await create('/workflows', { title: 'A draft' });
    return { workflowId, nodeId: await newNode(workflowId) };
  });
  const nodeId = await newNode(drafts[0]!.workflowId);
  for (let i = 0; i < MESSAGES; i += 1) await call('POST', `/threads/${nodeId}`, { content: `Message ${i}` });

  const known = (await call('GET', `/webhooks?workspaceId=${workspaceId}`)).body.data[0]?.id as
    | string
    | undefined;
  const settings = { url: receiverUrl, events: ['decision.created'] };
  if (known) await call('PATCH', `/webhooks/${known}`, settings);
  const webhookId = known ?? (await create('/webhooks', settings));

  const decisionId = await create('/decisions', { title: `Which ${RARE_WORD} is it?` });
  await call('PATCH', `/decisions/${decisionId}`, {
    workspaceId,
    outcome: 'success',
    outcomeNotes: 'As hoped',
  });
  return { graphs, drafts, nodeId, webhookId };
}

/** The body of a new decision. */
export const draftOf = (texts: Texts) => ({
  title: texts.text(50),
  description: texts.text(100),
  optionsConsidered: ['MongoDB', 'PostgreSQL'],
  tags: ['stores'],
});

function newGraph() {
  const nodes = Array.from({ length: NODES }, (_, i) => ({
    id: newId(),
    type: i % 5 === 0 ? 'decision' : 'task',
    title: `Step ${i}`,
    positionX: (i % 10) * 120,
    positionY: Math.floor(i / 10) * 80,
    data: { estimate: i % 13 },
  }));
  const edges = nodes.slice(1).map(({ id }, i) => ({ sourceId: nodes[i]!.id, targetId: id }));
  return { nodes, edges };
}

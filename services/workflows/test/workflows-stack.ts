import { BASE_PATH, internalHeaders, newId, type Principal } from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import {
  type Answer,
  type CallInput,
  httpCall,
  keyPrincipal,
  type OneService,
  startOne,
  testIdentity,
} from '@waymark/testing';
import { startWorkflows } from '../src/service.ts';

/** A separate workspace with a key. Calls go to the replicas in turn. */
export interface Space {
  workspaceId: string;
  call(method: string, path: string, input?: CallInput): Promise<Answer>;
  workflow(body?: object): Promise<string>;
  node(workflowId: string, body?: object): Promise<string>;
  edge(workflowId: string, sourceId: string, targetId: string): Promise<Answer>;
  put(workflowId: string, body: object, input?: CallInput): Promise<Answer>;
  nodes(workflowId: string): Promise<Answer['body'][]>;
  edges(workflowId: string): Promise<Answer['body'][]>;
}

export interface WorkflowsStack extends OneService {
  space(principal?: Principal & { type: 'api_key' }): Space;
}

/** Starts the service with further replicas on the same stores, for tests of races. */
export async function startWorkflowsStack(replicas = 0): Promise<WorkflowsStack> {
  const service = await startOne(startWorkflows);
  const others: RunningService[] = [];
  for (let i = 0; i < replicas; i += 1) others.push(await startWorkflows(service.env));
  await Promise.all(others.map((other) => other.ready));
  const identity = testIdentity();
  const urls = [service.url, ...others.map((other) => other.url)];
  let turn = 0;

  function space(principal = keyPrincipal()): Space {
    const workspaceId = principal.workspace_id;
    const call: Space['call'] = async (method, path, input = {}) => {
      turn += 1;
      const url = urls[turn % urls.length]!;
      const headers = {
        [internalHeaders.identity]: await identity.sign(principal, 'workflows'),
        ...input.headers,
      };
      return httpCall(url, method, BASE_PATH + path, { ...input, headers });
    };
    const made = async (path: string, body: object) => {
      const answer = await call('POST', path, { body });
      if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
      return answer.body.id as string;
    };
    const list = async (path: string, workflowId: string) =>
      (await call('GET', path, { query: { workflowId } })).body.data;
    return {
      workspaceId,
      call,
      workflow: (body = {}) => made('/workflows', { workspaceId, title: 'A workflow', ...body }),
      node: (workflowId, body = {}) => made('/nodes', { ...nodeBody(workspaceId, workflowId), ...body }),
      edge: (workflowId, sourceId, targetId) =>
        call('POST', '/edges', { body: { workflowId, sourceId, targetId } }),
      put: (workflowId, body, input = {}) =>
        call('PUT', `/workflows/${workflowId}/graph`, { body, headers: { 'if-match': '*' }, ...input }),
      nodes: (workflowId) => list('/nodes', workflowId),
      edges: (workflowId) => list('/edges', workflowId),
    };
  }

  return {
    ...service,
    space,
    async stop() {
      await Promise.all(others.map((other) => other.stop()));
      await service.stop();
    },
  };
}

export function nodeBody(workspaceId: string, workflowId: string) {
  return { workspaceId, workflowId, type: 'task', title: 'A node', positionX: 0, positionY: 0 };
}

/** Returns nodes with new ids for a PUT of a graph. */
export function graphNodes(count: number, body: object = {}) {
  return Array.from({ length: count }, (_, i) => ({
    id: newId(),
    type: 'task',
    title: `Node ${i}`,
    positionX: i,
    positionY: 0,
    ...body,
  }));
}

import { afterAll } from '@jest/globals';
import { type EventEnvelope, newId } from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import {
  type Answer,
  type CallInput,
  httpCall,
  keyPrincipal,
  type OneService,
  startOne,
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

/** Starts the service for the tests of a file; tests of races have more replicas on the same stores. */
export async function workflowsStack({ replicas = 0 } = {}) {
  const one = await startOne(startWorkflows);
  const others: RunningService[] = [];
  for (let i = 0; i < replicas; i += 1) others.push(await startWorkflows(one.env));
  await Promise.all(others.map((other) => other.ready));
  afterAll(async () => {
    await Promise.all(others.map((other) => other.stop()));
    await one.stop();
  });
  let turn = 0;

  function space(): Space {
    const principal = keyPrincipal();
    const workspaceId = principal.workspace_id;
    const call: Space['call'] = (method, path, input) => {
      turn += 1;
      const urls = [one.url, ...others.map(({ url }) => url)];
      return one.callAt(urls[turn % urls.length]!, principal, method, path, input);
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
    space,
    database: () => one.database,
    collection: (name: string) => one.database.collection<{ _id: string }>(name),
    url: () => one.url,
    callersNow: () => one.callersNow,
    call: (...call: Parameters<OneService['call']>) => one.call(...call),
    /** Returns how much is taken of a bounded resource. */
    async held(resource: string): Promise<number> {
      const { text } = await httpCall(`http://127.0.0.1:${one.adminPort}`, 'GET', '/metrics');
      const name = `waymark_admission_held{resource="${resource}"`;
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(name))!
          .split(' ')
          .at(-1),
      );
    },
    allEvents: () => one.events,
    /** Waits for the events that `about` chooses. Expects exactly `types` in this order. */
    events: (...call: Parameters<OneService['eventsOf']>) => one.eventsOf(...call),
  };
}

/** Chooses the events about a record. */
export const about =
  (id: string) =>
  ({ subject }: EventEnvelope) =>
    subject.id === id;

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

/** Returns edges that join the nodes in a row. */
export const inARow = (nodes: readonly { id: string }[]) =>
  nodes.slice(1).map(({ id }, i) => ({ sourceId: nodes[i]!.id, targetId: id }));

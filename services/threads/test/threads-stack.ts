import http from 'node:http';
import {
  BASE_PATH,
  type DeletedNode,
  type EventEnvelope,
  internalHeaders,
  newId,
  type Principal,
} from '@waymark/contracts';
import { baseEnvironment, type RunningService, readEnvironment } from '@waymark/service-kit/process';
import { openRuntime } from '@waymark/service-kit/runtime';
import {
  type Answer,
  type CallInput,
  eventually,
  httpCall,
  keyPrincipal,
  type OneService,
  startOne,
  streamOf,
  testIdentity,
} from '@waymark/testing';
import { startThreads } from '../src/service.ts';

/** A node that the double of the workflows service returns. */
export interface DoubledNode {
  id: string;
  workspace_id: string;
  workflow_id: string;
  version: number;
  /** 0 by default. */
  generation?: number;
}

type Caller = (method: string, path: string, input?: CallInput) => Promise<Answer>;

export interface ThreadsStack extends OneService {
  /** Creates a node in a separate workspace, with a key of that workspace. */
  node(): DoubledNode & { call: Caller };
  /** Calls as `principal`, on the replicas in turn. */
  as(principal: Principal): Caller;
  /** The nodes that the double of workflows knows, by id. */
  nodes: Map<string, DoubledNode>;
  /** Returns the number of node look-ups so far. */
  lookUps(): number;
  /** Makes the double of workflows fail every request, or answer again. */
  setAway(isAway: boolean): void;
  /** Deletes a node from the double of workflows and publishes the event. */
  deleteNode(node: DoubledNode): Promise<EventEnvelope>;
  publish(event: EventEnvelope): Promise<void>;
  /** Resolves when every published event has been handled. */
  settled(): Promise<void>;
  /** Counts the stored threads and messages of a node. */
  stored(nodeId: string): Promise<{ threads: number; messages: number }>;
}

/** Starts the service on real stores, with a double of workflows that the test controls. */
export async function startThreadsStack(replicas = 0): Promise<ThreadsStack> {
  const identity = testIdentity();
  const nodes = new Map<string, DoubledNode>();
  let lookUps = 0;
  let isAway = false;
  const workflows = http.createServer(async (request, response) => {
    if (isAway) return request.socket.destroy();
    lookUps += 1;
    const principal = await identity.verify(String(request.headers[internalHeaders.identity]), 'workflows');
    if (principal.type !== 'service') throw new Error('internal operations are for services');
    const node = nodes.get(String(request.url?.split('/').at(-1))) ?? null;
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ node: node && { generation: 0, ...node } }));
  });
  await new Promise<void>((listening) => workflows.listen(0, '127.0.0.1', listening));
  const { port } = workflows.address() as { port: number };

  const service = await startOne(startThreads, { env: { WORKFLOWS_URL: `http://127.0.0.1:${port}` } });
  const others: RunningService[] = [];
  for (let i = 0; i < replicas; i += 1) others.push(await startThreads(service.env));
  await Promise.all(others.map((other) => other.ready));
  const urls = [service.url, ...others.map((other) => other.url)];
  const peer = openRuntime('workflows', readEnvironment(baseEnvironment('workflows'), service.env));
  const stream = streamOf(service.env);
  const consumer = async () => (await peer.nats.manager()).consumers.info(stream.name, 'threads');
  await eventually(async () => void (await consumer()));
  let turn = 0;
  let copy = 0;
  let published = 0;

  const as: ThreadsStack['as'] =
    (principal) =>
    async (method, path, input = {}) => {
      turn += 1;
      const url = urls[turn % urls.length]!;
      const headers = {
        [internalHeaders.identity]: await identity.sign(principal, 'threads'),
        ...input.headers,
      };
      return httpCall(url, method, BASE_PATH + path, { ...input, headers });
    };

  const stack: ThreadsStack = {
    ...service,
    nodes,
    as,
    lookUps: () => lookUps,
    setAway(away) {
      isAway = away;
      if (away) workflows.closeAllConnections();
    },
    node() {
      const principal = keyPrincipal();
      const node = { id: newId(), workspace_id: principal.workspace_id, workflow_id: newId(), version: 1 };
      nodes.set(node.id, node);
      return { ...node, call: as(principal) };
    },
    async deleteNode(node) {
      nodes.delete(node.id);
      const event = nodeDeleted(node);
      await stack.publish(event);
      return event;
    },
    async publish(event) {
      copy += 1;
      const options = { msgID: `${event.id}-${copy}` };
      const subject = stream.subject(event.type);
      const { seq } = await peer.nats.jetstream()!.publish(subject, JSON.stringify(event), options);
      published = Math.max(published, seq);
    },
    settled: () =>
      eventually(async () => {
        const { num_pending, num_ack_pending, delivered } = await consumer();
        // NATS acknowledges an event before its consumers count it as pending.
        return delivered.stream_seq >= published && num_pending + num_ack_pending === 0;
      }).then(() => undefined),
    async stored(nodeId) {
      const count = (name: string) => service.database.collection(name).countDocuments({ node_id: nodeId });
      return { threads: await count('threads'), messages: await count('messages') };
    },
    async stop() {
      await Promise.all(others.map((other) => other.stop()));
      await peer.close();
      await service.stop();
      workflows.closeAllConnections();
      await new Promise((closed) => workflows.close(closed));
    },
  };
  return stack;
}

export function nodeDeleted({ id, workspace_id, workflow_id, version }: DoubledNode): EventEnvelope {
  return {
    ...envelope(workspace_id),
    type: 'node.deleted',
    subject: { type: 'node', id, version: version + 1 },
    data: { id, workflow_id },
  };
}

export function nodesDeleted(workspaceId: string, nodes: DeletedNode[]): EventEnvelope {
  const workflow_id = newId();
  return {
    ...envelope(workspaceId),
    type: 'nodes.deleted',
    subject: { type: 'workflow', id: workflow_id, version: 7 },
    data: { workflow_id, nodes },
  };
}

function envelope(workspaceId: string) {
  return {
    id: newId(),
    version: 1 as const,
    time: new Date().toISOString(),
    workspace_id: workspaceId,
    actor: { type: 'service' as const, id: null, name: 'workflows', key_prefix: null },
    action: null,
    request_id: null,
    ip: null,
    user_agent: null,
    changes: null,
  };
}

import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from '@jest/globals';
import {
  type DeletedNode,
  type EventEnvelope,
  internalHeaders,
  newId,
  type Principal,
} from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import {
  type Answer,
  type CallInput,
  keyPrincipal,
  type OneService,
  openEventPublisher,
  sampleEvent,
  startOne,
  testIdentity,
} from '@waymark/testing';
import { startThreads } from '../src/service.ts';

/** A decision that the double of the decisions service returns. */
export interface DoubledDecision {
  id: string;
  workspace_id: string;
  version: number;
  /** 0 by default. */
  generation?: number;
}

/** A node that the double of the workflows service returns. */
export interface DoubledNode extends DoubledDecision {
  workflow_id: string;
}

type Caller = (method: string, path: string, input?: CallInput) => Promise<Answer>;

/** Starts the service for the tests of a file, with a double of the other services that the tests control. */
export async function threadsStack({ replicas = 0 } = {}) {
  const identity = testIdentity();
  const nodes = new Map<string, DoubledNode>();
  const decisions = new Map<string, DoubledDecision>();
  const members = new Set<string>();
  const copies: RunningService[] = [];
  let lookUps = 0;
  let isAway = false;
  let turn = 0;

  const OWNERS = { nodes: 'workflows', decisions: 'decisions', workspaces: 'accounts' } as const;
  const others = http.createServer(async (request, response) => {
    if (isAway) return request.socket.destroy();
    // A body that took long: the caller is still the same.
    if (request.url === '/internal/callers/refresh') return request.pipe(response);
    const [noun, id] = request.url!.split('/').slice(2) as [keyof typeof OWNERS, string];
    const token = String(request.headers[internalHeaders.identity]);
    const principal = await identity.verify(token, OWNERS[noun]);
    if (principal.type !== 'service') throw new Error('internal operations are for services');
    response.setHeader('content-type', 'application/json');
    if (noun === 'workspaces') {
      const { user_ids } = JSON.parse(await text(request)) as { user_ids: string[] };
      const present = user_ids.filter((one) => members.has(one));
      const found = present.map((user_id) => ({ user_id, name: 'A member', role: 'member' }));
      return response.end(JSON.stringify({ members: found }));
    }
    lookUps += 1;
    const found = (noun === 'nodes' ? nodes : decisions).get(id) ?? null;
    const answer = found && { generation: 0, ...found };
    return response.end(JSON.stringify({ [noun === 'nodes' ? 'node' : 'decision']: answer }));
  });
  await once(others.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(others.address() as { port: number }).port}`;
  const env = { ACCOUNTS_URL: url, DECISIONS_URL: url, WORKFLOWS_URL: url };
  const one = await startOne(startThreads, { env });
  for (let i = 0; i < replicas; i += 1) copies.push(await startThreads(one.env));
  await Promise.all(copies.map((other) => other.ready));
  const publisher = await openEventPublisher(one, 'threads');
  afterAll(async () => {
    await Promise.all(copies.map((other) => other.stop()));
    await publisher.close();
    await one.stop();
    others.close();
    others.closeAllConnections();
  });

  const stack = {
    /** The nodes that the double of workflows knows, by id. */
    nodes,
    /** The decisions that the double of decisions knows, by id. */
    decisions,
    call: (...call: Parameters<OneService['call']>) => one.call(...call),
    /** Calls as `principal`, on the replicas in turn. */
    as:
      (principal: Principal): Caller =>
      (method, path, input) => {
        turn += 1;
        const urls = [one.url, ...copies.map(({ url }) => url)];
        return one.callAt(urls[turn % urls.length]!, principal, method, path, input);
      },
    collection: (name: string) => one.database.collection<{ _id: string }>(name),
    client: () => one.database.client,
    /** Returns the number of look-ups of nodes and decisions so far. */
    lookUps: () => lookUps,
    /** Makes the doubles fail every request, or respond again. */
    setAway(away: boolean) {
      isAway = away;
      if (away) others.closeAllConnections();
    },
    /** Creates a node in the workspace of a key; by default, in a workspace of its own. */
    node(principal = keyPrincipal()): DoubledNode & { call: Caller } {
      const { workspace_id } = principal;
      const node = { id: newId(), workspace_id, workflow_id: newId(), version: 1 };
      nodes.set(node.id, node);
      return { ...node, call: stack.as(principal) };
    },
    /** Creates a decision in the workspace of a key; by default, in a workspace of its own. */
    decision(principal = keyPrincipal()): DoubledDecision & { call: Caller; path: string } {
      const decision = { id: newId(), workspace_id: principal.workspace_id, version: 1 };
      stack.decisions.set(decision.id, decision);
      return { ...decision, call: stack.as(principal), path: `/decisions/${decision.id}/thread` };
    },
    /** Makes a user a member of every workspace, and no longer one. */
    join: (userId: string) => void members.add(userId),
    leave: (userId: string) => void members.delete(userId),
    /** Deletes a node from the double of workflows and publishes the event. */
    async deleteNode(node: DoubledNode): Promise<EventEnvelope> {
      nodes.delete(node.id);
      const event = nodeDeleted(node);
      await stack.publish(event);
      return event;
    },
    publish: (event: EventEnvelope) => publisher.publish([event]),
    /** Resolves when every event published so far has been handled. */
    settled: () => publisher.settled(),
    /** Waits for the events that `about` chooses. Expects exactly `types` in this order. */
    events: (...call: Parameters<OneService['eventsOf']>) => one.eventsOf(...call),
    /** Counts the stored threads and messages of a node or decision. */
    async stored(id: string) {
      const count = (name: string) =>
        one.database.collection(name).countDocuments({ $or: [{ node_id: id }, { decision_id: id }] });
      return { threads: await count('threads'), messages: await count('messages') };
    },
  };
  return stack;
}

export const nodeDeleted = ({ id, workspace_id, workflow_id, version }: DoubledNode): EventEnvelope =>
  sampleEvent({
    type: 'node.deleted',
    workspace_id,
    subject: { type: 'node', id, version: version + 1 },
    data: { id, workflow_id },
  });

export const decisionRestored = ({ id, workspace_id, version }: DoubledDecision): EventEnvelope =>
  sampleEvent({
    type: 'decisions.restored',
    workspace_id,
    subject: { type: 'decision', id, version },
    data: { decisions: [{ id, version: version - 1 }] },
  });

export const decisionDeleted = ({ id, workspace_id, version }: DoubledDecision): EventEnvelope =>
  sampleEvent({
    type: 'decision.deleted',
    workspace_id,
    subject: { type: 'decision', id, version: version + 1 },
    data: { id },
  });

export function nodesDeleted(workspace_id: string, nodes: DeletedNode[]): EventEnvelope {
  const workflow_id = newId();
  return sampleEvent({
    type: 'nodes.deleted',
    workspace_id,
    subject: { type: 'workflow', id: workflow_id, version: 7 },
    data: { workflow_id, nodes },
  });
}

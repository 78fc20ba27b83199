import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';
import type { Decision, Message, Node, Workflow } from '@waymark/contracts';
import { aDecision, aMessage, aNode, aWorkflow } from './records.ts';

/** Serves snapshots as the data services do, from records that the tests of a file add, by id. */
export async function dataServices() {
  const records = {
    workflows: new Map<string, Workflow>(),
    nodes: new Map<string, Node>(),
    decisions: new Map<string, Decision>(),
    messages: new Map<string, { workspace_id: string; version: number; message: Message }>(),
  };
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const ofKind: Map<string, unknown> = records[pathname.split('/')[2] as keyof typeof records];
    const ids = [...ofKind.keys()].filter((id) => id > (searchParams.get('after') ?? '')).sort();
    const page = ids.slice(0, Number(searchParams.get('limit'))).map((id) => ofKind.get(id));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: page }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    ...records,
    /** The addresses of the services. */
    env: { DECISIONS_URL: url, WORKFLOWS_URL: url, THREADS_URL: url },
    /** Adds a workflow, a node, a decision and a message; nobody announces them. */
    add(workspaceId: string, titles: Record<'workflow' | 'node' | 'decision' | 'message', string>) {
      const workflow = aWorkflow(workspaceId, { title: titles.workflow });
      const node = aNode(workspaceId, { title: titles.node, workflow_id: workflow.id });
      const decision = aDecision(workspaceId, { title: titles.decision, version: 3 });
      const message = aMessage(node.id, titles.message);
      records.workflows.set(workflow.id, workflow);
      records.nodes.set(node.id, node);
      records.decisions.set(decision.id, decision);
      records.messages.set(message.id, { workspace_id: workspaceId, version: 1, message });
    },
  };
}

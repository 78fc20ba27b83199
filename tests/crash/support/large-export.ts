import type { WorkspaceExport } from '@waymark/contracts';
import type { ProductProcesses } from './product-processes.ts';

/**
 * Exports a workspace with one record of each kind, with its decisions and messages repeated many times under
 * new ids.
 */
export async function largeExport(
  { call, workspaceId }: Pick<ProductProcesses, 'call' | 'workspaceId'>,
  { decisions: decisionCount, messages: messageCount }: { decisions: number; messages: number },
): Promise<WorkspaceExport> {
  const create = async (path: string, body: object) => {
    const answer = await call('POST', path, { body });
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  await create('/decisions', { workspaceId, title: 'One', outcome: 'success' });
  const { id: workflowId } = await create('/workflows', { workspaceId, title: 'Flow' });
  const place = { positionX: 0, positionY: 0 };
  const node = await create('/nodes', { workflowId, workspaceId, type: 'task', title: 'Node', ...place });
  await create(`/threads/${node.id}`, { content: 'Hello' });
  const exported = await call('GET', '/export', { query: { workspaceId } });
  const file = exported.body as WorkspaceExport;

  const ids = new Map<string, string>();
  const fresh = (id: string) => ids.get(id) ?? ids.set(id, crypto.randomUUID()).get(id)!;
  const own = <T extends { id: string }>(one: T) => ({ ...one, id: fresh(one.id) });
  const decisions = Array.from({ length: decisionCount }, () => ({
    ...file.decisions[0]!,
    id: crypto.randomUUID(),
  }));
  const outcomes = decisions.map(({ id }) => ({
    ...file.outcomes[0]!,
    id: crypto.randomUUID(),
    decision_id: id,
  }));
  const messages = Array.from({ length: messageCount }, () => ({
    ...file.messages[0]!,
    id: crypto.randomUUID(),
    thread_id: fresh(file.threads[0]!.id),
    node_id: fresh(node.id),
  }));
  return {
    ...file,
    workflows: file.workflows.map(own),
    nodes: file.nodes.map((one) => ({ ...own(one), workflow_id: fresh(one.workflow_id) })),
    threads: file.threads.map((one) => ({ ...own(one), node_id: fresh(one.node_id!) })),
    decisions,
    outcomes,
    messages,
    counts: { ...file.counts, decisions: decisionCount, outcomes: decisionCount, messages: messageCount },
  };
}

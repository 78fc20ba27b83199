import { ApiError, type Workflow } from '@waymark/contracts';
import { externalIdTaken, type RequestContext, requireRecord } from '@waymark/service-kit/http';
import { changesBetween, subjectOf, trashRoot } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import { emitGraphChanges, emitNodes, lastDeletion, WORKFLOW_FIELDS } from '../events.ts';
import { restoreNodes } from '../graph/restore-nodes.ts';
import { created, storedEdge, storedNode, storedWorkflow, workflowView } from '../records.ts';
import { EDGES } from '../store/edges.ts';
import { NODES } from '../store/nodes.ts';
import { workflowTombstoneId } from '../store/tombstones.ts';
import { WORKFLOWS } from '../store/workflows.ts';

/**
 * Takes a workflow out of the trash with its graph; the threads service restores the threads after the event.
 * Returns a workflow that exists as it is. Throws CONFLICT when an id or external id of it is taken.
 */
export function restoreWorkflow(
  service: WorkflowsContext,
  ctx: RequestContext,
  id: string,
): Promise<Workflow> {
  const { store, commit, now } = service;
  const { workspaceId: workspace_id } = ctx.access;

  return commit(
    ctx,
    async (tx) => {
      const { session } = tx;
      const trashed = await store.trash.take(workspace_id, trashRoot('workflow', id), session);
      if (!trashed) return workflowView(await requireRecord(ctx, await store.workflows.byId(id)));
      if (await store.workflows.byId(id)) throw new ApiError('CONFLICT', { message: 'The id is taken.' });
      const { documents } = trashed;
      const restored = { version: trashed.entry!.version + 1, updated_at: new Date(now()).toISOString() };
      const workflow = { ...storedWorkflow(documents[WORKFLOWS]![0]!), ...restored };
      const removed = (documents[NODES] ?? []).map(storedNode);
      const edges = (documents[EDGES] ?? []).map(storedEdge);
      const ids = removed.map((node) => node.id);
      const externalIds = removed.flatMap(({ external_id }) => external_id ?? []);
      const [holder] = await store.nodes.byExternalIds(workspace_id, externalIds, session);
      if (holder) throw externalIdTaken('node', holder);
      const versionOf = await restoreNodes(service, workflow, ids, { path: 'id', session });
      const nodes = removed.map((node) => ({ ...node, version: versionOf(node.id) }));
      const tombstone = { ...workflow, id: workflowTombstoneId(workflow) };
      await store.tombstones.remove([tombstone], session);
      await store.workflows.insert(workflow, session);
      const changes = { nodes: created(nodes), edges: created(edges) };
      await store.applyChanges(changes, session);
      const data = workflowView(workflow);
      const fields = changesBetween(null, data, WORKFLOW_FIELDS);
      tx.emit('workflow.created', { subject: subjectOf('workflow', workflow), data, changes: fields });
      emitGraphChanges(tx, workflow, changes);
      emitNodes(tx, 'nodes.restored', workflow, nodes.map(lastDeletion));
      return data;
    },
    { queueKey: id },
  );
}

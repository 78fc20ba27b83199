import { ApiError, type Node, type NodeCreate, type NodeUpdate, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import { deletion, emitEdges, NODE_FIELDS, nodeSubject } from '../events.ts';
import { freeFormBytes, type NodeRecord, nodeView, type WorkflowRecord } from '../records.ts';
import type { Store, StoreSession } from '../store/index.ts';
import { type ChangeGraph, requireMatch } from './change-graph.ts';

export function createNodes({ store, change }: { store: Store; change: ChangeGraph }) {
  const workflowOf = ({ workspace_id, workflow_id }: NodeRecord) => ({ id: workflow_id, workspace_id });

  return {
    create(ctx: RequestContext, found: WorkflowRecord, input: NodeCreate): Promise<Node> {
      return change(ctx, found, async ({ tx, at, advance }) => {
        const { workspace_id: _, workflow_id: __, data, ...given } = input;
        const node: NodeRecord = {
          id: newId(),
          workspace_id: found.workspace_id,
          workflow_id: found.id,
          ...given,
          data: JSON.stringify(data),
          created_at: at,
          updated_at: at,
          version: 1,
        };
        await advance({ nodes: 1, freeFormBytes: freeFormBytes([node]) });
        await store.nodes.apply({ created: [node], updated: [], deleted: [] }, tx.session);
        const view = nodeView(node);
        const changes = changesBetween(null, view, NODE_FIELDS);
        tx.emit('node.created', { subject: nodeSubject(view), data: view, changes });
        return view;
      });
    },

    /** Given fields replace theirs, `data` as a whole; what is given already changes nothing and leaves no event. */
    update(ctx: RequestContext, found: NodeRecord, { data, ...given }: NodeUpdate): Promise<Node> {
      return change(ctx, workflowOf(found), async ({ tx, at, advance }) => {
        const node = await reread(found, tx.session);
        requireMatch(ctx, node);
        const next: NodeRecord = {
          ...node,
          ...definedOf(given),
          ...(data && { data: JSON.stringify(data) }),
          updated_at: at,
          version: node.version + 1,
        };
        const view = nodeView(next);
        const changes = changesBetween(nodeView(node), view, NODE_FIELDS);
        if (Object.keys(changes).length === 0) return nodeView(node);
        await advance({ freeFormBytes: freeFormBytes([next]) - freeFormBytes([node]) });
        await store.nodes.apply({ created: [], updated: [next], deleted: [] }, tx.session);
        tx.emit('node.updated', { subject: nodeSubject(view), data: view, changes });
        return view;
      });
    },

    /** Deletes the node with its edges; its thread follows when its service hears of it. */
    remove(ctx: RequestContext, found: NodeRecord): Promise<void> {
      return change(ctx, workflowOf(found), async ({ tx, advance }) => {
        const node = await reread(found, tx.session);
        requireMatch(ctx, node);
        const { id, workspace_id, workflow_id } = node;
        const edges = await store.edges.touching(node, id, tx.session);
        const freed = freeFormBytes([node]) + freeFormBytes(edges);
        const workflow = await advance({ nodes: -1, edges: -edges.length, freeFormBytes: -freed });
        const cut = { created: [], updated: [], deleted: edges };
        await store.edges.apply(cut, tx.session);
        await store.nodes.apply({ created: [], updated: [], deleted: [node] }, tx.session);
        await store.tombstones.insert([{ ...deletion(node), workspace_id }], tx.session);
        tx.emit('node.deleted', {
          subject: nodeSubject(deletion(node)),
          data: { id, workflow_id },
          changes: changesBetween(nodeView(node), null, NODE_FIELDS),
        });
        emitEdges(tx, workflow, cut);
      });
    },
  };

  async function reread(found: NodeRecord, session: StoreSession) {
    const [node] = await store.nodes.pick(found, [found.id], session);
    if (!node) throw new ApiError('NOT_FOUND');
    return node;
  }
}

/** An optional field may be there and undefined; null is a value. */
function definedOf<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

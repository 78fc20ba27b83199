import { type Schemas, WaymarkError } from '@waymark/client/api';
import type { Api } from '../../api/calls.ts';
import { edgeKey, fieldsOf, type Graph, graphOf, type NodeFields, type NodeRecord } from './graph.ts';
import {
  adapt,
  applyChange,
  type GraphChange,
  isEmpty,
  type NodeChange,
  outstanding,
} from './graph-change.ts';

/** The server's graph of one workflow. Every write carries a request id, by which its event is recognised. */
export type GraphRemote = ReturnType<typeof graphRemote>;

const CONFLICTS_MAX = 5;

export function graphRemote(
  api: Api,
  { id, workspace_id }: { id: string; workspace_id: string },
  /** Called with the number of records that were not changed because somebody else had changed them. */
  onLeft: (count: number) => void = () => {},
) {
  const by = (requestId: string) => ({ 'X-Request-Id': requestId });
  const onceBy = (requestId: string) => ({ ...by(requestId), 'Idempotency-Key': requestId });

  async function read(): Promise<Graph> {
    return graphOf(await api.get('/workflows/{id}/graph', { id }));
  }

  function patchNode(nodeId: string, fields: Partial<NodeFields>, requestId: string, version?: number) {
    const headers = { ...by(requestId), ...(version !== undefined && { 'If-Match': `"v${version}"` }) };
    return api.patch('/nodes/{id}', { id: nodeId, body: nodeUpdate(fields) }, { headers });
  }

  /**
   * Puts the whole graph with the change applied. If somebody else was faster, applies the change to their
   * version without overwriting it.
   */
  async function put(change: GraphChange, requestId: string): Promise<(graph: Graph) => Graph> {
    for (let conflicts = 0; ; conflicts += 1) {
      const graph = await read();
      const { change: own, left } = adapt(outstanding(change, graph), graph);
      if (isEmpty(own)) {
        if (left > 0) onLeft(left);
        return (known) => (known.workflow.version > graph.workflow.version ? known : graph);
      }
      try {
        const headers = { ...by(requestId), 'If-Match': `"v${graph.workflow.version}"` };
        const body = graphPut(applyChange(graph, own));
        const answer = await api.put('/workflows/{id}/graph', { id, body }, { headers });
        if (left > 0) onLeft(left);
        return (known) => (known.workflow.version > answer.version ? known : graphOf(answer));
      } catch (error) {
        if (!isOvertaken(error) || conflicts >= CONFLICTS_MAX) throw error;
      }
    }
  }

  return {
    read,
    patchNode,

    readNode: (nodeId: string): Promise<NodeRecord> => api.get('/nodes/{id}', { id: nodeId }),

    createNode(fields: NodeFields, requestId: string): Promise<NodeRecord> {
      const body = { ...nodeBody(fields), workflowId: id, workspaceId: workspace_id };
      return api.post('/nodes', { body }, { headers: onceBy(requestId) });
    },

    updateWorkflow: (body: Schemas['WorkflowUpdate'], requestId: string) =>
      api.patch('/workflows/{id}', { id, body }, { headers: by(requestId) }),

    /** Sends a change with the smallest possible call. Returns its effect on the local graph. */
    async send(change: GraphChange, base: Graph, requestId: string): Promise<(graph: Graph) => Graph> {
      const [node, ...moreNodes] = change.nodes;
      const [edge, ...moreEdges] = change.edges;
      if (node?.kind === 'update' && moreNodes.length === 0 && !edge) {
        const answer = await patchNode(node.id, node.after, requestId);
        return (graph) => withNode(graph, answer);
      }
      if (node?.kind === 'delete' && moreNodes.length === 0 && areGoing(change, node)) {
        await api.delete('/nodes/{id}', { id: node.id }, { headers: by(requestId) });
        return (graph) => applyChange(graph, change);
      }
      if (edge && moreEdges.length === 0 && !node) {
        const known = base.edges.get(edgeKey(edge));
        if (edge.before === undefined && edge.after !== undefined) {
          const { source_id: sourceId, target_id: targetId, after: condition } = edge;
          const body = { workflowId: id, sourceId, targetId, condition };
          const answer = await api.post('/edges', { body }, { headers: onceBy(requestId) });
          return (graph) => ({ ...graph, edges: new Map(graph.edges).set(edgeKey(answer), answer) });
        }
        if (edge.after === undefined && known) {
          await api.delete('/edges', { id: known.id }, { headers: by(requestId) });
          return (graph) => applyChange(graph, change);
        }
      }
      return put(change, requestId);
    },
  };
}

/** Returns the graph with the server's version of the node, unless a later one is known. */
export function withNode(graph: Graph, node: NodeRecord): Graph {
  const known = graph.nodes.get(node.id);
  if (known && known.version > node.version) return graph;
  return { ...graph, nodes: new Map(graph.nodes).set(node.id, node) };
}

/** Whether all edges of the change belong to the node and are deleted with it. */
const areGoing = ({ edges }: GraphChange, { id }: NodeChange) =>
  edges.every(({ source_id, target_id }) => source_id === id || target_id === id);

const isOvertaken = (error: unknown) => error instanceof WaymarkError && error.status === 412;

/** A node as a request contains it. */
function nodeBody(node: NodeFields) {
  const { position_x, position_y, assigned_to, external_id, ...same } = fieldsOf(node);
  const place = { positionX: position_x, positionY: position_y };
  return { ...same, ...place, assignedTo: assigned_to, externalId: external_id };
}

function nodeUpdate(fields: Partial<NodeFields>): Schemas['NodeUpdate'] {
  const { type: _, position_x, position_y, assigned_to, external_id, ...same } = fields;
  return {
    ...same,
    ...(position_x !== undefined && { positionX: position_x }),
    ...(position_y !== undefined && { positionY: position_y }),
    ...(assigned_to !== undefined && { assignedTo: assigned_to }),
    ...(external_id !== undefined && { externalId: external_id }),
  };
}

function graphPut({ nodes, edges }: Graph): Schemas['GraphPut'] {
  return {
    nodes: [...nodes.values()].map((node) => ({ id: node.id, ...nodeBody(node) })),
    edges: [...edges.values()].map(({ source_id, target_id, condition }) => ({
      sourceId: source_id,
      targetId: target_id,
      condition,
    })),
  };
}

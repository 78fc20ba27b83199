import { type Schemas, unwrap, type WaymarkClient, WaymarkError } from '@waymark/client/api';
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
  api: WaymarkClient,
  { id, workspace_id }: { id: string; workspace_id: string },
  /** Called with the number of records that were not changed because somebody else had changed them. */
  onLeft: (count: number) => void = () => {},
) {
  const ofWorkflow = { path: { id } };
  const by = (requestId: string) => ({ 'X-Request-Id': requestId });

  async function read(): Promise<Graph> {
    return graphOf(await unwrap(api.GET('/workflows/{id}/graph', { params: ofWorkflow })));
  }

  function patchNode(nodeId: string, fields: Partial<NodeFields>, requestId: string, version?: number) {
    const header = version === undefined ? {} : { 'If-Match': `"v${version}"` };
    return unwrap(
      api.PATCH('/nodes/{id}', {
        params: { path: { id: nodeId }, header },
        headers: by(requestId),
        body: nodeUpdate(fields),
      }),
    );
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
        const answer = await unwrap(
          api.PUT('/workflows/{id}/graph', {
            params: { ...ofWorkflow, header: { 'If-Match': `"v${graph.workflow.version}"` } },
            headers: by(requestId),
            body: graphPut(applyChange(graph, own)),
          }),
        );
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

    readNode: (nodeId: string): Promise<NodeRecord> =>
      unwrap(api.GET('/nodes/{id}', { params: { path: { id: nodeId } } })),

    createNode: (fields: NodeFields, requestId: string): Promise<NodeRecord> =>
      unwrap(
        api.POST('/nodes', {
          headers: { ...by(requestId), 'Idempotency-Key': requestId },
          body: { ...nodeBody(fields), workflowId: id, workspaceId: workspace_id },
        }),
      ),

    updateWorkflow: (body: Schemas['WorkflowUpdate'], requestId: string) =>
      unwrap(api.PATCH('/workflows/{id}', { params: ofWorkflow, headers: by(requestId), body })),

    /** Sends a change with the smallest possible call. Returns its effect on the local graph. */
    async send(change: GraphChange, base: Graph, requestId: string): Promise<(graph: Graph) => Graph> {
      const [node, ...moreNodes] = change.nodes;
      const [edge, ...moreEdges] = change.edges;
      if (node?.kind === 'update' && moreNodes.length === 0 && !edge) {
        const answer = await patchNode(node.id, node.after, requestId);
        return (graph) => withNode(graph, answer);
      }
      if (node?.kind === 'delete' && moreNodes.length === 0 && areGoing(change, node)) {
        await unwrap(
          api.DELETE('/nodes/{id}', { params: { path: { id: node.id } }, headers: by(requestId) }),
        );
        return (graph) => applyChange(graph, change);
      }
      if (edge && moreEdges.length === 0 && !node) {
        const known = base.edges.get(edgeKey(edge));
        if (edge.before === undefined && edge.after !== undefined) {
          const answer = await unwrap(
            api.POST('/edges', {
              headers: { ...by(requestId), 'Idempotency-Key': requestId },
              body: {
                workflowId: id,
                sourceId: edge.source_id,
                targetId: edge.target_id,
                condition: edge.after,
              },
            }),
          );
          return (graph) => ({ ...graph, edges: new Map(graph.edges).set(edgeKey(answer), answer) });
        }
        if (edge.after === undefined && known) {
          await unwrap(api.DELETE('/edges', { params: { query: { id: known.id } }, headers: by(requestId) }));
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

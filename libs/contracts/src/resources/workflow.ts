import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';
import { freeForm } from '../schema/free-form.ts';
import { body, text, time, title, uuid } from '../schema/types.ts';

export const nodeTypes = ['task', 'doc', 'table', 'thread', 'decision', 'automation', 'pulse'] as const;
export const nodeStatuses = ['backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled'] as const;

const workspace = { workspaceId: uuid().optional().describe('Here or in the query') };
const description = () => text(limits.textCharacters);
const position = () => z.number().int();
const assignedTo = () => text(limits.nameCharacters, 1).nullable();
const stored = z.record(z.string(), z.unknown());

export const WorkflowCreate = body({
  ...workspace,
  title: title(),
  description: description().default(''),
  acyclic: z.boolean().default(false).describe('Refuse edges that close a cycle'),
}).meta({ id: 'WorkflowCreate' });
export type WorkflowCreate = z.output<typeof WorkflowCreate>;

export const WorkflowUpdate = body({
  ...workspace,
  title: title().optional(),
  description: description().optional(),
  acyclic: z.boolean().optional(),
}).meta({ id: 'WorkflowUpdate', description: 'Absent fields stay as they are' });
export type WorkflowUpdate = z.output<typeof WorkflowUpdate>;

export const Workflow = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    title: z.string(),
    description: z.string(),
    acyclic: z.boolean(),
    created_at: time(),
    updated_at: time(),
    version: z.number().int(),
  })
  .meta({ id: 'Workflow' });
export type Workflow = z.output<typeof Workflow>;

export const NodeCreate = body({
  workflowId: uuid(),
  workspaceId: uuid(),
  type: z.enum(nodeTypes),
  title: title(),
  positionX: position(),
  positionY: position(),
  status: z.enum(nodeStatuses).default('backlog'),
  assignedTo: assignedTo().default(null),
  data: freeForm().default({}),
}).meta({ id: 'NodeCreate' });
export type NodeCreate = z.output<typeof NodeCreate>;

export const NodeUpdate = body({
  title: title().optional(),
  positionX: position().optional(),
  positionY: position().optional(),
  status: z.enum(nodeStatuses).optional(),
  assignedTo: assignedTo().optional(),
  data: freeForm().optional().describe('Replaces the whole object'),
}).meta({ id: 'NodeUpdate', description: 'Absent fields stay as they are' });
export type NodeUpdate = z.output<typeof NodeUpdate>;

export const Node = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    workflow_id: uuid(),
    type: z.enum(nodeTypes),
    title: z.string(),
    data: stored,
    position_x: z.number().int(),
    position_y: z.number().int(),
    status: z.enum(nodeStatuses),
    assigned_to: z.string().nullable(),
    created_at: time(),
    updated_at: time(),
    version: z.number().int(),
  })
  .meta({ id: 'Node' });
export type Node = z.output<typeof Node>;

export const EdgeCreate = body({
  workflowId: uuid(),
  sourceId: uuid(),
  targetId: uuid(),
  condition: freeForm().nullable().default(null),
}).meta({ id: 'EdgeCreate' });
export type EdgeCreate = z.output<typeof EdgeCreate>;

export const Edge = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    workflow_id: uuid(),
    source_id: uuid(),
    target_id: uuid(),
    condition: stored.nullable(),
    created_at: time(),
  })
  .meta({ id: 'Edge' });
export type Edge = z.output<typeof Edge>;

const GraphNode = body({
  id: uuid().describe('Of a node of the workflow, which is kept, or of a new one'),
  type: z.enum(nodeTypes),
  title: title(),
  positionX: position(),
  positionY: position(),
  status: z.enum(nodeStatuses).default('backlog'),
  assignedTo: assignedTo().default(null),
  data: freeForm().default({}),
}).meta({ id: 'GraphNode' });

const GraphEdge = body({
  sourceId: uuid(),
  targetId: uuid(),
  condition: freeForm().nullable().default(null),
}).meta({ id: 'GraphEdge', description: 'An edge that joins the same two nodes as before keeps its id' });

/** A list of at most `max`, else LIMIT_EXCEEDED: told before its items are looked at, of which there may be millions. */
function capped<T extends z.ZodType>(item: T, max: number, noun: string) {
  const checked = (value: unknown): unknown => {
    if (!Array.isArray(value) || value.length <= max) return value;
    throw new ApiError('LIMIT_EXCEEDED', {
      message: `A workflow has at most ${max} ${noun}; this graph has ${value.length}.`,
    });
  };
  return z.preprocess(checked, z.array(item));
}

export const GraphPut = body({
  nodes: capped(GraphNode, limits.nodesPerWorkflow, 'nodes'),
  edges: capped(GraphEdge, limits.edgesPerWorkflow, 'edges'),
}).meta({
  id: 'GraphPut',
  description: 'The whole graph: nodes and edges that are not in it are deleted',
});
export type GraphPut = z.output<typeof GraphPut>;

export const WorkflowGraph = Workflow.extend({ nodes: z.array(Node), edges: z.array(Edge) }).meta({
  id: 'WorkflowGraph',
});
export type WorkflowGraph = z.output<typeof WorkflowGraph>;

export const Deletion = z.object({ id: uuid(), deleted: z.literal(true) }).meta({ id: 'Deletion' });
export type Deletion = z.output<typeof Deletion>;

import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { defaultsOf, field, forCreate, forUpdate, inRecord, withDefault } from '../schema/fields.ts';
import { freeForm } from '../schema/free-form.ts';
import {
  component,
  externalId,
  idText,
  importedTitle,
  included,
  integer,
  maybeInWorkspace,
  text,
  time,
  title,
  uuid,
  workspaceInBody,
} from '../schema/types.ts';

export const nodeTypes = ['task', 'doc', 'table', 'thread', 'decision', 'automation', 'pulse'] as const;

export const nodeStatuses = ['backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled'] as const;

const freeObject = z.record(z.string(), z.unknown());

export const workflowFields = {
  title: field(title().describe('What the workflow is called'), {
    imported: importedTitle(),
    example: 'Choose a database',
  }),
  description: field(text(limits.textCharacters).describe('What the workflow is for'), {
    default: '',
    example: 'From the question to the outcome.',
  }),
  acyclic: field(z.boolean().describe('Refuse edges that close a cycle'), { default: false }),
};

export const WorkflowCreate = body({ ...workspaceInBody, ...forCreate(workflowFields) }).meta({
  id: 'WorkflowCreate',
});
export type WorkflowCreate = z.output<typeof WorkflowCreate>;

export const WorkflowUpdate = body({ ...workspaceInBody, ...forUpdate(workflowFields) }).meta({
  id: 'WorkflowUpdate',
  description: 'Absent fields stay as they are',
});
export type WorkflowUpdate = z.output<typeof WorkflowUpdate>;

export const Workflow = component('Workflow', 'A workflow, without its nodes and edges', {
  id: uuid(),
  workspace_id: uuid(),
  ...inRecord(workflowFields),
  created_by: withDefault(
    idText('Id of the user, the service account or the key that created it; null if older').nullable(),
    null,
  ),
  created_at: time(),
  updated_at: time(),
  version: integer(),
});
export type Workflow = z.output<typeof Workflow>;
export const workflowDefaults = defaultsOf(Workflow);

const nodeType = field(z.enum(nodeTypes).describe('What kind of step it is; it never changes'));
const nodeContent = {
  title: field(title().describe('What the node is called'), {
    imported: importedTitle(),
    example: 'Measure both',
  }),
  data: field(freeForm().describe('Fields of your own; a change replaces the whole object'), {
    default: {},
    kept: freeObject,
    imported: freeForm(),
  }),
  position_x: field(integer().describe('Its place on the canvas, from left to right')),
  position_y: field(integer().describe('Its place on the canvas, from top to bottom')),
  status: field(z.enum(nodeStatuses).describe('How far the work on it is'), { default: 'backlog' }),
  assigned_to: field(
    text(limits.nameCharacters, 1).nullable().describe('The user id or name of who does it'),
    {
      default: null,
      example: 'Mira Castellanos',
    },
  ),
  external_id: field(
    externalId().nullable().describe('Its id in another system, which no other node of the workspace has'),
    { default: null, example: 'PROJ-1234' },
  ),
};
export const nodeFields = { type: nodeType, ...nodeContent };

const ownWorkflow = () => uuid().describe('The id of the workflow that it belongs to');

export const NodeCreate = body({
  id: uuid().optional().describe('A new id, for operations of a batch that follow; by default one is made'),
  workflow_id: ownWorkflow(),
  ...maybeInWorkspace,
  ...forCreate(nodeFields),
  external_id: nodeFields.external_id.changed,
}).meta({ id: 'NodeCreate' });
export type NodeCreate = z.output<typeof NodeCreate>;

export const NodeUpdate = body({
  ...workspaceInBody,
  ...forUpdate(nodeContent),
}).meta({ id: 'NodeUpdate', description: 'Absent fields stay as they are' });
export type NodeUpdate = z.output<typeof NodeUpdate>;

const { external_id: _, ...changedBeside } = forUpdate(nodeFields);

export const NodePut = body({ ...workspaceInBody, workflow_id: ownWorkflow(), ...changedBeside }).meta({
  id: 'NodePut',
  description:
    'A new node requires type, title and both positions. Absent fields of an existing node stay as they are.',
});
export type NodePut = z.output<typeof NodePut>;

export const Node = component('Node', 'A step of a workflow, at a position of its canvas', {
  id: uuid(),
  workspace_id: uuid(),
  workflow_id: uuid(),
  ...inRecord(nodeFields),
  created_at: time(),
  updated_at: time(),
  version: integer(),
});
export type Node = z.output<typeof Node>;
export const nodeDefaults = defaultsOf(Node);

export const edgeFields = {
  source_id: field(uuid().describe('The id of the node at its start')),
  target_id: field(uuid().describe('The id of the node at its end')),
  condition: field(freeForm().nullable().describe('When it is followed, in fields of your own'), {
    default: null,
    kept: freeObject.nullable(),
    imported: freeForm().nullable(),
  }),
};

export const EdgeCreate = body({
  ...workspaceInBody,
  workflow_id: ownWorkflow(),
  ...forCreate(edgeFields),
}).meta({ id: 'EdgeCreate' });
export type EdgeCreate = z.output<typeof EdgeCreate>;

export const Edge = component('Edge', 'A connection from one node to another', {
  id: uuid(),
  workspace_id: uuid(),
  workflow_id: uuid(),
  ...inRecord(edgeFields),
  created_at: time(),
});
export type Edge = z.output<typeof Edge>;
export const edgeDefaults = defaultsOf(Edge);

const WorkflowOutline = component('WorkflowOutline', 'The size of a graph, and a small picture of it', {
  node_count: integer(),
  edge_count: integer(),
  picture: z
    .object({
      nodes: z.array(z.object({ x: integer(), y: integer() })),
      edges: z.array(z.object({ source: integer(), target: integer() })).describe('As indexes of nodes'),
    })
    .nullable()
    .describe(`Null for more than ${limits.outlineNodes} nodes, or twice as many edges`),
});
export type WorkflowOutline = z.output<typeof WorkflowOutline>;
export const workflowPartNames = ['outline'] as const;

export const WorkflowWithParts = Workflow.extend({
  included: included({ outline: WorkflowOutline }),
}).meta({ id: 'WorkflowWithParts', description: 'A workflow, with the parts that the request includes' });

const GraphNode = body({
  id: uuid().describe('The id of an existing node of the workflow, or of a new one'),
  ...forCreate(nodeFields),
  external_id: nodeFields.external_id.changed,
}).meta({ id: 'GraphNode', description: 'A node of a graph that replaces another one' });

const GraphEdge = body(forCreate(edgeFields)).meta({
  id: 'GraphEdge',
  description: 'An edge that joins the same two nodes as before keeps its id',
});

/** A list of more than `max` items is LIMIT_EXCEEDED before its items, perhaps millions, are checked. */
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
  nodes: capped(GraphNode, limits.nodesPerWorkflow, 'nodes').describe('All nodes that the workflow has then'),
  edges: capped(GraphEdge, limits.edgesPerWorkflow, 'edges').describe('All edges that the workflow has then'),
}).meta({
  id: 'GraphPut',
  description: 'The whole graph: nodes and edges that are not in it are deleted',
});
export type GraphPut = z.output<typeof GraphPut>;

export const WorkflowGraph = Workflow.extend({ nodes: z.array(Node), edges: z.array(Edge) }).meta({
  id: 'WorkflowGraph',
  description: 'A workflow with all its nodes and edges',
});
export type WorkflowGraph = z.output<typeof WorkflowGraph>;

export const Deletion = component('Deletion', 'How many records were deleted', {
  id: uuid(),
  deleted: z.literal(true),
});
export type Deletion = z.output<typeof Deletion>;

import { z } from 'zod';
import { limits } from '../limits.ts';
import { TrashedRecord } from '../resources/audit.ts';
import * as workflow from '../resources/workflow.ts';
import { externalId, oneOrMore, page, pageQuery, parts, text, uuid } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, inQueryOrBody, ofRecord, READ, RESTORE, WRITE } from './presets.ts';

const ofWorkflow = { workflow_id: uuid().describe('The id of the workflow'), ...pageQuery };
export const edgeId = () => uuid().describe('The id of the edge');

export const workflowOperations = operationTable('workflows', {
  listWorkflows: {
    route: 'GET /workflows',
    summary: 'The workflows of a workspace',
    ...inQuery(READ, {
      text: text(limits.titleCharacters, 1).optional().describe('Part of the title, in upper or lower case'),
      sort: z
        .enum(['-created_at', '-updated_at'])
        .default('-created_at')
        .describe('Newest, or changed last, first'),
      include: parts(workflow.workflowPartNames),
      ...pageQuery,
    }),
    response: { status: 200, schema: page(workflow.WorkflowWithParts) },
  },
  createWorkflow: {
    route: 'POST /workflows',
    summary: 'Create an empty workflow',
    ...inQueryOrBody(WRITE),
    body: workflow.WorkflowCreate,
    response: { status: 201, schema: workflow.Workflow, location: '/workflows/{id}' },
    versioned: true,
    audit: 'workflow.create',
  },
  listTrashedRecords: {
    route: 'GET /workflows/trash',
    summary: `The deleted workflows, or nodes, that can be restored, for ${limits.trashDays} days, latest deletion first`,
    description: 'The nodes of a deleted workflow are not listed: they come back with it.',
    ...inQuery(READ, {
      kind: z.enum(['workflow', 'node']).default('workflow').describe('Which records'),
      ...pageQuery,
    }),
    response: { status: 200, schema: page(TrashedRecord) },
  },
  getWorkflow: {
    route: 'GET /workflows/{id}',
    summary: 'Read a workflow',
    ...ofRecord(READ),
    response: { status: 200, schema: workflow.Workflow },
    versioned: true,
  },
  updateWorkflow: {
    route: 'PATCH /workflows/{id}',
    summary: 'Change a workflow; one that has a cycle cannot become acyclic',
    ...ofRecord(WRITE),
    body: workflow.WorkflowUpdate,
    response: { status: 200, schema: workflow.Workflow },
    versioned: true,
    errors: ['CONFLICT'],
    audit: 'workflow.update',
  },
  deleteWorkflow: {
    route: 'DELETE /workflows/{id}',
    summary: 'Delete a workflow with its nodes, edges and threads',
    ...ofRecord(WRITE),
    response: { status: 204 },
    versioned: true,
    audit: 'workflow.delete',
  },
  restoreWorkflow: {
    route: 'POST /workflows/{id}/restore',
    summary: 'Restore a deleted workflow with its nodes, edges and threads',
    description: RESTORE,
    ...inQuery(WRITE),
    response: { status: 200, schema: workflow.Workflow },
    versioned: true,
    errors: ['CONFLICT'],
    audit: 'workflow.restore',
  },
  getWorkflowGraph: {
    route: 'GET /workflows/{id}/graph',
    summary: 'A workflow with all its nodes and edges, as of one moment',
    ...ofRecord(READ),
    response: { status: 200, schema: workflow.WorkflowGraph },
    versioned: true,
    large: true,
  },
  putWorkflowGraph: {
    route: 'PUT /workflows/{id}/graph',
    summary: 'Replace all nodes and edges of a workflow at once',
    description:
      'Send the ETag of the current graph in If-Match. Without it a graph can only grow: a request that would change or delete ' +
      'something is answered with 428. "If-Match: *" replaces any version.',
    ...ofRecord(WRITE),
    body: workflow.GraphPut,
    bodyLimitBytes: limits.graphBodyBytes,
    bodyLimitValues: limits.graphValues,
    large: true,
    response: { status: 200, schema: workflow.WorkflowGraph },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED', 'PRECONDITION_REQUIRED'],
    audit: 'workflow.graph_replace',
  },
  listNodes: {
    route: 'GET /nodes',
    summary: 'The nodes of a workflow: all of them, unless limit is given',
    ...ofRecord(READ, ofWorkflow),
    response: { status: 200, schema: page(workflow.Node) },
  },
  listAllNodes: {
    route: 'GET /workflows/nodes',
    summary: 'The nodes of all workflows of a workspace, workflow by workflow',
    ...inQuery(READ, {
      external_id: externalId().optional().describe('The id in another system'),
      assigned_to: text(limits.nameCharacters, 1).optional().describe('The user id or name of who does it'),
      status: oneOrMore(workflow.nodeStatuses).optional().describe('Any of these'),
      ...pageQuery,
    }),
    response: { status: 200, schema: page(workflow.Node) },
  },
  createNode: {
    route: 'POST /nodes',
    summary: 'Add a node to a workflow',
    ...inQueryOrBody(WRITE),
    body: workflow.NodeCreate,
    bodyLimitValues: limits.nodeValues,
    response: { status: 201, schema: workflow.Node, location: '/nodes/{id}' },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    audit: 'node.create',
  },
  getNode: {
    route: 'GET /nodes/{id}',
    summary: 'Read a node',
    ...ofRecord(READ),
    response: { status: 200, schema: workflow.Node },
    versioned: true,
  },
  updateNode: {
    route: 'PATCH /nodes/{id}',
    summary: 'Change a node; any status may follow any other',
    ...ofRecord(WRITE),
    body: workflow.NodeUpdate,
    bodyLimitValues: limits.nodeValues,
    response: { status: 200, schema: workflow.Node },
    versioned: true,
    errors: ['CONFLICT'],
    audit: 'node.update',
  },
  putNodeByExternalId: {
    route: 'PUT /nodes/by-external-id/{externalId}',
    params: { externalId: externalId().describe('The id in another system') },
    summary: 'Create the node with an external id, or change it',
    description:
      'A repeat with the same fields changes nothing: no version, no event and no audit entry. A node stays in its workflow.',
    ...inQueryOrBody(WRITE),
    body: workflow.NodePut,
    bodyLimitValues: limits.nodeValues,
    response: { status: 200, orCreated: true, schema: workflow.Node, location: '/nodes/{id}' },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    audit: 'node.update',
  },
  deleteNode: {
    route: 'DELETE /nodes/{id}',
    summary: 'Delete a node with its edges and its thread',
    ...ofRecord(WRITE),
    response: { status: 200, schema: workflow.Deletion },
    versioned: true,
    audit: 'node.delete',
  },
  restoreNode: {
    route: 'POST /nodes/{id}/restore',
    summary: 'Restore a deleted node with its thread and with its edges to nodes that exist',
    description: `${RESTORE} While its workflow is deleted, it is a CONFLICT.`,
    ...inQuery(WRITE),
    response: { status: 200, schema: workflow.Node },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    audit: 'node.restore',
  },
  listEdges: {
    route: 'GET /edges',
    summary: 'The edges of a workflow: all of them, unless limit is given',
    ...ofRecord(READ, ofWorkflow),
    response: { status: 200, schema: page(workflow.Edge) },
  },
  listAllEdges: {
    route: 'GET /workflows/edges',
    summary: 'The edges of all workflows of a workspace, workflow by workflow',
    ...inQuery(READ, pageQuery),
    response: { status: 200, schema: page(workflow.Edge) },
  },
  createEdge: {
    route: 'POST /edges',
    summary: 'Connect two nodes of a workflow',
    description: 'A duplicate, and a cycle in an acyclic workflow, are a CONFLICT.',
    ...ofRecord(WRITE),
    body: workflow.EdgeCreate,
    bodyLimitValues: limits.nodeValues,
    response: { status: 201, schema: workflow.Edge },
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    audit: 'edge.create',
  },
  deleteEdge: {
    route: 'DELETE /edges',
    summary: 'Delete the edge that the query names',
    ...ofRecord(WRITE, { id: edgeId() }),
    response: { status: 200, schema: workflow.Deletion },
    audit: 'edge.delete',
  },
});

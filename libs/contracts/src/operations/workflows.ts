import { limits } from '../limits.ts';
import * as workflow from '../resources/workflow.ts';
import { query } from '../schema/body.ts';
import { page, pageQuery, uuid } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, inQueryOrBody, ofRecord, READ, READ_OF_RECORD, WRITE, WRITE_OF_RECORD } from './presets.ts';

const ofWorkflow = query({ workflow_id: uuid(), ...pageQuery });

export const workflowOperations = operationTable('workflows', {
  listWorkflows: {
    route: 'GET /workflows',
    summary: 'The workflows of a workspace, newest first',
    ...inQuery(READ, pageQuery),
    response: { status: 200, schema: page(workflow.Workflow) },
  },
  createWorkflow: {
    route: 'POST /workflows',
    summary: 'Create an empty workflow',
    ...inQueryOrBody(WRITE),
    body: workflow.WorkflowCreate,
    response: { status: 201, schema: workflow.Workflow },
    versioned: true,
    audit: 'workflow.create',
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
  getWorkflowGraph: {
    route: 'GET /workflows/{id}/graph',
    summary: 'A workflow with all its nodes and edges, as of one moment',
    ...ofRecord(READ),
    response: { status: 200, schema: workflow.WorkflowGraph },
    versioned: true,
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
    response: { status: 200, schema: workflow.WorkflowGraph },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED', 'PRECONDITION_REQUIRED'],
    audit: 'workflow.graph_replace',
  },
  listNodes: {
    route: 'GET /nodes',
    summary: 'The nodes of a workflow: all of them, unless limit is given',
    ...READ_OF_RECORD,
    query: ofWorkflow,
    response: { status: 200, schema: page(workflow.Node) },
  },
  createNode: {
    route: 'POST /nodes',
    summary: 'Add a node to a workflow',
    ...WRITE,
    workspace: 'body',
    body: workflow.NodeCreate,
    bodyLimitValues: limits.nodeValues,
    response: { status: 201, schema: workflow.Node },
    versioned: true,
    errors: ['LIMIT_EXCEEDED'],
    audit: 'node.create',
  },
  getNode: {
    route: 'GET /nodes/{id}',
    summary: 'Read a node',
    ...READ_OF_RECORD,
    response: { status: 200, schema: workflow.Node },
    versioned: true,
  },
  updateNode: {
    route: 'PATCH /nodes/{id}',
    summary: 'Change a node; any status may follow any other',
    ...WRITE_OF_RECORD,
    body: workflow.NodeUpdate,
    bodyLimitValues: limits.nodeValues,
    response: { status: 200, schema: workflow.Node },
    versioned: true,
    audit: 'node.update',
  },
  deleteNode: {
    route: 'DELETE /nodes/{id}',
    summary: 'Delete a node with its edges and its thread',
    ...WRITE_OF_RECORD,
    response: { status: 200, schema: workflow.Deletion },
    versioned: true,
    audit: 'node.delete',
  },
  listEdges: {
    route: 'GET /edges',
    summary: 'The edges of a workflow: all of them, unless limit is given',
    ...READ_OF_RECORD,
    query: ofWorkflow,
    response: { status: 200, schema: page(workflow.Edge) },
  },
  createEdge: {
    route: 'POST /edges',
    summary: 'Connect two nodes of a workflow',
    description: 'A self-loop, a duplicate, and a cycle in an acyclic workflow are a CONFLICT.',
    ...WRITE_OF_RECORD,
    body: workflow.EdgeCreate,
    bodyLimitValues: limits.nodeValues,
    response: { status: 201, schema: workflow.Edge },
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    audit: 'edge.create',
  },
  deleteEdge: {
    route: 'DELETE /edges',
    summary: 'Delete the edge that the query names',
    ...WRITE_OF_RECORD,
    query: query({ id: uuid() }),
    response: { status: 200, schema: workflow.Deletion },
    audit: 'edge.delete',
  },
});

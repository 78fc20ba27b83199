/** Names a workflow to the collections of its nodes and edges; their indexes lead with both fields. */
export interface InWorkflow {
  workspace_id: string;
  workflow_id: string;
}

import type { Schemas } from '@waymark/client/api';

const at = '2026-01-01T00:00:00.000Z';
const of = { workspace_id: 'w', created_at: at, updated_at: at, version: 1 };

export const sampleNode = (given: Partial<Schemas['Node']> = {}): Schemas['Node'] => ({
  ...{
    ...of,
    id: 'n',
    workflow_id: 'f',
    type: 'task',
    title: 'Plan',
    data: {},
    position_x: 0,
    position_y: 0,
  },
  ...{ status: 'todo', assigned_to: null, external_id: null },
  ...given,
});

/** A workflow with these nodes, and edges between the ids of their ends. */
export function sampleGraph(
  nodes: Schemas['Node'][],
  ends: [source: string, target: string][] = [],
  condition: Schemas['Edge']['condition'] = null,
): Schemas['WorkflowGraph'] {
  const edges = ends.map(([source_id, target_id]) => ({
    ...{ workspace_id: 'w', workflow_id: 'f', created_at: at, id: `${source_id}-${target_id}` },
    ...{ source_id, target_id, condition },
  }));
  const record = { ...of, id: 'f', title: 'Release', description: '', acyclic: false, created_by: null };
  return { ...record, nodes, edges };
}

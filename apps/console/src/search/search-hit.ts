import type { Schemas } from '@waymark/client/api';

export type Highlight = Schemas['Highlight'];

/** What a search found, of whichever group, as the dialog shows it. */
export interface SearchHit {
  id: string;
  title: string;
  /** The type and the status, for who has several of one name. */
  about: string;
  /** Where it is in the console. */
  address: string;
  highlights: Highlight[];
}

export interface HitGroup {
  label: string;
  hits: SearchHit[];
  /** The API has more of this group. */
  hasMore: boolean;
}

/** The groups of an answer that have hits: what is opened most comes first. */
export function groupsOf(workspaceId: string, result: Schemas['SearchResult']): HitGroup[] {
  const { nodes, decisions, workflows, next_cursors: more } = result;
  const home = `/w/${workspaceId}`;
  const groups: HitGroup[] = [
    {
      label: 'Decisions',
      hits: decisions.map(({ status, ...hit }) => ({
        ...hit,
        about: status,
        address: `${home}/decisions/${hit.id}`,
      })),
      hasMore: more.decisions !== null,
    },
    {
      label: 'Workflows',
      hits: workflows.map((hit) => ({ ...hit, about: '', address: `${home}/workflows/${hit.id}` })),
      hasMore: more.workflows !== null,
    },
    {
      label: 'Nodes',
      hits: nodes.map(({ id, title, type, status, workflow_id, highlights }) => ({
        id,
        title,
        highlights,
        about: `${type}, ${status.replaceAll('_', ' ')}`,
        address: `${home}/workflows/${workflow_id}?node=${id}`,
      })),
      hasMore: more.nodes !== null,
    },
  ];
  return groups.filter(({ hits }) => hits.length > 0);
}

import type { Schemas } from '@waymark/client/api';
import { nodesTexts } from '../texts/nodes.ts';
import type { searchTexts as t } from '../texts/search.ts';
import { wordsTexts } from '../texts/words.ts';

export type Highlight = Schemas['Highlight'];

/** A search result of any group, as the dialog shows it. */
export interface SearchHit {
  id: string;
  title: string;
  /** Type and status, to distinguish results with the same title. */
  about: string;
  /** Its page in the console. */
  address: string;
  highlights: Highlight[];
  /** Runs an action instead of opening the address. */
  run?: () => void;
  /** The keys that do the same. */
  keys?: readonly string[];
}

export interface HitGroup {
  name: keyof typeof t.groups;
  hits: SearchHit[];
  /** Whether there are more hits than these. */
  hasMore: boolean;
  /** How many hits there are, if they have been counted. */
  total?: { count: number; isAtLeast: boolean } | null;
}

/** The groups of a result with hits, the most frequently opened group first. */
export function groupsOf(workspaceId: string, result: Schemas['SearchHits']): HitGroup[] {
  const { nodes, decisions, workflows, next_cursors } = result;
  const home = `/w/${workspaceId}`;
  const groups: HitGroup[] = [
    {
      name: 'decisions',
      hits: decisions.map(({ status, ...hit }) => ({
        ...hit,
        about: wordsTexts.status[status],
        address: `${home}/decisions/${hit.id}`,
      })),
      hasMore: next_cursors.decisions !== null,
    },
    {
      name: 'workflows',
      hits: workflows.map((hit) => ({ ...hit, about: '', address: `${home}/workflows/${hit.id}` })),
      hasMore: next_cursors.workflows !== null,
    },
    {
      name: 'nodes',
      hits: nodes.map(({ id, title, type, status, workflow_id, highlights }) => ({
        id,
        title,
        highlights,
        about: `${nodesTexts.types[type]}, ${nodesTexts.statuses[status]}`,
        address: `${home}/workflows/${workflow_id}?node=${id}`,
      })),
      hasMore: next_cursors.nodes !== null,
    },
  ];
  return groups.filter(({ hits }) => hits.length > 0);
}

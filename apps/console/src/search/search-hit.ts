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
}

/** The groups of the API's results. */
export type GroupName = 'decisions' | 'workflows' | 'nodes';

/** How many hits there are, or that there are more than this many. */
export interface Total {
  count: number;
  isAtLeast: boolean;
}

export interface HitGroup {
  name: keyof typeof t.groups;
  hits: SearchHit[];
  /** The cursor of the next page, if there is one. */
  more: { name: GroupName; cursor: string } | null;
  total?: Total | null;
}

/** A further page of one group. */
export interface LaterPage {
  name: GroupName;
  result: Schemas['SearchResult'];
}

/** A result with its further pages. */
export function withPages(first: Schemas['SearchResult'], pages: LaterPage[]): Schemas['SearchResult'] {
  const all = { ...first, next_cursors: { ...first.next_cursors } };
  for (const { name, result } of pages) {
    Object.assign(all, { [name]: [...all[name], ...result[name]] });
    all.next_cursors[name] = result.next_cursors[name];
  }
  return all;
}

/** The groups of a result with hits, the most frequently opened group first. */
export function groupsOf(workspaceId: string, result: Schemas['SearchResult']): HitGroup[] {
  const { nodes, decisions, workflows, next_cursors } = result;
  const home = `/w/${workspaceId}`;
  const moreOf = (name: GroupName) => {
    const cursor = next_cursors[name];
    return cursor === null ? null : { name, cursor };
  };
  const groups: HitGroup[] = [
    {
      name: 'decisions',
      hits: decisions.map(({ status, ...hit }) => ({
        ...hit,
        about: wordsTexts.status[status],
        address: `${home}/decisions/${hit.id}`,
      })),
      more: moreOf('decisions'),
    },
    {
      name: 'workflows',
      hits: workflows.map((hit) => ({ ...hit, about: '', address: `${home}/workflows/${hit.id}` })),
      more: moreOf('workflows'),
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
      more: moreOf('nodes'),
    },
  ];
  return groups.filter(({ hits }) => hits.length > 0);
}

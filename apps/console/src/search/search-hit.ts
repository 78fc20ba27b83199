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

export type GroupName = 'decisions' | 'workflows' | 'nodes';

export interface HitGroup {
  label: string;
  hits: SearchHit[];
  /** Where its next page begins, if the API has more of it. */
  more: { name: GroupName; cursor: string } | null;
}

/** A page after the first, of one group. */
export interface LaterPage {
  name: GroupName;
  result: Schemas['SearchResult'];
}

/** An answer with what was asked for beyond it. */
export function withPages(first: Schemas['SearchResult'], pages: LaterPage[]): Schemas['SearchResult'] {
  const all = { ...first, next_cursors: { ...first.next_cursors } };
  for (const { name, result } of pages) {
    Object.assign(all, { [name]: [...all[name], ...result[name]] });
    all.next_cursors[name] = result.next_cursors[name];
  }
  return all;
}

/** The groups of an answer that have hits: what is opened most comes first. */
export function groupsOf(workspaceId: string, result: Schemas['SearchResult']): HitGroup[] {
  const { nodes, decisions, workflows, next_cursors } = result;
  const home = `/w/${workspaceId}`;
  const moreOf = (name: GroupName) => {
    const cursor = next_cursors[name];
    return cursor === null ? null : { name, cursor };
  };
  const groups: HitGroup[] = [
    {
      label: 'Decisions',
      hits: decisions.map(({ status, ...hit }) => ({
        ...hit,
        about: status,
        address: `${home}/decisions/${hit.id}`,
      })),
      more: moreOf('decisions'),
    },
    {
      label: 'Workflows',
      hits: workflows.map((hit) => ({ ...hit, about: '', address: `${home}/workflows/${hit.id}` })),
      more: moreOf('workflows'),
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
      more: moreOf('nodes'),
    },
  ];
  return groups.filter(({ hits }) => hits.length > 0);
}

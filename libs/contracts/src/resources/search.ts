import { z } from 'zod';
import { component, count, nextCursor, uuid } from '../schema/types.ts';
import { Decision } from './decision.ts';
import { Node, Workflow } from './workflow.ts';

export const Highlight = component('Highlight', 'A part of the text that was found, in the words around it', {
  field: z
    .string()
    .describe('Path of the field that matches: title, tags.2, options_considered.0.title, message'),
  message_id: uuid().nullable().describe('The message of a node that matches'),
  start: count().describe('Where the match starts in the original text, UTF-16 code units'),
  end: count().describe('Where it ends, exclusive'),
  excerpt: z.string().describe('The original text around the match'),
  excerpt_start: count().describe('Where the excerpt starts in the original text'),
});
export type Highlight = z.output<typeof Highlight>;

export const searchGroups = ['nodes', 'decisions', 'workflows'] as const;
export type SearchGroup = (typeof searchGroups)[number];

const highlights = { highlights: z.array(Highlight) };

export const SearchHits = component('SearchHits', {
  nodes: z.array(
    Node.pick({ id: true, title: true, type: true, status: true, workflow_id: true })
      .extend(highlights)
      .meta({ id: 'NodeHit', description: 'A node that contains the text' }),
  ),
  decisions: z.array(
    Decision.pick({ id: true, title: true, status: true })
      .extend(highlights)
      .meta({ id: 'DecisionHit', description: 'A decision that contains the text' }),
  ),
  workflows: z.array(
    Workflow.pick({ id: true, title: true })
      .extend(highlights)
      .meta({ id: 'WorkflowHit', description: 'A workflow that contains the text' }),
  ),
  next_cursors: z.object({ nodes: nextCursor(), decisions: nextCursor(), workflows: nextCursor() }),
});
export type SearchHits = z.output<typeof SearchHits>;

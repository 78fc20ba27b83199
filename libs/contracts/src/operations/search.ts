import { z } from 'zod';
import { limits } from '../limits.ts';
import { SearchResult } from '../resources/search.ts';
import { query } from '../schema/body.ts';
import { inWorkspace, text } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { READ } from './presets.ts';

export const searchOperations = operationTable('search', {
  search: {
    route: 'GET /search',
    summary: 'Nodes, decisions and workflows that contain a text, newest first in each group',
    description:
      'Case-insensitive by full Unicode folding; every character of q is literal. A hit in a message names its node, at the position of its newest match.',
    ...READ,
    workspace: 'query',
    query: query({
      ...inWorkspace,
      q: text(limits.searchQueryCharacters, 1),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(limits.pageSizeMax)
        .default(limits.searchPageSize)
        .describe('Items per group'),
      cursor: z
        .string()
        .max(2_000)
        .optional()
        .describe('One of next_cursors: returns the next page of that group; the other groups are empty'),
    }),
    response: { status: 200, schema: SearchResult },
  },
});

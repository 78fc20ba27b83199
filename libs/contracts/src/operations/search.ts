import { z } from 'zod';
import { limits } from '../limits.ts';
import { SearchHits } from '../resources/search.ts';
import { queryInteger, text } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, READ } from './presets.ts';

export const searchOperations = operationTable('search', {
  search: {
    route: 'GET /search',
    summary: 'Nodes, decisions and workflows that contain a text, newest first in each group',
    description:
      'Case-insensitive by full Unicode folding; every character of q is literal. A hit in a message names its node, at the position of its newest match.',
    ...inQuery(READ, {
      q: text(limits.searchQueryCharacters, 1).describe('The text to find'),
      limit: queryInteger(1, limits.pageSizeMax).default(limits.searchPageSize).describe('Items per group'),
      cursor: z
        .string()
        .max(2_000)
        .optional()
        .describe('One of next_cursors: returns the next page of that group; the other groups are empty'),
    }),
    response: { status: 200, schema: SearchHits },
  },
});

import { expect, test } from '@jest/globals';
import { operationList } from '../operations/index.ts';
import { changelog } from './changelog.ts';

/** The specification's table of endpoints. */
const SPECIFIED = [
  ...[
    'GET /decisions',
    'POST /decisions',
    'GET /decisions/{id}',
    'PATCH /decisions/{id}',
    'DELETE /decisions/{id}',
  ],
  ...['GET /decisions/export-csv', 'GET /export', 'GET /audit-log', 'GET /search', 'GET /whoami'],
  ...['GET /nodes', 'POST /nodes', 'GET /nodes/{id}', 'PATCH /nodes/{id}', 'DELETE /nodes/{id}'],
  ...['GET /edges', 'POST /edges', 'DELETE /edges', 'GET /threads/{nodeId}', 'POST /threads/{nodeId}'],
];

test('an entry names every operation that the specification lacks, by its path or by a parent path', () => {
  const told = changelog.entries.flatMap(({ text }) => text.match(/(?<=^| )\/[\w./{}-]*\w}?/g) ?? []);
  const added = operationList.filter(({ method, path }) => !SPECIFIED.includes(`${method} ${path}`));
  expect(added.length).toBeGreaterThan(60);
  const untold = added.filter(
    ({ path }) =>
      !told.some(
        (each) => path === each || (path.startsWith(`${each}/`) && !SPECIFIED.includes(`GET ${each}`)),
      ),
  );
  expect(untold.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

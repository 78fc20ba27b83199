import { expect, test } from '@jest/globals';
import { combineTables, operationTable } from './operation.ts';

const declared = {
  route: 'GET /somewhere',
  summary: 'Read something',
  caller: 'everyone',
  bucket: 'read',
  workspace: 'none',
  response: { status: 204 },
} as const;

test('tables of operations are combined, and a repeated id is refused', () => {
  const first = operationTable('gateway', { readThis: declared });
  const second = operationTable('accounts', { readThat: declared });
  const repeated = operationTable('accounts', { readThis: { ...declared, route: 'GET /elsewhere' } });
  expect(Object.keys(combineTables(first, second))).toEqual(['readThis', 'readThat']);
  expect(first.readThis).toMatchObject({
    id: 'readThis',
    service: 'gateway',
    method: 'GET',
    path: '/somewhere',
  });
  expect(() => combineTables(first, second, repeated)).toThrow('the operation id readThis is declared twice');
});

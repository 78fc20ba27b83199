import { describe, expect, it } from '@jest/globals';
import { allOperations, operationList } from './index.ts';
import { operationMatcher } from './match.ts';

const match = operationMatcher(operationList);
const idOf = (method: string, path: string) => {
  const found = match(method, path);
  return found && 'match' in found ? found.match.operation.id : found;
};

describe('operation matching', () => {
  it('finds every operation of the table by its own path', () => {
    for (const operation of operationList) {
      const path = operation.path.replaceAll(/\{\w+\}/g, '0197a5b0-0000-7000-8000-000000000000');
      expect(idOf(operation.method, path)).toBe(operation.id);
    }
  });

  it('lets literal paths win over parameters', () => {
    expect(idOf('GET', '/decisions/export-csv')).toBe('exportDecisionsCsv');
    expect(idOf('GET', '/decisions/0197a5b0-0000-7000-8000-000000000000')).toBe('getDecision');
  });

  it('lists the methods of a path', () => {
    expect(match('DELETE', '/decisions')).toEqual({ allow: ['GET', 'POST'] });
    expect(match('DELETE', '/decisions/export-csv')).toEqual({ allow: ['GET'] });
  });

  it('matches no other path', () => {
    for (const path of ['/', '', '/decision', '/decisions/', '/decisions/a/b/c', '//decisions']) {
      expect(match('GET', path)).toBeNull();
    }
  });

  it('returns the parameters', () => {
    expect(match('GET', '/decisions/some-id')).toMatchObject({ match: { params: { id: 'some-id' } } });
  });

  it('throws for a duplicate operation', () => {
    const { getDecision } = allOperations;
    const twin = { ...getDecision, id: 'twin', path: '/decisions/{other}' } as const;
    expect(() => operationMatcher([getDecision, twin])).toThrow('getDecision and twin');
  });
});

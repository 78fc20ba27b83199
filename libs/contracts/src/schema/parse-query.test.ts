import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { query } from './body.ts';
import { parseQuery } from './parse-query.ts';
import { flag, oneOrMore, queryList } from './types.ts';

const schema = query(
  {
    workspace_id: z.string().optional(),
    status: oneOrMore(['open', 'closed']).optional(),
    ids: queryList(z.string(), 3).optional(),
    overdue: flag().optional(),
    type: z.string().optional(),
  },
  { decision_type: 'type' },
);
const parsed = (search: string) => schema.safeParse(parseQuery(search, schema));

describe('a query', () => {
  it.each([
    ['status=open,closed', { status: ['closed', 'open'] }],
    ['status=open&status=closed', { status: ['closed', 'open'] }],
    ['ids=b&ids=a,b', { ids: ['b', 'a', 'b'] }],
    ['overdue=false', { overdue: false }],
    ['workspace_id=w', { workspace_id: 'w' }],
    ['type=a', { type: 'a' }],
    ['decisionType=a', { type: 'a' }],
    ['decision_type=a&type=a', { type: 'a' }],
  ])('%s is read', (search, value) => {
    expect(parsed(search)).toEqual({ success: true, data: value });
  });

  it.each([
    ['status=opened', ['status', 0]],
    ['status=', ['status', 0]],
    ['ids=a,b,c,d', ['ids']],
    ['overdue=yes', ['overdue']],
    ['decisionType=a&type=b', ['type']],
    ['Type=a', []],
  ])('%s is refused', (search, path) => {
    expect(parsed(search).error?.issues.map((issue) => issue.path)).toEqual([path]);
  });

  it.each(['status=%zz', 'a=%C3&b=%A9'])('%s is refused as malformed', (search) => {
    expect(() => parseQuery(search, schema)).toThrow('has malformed percent-encoding');
  });

  it('has a second question mark in the name of its first parameter', () => {
    expect(parseQuery('?status=open', schema)).toEqual({ '?status': 'open' });
  });

  it.each(['workspaceId=a&workspace_id=b', 'type=a&type=a', '__proto__=1&__proto__=2'])(
    '%s is refused as repeated',
    (search) => {
      expect(() => parseQuery(search, schema)).toThrow('is given more than once');
    },
  );
});

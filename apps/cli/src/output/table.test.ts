import { describe, expect, it } from '@jest/globals';
import { columnsOf } from '../terminal/process-terminal.ts';
import { tableOf } from './table.ts';

const id = '01a20bcd-b64a-71e3-bde6-2d07b2193d6b';
const created_at = '2026-11-24T04:26:03.127Z';
const decision = {
  ...{ id, title: 'Which broker carries our domain events, and why?', status: 'accepted' },
  ...{ tags: [], outcome: 'pending', quality_score: 88, version: 3, created_at },
};
const actor = { type: 'api_key', id, name: 'Demo key', key_prefix: 'wmk_J9A216' };
const event = { number: 12, id, type: 'decision.outcome_logged', created_at, workspace_id: id, actor };
const subject = { type: 'decision', id };
const entry = { seq: 7, id, created_at, actor, action: 'decision.update', resource_id: id, ip: '127.0.0.1' };

describe('the columns of a table', () => {
  it.each([
    ['decisions', decision, 60, ['TITLE', 'STATUS', 'OUTCOME', 'QUALITY_SCORE']],
    ['decisions', decision, 80, ['ID', 'TITLE', 'STATUS']],
    ['decisions', decision, 120, ['ID', 'TITLE', 'STATUS', 'OUTCOME', 'QUALITY_SCORE', 'CREATED_AT']],
    ['events', event, 80, ['NUMBER', 'TYPE', 'CREATED_AT', 'ACTOR']],
    ['events', { ...event, subject }, 120, ['NUMBER', 'TYPE', 'CREATED_AT', 'ACTOR', 'SUBJECT']],
    ['audit entries', entry, 80, ['SEQ', 'CREATED_AT', 'ACTOR', 'ACTION', 'IP']],
  ])('of %s are what a person looks for first: %#', (_, record, columns, expected) => {
    const [heading, line] = tableOf([record], columns);
    expect(heading!.split(/ +/)).toEqual(expected);
    expect(heading!.length).toBeLessThanOrEqual(columns);
    expect(line!.length).toBeLessThanOrEqual(columns);
    if ('actor' in record) expect(line).toContain('Demo key');
  });

  it('of a key without a name show its prefix', () => {
    const [, line] = tableOf([{ ...event, actor: { ...actor, name: null } }], 80);
    expect(line).toContain('wmk_J9A216');
  });

  it('fit 80 characters where the terminal has none', () => {
    expect(columnsOf({}, { columns: 0 })).toBe(80);
    expect(columnsOf({ COLUMNS: '100' }, { columns: 0 })).toBe(100);
    expect(columnsOf({}, { columns: 132 })).toBe(132);
  });
});

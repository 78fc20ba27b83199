import { expect, it } from '@jest/globals';
import { type Decision, newId } from '@waymark/contracts';
import { sampleDecision } from '@waymark/testing';
import type { Document } from 'mongodb';
import { type ListFilters, type ListSort, listFilter, listOrder } from '../src/store/list-query.ts';
import { startSuite } from './suite.ts';

const suite = startSuite();

const COUNT = 2_000;
const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-01-01T00:00:00Z');
const at = (day: number) => new Date(START_MS + day * DAY_MS).toISOString();

/** Stores decisions of one a day, by a hundred authors, one in a hundred of them archived or rejected. */
async function filled(): Promise<string> {
  const workspace_id = newId();
  const authors = Array.from({ length: 100 }, (_, n) => `author-${n}`);
  const documents = Array.from({ length: COUNT }, (_, day) => {
    const { id: _id, ...decision } = sampleDecision({ workspace_id, title: `T${day}` });
    const status = (['archived', 'rejected'] as const)[day % 200 === 0 ? 0 : 1];
    return {
      ...{ ...decision, _id, status: day % 100 === 0 ? status : 'accepted' },
      ...{ created_by: authors[day % 100], created_at: at(day), updated_at: at(day), expected_by: at(day) },
    };
  });
  await suite.one.database.collection<Document>('decisions').insertMany(documents as Document[]);
  return workspace_id;
}

const filters: [string, ListFilters, ListSort][] = [
  ['several statuses', { status: ['archived', 'rejected'] }, '-created_at'],
  ['several authors', { author: ['author-1', 'author-2'] }, '-created_at'],
  ['times of creation', { created_from: at(100), created_to: at(120) }, '-created_at'],
  ['times of expectation', { expected_from: at(100), expected_to: at(120) }, 'expected_by'],
  ['the time of the last change', { updated_since: at(COUNT - 20) }, 'updated_at'],
];

it('each filter of a list is answered from an index, without other decisions and without sorting', async () => {
  const workspaceId = await filled();
  const decisions = suite.one.database.collection<{ _id: string } & Omit<Decision, 'id'>>('decisions');
  for (const [name, filter, sort] of filters) {
    const found = decisions
      .find(listFilter(workspaceId, filter, at(0)) as never)
      .sort(Object.fromEntries(listOrder(sort)))
      .limit(500);
    const { executionStats: stats, queryPlanner } = await found.explain('executionStats');
    const stages = JSON.stringify(queryPlanner.winningPlan);
    expect({ name, returned: stats.nReturned }).toEqual({
      name,
      returned: 20 + (name === 'several authors' ? 20 : 0),
    });
    expect({ name, examined: stats.totalDocsExamined }).toEqual({ name, examined: stats.nReturned });
    expect({ name, isSorted: stages.includes('"SORT"') }).toEqual({ name, isSorted: false });
  }
});

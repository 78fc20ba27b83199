import { describe, expect, it } from '@jest/globals';
import type { NodeRecord } from '../graph/graph.ts';
import { sampleNode } from '../graph/test/sample-graph.ts';
import { conflictsOf, type Draft, type DraftValues, draftOf, editsOf, typedSince } from './draft.ts';

const NODE = sampleNode();

const typed = ({ seen, values }: Draft, more: Partial<DraftValues>): Draft => ({
  seen,
  values: { ...values, ...more },
});

describe('input that is typed during a save', () => {
  const saved = typed(draftOf(NODE), { title: 'Plan the', status: 'done' });
  const answer: NodeRecord = { ...NODE, title: 'Plan the', status: 'done', version: 2 };

  it('is all that remains unsaved, and does not conflict with what was saved', () => {
    const rest = typedSince(saved, typed(saved, { title: 'Plan the year' }), answer);
    expect(editsOf(rest)).toEqual({ title: 'Plan the year' });
    expect(conflictsOf(rest, answer)).toEqual([]);
    expect(rest.seen).toBe(answer);
  });

  it('reverts nothing that somebody else has changed meanwhile', () => {
    const latest: NodeRecord = { ...answer, assigned_to: 'Grace', version: 3 };
    const rest = typedSince(saved, typed(saved, { title: 'Plan the year' }), latest);
    expect(editsOf(rest)).toEqual({ title: 'Plan the year' });
    expect(rest.values.assigned_to).toBe('Grace');
  });

  it('may consist only of a space so far', () => {
    const rest = typedSince(saved, typed(saved, { title: 'Plan the ' }), answer);
    expect(editsOf(rest)).toEqual({});
    expect(rest.values.title).toBe('Plan the ');
  });

  it('may restore the value from before', () => {
    const rest = typedSince(saved, typed(saved, { status: 'todo' }), answer);
    expect(editsOf(rest)).toEqual({ status: 'todo' });
  });
});

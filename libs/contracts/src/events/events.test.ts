import { describe, expect, it } from '@jest/globals';
import { newId } from '../ids.ts';
import { decisionDefaults } from '../resources/decision.ts';
import { events } from './events.ts';

const at = new Date(0).toISOString();
const decision = {
  ...decisionDefaults,
  ...{ id: newId(), workspace_id: newId(), created_by: newId(), created_at: at, updated_at: at },
  ...{ title: 'Which database', quality_score: 40, version: 1 },
};
const fits = (data: object) => events['decision.created'].data.safeParse(data).success;

describe('the data of an event', () => {
  it('may have fields from a newer version, at every level', () => {
    const option = { title: 'MongoDB', pros: [], cons: [], cost: 3 };
    expect(fits({ ...decision, reviewers: [newId()], options_considered: [option] })).toBe(true);
  });

  it('may exceed the limits of requests, which were others when it was stored', () => {
    const option = { title: 'x'.repeat(100_000), pros: Array(100_000).fill('') };
    expect(fits({ ...decision, title: '', options_considered: ['', option] })).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = startSuite();

const REQUESTS = 40;

describe('POST /decisions, concurrent', () => {
  it('stores each decision once with its event, in any grouping into transactions', async () => {
    const key = keyPrincipal();
    const query = { workspaceId: key.workspace_id };
    const titles = Array.from({ length: REQUESTS }, (_, i) => `Choice ${i}`);
    const answers = await Promise.all(
      titles.map((title) =>
        suite.call(key, 'POST', '/decisions', { query, body: { title, outcome: 'success' } }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.title])).toEqual(titles.map((t) => [201, t]));

    const { database } = suite.one;
    const ids = answers.map(({ body }) => body.id as string).sort();
    const owned = { workspace_id: key.workspace_id };
    const decisions = await database.collection<{ _id: string }>('decisions').find(owned).toArray();
    expect(decisions.map(({ _id }) => _id).sort()).toEqual(ids);
    const outcomes = await database.collection('outcomes').find(owned).toArray();
    expect(outcomes.map((outcome) => outcome['decision_id']).sort()).toEqual(ids);
    const rows = await database.collection('outbox').find(owned).toArray();
    const events = rows
      .map(({ payload }) => JSON.parse(payload))
      .map(({ type, subject }) => [type, subject.id]);
    expect(events.sort()).toEqual(
      ['decision.created', 'decision.outcome_logged'].flatMap((type) => ids.map((id) => [type, id])),
    );
  });

  it('refuses only the decision that cannot be stored', async () => {
    const key = keyPrincipal();
    const query = { workspaceId: key.workspace_id };
    const headers = { 'idempotency-key': newId() };
    const post = (title: string, sent: Record<string, string> = {}) =>
      suite.call(key, 'POST', '/decisions', { query, body: { title }, headers: sent });
    const others = Array.from({ length: REQUESTS }, (_, i) => post(`Other ${i}`));
    const twins = [post('One', headers), post('Two', headers)];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 201));
    const [status, refused] = (await Promise.all(twins)).map((answer) => answer.status).sort();
    expect(status).toBe(201);
    // The first request may or may not have finished when the second is checked.
    expect([409, 422]).toContain(refused);
    const stored = await suite.one.database
      .collection('decisions')
      .countDocuments({ workspace_id: key.workspace_id });
    expect(stored).toBe(REQUESTS + 1);
  });
});

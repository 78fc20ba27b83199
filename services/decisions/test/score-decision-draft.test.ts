import { describe, expect, it } from '@jest/globals';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = startSuite();

describe('POST /quality', () => {
  it('returns the score that the decision would have, and stores nothing', async () => {
    const key = keyPrincipal();
    const draft = {
      question: 'Which broker do we take?',
      optionsConsidered: ['NATS', 'Kafka'],
      rationale: 'NATS is smaller than Kafka',
      outcomeConfidence: 0.8,
    };
    const answer = await suite.call(key, 'POST', '/quality', {
      body: { ...draft, workspaceId: key.workspace_id },
    });
    expect(answer.status).toBe(200);
    expect(
      await suite.one.database.collection('decisions').countDocuments({ workspace_id: key.workspace_id }),
    ).toBe(0);
    expect((await suite.create(key, draft)).quality_score).toBe(answer.body.score);
  });

  it('accepts an empty draft', async () => {
    const key = keyPrincipal();
    const answer = await suite.call(key, 'POST', '/quality', {
      query: { workspaceId: key.workspace_id },
      body: {},
    });
    expect(answer.body).toMatchObject({ model: 'dq-1', score: 0, capped: false });
  });

  it('refuses invalid fields', async () => {
    const key = keyPrincipal();
    const query = { workspaceId: key.workspace_id };
    const score = (body: object) => suite.call(key, 'POST', '/quality', { query, body });
    expect((await score({ tags: [7] })).body.issues[0].path).toBe('tags.0');
    expect((await score({ quality: 1 })).status).toBe(400);
  });
});

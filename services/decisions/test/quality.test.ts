import { describe, expect, it } from '@jest/globals';
import { Quality } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

describe('GET /decisions/{id}/quality', () => {
  it('explains the stored score, which every change updates', async () => {
    const key = keyPrincipal();
    const { id, quality_score } = await suite.create(key, { title: 'Which broker do we take?' });
    const before = await suite.get(key, `/decisions/${id}/quality`);
    expect(Quality.parse(before.body)).toEqual(before.body);
    expect(before.body).toMatchObject({ model: 'dq-1', score: quality_score });
    const { points, raise } = before.body.components.find((c: { name: string }) => c.name === 'commitment');
    expect([points, raise]).toEqual([
      0,
      [expect.objectContaining({ points: 5 }), expect.objectContaining({ points: 5 })],
    ]);

    const changed = await suite.patch(key, id, { decidedBy: 'Ada', expectedBy: '2027-01-01' });
    expect(changed.body.quality_score).toBe(quality_score + 10);
    expect((await suite.get(key, `/decisions/${id}/quality`)).body.score).toBe(quality_score + 10);
  });
});

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
    expect(await suite.count(key, 'decisions')).toBe(0);
    expect((await suite.create(key, draft)).quality_score).toBe(answer.body.score);
  });

  it('accepts an empty draft, and refuses invalid fields', async () => {
    const key = keyPrincipal();
    const query = { workspaceId: key.workspace_id };
    const score = (body: object) => suite.call(key, 'POST', '/quality', { query, body });
    expect((await score({})).body).toMatchObject({ model: 'dq-1', score: 0, capped: false });
    expect((await score({ tags: [7] })).body.issues[0].path).toBe('tags.0');
    expect((await score({ quality: 1 })).status).toBe(400);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Quality } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = startSuite();

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

  it('does not depend on the success of the outcome', async () => {
    const key = keyPrincipal();
    const { id, quality_score } = await suite.create(key, { title: 'Which broker do we take?' });
    for (const outcome of ['failure', 'success', 'abandoned', 'partial', 'pending']) {
      expect((await suite.patch(key, id, { outcome })).body.quality_score).toBe(quality_score);
    }
  });
});

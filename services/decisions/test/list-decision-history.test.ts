import { describe, expect, it } from '@jest/globals';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

describe('GET /decisions/{id}/history', () => {
  it('returns every version with its changes and their author, newest first', async () => {
    const key = keyPrincipal();
    const member = sessionPrincipal({ workspaceId: key.workspace_id, role: 'member' });
    const created = await suite.create(key, { title: 'One', outcomeConfidence: 0.4 });
    suite.clock.nowMs += 1_000;
    await suite.patch(member, created.id, { title: 'Two', tags: ['a'] });
    suite.clock.nowMs += 1_000;
    const last = await suite.patch(key, created.id, { outcomeConfidence: null });
    const { body } = await suite.get(key, `/decisions/${created.id}/history`);
    const byKey = { type: 'api_key', id: key.key_id, name: key.key_name };
    expect(body).toEqual({
      data: [
        {
          version: 3,
          action: 'update',
          actor: byKey,
          changes: {
            outcome_confidence: { before: 0.4, after: null },
            outcome_confidence_kind: { before: 'forecast', after: null },
          },
          imported_by: null,
          created_at: last.body.updated_at,
        },
        {
          version: 2,
          action: 'update',
          actor: { type: 'session', id: member.user_id, name: member.user_name },
          changes: { title: { before: 'One', after: 'Two' }, tags: { before: [], after: ['a'] } },
          imported_by: null,
          created_at: expect.any(String),
        },
        {
          ...{ version: 1, action: 'create', actor: byKey, changes: {} },
          imported_by: null,
          created_at: created.created_at,
        },
      ],
      next_cursor: null,
    });
  });

  it('returns every version once, in pages of any size', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key, { title: '1' });
    for (const title of ['2', '3', '4']) await suite.patch(key, id, { title });
    for (const limit of [1, 2, 3, 4, 5]) {
      const seen = await suite.pages(key, `/decisions/${id}/history`, { limit });
      expect(seen.map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    }
  });
});

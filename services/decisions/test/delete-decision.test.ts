import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal, servicePrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = startSuite();

const remove = (key: ReturnType<typeof keyPrincipal>, id: string, headers: Record<string, string> = {}) =>
  suite.call(key, 'DELETE', `/decisions/${id}`, { query: { workspaceId: key.workspace_id }, headers });

describe('DELETE /decisions/{id}', () => {
  it('removes the decision with its outcomes and history, and emits one event', async () => {
    const key = keyPrincipal();
    const kept = await suite.create(key, { title: 'Kept', outcome: 'success' });
    const { id } = await suite.create(key, { title: 'Gone', outcome: 'failure' });
    await suite.patch(key, id, { outcome: 'partial' });
    const answer = await remove(key, id);
    expect([answer.status, answer.text]).toEqual([204, '']);

    const stored = (name: string) =>
      suite.one.database.collection(name).find({ workspace_id: key.workspace_id });
    expect((await stored('decisions').toArray()).map(({ _id }) => _id)).toEqual([kept.id]);
    expect((await stored('outcomes').toArray()).map(({ decision_id }) => decision_id)).toEqual([kept.id]);
    expect(await stored('history').toArray()).toEqual([]);
    for (const path of ['', '/outcomes', '/history', '/quality']) {
      expect((await suite.get(key, `/decisions/${id}${path}`)).status).toBe(404);
    }
    expect((await remove(key, id)).status).toBe(404);
    const events = await suite.eventsAbout(id, [
      'decision.created',
      'decision.outcome_logged',
      'decision.updated',
      'decision.outcome_logged',
      'decision.deleted',
    ]);
    expect(events[4]).toMatchObject({ action: 'decision.delete', data: { id }, subject: { version: 3 } });
  });

  it('honours If-Match', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key, { title: 'Guarded', outcome: 'success' });
    const stale = await remove(key, id, { 'if-match': '"v2"' });
    expect([stale.status, stale.body.error]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await suite.get(key, `/decisions/${id}/outcomes`)).body.data).toHaveLength(1);
    expect((await remove(key, id, { 'if-match': '"v1"' })).status).toBe(204);
  });

  it('deletes an imported decision that was deleted in its original workspace', async () => {
    const [from, to] = [keyPrincipal(), keyPrincipal()];
    const decision = await suite.create(from);
    const { id } = decision;
    expect((await remove(from, id)).status).toBe(204);
    const portion = { workspace_id: to.workspace_id, portion: newId(), decisions: [decision] };
    const bring = () =>
      suite.call(servicePrincipal('transfer'), 'POST', '/internal/imports/decisions', {
        body: { ...portion, portion: newId() },
      });
    expect((await bring()).body).toMatchObject({ stored: 1 });
    expect((await remove(to, id)).status).toBe(204);
    expect((await bring()).body).toMatchObject({ stored: 1 });
    const { body } = await suite.get(to, `/decisions/${id}`, { workspaceId: to.workspace_id });
    expect(body.version).toBe(3);
  });

  it('succeeds for only one of several concurrent requests', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(key, id)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
    await suite.eventsAbout(id, ['decision.created', 'decision.deleted']);
  });
});

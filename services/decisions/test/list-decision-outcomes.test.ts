import { describe, expect, it } from '@jest/globals';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

async function conflicts(key: ReturnType<typeof keyPrincipal>, id: string, body: object) {
  const answer = await suite.patch(key, id, body);
  expect([answer.status, answer.body.error]).toEqual([409, 'CONFLICT']);
}

describe('GET /decisions/{id}/outcomes', () => {
  it('returns a record per logged outcome, newest first; each except pending has an event', async () => {
    const key = keyPrincipal();
    const other = keyPrincipal({ workspace_id: key.workspace_id });
    const { id } = await suite.create(key);
    await suite.patch(key, id, { outcome: 'pending' });
    await suite.patch(key, id, { outcome: 'failure', outcomeNotes: 'Alas' });
    await suite.patch(other, id, { outcome: 'pending', outcomeNotes: 'Too early' });
    await suite.patch(key, id, { outcome: 'success', outcome_notes: null, title: 'After all' });
    await suite.patch(key, id, { outcome: 'success', outcomeNotes: 'Twice measured' });
    await suite.patch(key, id, { outcomeNotes: 'Notes alone are no logging' });

    const { body } = await suite.get(key, `/decisions/${id}/outcomes`);
    expect(body.next_cursor).toBeNull();
    expect(body.data).toMatchObject([
      { outcome: 'success', notes: 'Twice measured', logged_by: key.key_id },
      { outcome: 'success', notes: null },
      { outcome: 'pending', notes: 'Too early', logged_by: other.key_id },
      { outcome: 'failure', notes: 'Alas', decision_id: id, workspace_id: key.workspace_id },
    ]);
    const events = await suite.eventsAbout(id, [
      'decision.created',
      ...(['decision.updated', 'decision.outcome_logged'] as const),
      'decision.updated',
      ...(['decision.updated', 'decision.outcome_logged'] as const),
      ...(['decision.updated', 'decision.outcome_logged'] as const),
      'decision.updated',
    ]);
    const logged = events.filter(({ type }) => type === 'decision.outcome_logged');
    expect(logged.map(({ action }) => action)).toEqual([null, null, null]);
    expect(logged.map(({ data }) => (data as { outcome: { id: string } }).outcome.id)).toEqual(
      [3, 1, 0].map((index) => body.data[index].id),
    );
  });

  it('returns every record once in pages, and refuses the cursor of another decision', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key, { title: 'Often measured', outcome: 'failure' });
    for (const outcome of ['partial', 'success', 'abandoned', 'pending'])
      await suite.patch(key, id, { outcome });
    const seen = await suite.pages(key, `/decisions/${id}/outcomes`, { limit: 2 });
    expect(seen.map(({ outcome }) => outcome)).toEqual([
      ...['pending', 'abandoned', 'success', 'partial', 'failure'],
    ]);

    const first = await suite.get(key, `/decisions/${id}/outcomes`, { limit: 2 });
    const another = await suite.create(key);
    const path = `/decisions/${another.id}/outcomes`;
    expect((await suite.get(key, path, { cursor: first.body.next_cursor })).body.issues[0].path).toBe(
      'cursor',
    );
  });
});

describe('outcomeConfidence', () => {
  it('stays frozen when the decision is pending again', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key, { title: 'T', outcomeConfidence: 0.6 });
    await suite.patch(key, id, { outcome: 'failure' });
    await suite.patch(key, id, { outcome: 'pending' });
    await conflicts(key, id, { outcomeConfidence: 0.9 });
    await conflicts(key, id, { outcome: 'success', outcomeConfidence: 0.9 });
    const quality = await suite.get(key, `/decisions/${id}/quality`);
    expect(quality.text).not.toContain('State your confidence');
    expect((await suite.patch(key, id, { outcome: 'success' })).body.outcome_confidence_kind).toBe(
      'forecast',
    );
  });

  it('given with the first outcome is retrospective and earns no points; none can be added later', async () => {
    const key = keyPrincipal();
    const { id, quality_score } = await suite.create(key);
    const { body } = await suite.patch(key, id, { outcome: 'success', outcomeConfidence: 0.9 });
    expect(body).toMatchObject({ outcome_confidence_kind: 'retrospective', quality_score });
    const silent = await suite.create(key, { title: 'No confidence', outcome: 'success' });
    await conflicts(key, silent.id, { outcomeConfidence: 0.8 });
  });

  it('depends on the order of a concurrent forecast and first outcome, and is never partly applied', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const [logged, forecast] = await Promise.all([
      suite.patch(key, id, { outcome: 'success' }),
      suite.patch(key, id, { outcomeConfidence: 0.5 }),
    ]);
    expect(logged.status).toBe(200);
    const after = (await suite.get(key, `/decisions/${id}`)).body;
    if (forecast.status === 409) expect(after).toMatchObject({ outcome_confidence: null, version: 2 });
    else expect(after).toMatchObject({ outcome_confidence_kind: 'forecast', version: 3 });
  });
});

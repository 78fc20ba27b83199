import { describe, expect, it } from '@jest/globals';
import { MetricsHistory } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();
const DAY_MS = 86_400_000;
/** A Thursday. */
const NOW_MS = Date.parse('2026-10-15T12:00:00Z');

type Key = ReturnType<typeof keyPrincipal>;

async function history(key: Key, weeks?: number) {
  const { status, body } = await suite.get(key, '/metrics/history', weeks ? { weeks: String(weeks) } : {});
  expect(status).toBe(200);
  return MetricsHistory.strict().parse(body).data;
}
const shares = async (key: Key, weeks: number) =>
  (await history(key, weeks)).map((point) => `${point.decisions_with_outcome}/${point.decisions_total}`);

/** Moves the service's clock by some days from now. */
function at(daysFromNow: number): void {
  suite.clock.nowMs = NOW_MS + daysFromNow * DAY_MS;
}

describe('GET /metrics/history', () => {
  it('returns the metric at the last Mondays and now', async () => {
    const key = keyPrincipal();
    at(-30);
    const first = await suite.create(key);
    await suite.create(key, { title: 'Done already', outcome: 'success' });
    at(-9);
    const third = await suite.create(key);
    await suite.patch(key, first.id, { outcome: 'failure' });
    at(-2);
    await suite.patch(key, first.id, { outcome: 'success' });
    await suite.patch(key, third.id, { outcome: 'partial' });
    await suite.create(key);
    at(0);
    const points = await history(key, 4);
    expect(points).toEqual([
      { at: '2026-09-28T00:00:00.000Z', wms: 50, decisions_total: 2, decisions_with_outcome: 1 },
      { at: '2026-10-05T00:00:00.000Z', wms: 50, decisions_total: 2, decisions_with_outcome: 1 },
      {
        at: '2026-10-12T00:00:00.000Z',
        wms: expect.closeTo(200 / 3, 10),
        decisions_total: 3,
        decisions_with_outcome: 2,
      },
      { at: '2026-10-15T12:00:00.000Z', wms: 75, decisions_total: 4, decisions_with_outcome: 3 },
    ]);
    const { body } = await suite.get(key, '/metrics', { include: 'history', weeks: '4' });
    expect(body.included.history.data).toEqual(points);
    expect(points.at(-1)).toMatchObject({ wms: body.wms, decisions_total: body.decisions_total });
    expect(await history(key)).toHaveLength(26);
  });

  it('removes an outcome from the time when the decision is pending again', async () => {
    const key = keyPrincipal();
    at(-20);
    const { id } = await suite.create(key, { title: 'Too early', outcome: 'success' });
    at(-8);
    await suite.patch(key, id, { outcome: 'pending' });
    at(-1);
    await suite.patch(key, id, { outcome: 'failure' });
    at(0);
    expect(await shares(key, 4)).toEqual(['1/1', '1/1', '0/1', '1/1']);
  });

  it('ignores deleted decisions and other workspaces', async () => {
    const key = keyPrincipal();
    await suite.create(keyPrincipal(), { title: 'Elsewhere', outcome: 'success' });
    at(-10);
    const { id } = await suite.create(key, { title: 'Gone', outcome: 'success' });
    await suite.create(key);
    at(0);
    expect(await shares(keyPrincipal(), 2)).toEqual(['0/0', '0/0']);
    expect(await shares(key, 2)).toEqual(['1/2', '1/2']);
    await suite.remove(key, id);
    expect(await shares(key, 2)).toEqual(['0/1', '0/1']);
  });

  it('counts an imported outcome without a record from the creation of its decision', async () => {
    const key = keyPrincipal();
    at(-10);
    const { id } = await suite.create(key, { title: 'From a file', outcome: 'success' });
    await suite.collection('outcomes').deleteMany({ decision_id: id });
    await suite.create(key, { title: 'Recorded', outcome: 'partial' });
    at(0);
    expect(await shares(key, 3)).toEqual(['0/0', '2/2', '2/2']);
  });

  it('refuses an invalid number of weeks', async () => {
    const key = keyPrincipal();
    for (const weeks of ['1', '105', '2.5', 'all']) {
      expect((await suite.get(key, '/metrics/history', { weeks })).body.error).toBe('VALIDATION_ERROR');
    }
  });
});

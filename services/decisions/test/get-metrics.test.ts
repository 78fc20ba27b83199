import { describe, expect, it } from '@jest/globals';
import { Metrics } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = startSuite();
const DAY_MS = 86_400_000;

type Key = ReturnType<typeof keyPrincipal>;
async function metrics(key: Key): Promise<Metrics> {
  const { status, body } = await suite.get(key, '/metrics');
  expect(status).toBe(200);
  return Metrics.strict().parse(body);
}
async function wms(key: Key) {
  return (await metrics(key)).wms;
}

describe('GET /metrics', () => {
  it('is zero for an empty workspace', async () => {
    const key = keyPrincipal();
    expect(await metrics(key)).toEqual({
      workspace_id: key.workspace_id,
      wms: 0,
      decisions_total: 0,
      decisions_with_outcome: 0,
      overdue: 0,
      average_quality_score: null,
      calibration: null,
    });
  });

  it('rises only with the first outcome of each decision', async () => {
    const key = keyPrincipal();
    await suite.create(keyPrincipal(), { title: 'Elsewhere', outcome: 'success' });
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push((await suite.create(key)).id);
    let before = await wms(key);
    for (const id of ids) {
      await suite.patch(key, id, { outcome: 'failure' });
      const after = await wms(key);
      expect(after).toBeGreaterThan(before);
      before = after;
      await suite.patch(key, id, { outcome: 'success' });
      expect(await wms(key)).toBe(after);
    }
    expect(before).toBe(100);
    await suite.patch(key, ids[0]!, { outcome: 'pending' });
    expect(await wms(key)).toBeCloseTo(200 / 3, 10);
    await suite.call(key, 'DELETE', `/decisions/${ids[0]}`, { query: { workspaceId: key.workspace_id } });
    expect(await metrics(key)).toMatchObject({ wms: 100, decisions_total: 2, decisions_with_outcome: 2 });
  });

  it('counts a decision as overdue if it is due, open and neither rejected nor archived', async () => {
    const key = keyPrincipal();
    const inDays = (days: number) => new Date(suite.clock.nowMs + days * DAY_MS).toISOString();
    await suite.create(key, { title: 'overdue', expectedBy: inDays(-1) });
    await suite.create(key, { title: 'soon', expectedBy: inDays(1), status: 'accepted' });
    await suite.create(key, { title: 'never' });
    await suite.create(key, { title: 'done', expectedBy: inDays(-1), outcome: 'partial' });
    await suite.create(key, { title: 'rejected', expectedBy: inDays(-1), status: 'rejected' });
    const archived = await suite.create(key, { title: 'archived', expectedBy: inDays(-1) });
    await suite.patch(key, archived.id, { status: 'archived' });
    expect((await metrics(key)).overdue).toBe(1);
    suite.clock.nowMs += 2 * DAY_MS;
    expect((await metrics(key)).overdue).toBe(2);
    suite.clock.nowMs -= 2 * DAY_MS;
  });

  it('averages the quality', async () => {
    const key = keyPrincipal();
    const scores = [];
    for (const title of ['One', 'Two words', 'Four words of title'])
      scores.push((await suite.create(key, { title })).quality_score);
    expect(scores).toEqual([0, 2, 5]);
    expect((await metrics(key)).average_quality_score).toBe(2.33);
  });

  it('compares forecasts with outcomes from ten on, without retrospective, open and abandoned ones', async () => {
    const key = keyPrincipal();
    const forecast = async (outcomeConfidence: number, outcome: string) => {
      const { id } = await suite.create(key, { title: 'F', outcomeConfidence });
      await suite.patch(key, id, { outcome });
    };
    const scored: [number, string, number][] = [
      ...Array.from({ length: 6 }, (): [number, string, number] => [0.8, 'success', 1]),
      [0.8, 'failure', 0],
      [0.05, 'failure', 0],
      [0.3, 'partial', 0.5],
    ];
    for (const [confidence, outcome] of scored) await forecast(confidence, outcome);
    await forecast(0.8, 'abandoned');
    await suite.create(key, { title: 'open', outcomeConfidence: 0.8 });
    await suite.create(key, { title: 'retrospective', outcomeConfidence: 0.8, outcome: 'success' });
    expect((await metrics(key)).calibration).toBeNull();

    await forecast(1, 'success');
    scored.push([1, 'success', 1]);
    const calibration = (await metrics(key)).calibration!;
    const brier = scored.reduce((sum, [f, , o]) => sum + (f - o) ** 2, 0) / scored.length;
    expect(calibration.scored).toBe(10);
    expect(calibration.brier_score).toBeCloseTo(brier, 12);
    expect(calibration.base_rate).toBeCloseTo(0.75, 12);
    expect(calibration.bins.map(({ count }) => count)).toEqual([1, 0, 0, 1, 0, 0, 0, 0, 7, 1]);
    expect(calibration.bins[8]).toMatchObject({ from: 0.8, to: 0.9, mean_forecast: expect.closeTo(0.8) });
    expect(calibration.bins[8]!.observed_rate).toBeCloseTo(6 / 7, 12);
  });
});

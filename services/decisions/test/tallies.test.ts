import { describe, expect, it } from '@jest/globals';
import { type Decision, type Metrics, newId } from '@waymark/contracts';
import { eventually, keyPrincipal } from '@waymark/testing';
import { calibrate } from '../src/metrics/calibration.ts';
import { schema } from '../src/schema.ts';
import { finishRecounts, recount } from '../src/store/recount.ts';
import { type FormerTallyChange, type TallyNote, tallyNote, tallyStore } from '../src/store/tallies.ts';
import { decisionCounts, forecastCells, type Tallied, tallyChanges } from '../src/tally.ts';
import { startSuite } from './suite.ts';

const suite = startSuite();
const DAY_MS = 86_400_000;
type Key = ReturnType<typeof keyPrincipal>;
type Stored = Tallied & { _id: string; workspace_id: string };
const stored = () => suite.one.database.collection<Stored>('decisions');
const changes = (key: Key) =>
  suite.one.database.collection('outbox').countDocuments({
    workspace_id: key.workspace_id,
    changes: { $exists: true },
  });

/** The metrics, counted from the decisions themselves. */
async function counted(key: Key): Promise<Metrics> {
  const all = await stored().find({ workspace_id: key.workspace_id }).toArray();
  const now = new Date(suite.clock.nowMs).toISOString();
  const isAwaited = ({ status }: Tallied) => status !== 'rejected' && status !== 'archived';
  const overdue = all.filter(
    (one) => one.outcome === 'pending' && isAwaited(one) && one.expected_by && one.expected_by < now,
  );
  const withOutcome = all.filter(({ outcome }) => outcome !== 'pending').length;
  const quality = all.reduce((sum, { quality_score }) => sum + quality_score, 0);
  return {
    workspace_id: key.workspace_id,
    wms: all.length === 0 ? 0 : (100 * withOutcome) / all.length,
    decisions_total: all.length,
    decisions_with_outcome: withOutcome,
    overdue: overdue.length,
    average_quality_score: all.length === 0 ? null : Math.round((100 * quality) / all.length) / 100,
    calibration: calibrate(forecastCells(tallyChanges([], all))),
  };
}
async function expectExact(key: Key): Promise<Metrics> {
  const { body } = await suite.get(key, '/metrics');
  expect(body).toEqual(await counted(key));
  return body as Metrics;
}

const pick = <T>(values: readonly T[], turn: number): T => values[turn % values.length]!;
/** Of every kind that the metrics tell apart; due in this month and in those around it. */
function draft(turn: number) {
  const days = pick([-70, -40, -1, 0, 1, 40], Math.floor(turn / 2));
  return {
    title: pick(['One', 'Two words', 'Four words of title'], turn),
    outcomeConfidence: pick([0.1, 0.35, 0.7, 1, undefined], turn),
    expectedBy: pick([new Date(suite.clock.nowMs + days * DAY_MS).toISOString(), undefined], turn),
    status: pick(['proposed', 'accepted', 'rejected'], Math.floor(turn / 12)),
  };
}

describe('the tallies behind GET /metrics', () => {
  it('are exact after creations, updates, deletions, folds and recounts at once', async () => {
    const key = keyPrincipal();
    const tallies = tallyStore(suite.one.database);
    const workspace = String(key.workspace_id);
    const made = await Promise.all(Array.from({ length: 150 }, (_, i) => suite.create(key, draft(i))));
    await expectExact(key);
    const query = { workspaceId: workspace };
    const work = made.flatMap(({ id }, i) => [
      suite.patch(key, id, { outcome: pick(['success', 'partial', 'failure', 'abandoned', 'pending'], i) }),
      suite.patch(key, id, { status: pick(['archived', 'accepted', 'accepted'], i + 1) }),
      ...(i % 7 === 0 ? [suite.call(key, 'DELETE', `/decisions/${id}`, { query })] : []),
      ...(i % 20 === 0 ? [tallies.fold(workspace), recount(suite.one.database, workspace, true)] : []),
    ]);
    await Promise.all(work);
    expect((await expectExact(key)).calibration).not.toBeNull();
    await tallies.fold(workspace);
    await expectExact(key);
    suite.clock.nowMs += 45 * DAY_MS;
    expect((await expectExact(key)).overdue).toBeGreaterThan(0);
    suite.clock.nowMs -= 45 * DAY_MS;
    expect(await recount(suite.one.database, workspace, true)).toEqual([]);
  });

  it('leave nothing behind when all decisions are gone', async () => {
    const key = keyPrincipal();
    const query = { workspaceId: String(key.workspace_id) };
    const made = await Promise.all(Array.from({ length: 20 }, (_, i) => suite.create(key, draft(i))));
    for (const [i, { id }] of made.entries())
      await suite.patch(key, id, { outcome: pick(['success', 'failure'], i) });
    for (const { id } of made) await suite.call(key, 'DELETE', `/decisions/${id}`, { query });
    await tallyStore(suite.one.database).fold(query.workspaceId);
    const left = suite.one.database.collection('tallies').find({ workspace_id: query.workspaceId });
    expect(await left.toArray()).toEqual([]);
    expect(await changes(key)).toBe(0);
  });

  it('are folded by the service itself, so that a read does not grow', async () => {
    const key = keyPrincipal();
    // One after another: what is counted is stored when the fold begins.
    for (let i = 0; i < 64; i += 1) await suite.create(key, { title: 'Many' });
    await eventually(async () => expect(await changes(key)).toBeLessThan(8));
    await expectExact(key);
  });

  it('are folded after a read of many changes that no process has counted', async () => {
    const key = keyPrincipal();
    await Promise.all(Array.from({ length: 20 }, (_, i) => suite.create(key, draft(i))));
    const notes = Array.from({ length: 50 }, () => tallyNote(String(key.workspace_id), []));
    await suite.one.database.collection<TallyNote>('outbox').insertMany(notes);
    await expectExact(key);
    await eventually(async () => expect(await changes(key)).toBe(0));
    await expectExact(key);
  });

  it('take in what the version before has stored, and what it stores while it is replaced', async () => {
    const key = keyPrincipal();
    const model = await suite.create(key, draft(2));
    const { _id: _own, ...fields } = (await stored().findOne({ _id: model.id }))!;
    const byOldVersion = (outcomes: Decision['outcome'][]) =>
      stored().insertMany(outcomes.map((outcome) => ({ ...fields, outcome, _id: newId() })));
    await byOldVersion(['success', 'failure', 'pending']);
    const [step] = schema.steps!;
    await step!.up(suite.one.database);
    await step!.up(suite.one.database);
    await expectExact(key);
    await byOldVersion(['partial', 'pending']);
    await stored().deleteOne({ workspace_id: String(key.workspace_id), outcome: 'success' });
    await finishRecounts(suite.one.database);
    expect((await expectExact(key)).decisions_total).toBe(5);
    expect(await suite.one.database.collection('recounts').countDocuments({ is_final: false })).toBe(0);
  });
});

describe('what the version before has left to be folded', () => {
  it('counts, is folded, and counts once', async () => {
    const key = keyPrincipal();
    const workspace = String(key.workspace_id);
    await Promise.all(Array.from({ length: 5 }, (_, i) => suite.create(key, draft(i))));
    const outbox = suite.one.database.collection<TallyNote>('outbox');
    const former = suite.one.database.collection<FormerTallyChange>('tally_changes');
    const own = { workspace_id: workspace, changes: { $exists: true } };
    const [first] = await outbox.find(own).toArray();
    await outbox.deleteOne({ _id: first!._id });
    await former.insertOne({ ...first!, _id: newId() });
    expect((await expectExact(key)).decisions_total).toBe(5);
    await tallyStore(suite.one.database).fold(workspace);
    expect(await former.countDocuments(own)).toBe(0);
    expect((await expectExact(key)).decisions_total).toBe(5);
  });
});

describe('what a write changes', () => {
  const one: Tallied = {
    outcome: 'pending',
    quality_score: 40,
    outcome_confidence: 0.7,
    outcome_confidence_kind: 'forecast',
    expected_by: '2026-11-30T00:00:00.000Z',
    status: 'accepted',
  };

  it('is nothing where nothing counts differently', () => {
    expect(tallyChanges([one], [{ ...one }])).toEqual([]);
  });

  it('moves from one key to another', () => {
    expect(tallyChanges([one], [{ ...one, outcome: 'success', quality_score: 50 }])).toEqual([
      { key: 'outcome/pending', count: -1, sum: -40, squares: 0 },
      { key: 'due/2026-11', count: -1, sum: 0, squares: 0 },
      { key: 'outcome/success', count: 1, sum: 50, squares: 0 },
      { key: 'forecast/success/7', count: 1, sum: 700_000_000, squares: 490_000_000 },
    ]);
  });

  it('counts one that settled as nothing to wait for', () => {
    const settled = tallyChanges([], [{ ...one, status: 'rejected' }]);
    expect(decisionCounts(settled)).toEqual({ total: 1, withOutcome: 0, qualitySum: 40, due: 0 });
  });
});

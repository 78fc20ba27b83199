import { describe, expect, it } from '@jest/globals';
import { type Decision, Metrics } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { differenceOf, successRate } from '../src/metrics/intervals.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();
const DAY_MS = 86_400_000;
type Key = ReturnType<typeof keyPrincipal>;
type Stored = Omit<Decision, 'id'> & { _id: string };
const stored = () => suite.one.database.collection<Stored>('decisions');
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** The metrics, computed from the decisions themselves. */
async function computed(key: Key): Promise<Metrics> {
  const all = await stored().find({ workspace_id: key.workspace_id }).toArray();
  const now = new Date(suite.clock.nowMs).toISOString();
  const overdue = all.filter(
    ({ outcome, status, expected_by }) =>
      outcome === 'pending' &&
      status !== 'rejected' &&
      status !== 'archived' &&
      expected_by &&
      expected_by < now,
  );
  const withOutcome = all.filter(({ outcome }) => outcome !== 'pending').length;
  const quality = sum(all.map(({ quality_score }) => quality_score));
  return {
    workspace_id: key.workspace_id,
    wms: all.length === 0 ? 0 : (100 * withOutcome) / all.length,
    decisions_total: all.length,
    decisions_with_outcome: withOutcome,
    overdue: overdue.length,
    average_quality_score: all.length === 0 ? null : Math.round((100 * quality) / all.length) / 100,
    calibration: calibration(all),
    score_and_success: scoreAndSuccess(all),
  };
}

function scoreAndSuccess(all: Stored[]): Metrics['score_and_success'] {
  const known = all.filter(({ outcome }) => ['success', 'partial', 'failure'].includes(outcome));
  const of = (from: number, below: number) => {
    const cases = known.filter(({ quality_score: score }) => score >= from && score < below);
    const successes = cases.filter(({ outcome }) => outcome === 'success').length;
    return {
      cases: cases.length,
      success_rate: cases.length < 10 ? null : successRate(successes, cases.length),
    };
  };
  const [low, middle, high] = [of(0, 40), of(40, 70), of(70, 101)];
  const [a, b] = [high.success_rate, low.success_rate];
  return { low, middle, high, difference: a && b && differenceOf(a, b) };
}

function calibration(all: Stored[]): Metrics['calibration'] {
  const observed: Record<string, number> = { success: 1, partial: 0.5, failure: 0 };
  const pairs = all.flatMap(({ outcome, outcome_confidence, outcome_confidence_kind }) =>
    outcome_confidence_kind === 'forecast' && observed[outcome] !== undefined
      ? [[outcome_confidence!, observed[outcome]] as const]
      : [],
  );
  if (pairs.length < 10) return null;
  const close = (value: number) => expect.closeTo(value, 12) as unknown as number;
  return {
    scored: pairs.length,
    brier_score: close(sum(pairs.map(([f, o]) => (f - o) ** 2)) / pairs.length),
    base_rate: close(sum(pairs.map(([, o]) => o)) / pairs.length),
    bins: Array.from({ length: 10 }, (_, bin) => {
      const inBin = pairs.filter(([f]) => Math.min(9, Math.floor(f * 10)) === bin);
      return {
        from: bin / 10,
        to: (bin + 1) / 10,
        count: inBin.length,
        mean_forecast: inBin.length === 0 ? null : close(sum(inBin.map(([f]) => f)) / inBin.length),
        observed_rate: inBin.length === 0 ? null : close(sum(inBin.map(([, o]) => o)) / inBin.length),
      };
    }),
  };
}

async function expectExact(key: Key): Promise<Metrics> {
  const { body } = await suite.get(key, '/metrics');
  expect(Metrics.strict().parse(body)).toEqual(await computed(key));
  return body;
}

const pick = <T>(values: readonly T[], turn: number): T => values[turn % values.length]!;
/** Drafts of every kind that the metrics distinguish, due before and after now. */
function draft(turn: number) {
  const days = pick([-70, -40, -1, 0, 1, 40], Math.floor(turn / 2));
  return {
    title: pick(['One', 'Two words', 'Four words of title'], turn),
    outcomeConfidence: pick([0.1, 0.35, 0.7, 1, undefined], turn),
    expectedBy: pick([new Date(suite.clock.nowMs + days * DAY_MS).toISOString(), undefined], turn),
    status: pick(['proposed', 'accepted', 'rejected'], Math.floor(turn / 12)),
  };
}

describe('GET /metrics', () => {
  it('is exact before any decision, and after concurrent creations, updates, deletions and reads', async () => {
    const key = keyPrincipal();
    await suite.create(keyPrincipal(), { title: 'Elsewhere', outcome: 'success' });
    await expectExact(key);
    const made = await Promise.all(Array.from({ length: 72 }, (_, i) => suite.create(key, draft(i))));
    await expectExact(key);
    const work = made.flatMap(({ id }, i) => [
      suite.patch(key, id, { outcome: pick(['success', 'partial', 'failure', 'abandoned', 'pending'], i) }),
      suite.patch(key, id, { status: pick(['archived', 'accepted', 'accepted'], i + 1) }),
      ...(i % 7 === 0 ? [suite.remove(key, id)] : []),
      ...(i % 5 === 0 ? [suite.get(key, '/metrics')] : []),
    ]);
    await Promise.all(work);
    expect((await expectExact(key)).calibration).not.toBeNull();
    suite.clock.nowMs += 45 * DAY_MS;
    expect((await expectExact(key)).overdue).toBeGreaterThan(0);
    suite.clock.nowMs -= 45 * DAY_MS;
    await expectExact(key);
  });

  it('compares the success of high and low scores from ten cases of each on, and not what has no result', async () => {
    const key = keyPrincipal();
    const outcomes = ['success', 'success', 'success', 'partial', 'failure', 'abandoned', 'pending'];
    for (const [at, score] of [39, 40, 69, 70].entries())
      for (let i = 0; i < 14; i += 1) {
        const { id } = await suite.create(key, { title: 'Scored', outcome: pick(outcomes, i + at) });
        await stored().updateOne({ _id: id }, { $set: { quality_score: score } });
      }
    const { score_and_success } = await expectExact(key);
    expect(score_and_success).toMatchObject({
      low: { cases: 10, success_rate: { value: 0.6 } },
      middle: { cases: 20 },
      high: { cases: 10 },
      difference: { value: 0 },
    });
    const { body } = await suite.get(key, '/metrics', { include: 'calibration' });
    expect(body.included).toEqual({ calibration: (await suite.get(key, '/metrics/calibration')).body });
  });

  it('is computed from indexes only', async () => {
    const key = keyPrincipal();
    for (let i = 0; i < 20; i += 1) {
      const { id } = await suite.create(key, draft(i));
      await suite.patch(key, id, { outcome: pick(['success', 'pending'], i) });
    }
    const { database } = suite.one;
    await database.command({ profile: 2 });
    await expectExact(key);
    await database.command({ profile: 0 });
    const profiled = {
      'command.aggregate': 'decisions',
      'command.pipeline.0.$match.workspace_id': key.workspace_id,
    };
    const looks = await database.collection('system.profile').find(profiled).toArray();
    expect(looks).toHaveLength(3);
    expect(looks.map((look) => look['docsExamined'])).toEqual([0, 0, 0]);
  });
});

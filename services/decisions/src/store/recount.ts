import { OUTBOX } from '@waymark/service-kit/store';
import type { ClientSession, Db } from 'mongodb';
import { observedValues } from '../metrics/calibration.ts';
import { addUp, difference, dueKey, forecastTally, outcomeKey, type Tally } from '../tally.ts';
import { DECISIONS, RECOUNTS, type StoredDecision, type StoredRecount } from './collections.ts';
import { awaitedFilter } from './list-query.ts';
import { type TallyNote, tallyNote, tallyStore } from './tallies.ts';

/**
 * Brings a workspace's tallies to what its decisions say, beside writers: the difference as of one moment is added as one more change,
 * which is right whatever else was added meanwhile. Two at once cannot add it twice, because both write the workspace's own note.
 * `isFinal`: whether no process that does not tally can have written since.
 */
export async function recount(db: Db, workspaceId: string, isFinal: boolean): Promise<Tally[]> {
  const notes = db.collection<TallyNote>(OUTBOX);
  const recounts = db.collection<StoredRecount>(RECOUNTS);
  return db.client.withSession((session) =>
    session.withTransaction(
      async () => {
        await recounts.updateOne(
          { _id: workspaceId },
          { $inc: { revision: 1 }, $set: { is_final: isFinal } },
          { session, upsert: true },
        );
        const counted = await tallyStore(db).read(workspaceId, session);
        const missing = difference(counted, await countAll(db, workspaceId, session));
        if (missing.length > 0) await notes.insertOne(tallyNote(workspaceId, missing), { session });
        return missing;
      },
      { readConcern: { level: 'snapshot' } },
    ),
  );
}

/** Recounts every workspace: what a migration does where decisions were stored before there were tallies. */
export async function recountAll(db: Db): Promise<void> {
  const workspaces = db
    .collection<StoredDecision>(DECISIONS)
    .aggregate<{ _id: string }>([{ $group: { _id: '$workspace_id' } }]);
  for await (const { _id } of workspaces) await recount(db, _id, false);
}

/** Recounts once more what a migration counted while processes of the version before may have gone on writing. */
export async function finishRecounts(db: Db, isStopped: () => boolean = () => false): Promise<void> {
  for await (const { _id } of db.collection<StoredRecount>(RECOUNTS).find({ is_final: false })) {
    if (isStopped()) return;
    await recount(db, _id, true);
  }
}

/** From the decisions themselves, each count from an index alone. */
async function countAll(db: Db, workspaceId: string, session: ClientSession): Promise<Tally[]> {
  const decisions = db.collection<StoredDecision>(DECISIONS);
  const own = { workspace_id: workspaceId };
  const outcomes = await decisions
    .aggregate<{ _id: string; count: number; sum: number }>(
      [{ $match: own }, { $group: { _id: '$outcome', count: { $sum: 1 }, sum: { $sum: '$quality_score' } } }],
      { session },
    )
    .toArray();
  const forecasts = await decisions
    .aggregate<{ _id: { outcome: string; confidence: number }; count: number }>(
      [
        {
          $match: {
            ...own,
            outcome_confidence_kind: 'forecast',
            outcome: { $in: Object.keys(observedValues) },
          },
        },
        { $group: { _id: { outcome: '$outcome', confidence: '$outcome_confidence' }, count: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
  const due = await decisions
    .aggregate<{ _id: string; count: number }>(
      [
        { $match: { ...own, ...awaitedFilter, expected_by: { $ne: null } } },
        { $group: { _id: { $substrBytes: ['$expected_by', 0, 'yyyy-mm'.length] }, count: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
  const tallies = [
    ...outcomes.map(({ _id, count, sum }) => ({ key: outcomeKey(_id), count, sum, squares: 0 })),
    ...forecasts.map(({ _id, count }) => forecastTally(_id.outcome, _id.confidence, count)),
    ...due.map(({ _id, count }) => ({ key: dueKey(_id), count, sum: 0, squares: 0 })),
  ];
  return addUp(tallies);
}

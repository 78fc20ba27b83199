import type { Database } from '@waymark/service-kit/store';
import {
  APPROVALS,
  DECISIONS,
  FORECASTS,
  HISTORY,
  OUTCOMES,
  type StoredApproval,
  type StoredDecision,
  type StoredForecast,
  type StoredHistory,
} from './store/collections.ts';

export { exportSources } from './transfer/export-sources.ts';

/**
 * Removes a person's name from decisions, history, approvals and forecasts. Returns the number of changed
 * records.
 */
export async function erasePersonFromDecisions(database: Database, userId: string): Promise<number> {
  const decisions = database.collection<StoredDecision>(DECISIONS);
  const history = database.collection<StoredHistory>(HISTORY);
  const created = await decisions.updateMany(
    { 'creator.id': userId, 'creator.name': { $ne: null } },
    { $set: { 'creator.name': null } },
  );
  const changed = await history.updateMany(
    { 'actor.id': userId, 'actor.name': { $ne: null } },
    { $set: { 'actor.name': null } },
  );
  const approved = await database
    .collection<StoredApproval>(APPROVALS)
    .updateMany(
      { 'approver.id': userId, 'approver.name': { $ne: null } },
      { $set: { 'approver.name': null } },
    );
  const forecast = await database
    .collection<StoredForecast>(FORECASTS)
    .updateMany(
      { 'forecaster.id': userId, 'forecaster.name': { $ne: null } },
      { $set: { 'forecaster.name': null } },
    );
  let erased = [created, changed, approved, forecast].reduce((sum, one) => sum + one.modifiedCount, 0);
  for (const name of [DECISIONS, OUTCOMES, HISTORY, APPROVALS, FORECASTS]) {
    const imported = { 'imported_by.id': userId, 'imported_by.name': { $ne: null } };
    const change = { $set: { 'imported_by.name': null } };
    erased += (await database.collection(name).updateMany(imported, change)).modifiedCount;
  }
  return erased;
}

import { ApiError, type Author, type Forecast, type ForecastPut, newId } from '@waymark/contracts';
import { membersAmong, type RequestContext } from '@waymark/service-kit/http';
import { changesBetween, type Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { isOpen } from '../forecasts/list-forecasts.ts';
import { subjectOf } from './events.ts';
import { findDecision } from './find-decision.ts';

/** Stores the caller's forecast in place of an earlier one. Throws CONFLICT once an outcome was logged. */
export async function putDecisionForecast(
  { call, store, commit, now }: DecisionsContext,
  ctx: RequestContext,
  id: string,
  { probability, reason = null }: ForecastPut,
): Promise<Forecast> {
  const forecaster = await forecasterOf(call, ctx);
  const put = async (tx: Transaction) => {
    const decision = await findDecision(store, ctx, id, tx.session);
    if (!(await isOpen(store, decision, tx.session)))
      throw new ApiError('CONFLICT', {
        message: 'The outcome of this decision was logged, so its forecasts can no longer change.',
      });
    const before = await store.forecasts.of(decision, String(forecaster.id), tx.session);
    const isSame = before?.probability === probability && before.reason === reason;
    if (isSame && before.imported_by === null) return before;
    // An outcome that is logged at the same time conflicts: the forecast is before it or refused.
    await store.approvals.lock(decision, tx.session);
    const forecast: Forecast = {
      id: newId(),
      workspace_id: decision.workspace_id,
      decision_id: id,
      probability,
      reason,
      forecaster,
      state: 'current',
      imported_by: null,
      created_at: new Date(now()).toISOString(),
      ended_at: null,
    };
    await store.forecasts.replace(before, forecast, tx.session);
    const isHidden = ctx.access.hiddenForecasts;
    tx.emit('decision.forecast_given', {
      subject: subjectOf(decision),
      data: { ...forecast, ...(isHidden && { probability: null, reason: null }) },
      changes: isHidden ? {} : changesBetween(before, forecast, ['probability', 'reason']),
    });
    return forecast;
  };
  return commit(ctx, put, { queueKey: id });
}

/** Returns who forecasts: of a key the user or the service account that it belongs to. */
async function forecasterOf(call: DecisionsContext['call'], ctx: RequestContext): Promise<Author> {
  const { principal, actor, access } = ctx;
  if (principal.type !== 'api_key') return { type: actor.type, id: actor.id, name: actor.name };
  const { user_id: id, service_account: account } = principal;
  if (account) return { type: 'service_account', id, name: account.name };
  const name = (await membersAmong(call, access.workspaceId, [id])).get(id)?.name ?? null;
  return { type: 'session', id, name };
}

import { snapshotExport } from '@waymark/data-transfer';
import { scoreDecision } from '@waymark/quality';
import type { Bounded, Handlers } from '@waymark/service-kit/http';
import { runBatch } from '@waymark/service-kit/store';
import { importApprovalRules, putApprovalRules } from './approvals/approval-rules.ts';
import {
  createCalendarFeed,
  getCalendarFeed,
  getDecisionsCalendar,
  revokeCalendarFeed,
} from './calendar/calendar-feeds.ts';
import type { DecisionsContext } from './context.ts';
import { createDecisionApproval } from './decisions/create-approval.ts';
import { createDecision } from './decisions/create-decision.ts';
import { createDecisionReview } from './decisions/create-review.ts';
import { exportDecisionsCsv } from './decisions/csv.ts';
import { newContent } from './decisions/decision-fields.ts';
import { readPart, withParts } from './decisions/decision-parts.ts';
import { deleteDecision } from './decisions/delete-decision.ts';
import { findDecision } from './decisions/find-decision.ts';
import { putDecisionByExternalId } from './decisions/put-decision.ts';
import { putDecisionForecast } from './decisions/put-forecast.ts';
import { requestDecisionApproval } from './decisions/request-approval.ts';
import { restoreDecision } from './decisions/restore-decision.ts';
import { updateDecision } from './decisions/update-decision.ts';
import { getCalibration } from './metrics/get-calibration.ts';
import { getMetrics } from './metrics/get-metrics.ts';
import { getMetricsHistory } from './metrics/get-metrics-history.ts';
import { exportSources } from './transfer/export-sources.ts';
import {
  findTakenDecisions,
  importDecisions,
  importHistory,
  importParts,
} from './transfer/import-decisions.ts';

export function createRoutes(service: DecisionsContext): Handlers<'decisions'> {
  const { store } = service;
  const exported = snapshotExport(service.database, exportSources);
  const handlers: Handlers<'decisions'> = {
    async listDecisions({ ctx, query: { workspace_id: _, cursor, limit, sort, ...filters } }) {
      const { workspaceId } = ctx.access;
      const now = new Date(service.now()).toISOString();
      const list = (bounded?: Bounded) =>
        store.list(workspaceId, filters, sort, { cursor, limit, ...bounded }, now);
      // A text may have to be looked for in all titles.
      const page = filters.text === undefined ? list() : service.scan(ctx, list);
      const { data, next_cursor } = await page;
      return { decisions: data, next_cursor };
    },
    createDecision: ({ ctx, body }) => createDecision(service, ctx, body),
    exportDecisionsCsv: ({ ctx, query }) => exportDecisionsCsv(service, ctx, query.ids),
    getDecisionFacets({ ctx, query: { workspace_id: _, ...filters } }) {
      const { workspaceId } = ctx.access;
      const now = new Date(service.now()).toISOString();
      const count = (bounded: Bounded) => store.countFacets(workspaceId, filters, now, bounded);
      return service.scan(ctx, count, JSON.stringify(['facets', workspaceId, filters]));
    },
    listDeletedDecisions: ({ ctx, query: { since, cursor, limit } }) =>
      store.listDeleted(ctx.access.workspaceId, { since, cursor, limit, nowMs: service.now() }),
    listTrashedDecisions: ({ ctx, query }) => store.trash.list(ctx, 'decision', query),
    restoreDecision: ({ ctx, params }) => restoreDecision(service, ctx, params.id),
    async getDecision({ ctx, params, query }) {
      return withParts(service, ctx, await findDecision(store, ctx, params.id), query.include);
    },
    updateDecision: ({ ctx, params, body }) => updateDecision(service, ctx, params.id, body),
    putDecisionByExternalId: ({ ctx, params, body }) =>
      putDecisionByExternalId(service, ctx, params.externalId, body),
    deleteDecision: ({ ctx, params }) => deleteDecision(service, ctx, params.id),
    async listDecisionOutcomes({ ctx, params, query }) {
      return readPart.outcomes(service, await findDecision(store, ctx, params.id), query);
    },
    async getDecisionQuality({ ctx, params }) {
      return readPart.quality(service, await findDecision(store, ctx, params.id));
    },
    async listDecisionHistory({ ctx, params, query }) {
      return readPart.history(service, await findDecision(store, ctx, params.id), query);
    },
    async listDecisionLinks({ ctx, params, query }) {
      return readPart.links(service, await findDecision(store, ctx, params.id), query);
    },
    async listDecisionApprovals({ ctx, params, query }) {
      return readPart.approvals(service, await findDecision(store, ctx, params.id), query);
    },
    async listDecisionForecasts({ ctx, params, query }) {
      return readPart.forecasts(service, await findDecision(store, ctx, params.id), query, ctx);
    },
    putDecisionForecast: ({ ctx, params, body }) => putDecisionForecast(service, ctx, params.id, body),
    scoreDecisionDraft: ({ ctx, body }) =>
      scoreDecision(newContent(body).content, { model: ctx.access.qualityModel }),

    getApprovalRules: ({ ctx }) => store.approvals.rules(ctx.access.workspaceId),
    putApprovalRules: ({ ctx, body }) => putApprovalRules(service, ctx, body),
    createDecisionApproval: ({ ctx, params, body }) => createDecisionApproval(service, ctx, params.id, body),
    createDecisionReview: ({ ctx, params, body }) => createDecisionReview(service, ctx, params.id, body),
    requestDecisionApproval: ({ ctx, params, body }) =>
      requestDecisionApproval(service, ctx, params.id, body),

    async getMetrics({ ctx, query: { include = [], weeks } }) {
      const isUser = ctx.principal.type === 'session';
      const [metrics, history, calendar_feed, calibration] = await Promise.all([
        getMetrics(service, ctx),
        include.includes('history') && getMetricsHistory(service, ctx, weeks),
        include.includes('calendar_feed') && (isUser ? getCalendarFeed(service, ctx) : { feed: null }),
        include.includes('calibration') && getCalibration(service, ctx),
      ]);
      if (include.length === 0) return metrics;
      const included = {
        ...(history && { history }),
        ...(calendar_feed && { calendar_feed }),
        ...(calibration && { calibration }),
      };
      return { ...metrics, included };
    },
    getMetricsHistory: ({ ctx, query }) => getMetricsHistory(service, ctx, query.weeks),

    getCalibration: ({ ctx }) => getCalibration(service, ctx),

    getDecisionsCalendar: ({ query }) => getDecisionsCalendar(service, query.token),
    getCalendarFeed: ({ ctx }) => getCalendarFeed(service, ctx),
    createCalendarFeed: ({ ctx }) => createCalendarFeed(service, ctx),
    revokeCalendarFeed: ({ ctx }) => revokeCalendarFeed(service, ctx),

    applyDecisionBatch: ({ ctx, body }) => runBatch(service.commit, ctx, body, handlers),

    async resolveDecision({ params }) {
      return { decision: await store.resolve(params.id) };
    },
    beginDecisionsExport: ({ query }) => exported.begin(query.workspace_id),
    readDecisionsForExport: ({ query }) => exported.read(query),
    findTakenDecisions: ({ body }) => findTakenDecisions(service, body),
    importDecisions: ({ body }) => importDecisions(service, body),
    importOutcomes: ({ body }) => importParts(service, body, body.outcomes, store.imports.insertOutcomes),
    importApprovals: ({ body }) => importParts(service, body, body.approvals, store.imports.insertApprovals),
    importForecasts: ({ body }) => importParts(service, body, body.forecasts, store.imports.insertForecasts),
    importHistory: ({ body }) => importHistory(service, body),
    importApprovalRules: ({ body }) => importApprovalRules(service, body),
    purgeDecisions: ({ params }) => service.workspaces.purge(params.id),
    async snapshotDecisions({ query: { after = '', limit } }) {
      return { data: await store.snapshot(after, limit) };
    },
  };
  return handlers;
}

import { importPortions, snapshotExport } from '@waymark/data-transfer';
import type { Handlers } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import type { CalendarFeeds } from './calendar/calendar-feeds.ts';
import { createDecision } from './decisions/create-decision.ts';
import { contentOf } from './decisions/decision-fields.ts';
import { deleteDecision } from './decisions/delete-decision.ts';
import { exportDecisions } from './decisions/export-decisions-csv.ts';
import { findDecision } from './decisions/find-decision.ts';
import { settleOutcome, unknownOutcome } from './decisions/outcome.ts';
import { updateDecision } from './decisions/update-decision.ts';
import { decisionLinks } from './links/list-decision-links.ts';
import { workspaceMetrics } from './metrics/get-metrics.ts';
import { metricsHistory } from './metrics/get-metrics-history.ts';
import { scoreDecision } from './quality/scoring.ts';
import { ownedCollections } from './store/collections.ts';
import { importStore } from './store/imports.ts';
import type { DecisionStore } from './store/index.ts';
import type { TallyStore } from './store/tallies.ts';
import { exportSources } from './transfer/export-sources.ts';
import { decisionImports } from './transfer/import-decisions.ts';

export function decisionRoutes(
  runtime: ServiceRuntime,
  store: DecisionStore,
  tallies: TallyStore,
  calendar: CalendarFeeds,
): Handlers<'decisions'> {
  const { purge } = workspacePurge(runtime.database, ownedCollections);
  const exported = snapshotExport(runtime.database, exportSources);
  const importing = importStore(runtime.database, tallies);
  const imports = decisionImports(importing, store, importPortions(runtime));
  return {
    async listDecisions({ query: { workspace_id, cursor, limit, sort, ...filters } }) {
      const now = new Date(runtime.now()).toISOString();
      const { items, next_cursor } = await store.list(workspace_id, filters, sort, { cursor, limit }, now);
      return { decisions: items, next_cursor };
    },

    createDecision: ({ ctx, body }) => createDecision(runtime, store, ctx, body),

    exportDecisionsCsv: ({ ctx }) => exportDecisions(runtime, store, ctx),

    getDecision: ({ ctx, params }) => findDecision(store, ctx, params.id),

    updateDecision: ({ ctx, params, body }) => updateDecision(runtime, store, ctx, params.id, body),

    async deleteDecision({ ctx, params }) {
      await deleteDecision(runtime, store, ctx, params.id);
      return undefined;
    },

    async listDecisionOutcomes({ ctx, params, query }) {
      const { workspace_id, id } = await findDecision(store, ctx, params.id);
      const { items, next_cursor } = await store.listOutcomes(workspace_id, id, query);
      return { data: items, next_cursor };
    },

    async getDecisionQuality({ ctx, params }) {
      const decision = await findDecision(store, ctx, params.id);
      const isOver =
        decision.outcome !== 'pending' || (await store.hasOutcome(decision.workspace_id, decision.id));
      return scoreDecision(decision, { forecastOpen: !isOver });
    },

    async listDecisionHistory({ ctx, params, query }) {
      const { workspace_id, id } = await findDecision(store, ctx, params.id);
      const { items, next_cursor } = await store.listHistory(workspace_id, id, query);
      return { data: items, next_cursor };
    },

    async listDecisionLinks({ ctx, params, query }) {
      return decisionLinks(store, await findDecision(store, ctx, params.id), query);
    },

    scoreDecisionDraft({ body }) {
      const { fields } = settleOutcome(unknownOutcome, body, false);
      return scoreDecision({ ...contentOf(body), ...fields });
    },

    getMetrics: ({ query }) => workspaceMetrics(store, query.workspace_id, runtime.now()),
    getMetricsHistory: ({ query }) => metricsHistory(store, query.workspace_id, query.weeks, runtime.now()),

    beginDecisionsExport: ({ query }) => exported.begin(query.workspace_id),
    readDecisionsForExport: ({ query }) => exported.read(query),

    async findTakenDecisions({ body: { workspace_id, collection, ids } }) {
      const taken = await importing.taken(workspace_id, collection, ids);
      if (collection !== 'decisions') return taken;
      const here = await store.pick(workspace_id, taken.here);
      const links = here.flatMap(({ id, supersedes }) => (supersedes ? [[id, supersedes] as const] : []));
      return { ...taken, supersedes: Object.fromEntries(links) };
    },
    importDecisions: ({ body }) => imports.decisions(body),
    importOutcomes: ({ body }) => imports.outcomes(body),
    importHistory: ({ body }) => imports.history(body),

    getDecisionsCalendar: ({ query }) => calendar.read(query.token),

    createCalendarFeed: ({ ctx }) => calendar.create(ctx),

    async revokeCalendarFeed({ ctx }) {
      await calendar.revoke(ctx);
      return undefined;
    },

    purgeDecisions: ({ params }) => purge(params.id),

    async snapshotDecisions({ query: { after = '', limit } }) {
      return { data: await store.snapshot(after, limit) };
    },
  };
}

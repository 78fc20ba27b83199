import { ApiError, type AuditVerification, invalid } from '@waymark/contracts';
import type { Handlers } from '@waymark/service-kit/http';
import { sharedRuns } from '@waymark/service-kit/jobs';
import type { AuditContext } from './context.ts';
import { listEventLog } from './event-log/list-event-log.ts';
import { exportAuditLog } from './export-audit-log.ts';
import { verifyAuditLog } from './verification/verify-audit-log.ts';
import { withTitles } from './with-titles.ts';
import { checkFilters, entriesFor } from './withhold-details.ts';

export function createRoutes(service: AuditContext): Handlers<'audit'> {
  const { store, copies, workspaces, eventLog, retentionDays } = service;
  const verifications = sharedRuns<AuditVerification>();
  return {
    async listAuditLog({ ctx, query: { workspace_id: _, cursor, limit, ...filters } }) {
      checkFilters(ctx, filters);
      const { data, next_cursor } = await store.list(ctx.access.workspaceId, filters, { cursor, limit });
      const told = await withTitles(service, ctx.access.workspaceId, data.map(entriesFor(ctx)));
      return { data: told, next_cursor };
    },
    async getAuditFacets({ ctx }) {
      return { ...(await store.facets(ctx.access.workspaceId)), retention_days: retentionDays };
    },
    exportAuditLog: ({ ctx }) => exportAuditLog(service, ctx),
    verifyAuditLog({ ctx }) {
      const { workspaceId } = ctx.access;
      return verifications(workspaceId, (over) => verifyAuditLog(service, workspaceId, over), ctx.gone());
    },
    listEventLog: ({ ctx, query }) => listEventLog(eventLog, ctx, query),
    async listEventOffsets({ ctx }) {
      return { data: await eventLog.store.listOffsets(ctx.access.workspaceId) };
    },
    async putEventOffset({ ctx, body: { name, number } }) {
      const { workspaceId } = ctx.access;
      const newest = await eventLog.store.newestEvent(workspaceId);
      if (number > newest)
        throw invalid('number', `must be at most ${newest}, the number of the newest event`);
      const offset = { name, number, updated_at: new Date(service.now()).toISOString() };
      await eventLog.store.putOffset(workspaceId, offset);
      return offset;
    },
    async deleteEventOffset({ ctx, query: { name } }) {
      const isDeleted = await eventLog.store.deleteOffset(ctx.access.workspaceId, name);
      if (!isDeleted) throw new ApiError('NOT_FOUND');
    },
    async purgeAuditLog({ params }) {
      // NATS gets the mark first: a mark that only MongoDB has is then known to be forged.
      await copies.markDeleted(params.id);
      return workspaces.purge(params.id);
    },
    filterAuditedEvents: async ({ body: { ids } }) => ({ ids: await store.knownIds(ids) }),
  };
}

import type { Handlers } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { WorkspacePurge } from '@waymark/service-kit/store';
import type { SigningKeys } from './chain/signing.ts';
import { exportAuditLog } from './export-audit-log.ts';
import type { AuditStore } from './store/index.ts';
import { sharedRuns } from './verification/shared-runs.ts';
import { verifyAuditLog } from './verification/verify-audit-log.ts';

export function auditRoutes(
  runtime: ServiceRuntime,
  store: AuditStore,
  keys: SigningKeys,
  { purge }: WorkspacePurge,
): Handlers<'audit'> {
  const verify = sharedRuns((chain, signal) => verifyAuditLog(store, keys, chain, signal));
  return {
    async listAuditLog({ query: { workspace_id, cursor, limit, ...filters } }) {
      const { items, next_cursor } = await store.list(workspace_id, filters, { cursor, limit });
      return { data: items, next_cursor };
    },

    async exportAuditLog({ ctx, query: { workspace_id } }) {
      const checkpoint = await store.checkpoint(workspace_id);
      const head = await store.head(workspace_id);
      await runtime.commit(ctx, async (tx) => {
        tx.emit('audit_log.exported', {
          subject: { type: 'audit_log', id: workspace_id, version: 1 },
          data: {},
        });
      });
      return {
        stream: exportAuditLog(store, keys, workspace_id, { checkpoint, head }),
        fileName: `audit-log-${workspace_id}.ndjson`,
      };
    },

    verifyAuditLog: ({ ctx, query: { workspace_id } }) => verify(workspace_id, ctx.gone()),

    purgeAuditLog: ({ params }) => purge(params.id),

    async filterAuditedEvents({ body: { ids } }) {
      return { ids: await store.knownIds(ids) };
    },
  };
}

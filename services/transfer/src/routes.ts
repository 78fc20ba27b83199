import { ImportJob } from '@waymark/contracts';
import { authorizeRecord, type Handlers } from '@waymark/service-kit/http';
import { batch } from './batch/batch.ts';
import type { TransferContext } from './context.ts';
import { exportMadr } from './export/export-madr.ts';
import { exportWorkspace } from './export/export-workspace.ts';
import { createImport } from './import/create-import.ts';

export function createRoutes(service: TransferContext): Handlers<'transfer'> {
  return {
    batch: ({ ctx, body, request }) => batch(service, ctx, body, request),
    createImport: ({ ctx, query, request }) =>
      createImport(service, ctx, { ...query, workspace_id: ctx.access.workspaceId }, request),
    exportMadr: ({ ctx }) => exportMadr(service, ctx),
    exportWorkspace: ({ ctx }) => exportWorkspace(service, ctx),
    async getImport({ ctx, params, query }) {
      const job = await authorizeRecord(ctx, await service.store.jobs.byId(params.id), query.workspace_id);
      // The schema has only the public fields, so parsing removes the internal ones.
      return ImportJob.parse(job);
    },
    purgeTransfer: ({ params }) => service.workspaces.purge(params.id),
  };
}

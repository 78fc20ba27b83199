import type { Handlers } from '@waymark/service-kit/http';
import type { TransferContext } from './context.ts';
import { exportMadr } from './export/export-madr.ts';
import { exportWorkspace } from './export/export-workspace.ts';
import { createImport } from './import/create-import.ts';
import { getImport } from './import/get-import.ts';

export function transferRoutes(service: TransferContext): Handlers<'transfer'> {
  return {
    createImport: ({ ctx, query, request }) => createImport(service, ctx, query, request),
    exportMadr: ({ ctx }) => exportMadr(service, ctx),
    exportWorkspace: ({ ctx }) => exportWorkspace(service, ctx),
    getImport: ({ ctx, params, query }) => getImport(service, ctx, params.id, query.workspace_id),
    purgeTransfer: ({ params }) => service.workspaces.purge(params.id),
  };
}

import { authorizeRecord, type Handlers } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { exportMadr } from './export/export-madr.ts';
import { exportWorkspace } from './export/export-workspace.ts';
import { createImports } from './import/create-import.ts';
import { importView } from './import/import-view.ts';
import type { Imports } from './import/run-imports.ts';
import { type ImportStore, ownedCollections } from './store/index.ts';

export function transferRoutes(
  runtime: ServiceRuntime,
  store: ImportStore,
  imports: Imports,
  uploadLeaseMs: number,
): Handlers<'transfer'> {
  const workspaces = workspacePurge(runtime.database, ownedCollections);
  const createImport = createImports(runtime, store, workspaces, {
    begin: imports.begin,
    leaseMs: uploadLeaseMs,
  });
  return {
    createImport: ({ ctx, query, request }) => createImport(ctx, query, request),
    exportMadr: ({ ctx }) => exportMadr(runtime, ctx),
    exportWorkspace: ({ ctx }) => exportWorkspace(runtime, ctx),
    async getImport({ ctx, params, query }) {
      return importView(await authorizeRecord(ctx, await store.byId(params.id), query.workspace_id));
    },
    purgeTransfer: ({ params }) => workspaces.purge(params.id),
  };
}

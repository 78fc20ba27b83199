import type { Handlers, ServiceRuntime } from '@waymark/service-kit';
import { exportMadr } from './export-madr.ts';
import { exportWorkspace } from './export-workspace.ts';

export function transferRoutes(runtime: ServiceRuntime): Handlers<'transfer'> {
  return {
    exportMadr: ({ ctx }) => exportMadr(runtime, ctx),
    exportWorkspace: ({ ctx }) => exportWorkspace(runtime, ctx),
  };
}

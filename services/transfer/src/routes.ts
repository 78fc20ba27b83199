import type { Handlers, ServiceRuntime } from '@waymark/service-kit';
import { exportWorkspace } from './export-workspace.ts';

export function transferRoutes(runtime: ServiceRuntime): Handlers<'transfer'> {
  return {
    exportWorkspace: ({ ctx }) => exportWorkspace(runtime, ctx),
  };
}

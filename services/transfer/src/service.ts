import { openService, type RunningService, type Seams } from '@waymark/service-kit';
import { readConfig } from './config.ts';
import { transferRoutes } from './routes.ts';
import { schema } from './schema.ts';

export async function startTransfer(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const runtime = openService(schema, readConfig(env), { seams });
  return runtime.serve(transferRoutes(runtime));
}

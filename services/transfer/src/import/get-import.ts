import { ImportJob } from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import type { TransferContext } from '../context.ts';

export async function getImport(
  { store }: Pick<TransferContext, 'store'>,
  ctx: RequestContext,
  id: string,
  workspaceId: string | undefined,
): Promise<ImportJob> {
  // Parsing leaves out what callers do not see: the schema has only the public fields.
  return ImportJob.parse(await authorizeRecord(ctx, await store.jobs.byId(id), workspaceId));
}

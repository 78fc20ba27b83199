import { ImportJob } from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import type { TransferContext } from '../context.ts';

export async function getImport(
  { store }: Pick<TransferContext, 'store'>,
  ctx: RequestContext,
  id: string,
  workspaceId: string | undefined,
): Promise<ImportJob> {
  // The schema has only the public fields, so parsing removes the internal ones.
  return ImportJob.parse(await authorizeRecord(ctx, await store.jobs.byId(id), workspaceId));
}

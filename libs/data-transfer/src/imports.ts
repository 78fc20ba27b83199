import { createHash } from 'node:crypto';
import { ApiError } from '@waymark/contracts';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import { type Database, inSession, serviceContext, type Transaction } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';

export interface ImportPortion {
  workspace_id: string;
  /** Identifies the portion: a repeat gets the first answer and stores nothing. */
  portion: string;
  /** Answers what storing the portion would answer, and stores nothing. */
  check_only?: boolean | undefined;
}

/** Ends a transaction without its changes. */
class CheckedOnly extends Error {
  readonly answer: unknown;
  constructor(answer: unknown) {
    super('The portion is only checked');
    this.answer = answer;
  }
}

/** Runs `work` in a transaction, once for each portion. Throws NOT_FOUND when the workspace was deleted. */
export type StorePortion = <T>(portion: ImportPortion, work: (tx: Transaction) => Promise<T>) => Promise<T>;

export function importPortions({
  commit,
  workspaces,
  service,
}: Pick<ServiceRuntime, 'commit' | 'workspaces' | 'service'>): StorePortion {
  return async <T>(
    { workspace_id, portion, check_only }: ImportPortion,
    work: (tx: Transaction) => Promise<T>,
  ) => {
    const id = createHash('sha256').update(`import\0${portion}`).digest('hex');
    const ctx = { ...serviceContext(service, workspace_id), idempotency: { id, fingerprint: portion } };
    try {
      return await commit(ctx, async (tx) => {
        if ((await workspaces.deletedAmong([workspace_id])).size > 0) throw new ApiError('NOT_FOUND');
        const answer = await work(tx);
        if (check_only) throw new CheckedOnly(answer);
        return answer;
      });
    } catch (error) {
      if (error instanceof CheckedOnly) return error.answer as T;
      // Without a retry time, this is a conflict with stored records.
      if (!(error instanceof ApiError) || error.details.retryAfterSeconds === undefined) throw error;
      const message = 'Another process is storing this portion of the import.';
      throw new ApiError('SERVICE_UNAVAILABLE', { message });
    }
  };
}

/** Returns which ids of a collection exist in this workspace, and which in another one. */
export async function takenIds(
  database: Database,
  collection: string,
  workspaceId: string,
  ids: readonly string[],
  session?: ClientSession,
): Promise<{ here: string[]; elsewhere: string[] }> {
  const documents = database.collection<{ _id: string; workspace_id: string }>(collection);
  const options = { projection: { workspace_id: 1 }, ...inSession(session) };
  const found = await documents.find({ _id: { $in: [...ids] } }, options).toArray();
  const of = (isHere: boolean) =>
    found.filter((document) => (document.workspace_id === workspaceId) === isHere).map(({ _id }) => _id);
  return { here: of(true), elsewhere: of(false) };
}

/** The result of a portion. It excludes records that the workspace already had. */
export interface StoredOrLeftOut {
  stored: number;
  /** The ids of records that were stored neither now nor before. */
  left_out: string[];
  /** The ids of stored records whose external ids others have. */
  unnamed?: string[] | undefined;
}

/** Returns the records that the workspace lacks. Throws CONFLICT for an id of another workspace. */
export async function freshRecords<T extends { id: string }>(
  database: Database,
  collection: string,
  workspaceId: string,
  records: readonly T[],
  session: ClientSession,
): Promise<T[]> {
  const ids = records.map(({ id }) => id);
  const { here, elsewhere } = await takenIds(database, collection, workspaceId, ids, session);
  if (elsewhere.length > 0) throw takenElsewhere(elsewhere[0]!);
  const known = new Set(here);
  return records.filter(({ id }) => !known.has(id));
}

/** Returns the records, without the external ids that others in the workspace or in the list have. */
export async function withFreeExternalIds<T extends { id: string; external_id: string | null }>(
  database: Database,
  collection: string,
  workspace_id: string,
  records: readonly T[],
  session: ClientSession,
): Promise<{ records: T[]; unnamed: string[] }> {
  const given = records.flatMap(({ external_id }) => external_id ?? []);
  if (given.length === 0) return { records: [...records], unnamed: [] };
  const documents = database.collection<{ external_id: string; workspace_id: string }>(collection);
  const filter = { workspace_id, external_id: { $in: given } };
  const found = await documents.find(filter, { projection: { external_id: 1 }, session }).toArray();
  const taken = new Set<string | null>(found.map(({ external_id }) => external_id));
  const unnamed: string[] = [];
  const free = records.map((record) => {
    if (record.external_id === null) return record;
    if (!taken.has(record.external_id)) {
      taken.add(record.external_id);
      return record;
    }
    unnamed.push(record.id);
    return { ...record, external_id: null };
  });
  return { records: free, unnamed };
}

export function takenElsewhere(id: string): ApiError {
  return new ApiError('CONFLICT', { message: `The id ${id} is taken; import with ids=remap.` });
}

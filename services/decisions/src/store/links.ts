import type { Decision } from '@waymark/contracts';
import { type Database, type PageRequest, recordCollection } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { DECISIONS, GUARDS, type StoredGuard } from './collections.ts';

/** The fields of a decision that describe its links. */
export type LinkFields = Pick<
  Decision,
  'id' | 'workspace_id' | 'title' | 'status' | 'supersedes' | 'relates_to'
>;

const projection = { workspace_id: 1, title: 1, status: 1, supersedes: 1, relates_to: 1 } as const;

export function linkStore(database: Database) {
  const { find, page: pageOf } = recordCollection<LinkFields>(database, DECISIONS, { projection });
  const guards = database.locks<StoredGuard>(GUARDS);

  return {
    /** Returns those `ids` that are decisions of the workspace. */
    pick: (workspace_id: string, ids: readonly string[], session?: ClientSession) =>
      find({ _id: { $in: [...ids] }, workspace_id }, { session }),

    /** Returns the decisions that supersede one of `ids`, newest first; all of them without a limit. */
    superseding: (
      workspace_id: string,
      ids: readonly string[],
      { limit = 0, session }: { limit?: number; session?: ClientSession } = {},
    ) => find({ workspace_id, supersedes: { $in: [...ids] } }, { sort: { _id: -1 }, limit, session }),

    /** Returns a page of the decisions that a decision names or that name it, newest first. */
    listLinked({ id, workspace_id, supersedes, relates_to }: LinkFields, page: PageRequest) {
      const named = [...relates_to, ...(supersedes === null ? [] : [supersedes])];
      const linked = { workspace_id, $or: [{ _id: { $in: named } }, { supersedes: id }, { relates_to: id }] };
      return pageOf(linked, -1, page, JSON.stringify(['links', workspace_id, id]));
    },

    /** Makes concurrent transactions that set supersedes links of a workspace conflict and run again. */
    async lockLinks(workspaceId: string, session: ClientSession): Promise<void> {
      await guards.updateOne({ _id: workspaceId }, { $inc: { revision: 1 } }, { upsert: true, session });
    },
  };
}

import type { CursorCodec, Decision } from '@waymark/contracts';
import {
  fromDocument,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
} from '@waymark/service-kit/store';
import type { ClientSession, Collection } from 'mongodb';
import type { StoredDecision, StoredGuard } from './collections.ts';

/** The fields of a decision that describe its links. */
export type LinkFields = Pick<
  Decision,
  'id' | 'workspace_id' | 'title' | 'status' | 'supersedes' | 'relates_to'
>;

export const linkProjection = { workspace_id: 1, title: 1, status: 1, supersedes: 1, relates_to: 1 } as const;

/** Every decision that `decision` names or that names it, newest first. */
export function linkedPage(options: {
  decisions: Collection<StoredDecision>;
  cursors: CursorCodec;
  decision: LinkFields;
  page: PageRequest;
}): Promise<KeysetPage<LinkFields>> {
  const { decisions, cursors, decision, page } = options;
  const { id, workspace_id, supersedes, relates_to } = decision;
  const named = [...relates_to, ...(supersedes === null ? [] : [supersedes])];
  return keysetPage<LinkFields>({
    collection: decisions as unknown as Collection<Stored<LinkFields>>,
    filter: { workspace_id, $or: [{ _id: { $in: named } }, { supersedes: id }, { relates_to: id }] },
    sort: [['_id', -1]],
    page,
    cursors,
    scope: JSON.stringify(['links', workspace_id, id]),
    projection: linkProjection,
  });
}

/** The decisions that supersede one of `ids`, newest first. */
export async function superseding(
  decisions: Collection<StoredDecision>,
  workspaceId: string,
  ids: readonly string[],
  { limit, session }: { limit?: number; session?: ClientSession | undefined } = {},
): Promise<LinkFields[]> {
  const filter = { workspace_id: workspaceId, supersedes: { $in: [...ids] } };
  const options = {
    sort: { _id: -1 },
    projection: linkProjection,
    ...(limit !== undefined && { limit }),
    ...(session && { session }),
  } as const;
  const found = await decisions.find<Stored<LinkFields>>(filter, options).toArray();
  return found.map((document) => fromDocument<LinkFields>(document));
}

/**
 * Makes concurrent transactions that change supersedes links of a workspace conflict, so that all but one are
 * retried.
 */
export async function lockLinks(
  guards: Collection<StoredGuard>,
  workspaceId: string,
  session: ClientSession,
): Promise<void> {
  await guards.updateOne({ _id: workspaceId }, { $inc: { revision: 1 } }, { upsert: true, session });
}

import { type CursorCodec, type Invitation, invitationDefaults } from '@waymark/contracts';
import type { Database, Indexes, PageRequest } from '@waymark/service-kit/store';
import { type DatabaseSession, recordCollection } from './record-collection.ts';

export interface InvitationRecord extends Invitation {
  /** SHA-256 of the token; the token itself is not stored. */
  token_hash: string;
  /** When it was accepted or revoked; null while it is open. */
  closed_at: string | null;
  version: number;
  remove_at: Date;
}

const INVITATIONS = 'invitations';

export const invitationIndexes: Indexes = {
  [INVITATIONS]: [
    { key: { token_hash: 1 }, unique: true },
    { key: { workspace_id: 1, _id: -1 } },
    { key: { email: 1, _id: 1 }, partialFilterExpression: { email: { $type: 'string' } } },
    { key: { remove_at: 1 }, expireAfterSeconds: 0 },
  ],
};

/** An invitation is open until it is accepted, revoked or expired. */
export function invitationStore(database: Database, cursors: CursorCodec) {
  const invitations = recordCollection<InvitationRecord>(database, INVITATIONS, invitationDefaults);
  const open = (now: string) => ({ closed_at: null, expires_at: { $gt: now } });

  return {
    byId: invitations.byId,
    insert: invitations.insert,

    openByTokenHash(
      tokenHash: string,
      now: string,
      session?: DatabaseSession,
    ): Promise<InvitationRecord | null> {
      return invitations.findOne({ token_hash: tokenHash, ...open(now) }, session);
    },

    /** Newest first. */
    openByEmail(email: string, now: string, session: DatabaseSession): Promise<InvitationRecord[]> {
      return invitations.find({ email, ...open(now) }, { sort: { _id: -1 }, session });
    },

    openPage(workspaceId: string, now: string, page: PageRequest) {
      const scope = `invitations/${workspaceId}`;
      return invitations.page({ workspace_id: workspaceId, ...open(now) }, -1, { page, cursors, scope });
    },

    countOpen(workspaceId: string, now: string, session: DatabaseSession): Promise<number> {
      return invitations.count({ workspace_id: workspaceId, ...open(now) }, session);
    },

    /** Removes every invitation of an email address, open or not. */
    async forgetEmail(email: string, session: DatabaseSession): Promise<void> {
      await invitations.collection.deleteMany({ email }, { session });
    },

    async close(id: string, now: string, session: DatabaseSession): Promise<void> {
      const change = { $set: { closed_at: now }, $inc: { version: 1 } };
      await invitations.collection.updateOne({ _id: id }, change, { session });
    },
  };
}

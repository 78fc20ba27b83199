import { type Invitation, invitationDefaults } from '@waymark/contracts';
import {
  type Database,
  type DatabaseSession,
  type PageRequest,
  recordCollection,
} from '@waymark/service-kit/store';

export interface InvitationRecord extends Invitation {
  /** SHA-256 of the token; the token itself is not stored. */
  token_hash: string;
  /** When it was accepted or revoked; null while it is open. */
  closed_at: string | null;
  version: number;
  remove_at: Date;
}

/** An invitation is open until it is accepted, revoked or expired. */
export function invitationStore(database: Database) {
  const invitations = recordCollection<InvitationRecord>(database, 'invitations', {
    defaults: invitationDefaults,
  });
  const open = (now: string) => ({ closed_at: null, expires_at: { $gt: now } });

  return {
    byId: invitations.byId,
    insert: invitations.insert,

    openByTokenHash: (token_hash: string, now: string, session?: DatabaseSession) =>
      invitations.findOne({ token_hash, ...open(now) }, session),

    openByEmail: (email: string, now: string, session: DatabaseSession) =>
      invitations.find({ email, ...open(now) }, { sort: { _id: -1 }, session }),

    openPage(workspaceId: string, now: string, page: PageRequest) {
      const scope = `invitations/${workspaceId}`;
      return invitations.page({ workspace_id: workspaceId, ...open(now) }, -1, page, scope);
    },

    countOpen: (workspaceId: string, now: string, session: DatabaseSession) =>
      invitations.count({ workspace_id: workspaceId, ...open(now) }, session),

    async forgetEmail(email: string, session: DatabaseSession): Promise<void> {
      await invitations.collection.deleteMany({ email }, { session });
    },

    async noteMail(id: string, mail: InvitationRecord['mail']): Promise<void> {
      await invitations.collection.updateOne({ _id: id }, { $set: { mail } });
    },

    async close(id: string, now: string, session: DatabaseSession): Promise<void> {
      const change = { $set: { closed_at: now }, $inc: { version: 1 } };
      await invitations.collection.updateOne({ _id: id }, change, { session });
    },
  };
}

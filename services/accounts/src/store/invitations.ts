import type { CursorCodec, Role } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import { type DatabaseSession, inSession } from './in-session.ts';

export interface InvitationRecord {
  id: string;
  workspace_id: string;
  /** Lower-cased; null for whoever has the link. */
  email: string | null;
  role: Role;
  /** SHA-256 of the token; the token itself is nowhere. */
  token_hash: string;
  invited_by: string;
  created_at: string;
  expires_at: string;
  /** When it was accepted or taken back; null while it is open. */
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

export function invitationStore(database: Database) {
  const invitations = database.collection<Stored<InvitationRecord>>(INVITATIONS);
  const record = (found: Stored<InvitationRecord> | null) => found && fromDocument<InvitationRecord>(found);
  const open = (now: string) => ({ closed_at: null, expires_at: { $gt: now } });

  return {
    async byId(id: string, session?: DatabaseSession): Promise<InvitationRecord | null> {
      return record(await invitations.findOne({ _id: id }, inSession(session)));
    },

    /** The invitation if it can still be accepted. */
    async openByTokenHash(
      tokenHash: string,
      now: string,
      session?: DatabaseSession,
    ): Promise<InvitationRecord | null> {
      return record(await invitations.findOne({ token_hash: tokenHash, ...open(now) }, inSession(session)));
    },

    /** The invitations of an email, newest first. */
    async openByEmail(email: string, now: string, session: DatabaseSession): Promise<InvitationRecord[]> {
      const found = await invitations
        .find({ email, ...open(now) }, { session })
        .sort({ _id: -1 })
        .toArray();
      return found.map((document) => fromDocument<InvitationRecord>(document));
    },

    openPage(
      workspaceId: string,
      now: string,
      paging: { page: PageRequest; cursors: CursorCodec },
    ): Promise<KeysetPage<InvitationRecord>> {
      return keysetPage<InvitationRecord>({
        collection: invitations,
        filter: { workspace_id: workspaceId, ...open(now) },
        sort: [['_id', -1]],
        scope: `invitations/${workspaceId}`,
        ...paging,
      });
    },

    countOpen(workspaceId: string, now: string, session: DatabaseSession): Promise<number> {
      return invitations.countDocuments({ workspace_id: workspaceId, ...open(now) }, { session });
    },

    async insert(invitation: InvitationRecord, session: DatabaseSession): Promise<void> {
      await invitations.insertOne(toDocument(invitation), { session });
    },

    /** Drops every invitation of an address, open or not. */
    async forgetEmail(email: string, session: DatabaseSession): Promise<void> {
      await invitations.deleteMany({ email }, { session });
    },

    async close(id: string, now: string, session: DatabaseSession): Promise<void> {
      await invitations.updateOne(
        { _id: id },
        { $set: { closed_at: now }, $inc: { version: 1 } },
        { session },
      );
    },
  };
}

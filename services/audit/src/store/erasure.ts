import type { Database } from '@waymark/service-kit/store';
import { auditCollections } from './collections.ts';

/** Entries lose their details and the salt, without which the details' hash says nothing. */
export function entryErasure(database: Database) {
  const { entries } = auditCollections(database);
  const erased = { $set: { details: null, details_salt: null } };
  return {
    /** Of what the person did, and of what mentions the person. */
    async ofPerson({ userId, email }: { userId: string; email: string }): Promise<number> {
      const mentioned = new RegExp([userId, email].map(literal).join('|'));
      const theirs = { $or: [{ 'actor.id': userId }, { resource_id: userId }, { details: mentioned }] };
      return (await entries.updateMany({ ...theirs, details: { $ne: null } }, erased)).modifiedCount;
    },
  };
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

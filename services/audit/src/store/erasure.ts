import type { Database } from '@waymark/service-kit/store';
import { auditCollections } from './collections.ts';

/**
 * Erases the details of the entries that a person made or that mention the person, and their salt, without
 * which the details' hash reveals nothing. Returns how many entries were erased.
 */
export async function eraseDetails(
  database: Pick<Database, 'collection'>,
  { userId, email }: { userId: string; email: string },
): Promise<number> {
  const mentioned = new RegExp([userId, email].map(escapeRegExp).join('|'));
  const theirs = { $or: [{ 'actor.id': userId }, { resource_id: userId }, { details: mentioned }] };
  const erased = { $set: { details: null, details_salt: null } };
  const { entries } = auditCollections(database);
  return (await entries.updateMany({ ...theirs, details: { $ne: null } }, erased)).modifiedCount;
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

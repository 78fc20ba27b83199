import type { Database } from '@waymark/service-kit';
import { entryErasure } from './store.ts';

/**
 * Erases what names a person from the entries of what they did: name, address, program, and what they changed. The chains
 * hold, because they count details through a hash. Also what others did to the person: entries that mention the id or the
 * address. Reads every entry. Returns how many were erased; done again, none.
 */
export function erasePersonFromAudit(
  database: Database,
  person: { userId: string; email: string },
): Promise<number> {
  return entryErasure(database).ofPerson(person);
}

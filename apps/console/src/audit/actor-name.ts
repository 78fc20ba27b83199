import type { Schemas } from '@waymark/client/api';

const ACTORS = { api_key: 'A key', session: 'A user', service: 'Waymark', anonymous: 'Somebody' };

type Actor = Pick<Schemas['AuditEntry']['actor'], 'type' | 'name' | 'key_prefix'>;

/** The name of an actor, as far as it is known. */
export function nameOf({ type, name, key_prefix }: Actor): string {
  const known = name ?? (type === 'service' ? ACTORS.service : `${ACTORS[type]} (erased)`);
  return key_prefix ? `${known} (${key_prefix}…)` : known;
}

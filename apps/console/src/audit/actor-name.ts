import type { Schemas } from '@waymark/client/api';
import { auditTexts as t } from '../texts/audit.ts';

type Actor = Pick<Schemas['AuditEntry']['actor'], 'type' | 'name' | 'key_prefix'>;

/** The name of an actor, as far as it is known. */
export function nameOf({ type, name, key_prefix }: Actor): string {
  const known = name ?? (type === 'service' ? t.actors.service : t.erasedActor(t.actors[type]));
  return key_prefix ? `${known} (${key_prefix}…)` : known;
}

import { ApiError, type AuditEntry, isSetting, type Role, readsSettings } from '@waymark/contracts';

interface Caller {
  access: { role: Role | null };
}

const readsDetails = ({ access }: Caller) => readsSettings(access.role);

/** Returns the function that withholds from entries the details that the caller may not see. */
export function entriesFor(caller: Caller) {
  const isWhole = readsDetails(caller);
  return (entry: AuditEntry): AuditEntry => (isWhole ? entry : withholdDetails(entry));
}

/** Throws FORBIDDEN for a filter by address from a caller who sees no addresses: it would confirm a guess. */
export function checkFilters(caller: Caller, { ip }: { ip?: string | undefined }): void {
  if (ip === undefined || readsDetails(caller)) return;
  const reason = caller.access.role ? 'role' : 'key_on_settings';
  const message = 'Only admins and owners see addresses and may filter by them.';
  throw new ApiError('FORBIDDEN', { reason, message });
}

/**
 * Removes addresses and changes of settings. Removes the salt too: with the salt, details_hash would confirm
 * a guess at an address.
 */
function withholdDetails(entry: AuditEntry): AuditEntry {
  const { changes, resource_type } = entry;
  const kept = { changes: isSetting(resource_type) ? null : changes, ip: null, user_agent: null };
  const hidden = (['changes', 'ip', 'user_agent'] as const).filter((field) => entry[field] !== kept[field]);
  if (hidden.length === 0) return entry;
  return { ...entry, ...kept, details_salt: null, withheld: [...hidden, 'details_salt'] };
}

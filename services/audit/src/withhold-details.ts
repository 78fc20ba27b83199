import { type AuditEntry, isSetting, type Principal, type Role, readsSettings } from '@waymark/contracts';

/** Returns what a caller gets of each entry. */
export function entriesFor(caller: { principal: Principal; access: { role: Role | null } }) {
  const isWhole = readsSettings(caller.principal, caller.access.role);
  return (entry: AuditEntry): AuditEntry => (isWhole ? entry : withholdDetails(entry));
}

/**
 * Removes addresses and changes of settings. Removes the salt with them: with it, details_hash would show
 * whether a guess at an address is right.
 */
function withholdDetails(entry: AuditEntry): AuditEntry {
  const { changes, resource_type } = entry;
  const kept = { changes: isSetting(resource_type) ? null : changes, ip: null, user_agent: null };
  const hidden = (['changes', 'ip', 'user_agent'] as const).filter((field) => entry[field] !== kept[field]);
  if (hidden.length === 0) return entry;
  return { ...entry, ...kept, details_salt: null, withheld: [...hidden, 'details_salt'] };
}

import type { Role } from '../../session/session-query.ts';

const ROLES: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: read only' },
  { value: 'member', label: 'Member: read and write' },
  { value: 'admin', label: 'Admin: also manages settings' },
  { value: 'owner', label: 'Owner: also manages the plan and deletion' },
];

/** The roles that the user can assign; only an owner can assign owner. */
export function assignableRoles(own: Role): { value: Role; label: string }[] {
  return ROLES.filter(({ value }) => value !== 'owner' || own === 'owner');
}

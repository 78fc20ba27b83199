import type { Role } from '../../session/session-query.ts';
import { membersTexts as t } from '../../texts/members.ts';

const ROLES: Role[] = ['viewer', 'member', 'admin', 'owner'];

/** The roles that the user can assign; only an owner can assign owner. */
export function assignableRoles(own: Role): { value: Role; label: string }[] {
  return ROLES.filter((role) => role !== 'owner' || own === 'owner').map((value) => ({
    value,
    label: t.roles[value],
  }));
}

import { roles } from '@waymark/client/facts';
import type { Role } from '../../session/session-query.ts';
import { membersTexts as t } from '../../texts/members.ts';

/** Roles that the user can assign: owner only by owners, and by a link for anyone member at most. */
export function assignableRoles(own: Role, isForAnyone = false): { value: Role; label: string }[] {
  const most = isForAnyone ? 'member' : own === 'owner' ? 'owner' : 'admin';
  return roles.slice(0, roles.indexOf(most) + 1).map((value) => ({ value, label: t.roles[value] }));
}

import type { Role } from '../../session/session-query.ts';

const WORDS: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: read only' },
  { value: 'member', label: 'Member: read and write' },
  { value: 'admin', label: 'Admin: also manages settings' },
  { value: 'owner', label: 'Owner: also manages the plan and deletion' },
];

/** The roles that the user can assign; only an owner can assign owner. */
export function rolesToGive(mine: Role): { value: Role; label: string }[] {
  return WORDS.filter(({ value }) => value !== 'owner' || mine === 'owner');
}

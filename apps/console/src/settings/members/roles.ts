import type { Role } from '../../session/session-query.ts';

const WORDS: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'member', label: 'Member: reads and writes' },
  { value: 'admin', label: 'Admin: and runs the settings' },
  { value: 'owner', label: 'Owner: and the plan and its end' },
];

/** The roles that the user can assign; only an owner can assign owner. */
export function rolesToGive(mine: Role): { value: Role; label: string }[] {
  return WORDS.filter(({ value }) => value !== 'owner' || mine === 'owner');
}

import { type Decision, invalid, isUserId, peopleFields } from '@waymark/contracts';
import type { DecisionsContext } from '../context.ts';

type People = { [Field in (typeof peopleFields)[number]]?: string[] | undefined };

/**
 * Throws VALIDATION_ERROR for the id of a user who is not a member. People whom the decision `current` names
 * already may stay; it is read only if there are ids.
 */
export async function checkPeople(
  { call }: DecisionsContext,
  workspace_id: string,
  given: People,
  current: () => Promise<Decision | null> = async () => null,
): Promise<void> {
  const named = peopleFields.flatMap((field) => given[field] ?? []).filter(isUserId);
  if (named.length === 0) return;
  const before = await current();
  const known = new Set(peopleFields.flatMap((field) => before?.[field] ?? []));
  const user_ids = [...new Set(named)].filter((id) => !known.has(id));
  if (user_ids.length === 0) return;
  const { members: found } = await call('findMembers', { params: { id: workspace_id }, body: { user_ids } });
  const members = new Set(found.map(({ user_id }) => user_id));
  const isStranger = (value: string) => user_ids.includes(value) && !members.has(value);
  for (const field of peopleFields) {
    const stranger = given[field]?.find(isStranger);
    if (stranger) throw invalid(field, `names ${stranger}, who is not a member of the workspace`);
  }
}

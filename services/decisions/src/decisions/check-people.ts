import { type Decision, invalid, isUserId, peopleFields } from '@waymark/contracts';
import { membersAmong } from '@waymark/service-kit/http';
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
  const members = await membersAmong(call, workspace_id, user_ids);
  const isStranger = (value: string) => user_ids.includes(value) && !members.has(value);
  for (const field of peopleFields) {
    const stranger = given[field]?.find(isStranger);
    if (stranger) throw invalid(field, `names ${stranger}, who is not a member of the workspace`);
  }
}

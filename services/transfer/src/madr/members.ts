import { type Decision, isUserId, peopleFields } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit/http';

/** Returns how Markdown names the members of a workspace: by names that are those of one member only. */
export async function memberNames(call: CallInternal, workspaceId: string) {
  const { members } = await call('findMembers', { params: { id: workspaceId }, body: { role: 'viewer' } });
  const byName = Map.groupBy(members, ({ name }) => name);
  const known = members.filter(
    ({ name }) => byName.get(name)!.length === 1 && name !== '' && !isUserId(name),
  );
  const [names, ids] = [new Map<string, string>(), new Map<string, string>()];
  for (const { user_id, name } of known) {
    names.set(user_id, name);
    ids.set(name, user_id);
  }
  return {
    nameOf: (person: string) => names.get(person) ?? person,
    idOf: (name: string) => ids.get(name) ?? name,
  };
}

/** Replaces names of members by their ids. */
export function withMemberIds<T extends Pick<Decision, (typeof peopleFields)[number]>>(
  decision: T,
  idOf: (name: string) => string,
): T {
  const people = peopleFields.map((field) => [field, [...new Set(decision[field].map(idOf))]]);
  return { ...decision, ...Object.fromEntries(people) };
}

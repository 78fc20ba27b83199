import { invalid, mentionsIn } from '@waymark/contracts';
import { type CallInternal, membersAmong } from '@waymark/service-kit/http';

export type MentionedIn = ReturnType<typeof mentionReader>;

/** Reads the mentions of a text. Throws VALIDATION_ERROR for people who cannot see the workspace. */
export function mentionReader(call: CallInternal) {
  return async (workspace_id: string, content: string, known: readonly string[] = []): Promise<string[]> => {
    const mentioned = mentionsIn(content);
    // Somebody who was mentioned as a member stays mentioned.
    const user_ids = mentioned.filter((id) => !known.includes(id));
    const present = await membersAmong(call, workspace_id, user_ids);
    const stranger = user_ids.find((id) => !present.has(id));
    if (stranger === undefined) return mentioned;
    throw invalid('content', `mentions ${stranger}, who is not a member of the workspace`);
  };
}

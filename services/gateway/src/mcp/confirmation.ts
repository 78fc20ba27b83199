import type { CallOperation } from './operation-call.ts';

/**
 * The question to ask a person before a change that others rely on: an outcome, or an acceptance. Null for
 * any other change.
 */
export async function confirmationOf(
  call: CallOperation,
  given: Record<string, unknown>,
): Promise<string | null> {
  const { id, workspaceId, title, question, status, outcome } = given;
  const verbs = [
    ...(status === 'accepted' ? ['Accept'] : []),
    ...(outcome !== undefined && outcome !== 'pending' ? [`Log the outcome “${outcome}” of`] : []),
  ];
  if (verbs.length === 0) return null;
  const named =
    id === undefined ? (title ?? question) : (await call('getDecision', { id, workspaceId })).title;
  return `${verbs.join(', and ')} the decision “${named}”?`;
}

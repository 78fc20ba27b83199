import { api, type Schemas, WaymarkError } from '../../api/client.ts';
import type { LocalError } from '../../api/problem.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';

/** Gives a verdict on the text with this hash. A repetition would be about a text that nobody has read. */
export async function giveVerdict(workspaceId: string, id: string, body: Schemas['ApprovalCreate']) {
  const t = decisionPageTexts.approvals;
  try {
    return await api.post('/decisions/{id}/approvals', { id, workspaceId, body });
  } catch (error) {
    const isStale =
      error instanceof WaymarkError && error.issues.some(({ path }) => path === 'contentSha256');
    if (!isStale) throw error;
    const local: LocalError['local'] = { title: t.stale, detail: t.staleHint, isFinal: true };
    throw Object.assign(new Error(t.stale, { cause: error }), { local });
  }
}

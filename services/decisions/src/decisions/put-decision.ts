import { ApiError, type Decision, type DecisionPut, invalid } from '@waymark/contracts';
import { Created, type RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { linkQueue } from '../links/check-links.ts';
import { checkPeople } from './check-people.ts';
import { addDecision, checkedDecision } from './create-decision.ts';
import { newContent } from './decision-fields.ts';
import { changeDecision } from './update-decision.ts';

/** Changes the decision with this external id, or creates it if the workspace has none. */
export async function putDecisionByExternalId(
  service: DecisionsContext,
  ctx: RequestContext,
  external_id: string,
  given: DecisionPut,
): Promise<Decision | Created<Decision>> {
  const { store, commit } = service;
  const { workspaceId } = ctx.access;
  await checkPeople(service, workspaceId, given, () => store.findByExternalId(workspaceId, external_id));
  const put = async (tx: Transaction) => {
    const before = await store.findByExternalId(workspaceId, external_id, tx.session);
    if (before) return changeDecision(service, ctx, before, given, tx);
    if (ctx.ifMatch !== undefined) throw new ApiError('PRECONDITION_FAILED');
    if (given.status === 'archived') throw invalid('status', 'of a new decision cannot be archived');
    const decision = addDecision(service, ctx, newContent({ ...given, external_id }))(tx);
    return new Created(await checkedDecision(service, decision, tx));
  };
  const queue = { queueKey: `${workspaceId}/${external_id}`, ...linkQueue(workspaceId, given.supersedes) };
  return commit(ctx, put, queue);
}

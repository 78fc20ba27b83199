import type { Approval, Decision } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';

/** Voids the approvals of an earlier text of a decision that `tx` has changed. */
export async function voidApprovals(
  { approvals }: DecisionStore,
  decision: Decision,
  { session, emit }: Transaction,
): Promise<void> {
  const current = await approvals.current(decision, session);
  const ended: Pick<Approval, 'state' | 'ended_at'> = { state: 'voided', ended_at: decision.updated_at };
  await approvals.end(decision.workspace_id, current, ended, session);
  if (current.length > 0) await approvals.reopen(decision, session);
  for (const approval of current) {
    const { verdict, content_sha256, approver } = approval;
    emit('decision.approval_voided', {
      subject: { type: 'decision', id: decision.id, version: decision.version },
      data: { ...approval, ...ended },
      action: 'decision.approval_void',
      changes: {
        approver: { before: approver.id, after: null },
        content_sha256: { before: content_sha256, after: null },
        verdict: { before: verdict, after: null },
      },
    });
  }
}

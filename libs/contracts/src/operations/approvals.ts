import { limits } from '../limits.ts';
import * as approval from '../resources/approval.ts';
import { pageQuery, queryInteger } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, inQueryOrBody, READ, SETTINGS_WRITE, WRITE } from './presets.ts';

/** Programs propose; people approve. */
const IN_PERSON = { caller: 'session', role: 'member', bucket: 'mutation' } as const;

export const approvalOperations = operationTable('decisions', {
  getApprovalRules: {
    route: 'GET /approval-rules',
    summary: 'How many approvals decisions need, and of whom',
    ...inQuery(READ),
    response: { status: 200, schema: approval.ApprovalRules },
    versioned: true,
  },
  putApprovalRules: {
    route: 'PUT /approval-rules',
    summary: 'Set the rules of approvals; without rules nothing needs any',
    description: 'The rule of its type counts for a decision, else the rule without a type.',
    ...inQueryOrBody(SETTINGS_WRITE),
    body: approval.ApprovalRulesPut,
    bodyLimitValues: limits.decisionValues,
    response: { status: 200, schema: approval.ApprovalRules },
    versioned: true,
    errors: ['CONFLICT'],
    audit: 'workspace.approval_rules',
  },
  listDecisionApprovals: {
    route: 'GET /decisions/{id}/approvals',
    summary: 'Who stands behind which text of a decision, newest first, and whose approval is missing',
    ...inQuery(READ, {
      ...pageQuery,
      limit: queryInteger(1, limits.approvalsPage).optional().describe('Items per page'),
    }),
    response: { status: 200, schema: approval.DecisionApprovals },
  },
  createDecisionApproval: {
    route: 'POST /decisions/{id}/approvals',
    summary: 'Approve the text of a decision, object to it, or abstain; only people, not programs',
    description:
      'Replaces your earlier verdict. A change of the text voids it. 409 when the text is no longer the one of contentSha256; issues then say what is different.',
    ...inQueryOrBody(IN_PERSON),
    body: approval.ApprovalCreate,
    response: { status: 201, schema: approval.Approval },
    errors: ['CONFLICT'],
    audit: 'decision.approve',
  },
  requestDecisionApproval: {
    route: 'POST /decisions/{id}/approval-requests',
    summary: 'Ask members to approve a decision',
    ...inQueryOrBody(WRITE),
    body: approval.ApprovalRequest,
    response: { status: 201, schema: approval.RequestedApproval },
    audit: 'decision.approval_request',
  },
});

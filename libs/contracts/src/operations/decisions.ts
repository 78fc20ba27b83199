import { z } from 'zod';
import { limits } from '../limits.ts';
import * as approval from '../resources/approval.ts';
import { TrashedRecord } from '../resources/audit.ts';
import { CalendarFeedCreate, CalendarFeedState, CalendarFeedWithUrl } from '../resources/calendar.ts';
import * as decision from '../resources/decision.ts';
import * as forecast from '../resources/forecast.ts';
import { DecisionReviewCreate } from '../resources/review.ts';
import { query } from '../schema/body.ts';
import {
  externalId,
  flag,
  moment,
  oneOrMore,
  oneOrMoreIds,
  page,
  pageQuery,
  parts,
  queryInteger,
  queryList,
  SORT,
  text,
  uuid,
} from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { EXPORT, inQuery, inQueryOrBody, READ, RESTORE, SETTINGS_WRITE, WRITE } from './presets.ts';

/** Programs propose; people approve. */
const IN_PERSON = { caller: 'session', role: 'member', bucket: 'mutation' } as const;
const OWN_FEED = { caller: 'session', role: 'viewer' } as const;
const CHANGE_OF_OWN_FEED = { ...OWN_FEED, bucket: 'mutation' } as const;

const historyWeeks = () => queryInteger(2, limits.metricsWeeksMax).default(26);

/** Which decisions; each given one must match. */
const filters = {
  status: oneOrMore(decision.decisionStatuses).optional().describe('Any of these'),
  outcome: oneOrMore(decision.outcomes).optional().describe('Any of these; pending until one is logged'),
  tag: z.string().optional().describe('One of the tags'),
  tags: oneOrMoreIds('Tags of which the decisions have at least one').optional(),
  type: z.string().optional().describe('The decision_type of the decisions'),
  author: oneOrMoreIds('The created_by of the decisions').optional(),
  text: text(limits.titleCharacters, 1).optional().describe('Part of the title, in upper or lower case'),
  overdue: flag().optional().describe('Whether the outcome is overdue'),
  external_id: externalId().optional().describe('The id in another system'),
  created_from: moment('start').optional().describe('Created at or after'),
  created_to: moment('start').optional().describe('Created before'),
  updated_since: moment('start').optional().describe('Created or changed at or after'),
  expected_from: moment('start').optional().describe('Expected at or after'),
  expected_to: moment('start').optional().describe('Expected before'),
};

const waiting_for = uuid()
  .optional()
  .describe(
    'What waits for this user: proposed decisions that the user decides, requested approvals that the user has ' +
      'not answered, and, of decisions that the user decides or has created, overdue outcomes and reviews that are due ' +
      `within ${limits.reviewAheadDays} days; of each the newest ${limits.waitingDecisions}`,
  );

/** Names that other operations and bodies have for the same. */
const renamed = { decision_type: 'type', updated_from: 'updated_since' } as const;

export const decisionOperations = operationTable('decisions', {
  listDecisions: {
    route: 'GET /decisions',
    summary: 'List decisions, newest first',
    ...inQuery(
      READ,
      {
        ...filters,
        waiting_for,
        sort: z.enum(decision.decisionOrders).default('-created_at').describe(SORT),
        ...pageQuery,
      },
      renamed,
    ),
    response: { status: 200, schema: decision.DecisionList },
  },
  createDecision: {
    route: 'POST /decisions',
    summary: 'Log a decision; the answer has its quality score',
    ...inQueryOrBody(WRITE),
    body: decision.DecisionCreate,
    bodyLimitValues: limits.decisionValues,
    response: { status: 201, schema: decision.Decision, location: '/decisions/{id}' },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED', 'APPROVAL_REQUIRED'],
    audit: 'decision.create',
  },
  exportDecisionsCsv: {
    route: 'GET /decisions/export-csv',
    summary: 'All decisions as CSV',
    description:
      'An apostrophe stands before what a spreadsheet could read as a formula: at the start of a cell, and after a semicolon, tab or line end in it.',
    ...inQuery(EXPORT, {
      ids: queryList(uuid(), limits.exportedIds).optional().describe('Only these decisions'),
    }),
    response: { status: 200, contentType: 'text/csv; charset=utf-8' },
    audit: 'decision.export',
  },
  getDecisionFacets: {
    route: 'GET /decisions/facets',
    summary: 'How many decisions match the filters, and the tags, types and authors to filter by',
    description: `The counts of tags, types and authors leave out the filter of the same name. Up to ${limits.facetValues} of each, most frequent first. Counts may be 5 s old.`,
    ...inQuery(READ, filters, renamed),
    response: { status: 200, schema: decision.DecisionFacets },
  },
  listDeletedDecisions: {
    route: 'GET /decisions/deleted',
    summary: `The decisions that were deleted in the last ${limits.deletionDays} days, oldest deletion first`,
    description: 'A decision that an import has restored is not among them.',
    ...inQuery(
      READ,
      {
        since: moment('start')
          .optional()
          .describe('Deleted at or after; must be within the days that are kept'),
        ...pageQuery,
      },
      { deleted_from: 'since' },
    ),
    response: { status: 200, schema: page(decision.DeletedDecision) },
    errors: ['POSITION_GONE'],
  },
  listTrashedDecisions: {
    route: 'GET /decisions/trash',
    summary: `The deleted decisions that can be restored, for ${limits.trashDays} days, latest deletion first`,
    ...inQuery(READ, pageQuery),
    response: { status: 200, schema: page(TrashedRecord) },
  },
  getDecision: {
    route: 'GET /decisions/{id}',
    summary: 'Read a decision',
    description: 'With include, the response has no ETag: parts change without the decision.',
    ...inQuery(READ, {
      include: parts(decision.decisionParts),
    }),
    response: { status: 200, schema: decision.DecisionWithParts },
    versioned: true,
  },
  updateDecision: {
    route: 'PATCH /decisions/{id}',
    summary: 'Change a decision or log its outcome',
    ...inQueryOrBody(WRITE),
    body: decision.DecisionUpdate,
    bodyLimitValues: limits.decisionValues,
    response: { status: 200, schema: decision.Decision },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED', 'APPROVAL_REQUIRED'],
    audit: 'decision.update',
  },
  deleteDecision: {
    route: 'DELETE /decisions/{id}',
    summary: 'Delete a decision with its outcomes, approvals and thread',
    ...inQuery(WRITE),
    response: { status: 204 },
    versioned: true,
    audit: 'decision.delete',
  },
  restoreDecision: {
    route: 'POST /decisions/{id}/restore',
    summary: 'Restore a deleted decision with its outcomes, approvals, forecasts, history and thread',
    description: RESTORE,
    ...inQuery(WRITE),
    response: { status: 200, schema: decision.Decision },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    audit: 'decision.restore',
  },
  putDecisionByExternalId: {
    route: 'PUT /decisions/by-external-id/{externalId}',
    params: { externalId: externalId().describe('The id in another system') },
    summary: 'Create the decision with an external id, or change it',
    description: 'A repeat with the same fields changes nothing: no version, no event and no audit entry.',
    ...inQueryOrBody(WRITE),
    body: decision.DecisionPut,
    bodyLimitValues: limits.decisionValues,
    response: { status: 200, orCreated: true, schema: decision.Decision, location: '/decisions/{id}' },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED', 'APPROVAL_REQUIRED'],
    audit: 'decision.update',
  },
  listDecisionOutcomes: {
    route: 'GET /decisions/{id}/outcomes',
    summary: 'Every outcome logged for a decision, newest first',
    ...inQuery(READ, pageQuery),
    response: { status: 200, schema: page(decision.OutcomeRecord) },
  },
  getDecisionQuality: {
    route: 'GET /decisions/{id}/quality',
    summary: 'The components of the quality score, and ways to raise it',
    ...inQuery(READ),
    response: { status: 200, schema: decision.Quality },
  },
  listDecisionHistory: {
    route: 'GET /decisions/{id}/history',
    summary: 'Every version of a decision with what changed, newest first',
    ...inQuery(READ, pageQuery),
    response: { status: 200, schema: page(decision.HistoryEntry) },
  },
  listDecisionLinks: {
    route: 'GET /decisions/{id}/links',
    summary: 'Decisions that this one supersedes, is superseded by, or relates to',
    description: 'A page counts linked decisions; a decision with two kinds of links has two entries.',
    ...inQuery(READ, pageQuery),
    response: { status: 200, schema: decision.DecisionLinks },
  },
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
    summary:
      'Who approved which text of a decision, objected or abstained, newest first, and whose approval is missing',
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
  createDecisionReview: {
    route: 'POST /decisions/{id}/reviews',
    summary: 'Review an accepted decision: reaffirm it, say that it has to change, or supersede it',
    description:
      'A review is a version of the decision, which its history and last_review show. It sets review_by by the interval, or to null. supersede archives the decision and sets supersedes of supersededBy. 409 unless the decision is accepted.',
    ...inQueryOrBody(WRITE),
    body: DecisionReviewCreate,
    response: { status: 201, schema: decision.Decision },
    versioned: true,
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    audit: 'decision.review',
  },
  listDecisionForecasts: {
    route: 'GET /decisions/{id}/forecasts',
    summary: 'Who holds the success of a decision how likely, with the median and an extremized mean',
    description:
      'Where the workspace hides forecasts, data has only yours until you have given one or an outcome is logged.',
    ...inQuery(READ, pageQuery),
    response: { status: 200, schema: forecast.DecisionForecasts },
  },
  putDecisionForecast: {
    route: 'PUT /decisions/{id}/forecast',
    summary: 'Give your forecast of the success of a decision, or change it; 409 once an outcome was logged',
    description: 'A key gives that of its user or service account. The same forecast again changes nothing.',
    ...inQueryOrBody(WRITE),
    body: forecast.ForecastPut,
    response: { status: 200, schema: forecast.Forecast },
    errors: ['CONFLICT'],
    audit: 'decision.forecast',
  },
  scoreDecisionDraft: {
    route: 'POST /quality',
    summary: 'Score a draft without storing it',
    ...inQueryOrBody(WRITE),
    body: decision.DecisionDraft,
    bodyLimitValues: limits.decisionValues,
    response: { status: 200, schema: decision.Quality },
  },
  getMetrics: {
    route: 'GET /metrics',
    summary: 'The workspace metric (WMS), calibration and overdue count',
    ...inQuery(READ, {
      include: parts(decision.metricsPartNames),
      weeks: historyWeeks().describe('The points in time of the history'),
    }),
    response: { status: 200, schema: decision.Metrics },
  },
  getMetricsHistory: {
    route: 'GET /metrics/history',
    summary: 'The workspace metric (WMS) week by week',
    ...inQuery(READ, {
      weeks: historyWeeks().describe('The number of points in time; the last is now'),
    }),
    response: { status: 200, schema: decision.MetricsHistory },
  },
  getCalibration: {
    route: 'GET /metrics/calibration',
    summary: 'How well forecasts met outcomes: by forecaster, type and tag',
    ...inQuery(READ),
    response: { status: 200, schema: forecast.Calibration },
  },
  getDecisionsCalendar: {
    route: 'GET /decisions.ics',
    summary: 'Overdue and expected decisions as an iCalendar feed (RFC 5545)',
    description:
      'For calendar programs, which send no headers: the token in the address is the only credential.',
    caller: 'feed',
    bucket: 'read',
    workspace: 'none',
    query: query({ token: z.string().optional().describe('The token in the url of the feed') }),
    response: { status: 200, contentType: 'text/calendar; charset=utf-8' },
  },
  getCalendarFeed: {
    route: 'GET /decisions/calendar-token',
    summary: 'Whether you have a calendar feed, without its address',
    ...inQuery({ ...OWN_FEED, bucket: 'read' }),
    response: { status: 200, schema: CalendarFeedState },
  },
  createCalendarFeed: {
    route: 'POST /decisions/calendar-token',
    summary: 'Create the address of your calendar feed; the previous address stops working',
    description: 'The feed ends when its user leaves the workspace or changes the password.',
    ...inQueryOrBody(CHANGE_OF_OWN_FEED),
    body: CalendarFeedCreate,
    response: { status: 201, schema: CalendarFeedWithUrl },
    audit: 'calendar_feed.create',
  },
  revokeCalendarFeed: {
    route: 'DELETE /decisions/calendar-token',
    summary: 'Revoke your calendar feed',
    ...inQuery(CHANGE_OF_OWN_FEED),
    response: { status: 204 },
    audit: 'calendar_feed.revoke',
  },
});

import { z } from 'zod';
import { type ErrorCode, errors, reasonsOf } from '../errors.ts';
import { scopes } from '../identity/principal.ts';
import { buckets, plans } from '../limits.ts';
import { example } from '../schema/fields.ts';
import { component, integer, personName, time, uuid } from '../schema/types.ts';

export const Whoami = component('Whoami', {
  authType: z.enum(['session', 'apiKey']).describe('With what the request was authenticated'),
  userId: uuid().describe('The user, the service account of the key, or the creator of a key without one'),
  workspaceId: uuid()
    .nullable()
    .describe('The workspace of the key; of a session, the one in the query or the only one of the user'),
  keyId: uuid().nullable().describe('Null for a session, as keyPrefix and keyName'),
  keyPrefix: example(z.string().nullable().describe('How the key begins'), 'wmk_J9A216'),
  keyName: example(z.string().nullable().describe('What the key is for'), 'Release desk'),
  scopes: z.array(z.enum(scopes)).describe('What the caller may do; write includes read'),
  settingsUntil: time().nullable().describe('Until when a key without a service account may change settings'),
});
export type Whoami = z.output<typeof Whoami>;

export const Changelog = component('Changelog', {
  version: z.string(),
  entries: z.array(
    z.object({ date: z.iso.date(), kind: z.enum(['added', 'changed', 'fixed']), text: z.string() }),
  ),
  deprecated: z.array(z.string()),
  removed: z.array(z.string()),
});

const allReasons = (Object.keys(errors) as ErrorCode[]).flatMap(reasonsOf).map(([reason]) => reason);

export const ErrorBody = component('Error', 'What an operation answers instead of its result', {
  error: example(z.string().describe('Stable machine-readable code'), 'NOT_FOUND'),
  message: z.string().optional().describe('What happened, then what to do, for people'),
  reason: z.enum(allReasons).optional().describe('Which of the reasons of the code it is'),
  requiredScope: z.enum(scopes).optional().describe('The scope that the key lacks'),
  requiredPlan: z.enum(plans).optional().describe('The least plan that includes what PLAN_GATE refused'),
  issues: z
    .array(
      z.object({
        path: z.string().describe('The field or parameter, such as status.0'),
        message: z.string().describe('What is wrong with it'),
      }),
    )
    .optional()
    .describe('Everything that is wrong with the request'),
  requestId: z.string().optional().describe('The X-Request-Id of the answer, which logs name'),
  docs: z.string().optional().describe('Path of the page that explains the code'),
});
export type ErrorBody = z.output<typeof ErrorBody>;

const BucketUse = z.object({
  limit: integer().describe('Requests per window'),
  used: integer().describe('Requests in the current window'),
  past: z
    .array(z.object({ at: time(), used: integer() }))
    .describe('Those of the last 60 windows that had a request, newest first; `at` is the start of each'),
});

const TierUse = z.record(z.enum(buckets), BucketUse);
export type TierUse = z.output<typeof TierUse>;

export const RateLimitUse = component('RateLimitUse', {
  plan: z.enum(plans),
  window_seconds: integer(),
  resets_at: time().describe('The end of the current window'),
  workspace: TierUse.describe('All keys of the workspace together'),
  key: TierUse.nullable().describe('The key that keyId names'),
  session: TierUse.nullable().describe('The session’s own use, in all workspaces; null for a key'),
});
export type RateLimitUse = z.output<typeof RateLimitUse>;

export const WorkflowViewer = component('WorkflowViewer', 'Somebody who looks at a workflow', {
  user_id: uuid(),
  name: personName(),
  workflow_id: uuid(),
  node_id: uuid().nullable().describe('The node that the person has selected'),
  tab: uuid(),
  left: example(z.boolean().describe('True only in the live stream, when the person has left'), false),
});
export type WorkflowViewer = z.output<typeof WorkflowViewer>;

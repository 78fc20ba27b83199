import type { z } from 'zod';
import type { Changelog } from '../resources/gateway.ts';

/** The version of the public API description, which the specification sets. */
export const OPENAPI_VERSION = '1.4.1.1';

export const changelog: z.input<typeof Changelog> = {
  version: OPENAPI_VERSION,
  entries: [
    {
      date: '2026-11-22',
      kind: 'changed',
      text: 'A whole graph that changes or takes away what is there names its version in If-Match, or *; else 428',
    },
    {
      date: '2026-11-22',
      kind: 'changed',
      text: 'A webhook’s maxPerSecond holds for any second, the first included, over all replicas together',
    },
    {
      date: '2026-11-22',
      kind: 'changed',
      text: 'A webhook endpoint is disabled for failing on five days, no longer for two failures five days apart',
    },
    {
      date: '2026-11-22',
      kind: 'changed',
      text: 'workspace.created is no longer offered to webhooks: no endpoint is older than its workspace',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Accounts: /auth/sign-up, /auth/sign-in, /auth/sign-out, /auth/methods, /auth/me, /auth/password, /auth/sessions; /workspaces with their plans, /members, /api-keys',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Single sign-on with OpenID Connect: /auth/oidc; invitations: /invitations, /auth/invitation',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Rate limits as they stand: /rate-limits; live changes as server-sent events: /events',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Decisions: /decisions/{id}/outcomes, /decisions/{id}/quality, /decisions/{id}/history, drafts scored by /quality; filters and sorting of /decisions',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Decisions: /decisions/{id}/links with their chain; a calendar feed of what is due: /decisions.ics, /decisions/calendar-token',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'The workspace metric and calibration: /metrics, week by week /metrics/history',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Workflows with whole graphs, also acyclic ones: /workflows',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Threads: a message is read, edited and deleted at /threads/{nodeId}/messages/{id}',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Audit log: filters by actor and time, NDJSON at /audit-log/export, verification at /audit-log/verify',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Webhooks: signed deliveries with retries, replay and secret rotation at /webhooks, /deliveries',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Import of exported workspaces and Markdown decisions: /imports; decisions as Markdown: /export/madr',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'This description at /openapi.json, its changes at /changelog',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Idempotency-Key on POST; ETag, If-Match and If-None-Match',
    },
    { date: '2026-04-29', kind: 'added', text: 'X-Request-Id and X-API-Version headers' },
    { date: '2026-04-29', kind: 'added', text: 'Two-tier bearer rate limit' },
    { date: '2026-04-29', kind: 'added', text: 'X-RateLimit-Limit and X-RateLimit-Remaining' },
    { date: '2026-04-29', kind: 'added', text: 'whoami returns rate-limit headers' },
  ],
  deprecated: [],
  removed: [],
};

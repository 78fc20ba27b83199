import type { z } from 'zod';
import type { Changelog } from './resources/gateway.ts';

/** The version of the public description, as the specification sets it. */
export const OPENAPI_VERSION = '1.4.1.1';

export const changelog: z.input<typeof Changelog> = {
  version: OPENAPI_VERSION,
  entries: [
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Accounts: sign-up, sign-in, workspaces, members, plans, API keys',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Decisions: outcomes, quality explanation, history, metrics, filters',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Decisions: links with their chain, a calendar feed of what is due',
    },
    { date: '2026-11-21', kind: 'added', text: 'Metrics: the workspace metric week by week' },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Workflows: whole graphs, acyclic workflows; threads: read, edit and delete a message',
    },
    {
      date: '2026-11-21',
      kind: 'added',
      text: 'Audit log: filters by actor and time, NDJSON export, verification',
    },
    { date: '2026-11-21', kind: 'added', text: 'Idempotency-Key on POST; ETag, If-Match and If-None-Match' },
    { date: '2026-04-29', kind: 'added', text: 'X-Request-Id and X-API-Version headers' },
    { date: '2026-04-29', kind: 'added', text: 'Two-tier bearer rate limit' },
    { date: '2026-04-29', kind: 'added', text: 'X-RateLimit-Limit and X-RateLimit-Remaining' },
    { date: '2026-04-29', kind: 'added', text: 'whoami returns rate-limit headers' },
  ],
  deprecated: [],
  removed: [],
};

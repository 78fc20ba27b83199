/** The resources of the API in reading order: what each is, and the first segments of its paths. */
const RESOURCES: Record<string, { description: string; segments: readonly string[] }> = {
  Decisions: {
    description: 'Decisions with outcomes, approvals, quality, history, links and a calendar',
    segments: ['decisions', 'decisions.ics', 'quality', 'approval-rules'],
  },
  Metrics: { description: 'The workspace metric, calibration and overdue decisions', segments: ['metrics'] },
  Workflows: { description: 'Workflows as graphs of nodes and edges', segments: ['workflows'] },
  Nodes: { description: 'The nodes of workflows', segments: ['nodes'] },
  Edges: { description: 'The edges between nodes', segments: ['edges'] },
  Threads: {
    description: 'Threads of messages on nodes; those of decisions are below /decisions',
    segments: ['threads'],
  },
  Notifications: {
    description: 'A person’s inbox, and what the person watches or has muted',
    segments: ['notifications'],
  },
  Search: { description: 'Substring search in a workspace', segments: ['search'] },
  'Live events': {
    description: 'Changes as server-sent events, and who looks at a workflow',
    segments: ['events', 'presence'],
  },
  'Event log': {
    description: 'The events of a workspace in consecutive numbers',
    segments: ['event-log'],
  },
  Webhooks: { description: 'Endpoints that receive signed deliveries', segments: ['webhooks'] },
  Deliveries: { description: 'Deliveries of webhooks with their attempts', segments: ['deliveries'] },
  'Audit log': { description: 'The hash-chained audit log', segments: ['audit-log'] },
  'Export and import': {
    description: 'Export and import of a workspace',
    segments: ['export', 'imports'],
  },
  Batches: { description: 'Many changes in one request', segments: ['batch'] },
  Workspaces: { description: 'Workspaces and their plans', segments: ['workspaces'] },
  Members: { description: 'The people of a workspace and their roles', segments: ['members', 'people'] },
  Invitations: { description: 'Invitations to a workspace', segments: ['invitations'] },
  'Service accounts': {
    description: 'Programs with a role in a workspace',
    segments: ['service-accounts'],
  },
  Views: { description: 'Views of lists, of a person and of a workspace', segments: ['views'] },
  'API keys': { description: 'API keys of a workspace', segments: ['api-keys'] },
  'Sign-in and account': {
    description: 'Sign-in, sessions, passkeys and the account of a user',
    segments: ['auth'],
  },
  'This API': {
    description: 'The caller, the limits, and the description of the API',
    segments: ['whoami', 'rate-limits', 'openapi.json', 'changelog'],
  },
};

export const apiTags: { name: string; description: string }[] = Object.entries(RESOURCES).map(
  ([name, { description }]) => ({ name, description }),
);

/**
 * Differs from the tag of the operations on webhooks: OpenAPI Generator writes one file for each tag, so that
 * one of the two would overwrite the other.
 */
export const webhookTag = {
  name: 'Webhook events',
  description: 'The requests that endpoints of webhooks receive',
};

const bySegment = new Map(
  Object.entries(RESOURCES).flatMap(([name, { segments }]) => segments.map((segment) => [segment, name])),
);

/** Returns the resource of a path. @throws Error for a path of none. */
export function tagOf(path: string): string {
  const tag = bySegment.get(path.split('/')[1]!);
  if (!tag) throw new Error(`${path} belongs to no resource; add its first segment to tags.ts`);
  return tag;
}

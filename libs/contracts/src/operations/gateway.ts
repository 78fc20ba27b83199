import { z } from 'zod';
import { LiveEvent, liveEventTypes } from '../events/live-event.ts';
import { Changelog, RateLimitUse, Whoami, WorkflowViewer } from '../resources/gateway.ts';
import { query } from '../schema/body.ts';
import { flag, maybeInWorkspace, uuid } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, PUBLIC, READ, SETTINGS_READ } from './presets.ts';

export const gatewayOperations = operationTable('gateway', {
  whoami: {
    route: 'GET /whoami',
    summary: 'The owner of the credentials; needs no scope',
    caller: 'key_or_session',
    bucket: 'read',
    workspace: 'optional',
    query: query(maybeInWorkspace),
    response: { status: 200, schema: Whoami },
    errors: ['WORKSPACE_MISMATCH'],
  },
  getOpenApi: {
    route: 'GET /openapi.json',
    summary: 'This description',
    ...PUBLIC,
    response: { status: 200, schema: z.looseObject({ openapi: z.string() }) },
  },
  getChangelog: {
    route: 'GET /changelog',
    summary: 'What changed in the public interface',
    ...PUBLIC,
    response: { status: 200, schema: Changelog },
  },
  getRateLimits: {
    route: 'GET /rate-limits',
    summary: 'The limits of a workspace and how much of them was used over the last hour',
    description:
      'The limits of all keys together, of the key in keyId, and of the caller’s own session. Windows without a request are left out.',
    ...inQuery(SETTINGS_READ, { key_id: uuid().optional().describe('The id of an API key') }),
    response: { status: 200, schema: RateLimitUse },
  },
  streamEvents: {
    route: 'GET /events',
    summary: 'Changes of a workspace as server-sent events',
    description:
      'Each message is a LiveEvent. The stream begins with `ready`. A reconnect with Last-Event-ID continues after that event, or sends `reset` when it is too old and everything must be read again. `reconnect` announces a planned end. Only admins and owners receive changes of settings. Sessions that name no types also receive `presence`, a WorkflowViewer, when somebody opens a workflow, selects another node or leaves, and `inbox`, without data, when GET /notifications of the user has changed.',
    ...inQuery(READ, { types: liveEventTypes().optional() }),
    response: { status: 200, contentType: 'text/event-stream', schema: LiveEvent },
  },
  reportPresence: {
    route: 'POST /presence',
    summary: 'Report that the user views a workflow, and read who does',
    description:
      'Repeat it every 10 seconds: a report is forgotten after 30, or with left=true. It is stored nowhere and not audited. GET /events sends the changes as `presence`.',
    ...inQuery(
      { caller: 'session', role: 'viewer', bucket: 'read' },
      {
        workflow_id: uuid().describe('The id of the workflow'),
        node_id: uuid().optional().describe('The node that the user has selected'),
        tab: uuid().describe(
          'A new id for each visit; one that has left does not return while it is remembered',
        ),
        left: flag().optional().describe('Whether the user has left'),
      },
    ),
    response: { status: 200, schema: z.object({ data: z.array(WorkflowViewer) }) },
  },
});

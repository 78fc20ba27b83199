import {
  contentSha256,
  type Decision,
  decisionDefaults,
  headers,
  newId,
  type Operation,
  type PublicOperationId,
} from '@waymark/contracts';
import { eventually, type Owner, type StackClient } from '@waymark/testing';
import { asked, CALLBACK, connectProgram } from './programs.ts';

export type Workspace = Owner & { key: string };

/** The ids of one record of each kind in a workspace. */
export interface Records {
  session: string;
  passkey: string;
  /** The client id of a program, and the access that the owner has given it. */
  program: string;
  grant: string;
  workspace: string;
  member: string;
  apiKey: string;
  serviceAccount: string;
  webhook: string;
  delivery: string;
  decision: string;
  /** Of the decision, whose text no valid body changes. */
  title: string;
  /** A member. */
  user: string;
  workflow: string;
  node: string;
  otherNode: string;
  edge: string;
  message: string;
  decisionMessage: string;
  emoji: string;
  import: string;
  invitation: string;
  notification: string;
  /** A shared one. */
  view: string;
  /** Of the decision and of the node. */
  externalId: string;
}

/** Operations with their ids, for describe.each. */
export const byId = (operations: readonly Operation[]) =>
  operations.map((operation) => [operation.id, operation] as const);

/**
 * The kind of record that the last parameter of a path prefix names. An operation whose path is missing here
 * fails every suite that derives from the table.
 */
const PARAMETERS: Record<string, keyof Records> = {
  '/auth/sessions/{id}': 'session',
  '/auth/passkeys/{id}': 'passkey',
  '/auth/grants/{id}': 'grant',
  '/workspaces/{id}': 'workspace',
  '/members/{id}': 'member',
  '/api-keys/{id}': 'apiKey',
  '/service-accounts/{id}': 'serviceAccount',
  '/webhooks/{id}': 'webhook',
  '/deliveries/{id}': 'delivery',
  '/decisions/{id}': 'decision',
  '/decisions/by-external-id/{externalId}': 'externalId',
  '/nodes/by-external-id/{externalId}': 'externalId',
  '/workflows/{id}': 'workflow',
  '/nodes/{id}': 'node',
  '/decisions/{decisionId}': 'decision',
  '/decisions/{decisionId}/thread/messages/{id}': 'decisionMessage',
  '/decisions/{decisionId}/thread/messages/{id}/reactions/{emoji}': 'emoji',
  '/notifications/{id}': 'notification',
  '/notifications/subscriptions/{id}': 'node',
  '/threads/{nodeId}': 'node',
  '/threads/{nodeId}/messages/{id}': 'message',
  '/threads/{nodeId}/messages/{id}/reactions/{emoji}': 'emoji',
  '/threads/messages/{id}': 'decisionMessage',
  '/imports/{id}': 'import',
  '/invitations/{id}': 'invitation',
  '/views/{id}': 'view',
};

/** The operation's path with `records` in place of its parameters. */
export function pathTo({ path }: Operation, records: Records): string {
  let known = '';
  let filled = '';
  for (const part of path.split('/').slice(1)) {
    known += `/${part}`;
    if (!part.startsWith('{')) {
      filled += `/${part}`;
      continue;
    }
    const kind = PARAMETERS[known];
    if (!kind) throw new Error(`records.ts makes nothing for ${known}`);
    filled += `/${records[kind]}`;
  }
  return filled;
}

/** A key where every API key may call, else the session; none where the operation needs no credentials. */
export function credentialsFor(
  { caller }: Operation,
  { key, cookie }: { key: string; cookie: string },
): { key?: string; cookie?: string } {
  if (caller === 'key_or_session') return { key };
  return caller.startsWith('session') ? { cookie } : {};
}

/** Makes one record of each kind, with `mark` in its text. `receiverUrl` takes the webhook's delivery. */
export async function createRecords(
  product: StackClient,
  workspace: Workspace,
  receiverUrl: string,
  mark = '',
): Promise<Records> {
  const { key, cookie, userId, workspaceId } = workspace;
  const query = { workspaceId };

  async function create(path: string, body: object, by: { key?: string; cookie?: string } = { key }) {
    const answer = await product.call('POST', path, { ...by, body });
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }
  const firstOf = async (path: string, input: object = { query }) =>
    (await product.call('GET', path, { cookie, ...input })).body.data[0].id as string;

  const webhook = await create(
    '/webhooks',
    { workspaceId, url: receiverUrl, events: ['decision.created'], description: `A webhook${mark}` },
    { cookie },
  );
  const externalId = `ext-${newId()}`;
  const title = `Which database to choose${mark}`;
  const decision = await create('/decisions', { workspaceId, title, externalId, status: 'accepted' });
  const workflow = await create('/workflows', { workspaceId, title: `A workflow${mark}` });
  const newNode = (more: object) =>
    create('/nodes', {
      ...{ workspaceId, workflowId: workflow.id, type: 'task', title: `A node${mark}` },
      ...{ positionX: 0, positionY: 0, ...more },
    });
  const [node, otherNode] = [await newNode({ externalId }), await newNode({ assignedTo: userId })];
  await product.call('PUT', `/notifications/subscriptions/${node.id}`, {
    cookie,
    body: { workspaceId, recordType: 'node', level: 'watch' },
  });
  const edge = await create('/edges', { workflowId: workflow.id, sourceId: node.id, targetId: otherNode.id });
  const program = await connectProgram(product, workspace, `A program${mark}`);
  const { message } = await create(`/threads/${node.id}`, { content: `A message${mark}` });
  const onDecision = await create(`/decisions/${decision.id}/thread`, { content: `A comment${mark}` });
  const exported = await product.call('GET', '/export', { key, query });
  const dryRun = { key, query: { ...query, dryRun: 'true' }, rawBody: exported.text };
  const begun = await product.call('POST', '/imports', dryRun);
  return {
    session: await firstOf('/auth/sessions', {}),
    // Browsers allow no passkeys at the address of the product in tests; those of accounts have some.
    passkey: newId(),
    program: program.clientId,
    grant: program.id,
    workspace: workspaceId,
    member: await firstOf('/members'),
    apiKey: await firstOf('/api-keys'),
    webhook: webhook.id,
    delivery: await eventually(() => firstOf(`/webhooks/${webhook.id}/deliveries`, {})),
    decision: decision.id,
    title,
    user: workspace.userId,
    workflow: workflow.id,
    node: node.id,
    otherNode: otherNode.id,
    edge: edge.id,
    message: message.id,
    decisionMessage: onDecision.message.id,
    emoji: 'thumbs_up',
    import: begun.body.id,
    externalId,
    // The key has assigned a node to the owner.
    notification: await eventually(() => firstOf('/notifications')),
    view: (
      await create(
        '/views',
        { workspaceId, kind: 'decisions', name: `A view${mark}`, shared: true },
        { cookie },
      )
    ).id,
    invitation: (await create('/invitations', { workspaceId }, { cookie })).id,
    serviceAccount: (
      await create(
        '/service-accounts',
        { workspaceId, name: `An account${mark}`, role: 'viewer' },
        { cookie },
      )
    ).id,
  };
}

/** Returns the query that an operation needs to find its record or workspace. */
export function validQuery({ id, workspace }: Operation, records: Records): Record<string, string> {
  const queries: { [Id in PublicOperationId]?: Record<string, string> } = {
    listNodes: { workflowId: records.workflow },
    getGrantRequest: { clientId: records.program, redirectUri: CALLBACK },
    listEdges: { workflowId: records.workflow },
    deleteEdge: { id: records.edge },
    search: { workspaceId: records.workspace, q: 'node' },
    reportPresence: { workspaceId: records.workspace, workflowId: records.workflow, tab: newId() },
    deleteEventOffset: { workspaceId: records.workspace, name: 'mirror' },
    openUnsubscribe: { token: 'not-a-token' },
    unsubscribe: { token: 'not-a-token' },
    listViews: { workspaceId: records.workspace, kind: 'decisions' },
    countMessages: { workspaceId: records.workspace, nodeIds: records.node },
  };
  const named = workspace.startsWith('query') ? { workspaceId: records.workspace } : {};
  return queries[id as PublicOperationId] ?? named;
}

/** The headers that an operation requires for a body. */
export function headersFor({ batch }: Operation, body: unknown): Record<string, string> {
  const parts = (body as { operations?: unknown } | undefined)?.operations;
  return batch ? { [headers.batchSize]: String(Array.isArray(parts) ? parts.length : 1) } : {};
}

/** A valid body of an operation that needs one, about the caller's own `records`. */
export function validBody(
  { id }: Operation,
  records: Records,
  receiverUrl: string,
): Record<string, unknown> | undefined {
  const workspaceId = records.workspace;
  const password = 'correct horse battery';
  const position = { positionX: 0, positionY: 0 };
  const text = { ...decisionDefaults, title: records.title } as Decision;
  const bodies: { [Id in PublicOperationId]?: Record<string, unknown> } = {
    signUp: { email: 'somebody@example.com', password, name: 'Somebody' },
    signIn: { email: 'somebody@example.com', password },
    requestPasswordReset: { email: 'somebody@example.com' },
    resetPassword: { token: 'not-a-token', newPassword: password },
    updateSelf: { name: 'Mine now' },
    changeEmail: { email: 'another@example.com', currentPassword: password },
    confirmEmail: { token: 'not-a-token' },
    signInWithPasskey: {
      ...{ credentialId: 'AAAA', clientData: 'AAAA', authenticatorData: 'AAAA' },
      ...{ signature: 'AAAA', userHandle: 'AAAA' },
    },
    startPasskey: { currentPassword: password },
    createGrant: { workspaceId, clientId: records.program, scopes: ['read'], ...asked },
    previewDeviceLogin: { userCode: 'BBBB-BBBB' },
    allowDeviceLogin: { workspaceId, userCode: 'BBBB-BBBB' },
    declineDeviceLogin: { userCode: 'BBBB-BBBB' },
    addPasskey: { name: 'A passkey', clientData: 'AAAA', attestationObject: 'AAAA' },
    updatePasskey: { name: 'Mine now' },
    removePasskey: { currentPassword: password },
    startTotp: { currentPassword: password },
    addTotp: { enrolment: 'not-an-enrolment', code: '000000' },
    renewRecoveryCodes: { currentPassword: password },
    removeTotp: { currentPassword: password },
    changePassword: { currentPassword: password, newPassword: password },
    createWorkspace: { name: 'Another' },
    updateWorkspace: { name: 'Mine now' },
    changePlan: { plan: 'business' },
    addMember: { workspaceId, email: 'somebody@example.com', role: 'viewer' },
    updateMember: { role: 'viewer' },
    createApiKey: { workspaceId, name: 'A key', scopes: ['read'] },
    rotateApiKey: { overlapSeconds: 0 },
    createServiceAccount: { workspaceId, name: `Account ${newId()}`, role: 'viewer' },
    updateServiceAccount: { role: 'member' },
    createInvitation: { workspaceId },
    createWebhook: { workspaceId, url: receiverUrl, events: ['decision.created'] },
    updateWebhook: { description: 'mine now' },
    rotateWebhookSecret: {},
    replayWebhook: { since: '2026-01-01T00:00:00Z' },
    createDecision: { workspaceId, title: 'A decision', outcome: 'success' },
    scoreDecisionDraft: { workspaceId, title: 'A draft' },
    createCalendarFeed: { workspaceId },
    updateDecision: { tags: ['mine-now'] },
    putApprovalRules: { workspaceId, rules: [] },
    createDecisionApproval: { workspaceId, verdict: 'approve', contentSha256: contentSha256(text) },
    createDecisionReview: { workspaceId, result: 'reaffirm' },
    requestDecisionApproval: { workspaceId, members: [records.user] },
    putDecisionForecast: { workspaceId, probability: 0.7 },
    putDecisionByExternalId: { workspaceId, title: records.title },
    createWorkflow: { workspaceId, title: 'A workflow' },
    updateWorkflow: { title: 'Mine now' },
    putWorkflowGraph: { nodes: [], edges: [] },
    createNode: { workspaceId, workflowId: records.workflow, type: 'task', title: 'A node', ...position },
    updateNode: { title: 'Mine now' },
    putNodeByExternalId: { workspaceId, workflowId: records.workflow, title: 'Mine now' },
    createEdge: { workflowId: records.workflow, sourceId: records.otherNode, targetId: records.node },
    postMessage: { content: 'Mine now' },
    updateMessage: { content: 'Mine now' },
    postDecisionMessage: { content: 'Mine now' },
    updateDecisionMessage: { content: 'Mine now' },
    batch: { workspaceId, operations: [{ operation: 'createDecision', body: { title: 'A decision' } }] },
    createImport: {},
    putSubscription: { workspaceId, recordType: 'node', level: 'watch' },
    putMailSettings: { timeZone: 'Europe/Berlin', atOnce: ['mention'], daily: [] },
    updateNotification: { isRead: true },
    readNotifications: {},
    createView: { workspaceId, kind: 'decisions', name: 'Accepted', shared: true },
    updateView: { name: 'Mine now' },
    updateListSettings: { workspaceId, kind: 'decisions', columns: ['status'] },
    putEventOffset: { workspaceId, name: 'mirror', number: 0 },
  };
  return bodies[id as PublicOperationId];
}

/** Returns the query, body and headers of a valid call of an operation about the caller's own `records`. */
export function validInput(operation: Operation, records: Records, receiverUrl: string) {
  const body = validBody(operation, records, receiverUrl);
  const headers = headersFor(operation, body);
  return { query: validQuery(operation, records), ...(body && { body }), headers };
}

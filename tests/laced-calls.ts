import { type Operation, operationList, type PublicOperationId } from '@waymark/contracts';
import type { Answer, Stack } from '@waymark/testing';
import { createRecords, pathTo, type Records, validBodies, type Workspace } from './records.ts';

/** What no log line may hold. */
export const CANARY = 'canary-d41d8cd98f00b204';

/** Every text that an operation takes, with the canary in it: passwords, names, and what users write. */
const LACED = new Set(['password', 'newPassword', 'name', 'title', 'content', 'description']);
function laced(body: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (!body) return undefined;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, LACED.has(name) ? CANARY : value]),
  );
}

/** What takes others their ground away comes after them, in this order. */
const LAST: PublicOperationId[] = [
  'deleteMessage',
  'deleteEdge',
  'deleteNode',
  'putWorkflowGraph',
  'deleteWorkflow',
  'deleteDecision',
  'deleteWebhook',
  'revokeApiKey',
  'revokeInvitation',
  'revokeCalendarFeed',
  'removeMember',
  'changePassword',
  'deleteWorkspace',
  'signOut',
];
const lastly = ({ id }: Operation) => LAST.indexOf(id as PublicOperationId);
/** These take what is no JSON body, or need what only few have. */
const APART = new Set<string>([
  ...['streamEvents', 'startOidc', 'finishOidc', 'createImport', 'endSession'],
  ...['acceptInvitation', 'previewInvitation', 'getDecisionsCalendar'],
]);
/** Headers that are taken from anyone, and may hold what they should not. */
const CARRIERS = {
  'If-Match': `"${CANARY}"`,
  'If-None-Match': `"${CANARY}"`,
  'User-Agent': CANARY,
  Referer: `https://example.com/?token=${CANARY}`,
  traceparent: CANARY,
};

export interface LacedCall {
  operation: Operation;
  send(): Promise<Answer>;
}

/** A call of nearly every operation that its handler takes, with the canary wherever something can be said, in a new workspace. */
export async function lacedCalls(product: Stack, receiverUrl: string): Promise<LacedCall[]> {
  const mine = await product.workspace();
  const records = await createRecords(product, mine, receiverUrl);
  // Another than the one among the records, which is rotated and revoked.
  const key = await product.createKey(mine);
  // Messages belong to their author alone.
  const said = await product.call('POST', `/threads/${records.node}`, { key, body: { content: 'Mine' } });
  const own = { ...records, message: said.body.message.id };
  return operationList
    .filter(({ id }) => !APART.has(id))
    .toSorted((a, b) => lastly(a) - lastly(b))
    .map((operation) => ({
      operation,
      send: () => send(product, operation, own, { mine, key, receiverUrl }),
    }));
}

function send(
  product: Stack,
  operation: Operation,
  records: Records,
  { mine, key, receiverUrl }: { mine: Workspace; key: string; receiverUrl: string },
): Promise<Answer> {
  const { id, method, caller, workspace, path, versioned } = operation;
  const bodies = validBodies(records, receiverUrl);
  bodies.changePassword = { ...bodies.changePassword, currentPassword: mine.password };
  const body = laced(bodies[id as PublicOperationId]);
  return product.call(method, pathTo(operation, records), {
    ...(caller === 'session' && { cookie: mine.cookie }),
    ...(caller === 'key_or_session' && { key }),
    query: {
      ...(workspace.startsWith('query') && { workspaceId: mine.workspaceId }),
      ...(id === 'search' && { q: CANARY }),
      ...(id === 'deleteEdge' && { id: records.edge }),
      ...((id === 'listNodes' || id === 'listEdges') && { workflowId: records.workflow }),
    },
    ...(body && { body }),
    headers: {
      ...CARRIERS,
      ...(versioned && method !== 'GET' && { 'If-Match': '*' }),
      ...(method === 'POST' && !path.startsWith('/auth') && { 'Idempotency-Key': `${CANARY}-${id}` }),
    },
  });
}

import { type Operation, operationList, type PublicOperationId } from '@waymark/contracts';
import type { Answer, StackClient } from '@waymark/testing';
import { type JsonSchema, jsonSchema } from './json-schema.ts';
import { createRecords, pathTo, type Records, validBodies, type Workspace } from './records.ts';

/** What no log line may hold. */
export const CANARY = 'canary-d41d8cd98f00b204';

/** Texts that a handler takes only as they are. */
const KEPT = new Set(['currentPassword', 'email', 'url', 'token', 'invitation']);

/** The canary in the schema's shape; undefined where a text of anyone's choice is no value of it, or not enough for one. */
function canaryAs(schema: JsonSchema): unknown {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(canaryAs).findLast((value) => value !== undefined);
  if (schema.type === 'array') {
    const item = canaryAs(schema.items ?? {});
    return item === undefined ? undefined : [item];
  }
  if (schema.type === 'object') {
    if (!schema.properties) return { anything: CANARY };
    const fields = canaries(schema);
    return (schema.required ?? []).every((name) => name in fields) ? fields : undefined;
  }
  const isFree = schema.type === 'string' && !schema.enum && !schema.format && !schema.pattern;
  return isFree ? CANARY : undefined;
}

/** Every field of the schema that takes a text of anyone's choice, with the canary in it. */
function canaries({ properties = {} }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties)
      .map(([name, field]) => [name, KEPT.has(name) ? undefined : canaryAs(field)] as const)
      .filter(([, value]) => value !== undefined),
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
export async function lacedCalls(product: StackClient, receiverUrl: string): Promise<LacedCall[]> {
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
  product: StackClient,
  operation: Operation,
  records: Records,
  { mine, key, receiverUrl }: { mine: Workspace; key: string; receiverUrl: string },
): Promise<Answer> {
  const { id, method, caller, workspace, path, versioned } = operation;
  const bodies = validBodies(records, receiverUrl);
  bodies.changePassword = { ...bodies.changePassword, currentPassword: mine.password };
  const valid = bodies[id as PublicOperationId];
  const body = valid && { ...valid, ...(operation.body && canaries(jsonSchema(operation.body))) };
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

import { type Operation, operationList, type PublicOperationId } from '@waymark/contracts';
import type { Answer, StackClient } from '@waymark/testing';
import { type JsonSchema, jsonSchema } from './json-schema.ts';
import {
  createRecords,
  credentialsFor,
  headersFor,
  pathTo,
  type Records,
  validBody,
  validQuery,
  type Workspace,
} from './records.ts';

/** A text that no log line may contain. */
export const CANARY = 'canary-d41d8cd98f00b204';

/** Fields that a handler accepts only with their valid text. */
const KEPT = new Set([
  ...['currentPassword', 'email', 'url', 'token', 'invitation'],
  ...['clientId', 'redirectUri', 'resource'],
]);

/**
 * The canary in the schema's shape; undefined where the schema does not accept free text or requires more
 * than that.
 */
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
  const isFree =
    schema.type === 'string' && !schema.enum && !schema.const && !schema.format && !schema.pattern;
  return isFree ? CANARY : undefined;
}

/** Every field of the schema that accepts free text, with the canary in it. */
function canaries({ properties = {} }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties)
      .map(([name, field]) => [name, KEPT.has(name) ? undefined : canaryAs(field)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/** Operations that remove what others need come last, in this order. */
const LAST: PublicOperationId[] = [
  'deleteMessage',
  'deleteDecisionMessage',
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
/** Operations without a JSON body, or with special requirements. */
const APART = new Set<string>([
  ...['streamEvents', 'startOidc', 'finishOidc', 'createImport', 'endSession'],
  // Of passkeys, each needs an answer of a browser.
  ...[
    'startPasskeySignIn',
    'signInWithPasskey',
    'startPasskey',
    'addPasskey',
    'updatePasskey',
    'removePasskey',
  ],
  // A set-up belongs to a session, and its code to the set-up.
  ...['addTotp', 'renewRecoveryCodes', 'removeTotp'],
  ...['acceptInvitation', 'previewInvitation', 'getDecisionsCalendar', 'resetPassword', 'confirmEmail'],
  ...['openUnsubscribe', 'unsubscribe'],
  ...['previewDeviceLogin', 'allowDeviceLogin', 'declineDeviceLogin'],
]);
/** Headers that anyone can send with any text. */
const CARRIERS = {
  'If-Match': `"${CANARY}"`,
  'If-None-Match': `"${CANARY}"`,
  'User-Agent': CANARY,
  Referer: `https://example.com/?token=${CANARY}`,
  traceparent: CANARY,
};

export interface CanaryCall {
  operation: Operation;
  send(): Promise<Answer>;
}

/**
 * A valid call of nearly every operation in a new workspace, with the canary wherever it accepts free text.
 */
export async function canaryCalls(product: StackClient, receiverUrl: string): Promise<CanaryCall[]> {
  const mine = await product.workspace();
  const records = await createRecords(product, mine, receiverUrl);
  // A separate key, because the calls rotate and revoke the one among the records.
  const key = await product.createKey(mine);
  // Only its author may change a message.
  const say = async (path: string) =>
    (await product.call('POST', path, { key, body: { content: 'Mine' } })).body.message.id as string;
  const own = {
    ...records,
    message: await say(`/threads/${records.node}`),
    decisionMessage: await say(`/decisions/${records.decision}/thread`),
  };
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
  const { id, method, path, versioned } = operation;
  const valid = validBody(operation, records, receiverUrl);
  const body = valid && {
    ...valid,
    ...(operation.body && canaries(jsonSchema(operation.body))),
    ...('currentPassword' in valid && { currentPassword: mine.password }),
  };
  return product.call(method, pathTo(operation, records), {
    ...credentialsFor(operation, { key, cookie: mine.cookie }),
    query: { ...validQuery(operation, records), ...(id === 'search' && { q: CANARY }) },
    ...(body && { body }),
    headers: {
      ...CARRIERS,
      ...headersFor(operation, body),
      ...(versioned && method !== 'GET' && { 'If-Match': '*' }),
      ...(method === 'POST' && !path.startsWith('/auth') && { 'Idempotency-Key': `${CANARY}-${id}` }),
    },
  });
}

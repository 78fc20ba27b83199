import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operationList, type Role, type ServiceAccountRole } from '@waymark/contracts';
import { type Answer, eventually, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';
import {
  byId,
  createRecords,
  headersFor,
  pathTo,
  type Records,
  validBody,
  validQuery,
  type Workspace,
} from './support/records.ts';

/** Calls each operation of a workspace with valid input, as people and service accounts of every role. */
const product = joinProduct();
let receiver: WebhookReceiver;
let workspace: Workspace;
let records: Records;
const others: string[] = [];
const cookies = {} as Record<'admin' | 'member' | 'viewer' | 'stranger', string>;
/** Keys of service accounts. */
const keys = {} as Record<ServiceAccountRole, string>;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  workspace = await product.workspace();
  records = await createRecords(product, workspace, receiver.url);
  for (const who of ['admin', 'member', 'viewer', 'stranger'] as const) {
    const person = await product.signUp(`The ${who}`);
    cookies[who] = person.cookie;
    if (who === 'stranger') continue;
    await product.addMember(workspace, person, who);
    keys[who] = (await product.createServiceKey(workspace, who)).key;
    if (who !== 'viewer') others.push(person.email);
  }
  await eventually(async () => {
    const query = { workspaceId: workspace.workspaceId };
    const { text } = await product.call('GET', '/audit-log', { cookie: workspace.cookie, query });
    for (const email of others) expect(text).toContain(email);
  });
});
afterAll(() => receiver.stop());

const ASCENDING = ['stranger', 'viewer', 'member', 'admin', 'owner'] as const satisfies ('stranger' | Role)[];
const below = (role: Role) => ASCENDING.slice(0, ASCENDING.indexOf(role)) as (keyof typeof cookies)[];
const ofWorkspace = operationList.filter(({ role }) => role);

function call(operation: Operation, by: { cookie: string } | { key: string }): Promise<Answer> {
  const body = validBody(operation, records, receiver.url);
  return product.call(operation.method, pathTo(operation, records), {
    ...by,
    query: validQuery(operation, records),
    ...(body && { body }),
    headers: headersFor(operation, body),
  });
}

describe.each(byId(ofWorkspace))('%s', (_, operation) => {
  it('refuses callers with a role that is too low, and callers without a role', async () => {
    for (const who of below(operation.role!)) {
      const answer = await call(operation, { cookie: cookies[who] });
      expect([who, answer.status, answer.body?.error]).toEqual([who, 403, 'FORBIDDEN']);
    }
  });
});

const takesServiceAccounts = ofWorkspace.filter(({ scope }) => scope);

describe.each(byId(takesServiceAccounts))('%s', (_, operation) => {
  it('refuses keys of service accounts with a role that is too low', async () => {
    for (const who of below(operation.role!).filter((one) => one !== 'stranger')) {
      const answer = await call(operation, { key: keys[who] });
      // The key of a viewer has only the scope read, and the scope is checked first.
      const lacksScope = who === 'viewer' && operation.scope === 'write';
      const expected = lacksScope ? ['INSUFFICIENT_SCOPE', undefined] : ['FORBIDDEN', 'role'];
      const { error, reason } = answer.body;
      expect([who, answer.status, error, reason]).toEqual([who, 403, ...expected]);
    }
  });
});

/** The event stream never ends. */
const isRead = (operation: Operation) => operation.method === 'GET' && operation.id !== 'streamEvents';

const readByAccounts = takesServiceAccounts.filter((one) => isRead(one) && one.role !== 'owner');

describe.each(byId(readByAccounts))('%s', (_, operation) => {
  it('responds to the key of a service account with the least role', async () => {
    const answer = await call(operation, { key: keys[operation.role as ServiceAccountRole] });
    expect([answer.status, answer.body?.error]).toEqual([200, undefined]);
  });
});

const reads = ofWorkspace.filter((operation) => operation.role === 'viewer' && isRead(operation));

describe.each(byId(reads))('%s', (_, operation) => {
  it('responds to a viewer, without the e-mail address of anybody else', async () => {
    const answer = await call(operation, { cookie: cookies.viewer });
    expect(answer.status).toBe(200);
    for (const email of others) expect(answer.text).not.toContain(email);
  });
});

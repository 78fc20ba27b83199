import { afterAll, describe, expect, it } from '@jest/globals';
import { operationList, type ServiceName, services, storingServices } from '@waymark/contracts';
import { type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { identityPrivateKeysOf } from '@waymark/service-kit/process';
import { answer, eventually, httpCall, openEventSource, startWebhookReceiver } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { codeAt } from '../services/accounts/test/authenticator-app.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type LocalProvider,
  startProvider,
} from '../services/accounts/test/local-provider.ts';
import { CANARY, canaryCalls } from './support/canary-calls.ts';
import { startProduct } from './support/product.ts';
import { connectProgram } from './support/programs.ts';
import { recordedLog } from './support/recorded-log.ts';

/**
 * Sends secrets through every operation and error at the most verbose log level; no log line may contain one.
 */
const { log, lines } = recordedLog();
/** URLs of webhook receivers are often as sensitive as a password. */
const SECRET_PATH = '/hooks/T0123/k4x8Qw';

let catcher: MailCatcher;
let provider: LocalProvider;
const env = async (publicUrl: string) => {
  catcher = await startMailCatcher();
  provider = await startProvider(`${publicUrl}/v1/auth/oidc/callback`);
  return {
    LOG_LEVEL: 'trace',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    SMTP_URL: catcher.url,
    MAIL_FROM: 'waymark@example.com',
  };
};
const product = await startProduct(env, { log });
const receiver = await startWebhookReceiver();
const owner = await product.workspace();
afterAll(async () => {
  await product.stop();
  await receiver.stop();
  await provider.stop();
  await catcher.stop();
});

function expectNone(secrets: readonly string[], text: string): void {
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    expect(text.includes(secret)).toBe(false);
  }
}

/** Returns everything that the services store, as text. */
async function stored(): Promise<string> {
  const mongo = new MongoClient(product.env['MONGODB_URL']!);
  const documents: unknown[] = [];
  for (const service of storingServices) {
    for (const collection of await mongo.db(`${product.env['NATS_PREFIX']}_${service}`).collections()) {
      documents.push(...(await collection.find().toArray()));
    }
  }
  await mongo.close();
  return JSON.stringify(documents);
}

/**
 * Calls the operations that return a secret, then those that accept it, each with an Idempotency-Key, which
 * stores responses.
 */
async function everySecret(): Promise<{ secrets: string[]; webhookId: string }> {
  const { cookie, workspaceId } = owner;
  const post = async (path: string, body?: object, by = cookie) => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const made = await product.call('POST', path, { cookie: by, headers, ...(body && { body }) });
    if (made.status >= 300) throw new Error(`POST ${path} answered ${made.status}: ${made.text}`);
    return made.body;
  };
  const secrets = [owner.key, owner.cookie.split('=')[1]!, owner.password];

  const key = await post('/api-keys', { workspaceId, name: 'Short-lived', scopes: ['read'] });
  const rotated = await post(`/api-keys/${key.id}/rotate`, { overlapSeconds: 60 });
  secrets.push(key.key, rotated.key);
  for (const used of [key.key, rotated.key]) {
    expect((await product.call('GET', '/whoami', { key: used })).status).toBe(200);
  }

  const url = receiver.url + SECRET_PATH;
  receiver.behave(answer(500, { body: 'no' }));
  const webhook = await post('/webhooks', { workspaceId, url, events: ['decision.created'] });
  const renewed = await post(`/webhooks/${webhook.id}/rotate-secret`, {});
  for (const { secret } of [webhook, renewed]) secrets.push(secret, secret.slice('whsec_'.length));

  const invitation = await post('/invitations', { workspaceId });
  const token = new URL(invitation.url).hash.slice(1);
  const guest = await product.signUp('A Guest');
  await product.call('POST', '/auth/invitation', { body: { token } });
  await post('/invitations/accept', { token }, guest.cookie);
  secrets.push(token, guest.cookie.split('=')[1]!);

  const feed = new URL((await post('/decisions/calendar-token', { workspaceId })).url);
  const feedToken = feed.searchParams.get('token')!;
  expect((await product.call('GET', '/decisions.ics', { query: { token: feedToken } })).status).toBe(200);
  await product.call('GET', `/decisions.ics/${feedToken}`);
  secrets.push(feedToken);

  const { code: grantCode, tokens } = await connectProgram(product, guest);
  secrets.push(...[grantCode, tokens.refresh_token].flatMap((text) => text.split('.')), tokens.access_token);

  const app = await post('/auth/totp/options', { currentPassword: guest.password }, guest.cookie);
  const code = codeAt(app.secret, Date.now());
  const added = await post('/auth/totp', { enrolment: app.enrolment, code }, guest.cookie);
  secrets.push(app.secret, app.enrolment, ...added.recovery_codes);

  const newPassword = 'another horse, another battery';
  const passwords = { currentPassword: guest.password, newPassword };
  const changed = await product.call('POST', '/auth/password', { cookie: guest.cookie, body: passwords });
  expect(changed.status).toBeLessThan(300);
  secrets.push(newPassword);

  await product.call('POST', '/auth/password/forgot', { body: { email: guest.email } });
  const resetToken = await eventually(() => {
    const links = catcher.mails.flatMap(
      ({ to, text }) => (to === guest.email && /reset-password#(\S+)/.exec(text)) || [],
    );
    if (!links[1]) throw new Error('no mail has arrived');
    return links[1];
  });
  const resetTo = 'one more horse, one more battery';
  const reset = { token: resetToken, newPassword: resetTo };
  expect((await product.call('POST', '/auth/password/reset', { body: reset })).status).toBe(204);
  secrets.push(resetToken, resetTo);
  return { secrets, webhookId: webhook.id };
}

describe('an operation that returns or accepts a secret', () => {
  it('does not write it to a log line or a store', async () => {
    const { secrets, webhookId } = await everySecret();
    const query = { workspaceId: owner.workspaceId };
    await product.call('POST', '/decisions', { key: owner.key, query, body: { title: 'Tell others' } });
    await eventually(async () => {
      const path = `/webhooks/${webhookId}/deliveries`;
      const { body } = await product.call('GET', path, { cookie: owner.cookie });
      expect(body.data).toMatchObject([{ attempt: 1 }]);
    });
    const own = ['CURSOR_SECRETS', 'WEBHOOK_ENCRYPTION_KEYS', 'AUDIT_SIGNING_KEYS'];
    const identity = (Object.keys(services) as ServiceName[]).map(identityPrivateKeysOf);
    const installation = [...own, ...identity].map((name) => product.env[name]!);
    expectNone([...secrets, ...installation], await stored());
    const text = lines.join('');
    expectNone([...secrets, ...installation, SECRET_PATH], text);
    // Identities are signed tokens (RFC 7519).
    expect(text).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });
});

describe('the input of an operation', () => {
  it('reaches its handler but not a log line', async () => {
    const refused: string[] = [];
    for (const { operation, send } of await canaryCalls(product, receiver.url)) {
      const { status, text } = await send();
      // A conflict, such as the last owner, is detected by the handler.
      const isHandled = status < 400 || status === 409;
      if (!isHandled) refused.push(`${operation.id} ${status} ${text}`);
    }
    expect(refused).toEqual([]);
    expectNone([CANARY], lines.join(''));
  });

  it('does not leak from a stream, a valid or an interrupted import, or a sign-in at a provider', async () => {
    const { cookie, key, workspaceId } = owner;
    const query = { workspaceId };
    const stream = await openEventSource(`${product.url}/v1/events?workspaceId=${workspaceId}`, {
      cookie,
      'last-event-id': CANARY,
    });
    await eventually(() => stream.messages.some(({ event }) => event === 'ready'));
    await product.call('POST', '/decisions', { key, query, body: { title: CANARY } });
    await eventually(() => stream.messages.some(({ data }) => data.subject?.type === 'decision'));
    stream.close();

    const { text } = await product.call('GET', '/export', { key, query });
    expect(text).toContain(CANARY);
    for (const [rawBody, status] of [
      [text, 'succeeded'],
      [text.slice(0, text.indexOf(CANARY) + CANARY.length), 'failed'],
    ] as const) {
      const begun = await product.call('POST', '/imports', { cookie, query, rawBody });
      expect(begun.status).toBe(202);
      await eventually(async () => {
        const job = await product.call('GET', `/imports/${begun.body.id}`, { cookie });
        expect(job.body.status).toBe(status);
      });
    }

    provider.people.set('grace', { email: 'grace@example.com', email_verified: true, name: CANARY });
    const begun = await product.call('GET', '/auth/oidc/start', { query: { returnTo: `/${CANARY}` } });
    const flow = begun.cookies[0]!.split(';')[0]!;
    const back = await provider.signIn(begun.headers['location']!, 'grace');
    const proof = Object.fromEntries(back.searchParams);
    const finish = (changed: Record<string, string>) =>
      product.call('GET', '/auth/oidc/callback', { cookie: flow, query: { ...proof, ...changed } });
    for (const name of ['state', 'iss', 'error']) await finish({ [name]: CANARY });
    const done = await finish({});
    await finish({ code: CANARY });
    expect(done.headers['location']).toContain(CANARY);
    const session = done.cookies.find((line) => line.startsWith('waymark_session='))!.split(';')[0]!;
    const { data } = (await product.call('GET', '/auth/sessions', { cookie: session })).body;
    const ended = await product.call('DELETE', `/auth/sessions/${data[0].id}`, { cookie: session });
    expect(ended.status).toBe(204);
    const secrets = [
      proof['code']!,
      proof['state']!,
      flow.split('=')[1]!,
      session.split('=')[1]!,
      CLIENT_SECRET,
    ];
    expectNone([CANARY, ...secrets], lines.join(''));
  });
});

describe('logs', () => {
  it('contain no key, cookie, password or token, whatever the operation returns', async () => {
    const secrets = [owner.key, owner.cookie.split('=')[1]!, owner.password, CANARY];
    for (const operation of operationList) {
      const path = operation.path.replaceAll(/\{\w+\}/g, crypto.randomUUID());
      const body = {
        password: CANARY,
        currentPassword: CANARY,
        newPassword: CANARY,
        secret: CANARY,
        email: 'x@example.com',
      };
      for (const credentials of [{ key: owner.key }, { cookie: owner.cookie }, { key: CANARY }]) {
        await product.call(operation.method, `${path}?token=${CANARY}&api_key=${owner.key}`, {
          ...credentials,
          ...(operation.method !== 'GET' && { body }),
          headers: { 'Idempotency-Key': CANARY, 'X-Waymark-Identity': CANARY },
        });
      }
    }
    await product.call('POST', '/auth/sign-in', { body: { email: owner.email, password: owner.password } });
    await product.call('POST', '/auth/sign-in', { body: { email: owner.email, password: CANARY } });
    await httpCall(product.url, 'GET', `/v1/%zz?key=${owner.key}`);
    expect(lines.length).toBeGreaterThan(operationList.length);
    expectNone(secrets, lines.join(''));
  });
});

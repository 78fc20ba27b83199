import { once } from 'node:events';
import http from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { answer, eventually, sampleDecision } from '@waymark/testing';
import { useWebhookStack, type Workspace } from './webhook-stack.ts';

/** The only decision and the only member that search and accounts know, by workspace. */
const known = new Map<string, { decision: string; member: string }>();

const doubles = http.createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString();
  const { workspace_id, records = [], user_ids = [], principal } = JSON.parse(text || '{}');
  const found = known.get(workspace_id ?? request.url!.split('/')[3]);
  const isTitled = records.some(({ id }: { id: string }) => id === found?.decision);
  const isMember = user_ids.includes(found?.member);
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      principal,
      titles: isTitled ? { [found!.decision]: 'A title of this workspace' } : {},
      members: isMember ? [{ user_id: found!.member, name: 'Aiko', role: 'viewer' }] : [],
    }),
  );
});
await once(doubles.listen(0, '127.0.0.1'), 'listening');
afterAll(() => {
  doubles.close();
  doubles.closeAllConnections();
});
const url = `http://127.0.0.1:${(doubles.address() as { port: number }).port}`;
const stack = await useWebhookStack({
  env: { ACCOUNTS_URL: url, SEARCH_URL: url, PUBLIC_URL: 'https://waymark.example' },
});

let paths = 0;
/** Registers the address of a chat, and returns what arrives there. */
async function chat(workspace: Workspace, format: string, events = ['decision.created']) {
  paths += 1;
  const path = `/services/T0/secret-${paths}-wxyz`;
  const webhook = await workspace.createWebhook(stack.receiver.url + path, { format, events });
  const requests = (count = 1) =>
    eventually(() => {
      const found = stack.receiver.requests.filter((request) => request.path === path);
      if (found.length < count) throw new Error(`${found.length} of ${count} requests`);
      return found;
    });
  return { webhook, path, requests };
}
const actor = { type: 'session', id: null, name: 'Mira', key_prefix: null } as const;
const message = (decision_id: string, content: string) => ({
  ...{ id: decision_id, thread_id: decision_id, node_id: null, decision_id, content, content_type: 'text' },
  ...{ reply_to: null, mentions: [], author: { type: 'session', id: 'm', name: 'Mira' } },
  ...{ created_at: new Date().toISOString(), edited_at: null, imported_by: null },
});

describe('an endpoint with the format of a chat', () => {
  it('gets a message with the names and titles of its workspace, which the delivery shows', async () => {
    const workspace = stack.workspace();
    const decision = sampleDecision({ workspace_id: workspace.id });
    const member = decision.id.replace(/^./, 'f');
    known.set(workspace.id, { decision: decision.id, member });
    const { webhook, requests } = await chat(workspace, 'slack', ['thread.message_created']);
    const type = 'thread.message_created';
    await workspace.publish({ type, actor, data: message(decision.id, 'No mention') });
    await workspace.publish({ type, actor, data: message(decision.id, `For @[${member}] <3`) });

    const [request, ...others] = await requests();
    expect(others).toEqual([]);
    const link = `https://waymark.example/w/${workspace.id}/decisions/${decision.id}`;
    const text = [
      `*<${link}|A message was posted on a node or a decision>*`,
      'A title of this workspace',
      '>For @Aiko &lt;3',
      'Mira',
    ].join('\n');
    expect(request!.body.text).toBe(text);
    const [delivery, ...none] = await workspace.deliveries(webhook.id);
    expect(none).toEqual([]);
    const shown = await workspace.delivery(delivery!.id, 'delivered');
    expect(shown.body).toBe(request!.rawBody.toString());
    expect(shown.payload.type).toBe(type);
  });

  it('gets nothing of another workspace, whatever ids an event has', async () => {
    const [one, other] = [stack.workspace(), stack.workspace()];
    const decision = sampleDecision();
    const member = decision.id.replace(/^./, 'e');
    known.set(other.id, { decision: decision.id, member });
    const { requests } = await chat(one, 'discord', ['thread.message_created']);
    await one.publish({ type: 'thread.message_created', data: message(decision.id, `@[${member}]`) });
    const { content } = (await requests())[0]!.body;
    expect(content).toContain('\\@…');
    expect(content).not.toMatch(/A title|Aiko/);
  });

  it('is told of a changed decision only when its status has changed', async () => {
    const workspace = stack.workspace();
    const { requests } = await chat(workspace, 'teams', ['decision.updated']);
    const data = sampleDecision({ workspace_id: workspace.id, status: 'accepted' });
    const changed = (field: string) => ({ [field]: { before: 'a', after: 'b' } });
    await workspace.publish({ type: 'decision.updated', data, changes: changed('title') });
    await workspace.publish({ type: 'decision.updated', data, changes: changed('status') });
    const cards = (await requests()).map(({ body }) => body.attachments[0].content.body[0].inlines[0].text);
    expect(cards).toEqual(['The status of a decision is now accepted']);
  });

  it('is sent again when the chat asks for it, and in the format that it has then', async () => {
    const workspace = stack.workspace();
    const { webhook, path, requests } = await chat(workspace, 'slack');
    stack.receiver.behaveEach((request, n) =>
      answer(request.path === path && n === 0 ? 429 : 200, { headers: { 'retry-after': '90' } }),
    );
    await workspace.publish();
    const { id, next_attempt_at } = await workspace.firstDelivery(webhook.id);
    expect(next_attempt_at).toBe(stack.clock.inMs(90_000));
    expect((await workspace.delivery(id)).body).toContain('"parse":"none"');
    await workspace.call('PATCH', `/webhooks/${webhook.id}`, { body: { format: 'waymark' } });
    stack.clock.advance(90_000);
    const [first, second] = await requests(2);
    expect([first!.body.type, second!.body.type]).toEqual([undefined, 'decision.created']);
    const { body } = await workspace.delivery(id, 'delivered');
    expect(body).toBe(second!.rawBody.toString());
  });

  it('shows its whole address in its settings only', async () => {
    const workspace = stack.workspace();
    const { webhook, requests } = await chat(workspace, 'discord');
    const { body: ping } = await workspace.call('POST', `/webhooks/${webhook.id}/test`);
    await workspace.call('PATCH', `/webhooks/${webhook.id}`, { body: { description: 'Ours' } });
    await workspace.call('POST', `/webhooks/${webhook.id}/rotate-secret`, { body: {} });
    expect((await requests())[0]!.body.content).toContain('Waymark can send messages here');
    const masked = `${stack.receiver.url}/…wxyz`;
    const { attempts } = await workspace.delivery(ping.id, 'delivered');
    expect(attempts[0]!.request!.url).toBe(masked);
    for (const type of ['webhook.created', 'webhook.updated', 'webhook.secret_rotated']) {
      const { data, changes } = await stack.told(type, webhook.id);
      expect(data).toMatchObject({ url: masked, format: 'discord' });
      expect(JSON.stringify(changes)).not.toContain('secret-');
    }
    const { body } = await workspace.call('GET', `/webhooks/${webhook.id}`);
    expect(body).toMatchObject({ url: webhook.url, format: 'discord' });
  });
});

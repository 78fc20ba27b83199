import { describe, expect, it } from '@jest/globals';
import { type EventSource, eventually, joinWorkspace, openEventSource } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';
import { PRODUCT_URL } from './support/product-url.ts';

const product = joinProduct();

const ada = await product.workspace();
const ben = await product.signUp('Ben');
const memberId = await joinWorkspace(
  {
    inviter: (method, path, input) => product.call(method, path, { ...input, cookie: ada.cookie }),
    person: (method, path, input) => product.call(method, path, { ...input, cookie: ben.cookie }),
  },
  { workspaceId: ada.workspaceId, email: ben.email, role: 'member' },
);

const inbox = async () => (await product.call('GET', '/notifications', { cookie: ben.cookie })).body;
const heard = ({ messages }: EventSource, kind: string) => messages.filter(({ event }) => event === kind);

describe('an assignment', () => {
  it('reaches the pages of the person alone, and goes with the membership', async () => {
    const { cookie, key, workspaceId } = ada;
    const path = `${process.env[PRODUCT_URL]}/v1/events?workspaceId=${workspaceId}`;
    const listening = [{ cookie: ben.cookie }, { cookie }, { authorization: `Bearer ${key}` }];
    const streams = await Promise.all(listening.map((headers) => openEventSource(path, headers)));
    await eventually(() => streams.every((stream) => heard(stream, 'ready').length > 0));
    const write = (to: string, body: object) =>
      product.call('POST', to, { cookie, body: { workspaceId, ...body } });
    const workflow = await write('/workflows', { title: 'Choose a database' });
    const node = await write('/nodes', {
      ...{ workflowId: workflow.body.id, type: 'task', title: 'Measure both', assignedTo: ben.userId },
      ...{ positionX: 0, positionY: 0 },
    });
    expect(node.status).toBe(201);
    await eventually(() => heard(streams[0]!, 'inbox').length > 0);
    expect(await inbox()).toMatchObject({
      unread_count: 1,
      data: [
        { kind: 'assignment', record_id: node.body.id, title: 'Measure both', actor: { id: ada.userId } },
      ],
    });
    expect(streams.map((stream) => heard(stream, 'inbox').length)).toEqual([1, 0, 0]);
    const watch = { workspaceId, recordType: 'node', level: 'mute' };
    const subscription = `/notifications/subscriptions/${node.body.id}`;
    expect((await product.call('PUT', subscription, { cookie: ben.cookie, body: watch })).status).toBe(200);
    for (const stream of streams) stream.close();
    // The request that mail programs send has a form as its body, and neither session nor Origin (RFC 8058).
    const unsubscribe = (method: string) =>
      fetch(`${process.env[PRODUCT_URL]}/v1/notifications/unsubscribe?token=${ben.userId}.mention.forged`, {
        ...{ method, redirect: 'manual' },
        ...(method === 'POST' && { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }),
      });
    expect([(await unsubscribe('GET')).status, (await unsubscribe('POST')).status]).toEqual([302, 404]);
    await product.call('DELETE', `/members/${memberId}`, { cookie });
    expect(await inbox()).toEqual({ data: [], next_cursor: null, unread_count: 0, time_zone: null });
  });
});
